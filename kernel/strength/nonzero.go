package strength

import (
	"slices"

	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// nonzero is a kernel without the loads that are 0 whatever the data, and without products of these, or
// itself if there are none or it is to be exact: 0 times an infinity is no number.
func nonzero(k *kernel.Kernel, exact bool) *kernel.Kernel {
	if exact || !kernel.Any(k.Body, func(l *kernel.Let) bool { return l.Value.Zero }) {
		return k
	}
	value := kernel.Remade(make(map[*kernel.Value]*kernel.Value), func(v, of *kernel.Value) *kernel.Value {
		if v.Zero {
			return kernel.NewBuilder(nil).Lit(ops.ScalarZero(types.R))
		}
		return withoutZero(of)
	})
	return k.With(kernel.DropUnused(kernel.MapValues(kernel.Clone(k.Body), make(map[*kernel.Value]bool), value)))
}

// withoutZero is a product of 0, or a sum with it, as a number.
func withoutZero(v *kernel.Value) *kernel.Value {
	if v.Kind != kernel.Compute || v.Elem != types.R {
		return v
	}
	switch v.Op {
	case ops.SymMul:
		if i := slices.IndexFunc(v.Args, (*kernel.Value).IsZero); i >= 0 {
			return v.Args[i]
		}
	case ops.SymAdd:
		if i := slices.IndexFunc(v.Args, (*kernel.Value).IsZero); i >= 0 {
			return v.Args[1-i]
		}
	case ops.SymSub:
		if v.Args[1].IsZero() {
			return v.Args[0]
		}
	}
	return v
}
