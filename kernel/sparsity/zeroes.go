package sparsity

import (
	"maps"
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// Zeroes knows of which arrays an element is 0 where a truth value is not as it is to be.
// Derivatives choose twice by one mask: of the cotangent, which is 0 where it does not arrive,
// and of its product by a factor, which may be infinite.
type Zeroes struct {
	stores map[*kernel.Array]*kernel.Store // the only store to an array, of all elements, at the indices of loops; none of a copy with zeros around it
	minus  map[*kernel.Array]bool          // those in which there may be -0
	looks  int                             // how many values may still be looked at
}

// NewZeroes looks through the kernels of a program. Of one made in parts the stores of the whole program
// count: a part stores some elements, and the whole says what all of them are.
func NewZeroes(p *kernel.Program) *Zeroes {
	z := &Zeroes{stores: make(map[*kernel.Array]*kernel.Store), minus: make(map[*kernel.Array]bool)}
	if p.Whole != nil {
		z.note(p.Whole.Kernels, nil)
	}
	z.note(p.Kernels, maps.Clone(z.stores))
	return z
}

// note looks through kernels, but for what they store to arrays that are known.
func (z *Zeroes) note(kernels []*kernel.Kernel, known map[*kernel.Array]*kernel.Store) {
	for _, k := range kernels {
		for _, a := range k.Writes() {
			if _, ok := known[a]; ok {
				continue
			}
			_, again := z.stores[a]
			z.stores[a] = nil
			z.minus[a] = z.minus[a] || k.Steps != nil || k.Calls()
			n := 0
			for s := range kernel.All[*kernel.Store](k.Body) {
				if s.Array == a {
					z.minus[a] = z.minus[a] || !s.Add && !s.Value.Plus
					if n++; n == 1 && !again && !s.Add && IsEach(s) && a.Padded == nil {
						z.stores[a] = s
					} else {
						z.stores[a] = nil
					}
				}
			}
		}
		for l := range kernel.All[*kernel.Loop](k.Body) {
			if len(l.Only) > 0 || l.If != nil {
				for a := range kernel.Stores(l.Body) { // of which there may be elements that nobody needs
					z.stores[a] = nil
				}
			}
		}
	}
}

// IsEach reports whether a store is to an element for the indices of loops.
func IsEach(s *kernel.Store) bool {
	for i, x := range s.At {
		if x.Kind != kernel.Var || slices.Contains(s.At[:i], x) {
			return false
		}
	}
	return !s.Checked
}

// valueAt is a value where it is stored, with other indices in the place of those of its loops,
// or, without a store, as it is.
type valueAt struct {
	*kernel.Value
	store *kernel.Store
	at    []*kernel.Value
}

// of is a value that v is computed of.
func (v valueAt) of(w *kernel.Value) valueAt { return valueAt{w, v.store, v.at} }

// index is an index in the place of one of v, or nil.
func (v valueAt) index(x *kernel.Value) *kernel.Value {
	if v.store == nil || x.Kind == kernel.Lit {
		return x
	}
	if i := slices.Index(v.store.At, x); i >= 0 {
		return v.at[i]
	}
	return nil
}

// load is what was stored where v loads an element, if that shows.
func (z *Zeroes) load(v valueAt) (valueAt, bool) {
	if v.Kind != kernel.Load || v.Checked || z.stores[v.Array] == nil {
		return v, false
	}
	at := slice.Map(v.At, v.index)
	return valueAt{z.stores[v.Array].Value, z.stores[v.Array], at}, !slices.Contains(at, nil)
}

// core is a truth value without what negates it, and whether that is to hold.
func (z *Zeroes) core(v valueAt, one bool) (valueAt, bool) {
	if v.Kind == kernel.Compute && v.Op == ops.SymNot {
		return z.core(v.of(v.Args[0]), !one)
	}
	if w, ok := z.load(v); ok {
		return z.core(w, one)
	}
	return v, one
}

// chosen takes a choice between a real and 0 apart: the real, and what has to hold for it.
func chosen(v *kernel.Value) (of *kernel.Value, when Truth, ok bool) {
	if v.Elem != types.R {
		return nil, Truth{}, false
	}
	return OrZero(v)
}

// OrZero takes a choice between a number and 0 apart, as chosen does.
func OrZero(v *kernel.Value) (of *kernel.Value, when Truth, ok bool) {
	if v.Kind != kernel.Compute || v.Op != ops.SymWhere {
		return nil, Truth{}, false
	}
	switch {
	case v.Args[2].IsZero():
		return v.Args[1], Truth{v.Args[0], true}, true
	case v.Args[1].IsZero():
		return v.Args[2], Truth{v.Args[0], false}, true
	}
	return nil, Truth{}, false
}

// maxLooks bounds how many values are looked at for a sum.
const maxLooks = 500

// vanishes reports whether a real is 0, or no number, unless something holds.
func (z *Zeroes) vanishes(v valueAt, unless Truth) bool {
	if z.looks--; z.looks < 0 {
		return false
	}
	arg := func(i int) bool { return z.vanishes(v.of(v.Args[i]), unless) }
	if w, ok := z.load(v); ok {
		return z.vanishes(w, unless)
	}
	if v.Kind == kernel.Load && v.store == nil {
		return inside(v.Value, unless)
	}
	if of, when, ok := chosen(v.Value); ok {
		a, one := z.core(v.of(when.Of), when.One)
		b, two := z.core(valueAt{Value: unless.Of}, unless.One)
		return one == two && z.same(a, b) || z.vanishes(v.of(of), unless)
	}
	if v.Kind != kernel.Compute || v.Elem != types.R {
		return false
	}
	switch v.Op {
	case ops.SymNeg, ops.SymDiv:
		return arg(0)
	case ops.SymMul:
		return arg(0) || arg(1)
	case ops.SymAdd, ops.SymSub:
		return arg(0) && arg(1)
	}
	return false
}

// inside reports whether something holds wherever a load is in range of its array, or of that of
// which there is a copy with zeros around it: elsewhere it is 0.
func inside(v *kernel.Value, t Truth) bool {
	return !slices.ContainsFunc(t.Conjuncts(), func(t Truth) bool {
		f, g, ok := Differences(t.Of)
		if !t.One {
			f = g
		}
		return !ok || t.Of.Op == ops.SymEq || !t.Of.Args[0].Near() || !t.Of.Args[1].Near() || !follows(v, f) // integers wrap
	})
}

// follows reports whether an integer is at least 0 wherever a load is in range.
func follows(v *kernel.Value, f kernel.Form) bool {
	b := kernel.NewBuilder(nil)
	for i, x := range v.At {
		least, n := int64(0), int64(v.Array.Shape[i])
		if copied := v.Array.Padded; copied != nil {
			least, n = int64(copied.Before[i]), int64(copied.Of.Shape[len(copied.Part)+i])
		} else if !v.Checked {
			continue
		}
		// The first element there is at or after least, the last before least + n.
		first := kernel.FormOf(b.Linear(f.Const+least, append(slices.Clone(f.Coef), -1), append(slices.Clone(f.Args), x)))
		last := kernel.FormOf(b.Linear(f.Const-least-n+1, append(slices.Clone(f.Coef), 1), append(slices.Clone(f.Args), x)))
		if len(first.Args) == 0 && first.Const >= 0 || len(last.Args) == 0 && last.Const >= 0 {
			return true
		}
	}
	return false
}

// same reports whether two values are one, of the same elements of arrays that are stored once.
func (z *Zeroes) same(v, w valueAt) bool {
	all := func(vs, ws []*kernel.Value, of func(v, w *kernel.Value) bool) bool {
		return slices.EqualFunc(vs, ws, func(v, w *kernel.Value) bool { return v != nil && w != nil && of(v, w) })
	}
	sum := func(v, w *kernel.Value) bool { return kernel.FormOf(v).Equal(kernel.FormOf(w), kernel.Same) }
	z.looks--
	switch {
	case v.Value == w.Value && (v.store == nil) == (w.store == nil) && (v.store == nil || slices.Equal(v.store.At, w.store.At) && all(v.at, w.at, sum)):
		return true
	case v.Kind != w.Kind || v.Elem != w.Elem || z.looks < 0:
		return false
	}
	switch v.Kind {
	case kernel.Lit:
		return v.Const.Key() == w.Const.Key()
	case kernel.Var, kernel.Linear:
		return all([]*kernel.Value{v.indexOf()}, []*kernel.Value{w.indexOf()}, sum)
	case kernel.Load:
		once := v.Array.Role != kernel.Temp || z.stores[v.Array] != nil
		return once && v.Array == w.Array && all(slice.Map(v.At, v.index), slice.Map(w.At, w.index), sum)
	case kernel.Compute:
		args := func(ws []*kernel.Value) bool {
			return all(v.Args, ws, func(a, b *kernel.Value) bool { return z.same(v.of(a), w.of(b)) })
		}
		return v.Op == w.Op && v.N == w.N && (args(w.Args) || v.Op == ops.SymEq && args([]*kernel.Value{w.Args[1], w.Args[0]}))
	}
	return false
}

// indexOf is an index that v is, where it is stored, or nil.
func (v valueAt) indexOf() *kernel.Value {
	f := kernel.FormOf(v.Value)
	args := slice.Map(f.Args, v.index)
	if slices.Contains(args, nil) {
		return nil
	}
	return kernel.NewBuilder(nil).Linear(f.Const, f.Coef, args)
}

// Unmasked is a loop that sums as l does without a choice between a summand and 0, where the
// summand is 0 anyway or no number; nil if there is none. So where a sum of it is a number it is
// that of l, as to add a 0 to a sum from +0 changes nothing.
func (z *Zeroes) Unmasked(l *kernel.Loop) *kernel.Loop {
	if l.Order != kernel.Folding || slices.ContainsFunc(l.Body, func(s kernel.Stmt) bool { return !kernel.IsLet(s) }) {
		return nil
	}
	out := *l
	out.Folds = slices.Clone(l.Folds)
	found := false
	for i, f := range l.Folds {
		z.looks = maxLooks
		if f.Op != ops.SymSum || !z.begins(f.From) {
			continue
		}
		for of, when, ok := chosen(f.Value); ok && z.vanishes(valueAt{Value: of}, when); of, when, ok = chosen(of) {
			out.Folds[i].Value, found = of, true
		}
	}
	if !found {
		return nil
	}
	return &out
}

// begins reports whether what a sum begins with is not -0.
func (z *Zeroes) begins(v *kernel.Value) bool {
	return v == nil || z.plus(v)
}

// Unmask makes a body in which loops are done without masks that are not needed where all is
// finite, and the loops in whose place they are, by their indices.
func (z *Zeroes) Unmask(body []kernel.Stmt) ([]kernel.Stmt, map[*kernel.Value]*kernel.Loop) {
	masked := make(map[*kernel.Value]*kernel.Loop)
	var loops func(body []kernel.Stmt) []kernel.Stmt
	loops = func(body []kernel.Stmt) []kernel.Stmt {
		out := slices.Clone(body)
		for i, l := range kernel.Among[*kernel.Loop](body) {
			if u := z.Unmasked(l); u != nil {
				masked[l.Var], l = l, u
			}
			out[i] = l.With(loops(l.Body))
		}
		return out
	}
	if out := loops(body); len(masked) > 0 {
		return kernel.DropUnused(out), masked
	}
	return body, nil
}

// plus reports whether a real is known not to be -0.
func (z *Zeroes) plus(v *kernel.Value) bool {
	return v.Plus || v.Kind == kernel.Load && v.Array.Role == kernel.Temp && !z.minus[v.Array]
}
