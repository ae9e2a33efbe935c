package sparsity

import (
	"slices"

	"egad/internal/set"
	"egad/internal/slice"
	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// Holds finds the conditions under which a truth value is one.
func (b *Bounder) Holds(v *kernel.Value, one bool) Limits {
	if v.Kind == kernel.Load && one {
		return b.at(b.Filled(v.Array), v.Access)
	}
	if v.Kind != kernel.Compute || len(v.Args) == 0 {
		return nil
	}
	x, y := v.Args[0], v.Args[len(v.Args)-1]
	lt := func(x, y *kernel.Value, or int64) Limits {
		coef, args := []int64{1, -1}, []*kernel.Value{x, y}
		return less(-or, coef, args, false).And(lessUndivided(-or, coef, args))
	}
	if x, y, or, ok := (Truth{v, one}).less(); ok {
		return lt(x, y, or)
	}
	switch {
	case v.Op == ops.SymNot:
		return b.Holds(x, !one)
	case v.Op == ops.SymAnd && one, v.Op == ops.SymOr && !one:
		return b.Holds(x, one).And(b.Holds(y, one))
	case v.Op == ops.SymOr, v.Op == ops.SymAnd:
		return b.Holds(x, one).or(b.Holds(y, one))
	case x.Elem != types.I:
		return nil
	case v.Op == ops.SymEq && one:
		return lt(x, y, 1).And(lt(y, x, 1))
	}
	return nil
}

// Bounder finds what need not be run: what adds 0, and what fills elements that nobody
// reads.
type Bounder struct {
	Stores map[*kernel.Array][]*kernel.Store
	folds  map[*kernel.Value]*kernel.Fold    // by their results, as they were: loops may be left without some
	inside map[*kernel.Value]*kernel.Loop    // of the result of a fold
	Axes   map[*kernel.Array][]*kernel.Value // which stand for the axes of an array
	zeros  map[*kernel.Array]Limits
	// differences are the conditions without which values are something.
	differences map[differing]difference
	facts       map[factOf]sure
	called      map[*kernel.Array]bool // filled by steps of a loop, or by a function
	busy        map[*kernel.Array]bool
	// needed are the conditions without which nobody needs a value, or an element.
	needed map[*kernel.Value]Limits
	Reads  map[*kernel.Array]Limits
	Whole  map[*kernel.Array]bool // is read, or filled, in another way
	// blocks are the indices of the loops of blocks in which all accesses to an array are: of its
	// elements there are those of one run at a time.
	blocks map[*kernel.Array]*kernel.Value
	// strict says that sums leave out what a factor 0 does: see [improve.strictly].
	strict bool
	// Over are arrays that lie where others do, of which they have all elements that are not
	// stored.
	Over map[*kernel.Array]*kernel.Array
}

// NewBounder knows of no statement yet.
func NewBounder() *Bounder {
	return &Bounder{Stores: make(map[*kernel.Array][]*kernel.Store), folds: make(map[*kernel.Value]*kernel.Fold), inside: make(map[*kernel.Value]*kernel.Loop),
		Axes: make(map[*kernel.Array][]*kernel.Value), zeros: make(map[*kernel.Array]Limits), differences: make(map[differing]difference), facts: make(map[factOf]sure), called: make(map[*kernel.Array]bool), busy: make(map[*kernel.Array]bool),
		needed: make(map[*kernel.Value]Limits), Reads: make(map[*kernel.Array]Limits), Whole: make(map[*kernel.Array]bool), blocks: make(map[*kernel.Array]*kernel.Value)}
}

// inBlocks notes in which loops of blocks arrays are accessed.
func (b *Bounder) inBlocks(p *kernel.Program) {
	seen := make(map[*kernel.Array]bool)
	for _, k := range p.Kernels {
		for _, s := range k.Body {
			var in *kernel.Value
			if l, ok := s.(*kernel.Loop); ok && l.Order == kernel.Blocks {
				in = l.Var
			}
			kernel.Accesses([]kernel.Stmt{s}, func(a kernel.Access) {
				if !seen[a.Array] {
					seen[a.Array], b.blocks[a.Array] = true, in
				} else if b.blocks[a.Array] != in {
					b.blocks[a.Array] = nil
				}
			})
		}
	}
}

// BounderOf knows the arrays of a program, and what is stored there.
func BounderOf(p *kernel.Program) *Bounder {
	b := NewBounder()
	for _, a := range p.Arrays {
		b.Whole[a] = a.Role != kernel.Temp
		axes := kernel.NewBuilder(nil)
		for _, n := range a.Shape {
			b.Axes[a] = append(b.Axes[a], axes.Variable(n, 1))
		}
	}
	for _, a := range p.Result.Arrays() {
		b.Reads[a] = Limits{}
	}
	for _, k := range p.Kernels {
		if k.Steps != nil || k.Calls() {
			set.Add(b.Whole, append(k.Reads(), k.Writes()...)...)
			set.Add(b.called, k.Writes()...)
		}
		kernel.Walk(k.Body, func(s kernel.Stmt) {
			switch s := s.(type) {
			case *kernel.Store:
				b.Stores[s.Array] = append(b.Stores[s.Array], s)
			case *kernel.Loop:
				for _, f := range s.Folds {
					b.folds[f.Result], b.inside[f.Result] = &f, s
				}
			}
		})
	}
	b.inBlocks(p)
	return b
}

// only are the conditions without which a run of a loop need not be done.
func (b *Bounder) only(l *kernel.Loop) Limits {
	var all Limits
	first := true
	also := func(ls Limits) {
		if first {
			all, first = ls, false
		} else {
			all = all.or(ls)
		}
	}
	var stores func(body []kernel.Stmt, inside []*kernel.Loop)
	stores = func(body []kernel.Stmt, inside []*kernel.Loop) {
		for _, s := range body {
			switch s := s.(type) {
			case *kernel.Loop:
				stores(s.Body, append(inside[:len(inside):len(inside)], s))
			case *kernel.Store:
				ls := b.Wanted(s)
				if s.Add { // a sum from +0 is never -0
					ls = ls.And(b.Nonzero(s.Value))
				}
				for _, m := range inside {
					ls = ls.some(m)
				}
				also(ls)
			}
		}
	}
	stores(l.Body, nil)
	for _, f := range l.Folds {
		ls := b.changing(f, f.Value)
		if f.Op != ops.SymSum && len(ls) == 0 {
			also(b.needed[f.Result].where(func(x *kernel.Value) *kernel.Value {
				if x == l.Var {
					return nil
				}
				return x
			}))
			continue
		}
		also(ls.And(b.needed[f.Result]))
	}
	if l.Order.Whole() || l.Order == kernel.Carrying {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(all), func(x Limit) bool {
		i := slices.Index(x.Args, l.Var)
		return i < 0 && l.Order != kernel.Folding || i >= 0 && !kernel.IsUnit(x.Coef[i]) ||
			slices.ContainsFunc(x.Args, func(v *kernel.Value) bool { return v.Kind != kernel.Var && kernel.Needed(v)[l.Var] }) // which is not known before
	})
}

// at are limits on the axes of an array as limits on the indices of an access to it.
func (b *Bounder) at(ls Limits, a kernel.Access) Limits {
	return ls.where(func(x *kernel.Value) *kernel.Value {
		if i := slices.Index(b.Axes[a.Array], x); i >= 0 {
			return a.At[i]
		}
		return x // of a loop of blocks
	})
}

// Of turns limits on the indices of an access into limits on the axes of its array.
func (b *Bounder) Of(ls Limits, a kernel.Access) Limits {
	axes := b.Axes[a.Array]
	return ls.along(a.At, axes).where(func(x *kernel.Value) *kernel.Value {
		if i := slices.Index(a.At, x); i >= 0 {
			return axes[i]
		}
		if x == b.blocks[a.Array] || slices.Contains(axes, x) {
			return x
		}
		return nil
	})
}

// MaxPadded is how many times as many elements as an array a copy with zeros around has at most.
const MaxPadded = 2

// inRange finds conditions without which a checked access is to no element, unless a copy with zeros around the array
// is better, in which nothing is checked: that is where elements are read again and again, and where they are out of range
// by few places.
func inRange(a kernel.Access) (out Limits) {
	if !a.Checked {
		return nil
	}
	padded, loops := 1.0, 0
	for v := range kernel.Needed(a.At...) {
		if v.Kind == kernel.Var {
			loops++
		}
	}
	for i, x := range a.At {
		n := int64(a.Array.Shape[i])
		if x.Range.Lo < 0 {
			out = out.And(less(-1, []int64{-1}, []*kernel.Value{x}, false))
		}
		if x.Range.Hi >= n {
			out = out.And(less(-n, []int64{1}, []*kernel.Value{x}, false))
		}
		padded *= (float64(max(x.Range.Hi, n-1)) - float64(min(x.Range.Lo, 0)) + 1) / float64(n)
	}
	if loops > len(a.At) && padded <= MaxPadded {
		return nil
	}
	return out
}

// finite are conditions that have to hold only where numbers are finite.
func finite(ls Limits) Limits {
	return slice.Map(ls, func(x Limit) Limit { return Limit{x.Form, true} })
}

// Filled finds conditions on the axes of an array without which an element is 0.
func (b *Bounder) Filled(a *kernel.Array) Limits {
	ls, ok := b.zeros[a]
	if ok || b.Whole[a] || b.busy[a] || len(b.Stores[a]) == 0 {
		return ls
	}
	b.busy[a] = true
	for i, s := range b.Stores[a] {
		one := Limits(nil)
		if f := b.folds[s.Value]; f == nil || f.From == nil || f.From.SameAs(s.Access) {
			one = b.Of(b.factor(s.Value), s.Access)
		}
		if i == 0 {
			ls = one
		} else {
			ls = ls.or(one)
		}
	}
	delete(b.busy, a)
	b.zeros[a] = ls
	return ls
}
