package improve

import (
	"slices"

	"egad/kernel"
	"egad/kernel/sparsity"
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
func vanishing(p *kernel.Program, b *sparsity.Bounder) {
	for _, k := range p.Kernels {
		for s := range kernel.All[*kernel.Let](k.Body) {
			if s.Value.Kind == kernel.Load && s.Value.Elem == types.R {
				s.Value.Zero = never(b, b.Filled(s.Value.Array), s.Value.Access)
			}
		}
		if unstored(k, func(s *kernel.Store) bool {
			return !s.Add && !b.Whole[s.Array] && never(b, slices.DeleteFunc(slices.Clone(b.Reads[s.Array]), func(x sparsity.Limit) bool { return x.Finite }), s.Access)
		}) {
			k.Body = kernel.DropUnused(k.Body)
		}
	}
}

// never reports whether one of some conditions on the axes of an array does not hold for an element
// at numbers.
func never(b *sparsity.Bounder, ls sparsity.Limits, a kernel.Access) bool {
	if a.Checked || slices.ContainsFunc(a.At, func(x *kernel.Value) bool { return x.Kind != kernel.Lit }) {
		return false
	}
	return slices.ContainsFunc(ls, func(x sparsity.Limit) bool {
		n := x.Const
		for i, v := range x.Args {
			axis := slices.Index(b.Axes[a.Array], v)
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
func unstored(k *kernel.Kernel, leave func(s *kernel.Store) bool) bool {
	if !kernel.Any(k.Body, leave) {
		return false
	}
	k.Body = kernel.WithoutStores(k.Body, leave)
	used := kernel.NeededBy(k.Body)
	for l := range kernel.All[*kernel.Loop](k.Body) {
		if slices.ContainsFunc(l.Folds, func(f kernel.Fold) bool { return used[f.Result] }) {
			l.Folds = slices.DeleteFunc(l.Folds, func(f kernel.Fold) bool { return !used[f.Result] })
		}
	}
	return true
}
