package defs

import (
	"math"
	"slices"

	"egad/term/eval"
)

// Same reports whether two values are equal bit for bit, all NaNs being one.
func Same(a, b *eval.Value[float64]) bool {
	return alike(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// Near is [Same], but that reals may be off by so much, in parts of the larger one or of 1: their sums are
// added in another order.
func Near(a, b *eval.Value[float64], off float64) bool {
	return alike(a, b, func(x, y float64) bool {
		return x == y || math.Abs(x-y) <= off*max(1, math.Abs(x), math.Abs(y)) && !math.IsInf(x-y, 0)
	})
}

// alike compares values, and their reals by a function, if they are not both NaN.
func alike(a, b *eval.Value[float64], same func(x, y float64) bool) bool {
	both := func(x, y float64) bool { return same(x, y) || math.IsNaN(x) && math.IsNaN(y) }
	return slices.Equal(a.Shape, b.Shape) && slices.Equal(a.N, b.N) && slices.EqualFunc(a.R, b.R, both) &&
		slices.EqualFunc(a.Parts, b.Parts, func(x, y *eval.Value[float64]) bool { return alike(x, y, same) })
}
