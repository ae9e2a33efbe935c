package sparsity

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/term/types"
)

// alike reports whether two values are one, or the same element of an input of integers.
func alike(v, w *kernel.Value) bool {
	return v == w || IsData(v) && IsData(w) && v.Array == w.Array && slices.EqualFunc(v.At, w.At, func(x, y *kernel.Value) bool {
		return kernel.FormOf(x).Equal(kernel.FormOf(y), alike)
	})
}

// IsData reports whether a value is an element of an input of integers, which all kernels may read.
func IsData(v *kernel.Value) bool {
	return v.Kind == kernel.Load && v.Elem == types.I && v.Array.Role == kernel.Input && !v.Checked
}

// elsewhere is an element of an input where other indices are, or nil if one of them is not known, or there may be none.
func elsewhere(v *kernel.Value, stands func(x *kernel.Value) *kernel.Value) *kernel.Value {
	out := *v
	out.At, out.Level, out.Serial = make([]*kernel.Value, len(v.At)), 0, 0
	for i, x := range v.At {
		f := kernel.FormOf(x)
		args := slice.Map(f.Args, func(x *kernel.Value) *kernel.Value {
			if x.Kind != kernel.Var {
				return nil
			}
			return stands(x)
		})
		y := stands(x)
		switch {
		case len(args) == 0:
			y = x
		case len(args) == 1 && f.Coef[0] == 1 && f.Const == 0:
			y = args[0]
		case !slices.Contains(args, nil):
			y = kernel.LinearOf(f.Const, f.Coef, args)
			for _, a := range args {
				y.Level = max(y.Level, a.Level)
			}
		case y == x: // else a row in blocks
			y = nil
		}
		if y == nil {
			return nil
		}
		out.At[i] = y
		out.Level = max(out.Level, out.At[i].Level)
	}
	if !kernel.Fits(out.Access) {
		return nil
	}
	return &out
}

// loadable reports whether the indices of an element are made of those of loops around.
func loadable(v *kernel.Value, around []*kernel.Value) bool {
	for x := range kernel.Needed(v.At...) {
		if x.Kind != kernel.Lit && x.Kind != kernel.Linear && !slices.Contains(around, x) {
			return false
		}
	}
	return true
}
