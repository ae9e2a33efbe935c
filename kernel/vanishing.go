package kernel

import (
	"slices"

	"egad/internal/memo"
	"egad/term/ops"
	"egad/term/types"
)

// vanishing marks loads of elements that are 0 whatever the data, by conditions on where they are, and
// leaves out stores at places that nobody reads. Kernels in which short loops are written out have such
// loads and stores, as of a triangular matrix:
//
//	v1 = l[0, 1]
//	v2 = l[1, 1]
//
// where l[j, d] is not 0 for d < j only: both are 0.
func (p *Program) vanishing(b *bounder) {
	for _, k := range p.Kernels {
		for s := range allOf[*Let](k.Body) {
			if s.Value.Kind == Load && s.Value.Elem == types.R {
				s.Value.zero = b.never(b.filled(s.Value.Array), s.Value.Access)
			}
		}
		if k.unstored(func(s *Store) bool {
			return !s.Add && !b.whole[s.Array] && b.never(slices.DeleteFunc(slices.Clone(b.reads[s.Array]), func(x limit) bool { return x.finite }), s.Access)
		}) {
			k.Body = live(k.Body)
		}
	}
}

// never reports whether one of some conditions on the axes of an array does not hold for an element
// at numbers.
func (b *bounder) never(ls limits, a Access) bool {
	if a.Checked || slices.ContainsFunc(a.At, func(x *Value) bool { return x.Kind != Lit }) {
		return false
	}
	return slices.ContainsFunc(ls, func(x limit) bool {
		n := x.Const
		for i, v := range x.Args {
			axis := slices.Index(b.axes[a.Array], v)
			if axis < 0 {
				return false
			}
			n += x.Coef[i] * a.At[axis].Const.Int
		}
		return n >= 0
	})
}

// unstored leaves out some stores of a kernel, and what is folded for these only, and reports whether
// there are any. A loop that folds goes on to.
func (k *Kernel) unstored(leave func(s *Store) bool) bool {
	if !some(k.Body, leave) {
		return false
	}
	k.Body = without(k.Body, leave)
	var ends []*Value
	Walk(k.Body, func(s Stmt) { ends = append(ends, uses(s)...) })
	used := needed(ends...)
	for l := range allOf[*Loop](k.Body) {
		if slices.ContainsFunc(l.Folds, func(f Fold) bool { return used[f.Result] }) {
			l.Folds = slices.DeleteFunc(l.Folds, func(f Fold) bool { return !used[f.Result] })
		}
	}
	return true
}

// nonzero is a kernel without the loads that are 0 whatever the data, and without products of these, or
// itself if there are none or it is to be exact: 0 times an infinity is no number.
func (k *Kernel) nonzero(exact bool) *Kernel {
	if exact || !some(k.Body, func(l *Let) bool { return l.Value.zero }) {
		return k
	}
	made := make(map[*Value]*Value)
	var value func(v *Value) *Value
	value = func(v *Value) *Value {
		return memo.Of(made, v, func() *Value {
			if v.zero {
				return NewBuilder(nil).Lit(ops.ScalarZero(types.R))
			}
			return v.remade(value).withoutZero()
		})
	}
	out := *k
	out.Body = live(remade(cloned(k.Body), make(map[*Value]bool), value))
	return &out
}

// withoutZero is a product of 0, or a sum with it, as a number.
func (v *Value) withoutZero() *Value {
	if v.Kind != Compute || v.Elem != types.R {
		return v
	}
	switch v.Op {
	case ops.SymMul:
		if i := slices.IndexFunc(v.Args, (*Value).isZero); i >= 0 {
			return v.Args[i]
		}
	case ops.SymAdd:
		if i := slices.IndexFunc(v.Args, (*Value).isZero); i >= 0 {
			return v.Args[1-i]
		}
	case ops.SymSub:
		if v.Args[1].isZero() {
			return v.Args[0]
		}
	}
	return v
}
