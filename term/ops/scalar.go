package ops

import "math"

// Truth returns a truth value as arrays hold it: 1 or 0.
func Truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// IntUnary returns the meaning of a unary operator on I (wrapping) or on B as 0 and 1.
func IntUnary(sym Sym) func(int64) int64 { return operators[sym].int1 }

// IntBinary returns the meaning of a binary operator on I (wrapping; div and mod
// floor, and are 0 by 0) or on B as 0 and 1.
func IntBinary(sym Sym) func(a, b int64) int64 { return operators[sym].int2 }

func floorDiv(x, y int64) int64 {
	switch {
	case y == 0:
		return 0
	case y == -1:
		return -x // wraps for the least integer, where x / y would trap
	}
	q := x / y
	if x%y != 0 && (x < 0) != (y < 0) {
		q--
	}
	return q
}

// Saturate converts a whole float64 to int64 as Wasm's trunc_sat does: NaN to 0,
// too large values to the nearest bound.
func Saturate(x float64) int64 {
	switch {
	case math.IsNaN(x):
		return 0
	case x >= 1<<63:
		return math.MaxInt64
	case x < -1<<63:
		return math.MinInt64
	}
	return int64(x)
}

// FloatUnary returns the meaning of an R -> R operator, or nil if it is none; n is its
// attribute.
func FloatUnary(sym Sym, n int) func(float64) float64 {
	if f := operators[sym].float1; f != nil {
		return f(n)
	}
	return nil
}

// FloatBinary returns the meaning of an R, R -> R operator, or nil if it is none.
func FloatBinary(sym Sym) func(a, b float64) float64 { return operators[sym].float2 }
