package defs

import (
	"math"
	"slices"

	"egad/term"
)

// Same reports whether two values are equal bit for bit, all NaNs being one.
func Same(a, b *term.Value[float64]) bool {
	if len(a.Parts) != len(b.Parts) || !slices.Equal(a.Shape, b.Shape) || len(a.R) != len(b.R) {
		return false
	}
	for i := range a.Parts {
		if !Same(a.Parts[i], b.Parts[i]) {
			return false
		}
	}
	for i := range a.R {
		if math.Float64bits(a.R[i]) != math.Float64bits(b.R[i]) && !(math.IsNaN(a.R[i]) && math.IsNaN(b.R[i])) {
			return false
		}
	}
	return slices.Equal(a.N, b.N)
}
