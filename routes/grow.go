package routes

import "slices"

// Growth says how a count grows with a size.
type Growth string

// The ways in which counts grow, as far as some of them tell.
const (
	Constant    Growth = "constant"
	Linear      Growth = "linear"
	Quadratic   Growth = "quadratic"
	Exponential Growth = "exponential"
	Unclear     Growth = "unclear"
)

// GrowthOf tells how counts grow that belong to sizes which follow each other: linear if
// the last of them have one first difference, quadratic if one second difference, and
// exponential if each of the last ones is more than 1.4 times the one before, and by no
// smaller a factor than that one. Small sizes are often special: of many counts the
// first ones do not matter.
func GrowthOf(counts []int64) Growth {
	last := counts[len(counts)/3:]
	if len(last) < 3 {
		return Unclear
	}
	first := differences(last)
	second := differences(first)
	switch {
	case zeros(first):
		return Constant
	case zeros(second):
		return Linear
	case len(second) > 1 && zeros(differences(second)):
		return Quadratic
	}
	for i := 2; i < len(last); i++ {
		a, b, c := float64(last[i-2]), float64(last[i-1]), float64(last[i])
		if a <= 0 || c < 1.4*b || c*a < 0.9*b*b {
			return Unclear
		}
	}
	return Exponential
}

func differences(xs []int64) []int64 {
	var out []int64
	for i := 1; i < len(xs); i++ {
		out = append(out, xs[i]-xs[i-1])
	}
	return out
}

func zeros(xs []int64) bool {
	return !slices.ContainsFunc(xs, func(x int64) bool { return x != 0 })
}
