package routes

import (
	"math"
	"slices"

	"egad/term/eval"
)

// OfArrays are the routes of array programs.
var OfArrays = arrayRoutes

// Compared is [Run] without proofs that programs are equal, which take long.
func Compared(t *Task, of []*Route) ([]*Result, error) {
	return compared(t, of, func(string) {}, 0)
}

// OnesAsCotangent gives a task the cotangent 1 of each real, if it needs one, and reports
// whether there is something to differentiate.
func (t *Task) OnesAsCotangent() bool {
	if t.differentiable() != nil {
		return false
	}
	if !t.scalar() {
		for range elements(t.Program.Store.Type(t.Program.Root).RealPart()) {
			t.Cotangent = append(t.Cotangent, 1)
		}
	}
	return true
}

// IsFinite reports whether all reals in a value are numbers.
func IsFinite(v *eval.Value[float64]) bool {
	return !slices.ContainsFunc(reals(v, nil), func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}
