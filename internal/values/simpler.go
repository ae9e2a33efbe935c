package values

import (
	"math"
	"slices"
)

// SimplerReals lists values to try for x.
func SimplerReals(x float64) []float64 {
	tried := []float64{0, 1, 2, math.Trunc(x), math.Trunc(x / 2), math.Round(10*x) / 10}
	return slices.DeleteFunc(tried, func(y float64) bool { return !Simpler(y, x) })
}

// Simpler reports whether a real is simpler than another.
func Simpler(x, y float64) bool { return realCost(x) < realCost(y) }

// realCost orders reals from simple to wild: 0, 1, other whole numbers, others.
func realCost(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return math.Inf(1)
	case math.IsInf(x, 0):
		return math.MaxFloat64
	case x == 0 && math.Signbit(x):
		return 0.25
	case x != math.Trunc(x):
		return 1e9 + math.Abs(x)
	case x < 0:
		return 0.5 - x
	}
	return x
}

// SimplerWholes lists integers to try for n.
func SimplerWholes(n int64) []int64 {
	return slices.DeleteFunc([]int64{0, 1, n / 2}, func(k int64) bool { return !SimplerWhole(k, n) })
}

// SimplerWhole reports whether an integer is simpler than another.
func SimplerWhole(n, m int64) bool { return wholeCost(n) < wholeCost(m) }

func wholeCost(n int64) float64 {
	if n < 0 {
		return 0.5 - float64(n)
	}
	return float64(n)
}
