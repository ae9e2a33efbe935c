package values

import "math"

// SimplerReals lists values to try for x.
func SimplerReals(x float64) []float64 {
	var out []float64
	for _, y := range []float64{0, 1, 2, math.Trunc(x), math.Trunc(x / 2), math.Round(10*x) / 10} {
		if Simpler(y, x) {
			out = append(out, y)
		}
	}
	return out
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
	var out []int64
	for _, k := range []int64{0, 1, n / 2} {
		if SimplerWhole(k, n) {
			out = append(out, k)
		}
	}
	return out
}

// SimplerWhole reports whether an integer is simpler than another.
func SimplerWhole(n, m int64) bool { return wholeCost(n) < wholeCost(m) }

func wholeCost(n int64) float64 {
	if n < 0 {
		return 0.5 - float64(n)
	}
	return float64(n)
}
