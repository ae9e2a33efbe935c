package kernel

import (
	"slices"

	"egad/internal/slice"
	"egad/term/types"
)

// alike reports whether two values are one, or the same element of an input of integers.
func (v *Value) alike(w *Value) bool {
	return v == w || v.data() && w.data() && v.Array == w.Array && slices.EqualFunc(v.At, w.At, func(x, y *Value) bool {
		f, g := FormOf(x), FormOf(y)
		return f.Const == g.Const && slices.Equal(f.Coef, g.Coef) && slices.EqualFunc(f.Args, g.Args, (*Value).alike)
	})
}

// data reports whether a value is an element of an input of integers, which all kernels may read.
func (v *Value) data() bool {
	return v.Kind == Load && v.Elem == types.I && v.Array.Role == Input && !v.Checked
}

// elsewhere is an element of an input where other indices are, or nil if one of them is not known, or there may be none.
func (v *Value) elsewhere(stands func(x *Value) *Value) *Value {
	out := *v
	out.At, out.Level, out.Serial = make([]*Value, len(v.At)), 0, 0
	for i, x := range v.At {
		f := FormOf(x)
		args := slice.Map(f.Args, func(x *Value) *Value {
			if x.Kind != Var {
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
			y = linearOf(f.Const, f.Coef, args)
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
	if !Fits(out.Access) {
		return nil
	}
	return &out
}

// loadable reports whether the indices of an element are made of those of loops around.
func (v *Value) loadable(around []*Value) bool {
	for x := range needed(v.At...) {
		if x.Kind != Lit && x.Kind != Linear && !slices.Contains(around, x) {
			return false
		}
	}
	return true
}

// among is a condition with those values that are alike in the place of its own.
func (x limit) among(there []*Value) limit {
	x.Args = slice.Map(x.Args, func(v *Value) *Value {
		if i := slices.IndexFunc(there, v.alike); i >= 0 {
			return there[i]
		}
		return v
	})
	return x
}
