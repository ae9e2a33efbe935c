package kernel

import (
	"slices"

	"egad/internal/set"
	"egad/term/ops"
	"egad/term/types"
)

// Only is a condition without which a run of a loop need not be done: an integer that is
// linear in indices of loops, and in integers that are known before, is less than 0. What the
// run would make is 0, which would be added, is there already, or is read by nobody.
type Only struct {
	Less *Value // Linear
	// Finite says that this is so where what is multiplied by 0 is finite, as in the rule
	// mul_zero.
	Finite bool
	// Strict says that in the other runs there may be anything in arrays that are read: see [Program.strictly].
	Strict bool
	// Sure says that no run is done in which it does not hold, so that none asks: see [withoutMasks].
	Sure bool
}

// holds are the conditions under which a truth value is one.
func (b *bounder) holds(v *Value, one bool) limits {
	if v.Kind == Load && one {
		return b.at(b.filled(v.Array), v.Access)
	}
	if v.Kind != Compute || len(v.Args) == 0 {
		return nil
	}
	x, y := v.Args[0], v.Args[len(v.Args)-1]
	lt := func(x, y *Value, or int64) limits { return less(-or, []int64{1, -1}, []*Value{x, y}, false) }
	if x, y, or, ok := (truth{v, one}).less(); ok {
		return lt(x, y, or)
	}
	switch {
	case v.Op == ops.SymNot:
		return b.holds(x, !one)
	case v.Op == ops.SymAnd && one, v.Op == ops.SymOr && !one:
		return b.holds(x, one).and(b.holds(y, one))
	case v.Op == ops.SymOr, v.Op == ops.SymAnd:
		return b.holds(x, one).or(b.holds(y, one))
	case x.Elem != types.I:
		return nil
	case v.Op == ops.SymEq && one:
		return lt(x, y, 1).and(lt(y, x, 1))
	}
	return nil
}

// bounder finds what need not be run: what adds 0, and what fills elements that nobody
// reads.
type bounder struct {
	stores map[*Array][]*Store
	folds  map[*Value]*Fold
	inside map[*Value]*Loop    // of the result of a fold
	axes   map[*Array][]*Value // which stand for the axes of an array
	zero   map[*Value]limits   // without which a value is 0
	zeros  map[*Array]limits
	busy   map[*Array]bool
	// needed are the conditions without which nobody needs a value, or an element.
	needed map[*Value]limits
	reads  map[*Array]limits
	whole  map[*Array]bool // is read, or filled, in another way
	// blocks are the indices of the loops of blocks in which all accesses to an array are: of its
	// elements there are those of one run at a time.
	blocks map[*Array]*Value
	// strict says that sums leave out what a factor 0 does: see [Program.strictly].
	strict bool
	// over are arrays that lie where others do, of which they have all elements that are not
	// stored.
	over map[*Array]*Array
}

// newBounder knows of no statement yet.
func newBounder() *bounder {
	return &bounder{stores: make(map[*Array][]*Store), folds: make(map[*Value]*Fold), inside: make(map[*Value]*Loop),
		axes: make(map[*Array][]*Value), zero: make(map[*Value]limits), zeros: make(map[*Array]limits), busy: make(map[*Array]bool),
		needed: make(map[*Value]limits), reads: make(map[*Array]limits), whole: make(map[*Array]bool), blocks: make(map[*Array]*Value)}
}

// inBlocks notes in which loops of blocks arrays are accessed.
func (b *bounder) inBlocks(p *Program) {
	seen := make(map[*Array]bool)
	for _, k := range p.Kernels {
		for _, s := range k.Body {
			var in *Value
			if l, ok := s.(*Loop); ok && l.Order == Blocks {
				in = l.Var
			}
			Accesses([]Stmt{s}, func(a Access) {
				if !seen[a.Array] {
					seen[a.Array], b.blocks[a.Array] = true, in
				} else if b.blocks[a.Array] != in {
					b.blocks[a.Array] = nil
				}
			})
		}
	}
}

// bound notes at loops which of their runs need not be done, and is who needs what: over are the results that
// lie where other arrays do.
func (p *Program) bound(over map[*Array]*Array) *bounder {
	b := p.needs(over, false)
	p.note(b)
	p.strictly(b)
	return b
}

// bounder knows the arrays of a program, and what is stored there.
func (p *Program) bounder() *bounder {
	b := newBounder()
	for _, a := range p.Arrays {
		b.whole[a] = a.Role != Temp
		axes := NewBuilder(nil)
		for _, n := range a.Shape {
			b.axes[a] = append(b.axes[a], axes.Variable(n, 1))
		}
	}
	for _, a := range p.Result.Arrays() {
		b.reads[a] = limits{}
	}
	for _, k := range p.Kernels {
		if k.Steps != nil || k.Calls() {
			set.Add(b.whole, append(k.Reads(), k.Writes()...)...)
		}
		Walk(k.Body, func(s Stmt) {
			switch s := s.(type) {
			case *Store:
				b.stores[s.Array] = append(b.stores[s.Array], s)
			case *Loop:
				for i, f := range s.Folds {
					b.folds[f.Result], b.inside[f.Result] = &s.Folds[i], s
				}
			}
		})
	}
	b.inBlocks(p)
	return b
}

// only are the conditions without which a run of a loop need not be done.
func (b *bounder) only(l *Loop) limits {
	var all limits
	first := true
	also := func(ls limits) {
		if first {
			all, first = ls, false
		} else {
			all = all.or(ls)
		}
	}
	for s := range allOf[*Store](l.Body) {
		if s.Add { // a sum from +0 is never -0
			also(b.wanted(s).and(b.nonzero(s.Value)))
		} else {
			also(b.wanted(s))
		}
	}
	for _, f := range l.Folds {
		if f.Op != ops.SymSum {
			also(b.needed[f.Result].where(func(x *Value) *Value {
				if x == l.Var {
					return nil
				}
				return x
			}))
			continue
		}
		also(b.nonzero(f.Value).and(b.needed[f.Result]))
	}
	if l.Order.Whole() || l.Order == Carrying {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(all), func(x limit) bool {
		i := slices.Index(x.Args, l.Var)
		return i < 0 && l.Order != Folding || i >= 0 && !unit(x.Coef[i]) ||
			slices.ContainsFunc(x.Args, func(v *Value) bool { return v.Kind != Var && needed(v)[l.Var] }) // which is not known before
	})
}

// at are limits on the axes of an array as limits on the indices of an access to it.
func (b *bounder) at(ls limits, a Access) limits {
	return ls.where(func(x *Value) *Value {
		if i := slices.Index(b.axes[a.Array], x); i >= 0 {
			return a.At[i]
		}
		return x // of a loop of blocks
	})
}

// of are limits on the indices of an access as limits on the axes of its array.
func (b *bounder) of(ls limits, a Access) limits {
	axes := b.axes[a.Array]
	return ls.along(a.At, axes).where(func(x *Value) *Value {
		if i := slices.Index(a.At, x); i >= 0 {
			return axes[i]
		}
		if x == b.blocks[a.Array] || slices.Contains(axes, x) {
			return x
		}
		return nil
	})
}

// nonzero are conditions without which a number is 0.
func (b *bounder) nonzero(v *Value) limits {
	ls, ok := b.zero[v]
	if ok {
		return ls
	}
	switch {
	case v.Kind == Load:
		ls = b.at(b.filled(v.Array), v.Access)
	case v.Kind == Folded:
		f, l := b.folds[v], b.inside[v]
		if f == nil || f.Op != ops.SymSum {
			break
		}
		ls = b.nonzero(f.Value).some(l) // what it goes on from is 0 where it stores: see filled
	case v.Elem == types.B:
		ls = b.holds(v, true)
	case v.Kind != Compute:
	case v.Op == ops.SymWhere:
		yes, no := v.Args[1], v.Args[2]
		switch {
		case no.isZero():
			ls = b.holds(v.Args[0], true).and(b.nonzero(yes))
		case yes.isZero():
			ls = b.holds(v.Args[0], false).and(b.nonzero(no))
		default:
			ls = b.nonzero(yes).or(b.nonzero(no))
		}
	case v.Op == ops.SymNeg:
		ls = b.nonzero(v.Args[0])
	case v.Op == ops.SymAdd || v.Op == ops.SymSub:
		ls = b.nonzero(v.Args[0]).or(b.nonzero(v.Args[1]))
	case v.Op == ops.SymMul:
		ls = slices.Clone(b.nonzero(v.Args[0]).and(b.nonzero(v.Args[1])))
		for i := range ls {
			ls[i].finite = true
		}
	}
	b.zero[v] = ls
	return ls
}

// filled are conditions on the axes of an array without which an element is 0.
func (b *bounder) filled(a *Array) limits {
	ls, ok := b.zeros[a]
	if ok || b.whole[a] || b.busy[a] || len(b.stores[a]) == 0 {
		return ls
	}
	b.busy[a] = true
	for i, s := range b.stores[a] {
		one := limits(nil)
		if f := b.folds[s.Value]; f == nil || f.From == nil || f.From.same(s.Access) {
			one = b.of(b.nonzero(s.Value), s.Access)
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

// same reports whether v is the element of an access.
func (v *Value) same(a Access) bool {
	return v.Kind == Load && v.Array == a.Array && slices.Equal(v.At, a.At)
}
