package numeric

import "math"

// The functions of package math, where they lose a value that a float64 has: the
// assembly of amd64 takes the logarithm of a denormal for that of the smallest
// normal number, and overflows the exponential a little early.

const smallestNormal = 0x1p-1022

// Log returns the natural logarithm.
func Log(a float64) float64 {
	if 0 < a && a < smallestNormal {
		return math.Log(a*0x1p54) - 54*math.Ln2
	}
	return math.Log(a)
}

// Exp returns e to the power of a. Taking off 1 is exact where the difference is used.
func Exp(a float64) float64 {
	if a > 709 {
		return math.Exp(a-1) * math.E
	}
	return math.Exp(a)
}

// Lgamma returns the logarithm of the absolute value of the gamma function, which is
// 1 / a next to 0.
func Lgamma(a float64) float64 {
	if b := math.Abs(a); 0 < b && b < smallestNormal {
		return -Log(b)
	}
	v, _ := math.Lgamma(a)
	return v
}

// Pow returns a to the power of b; package math takes the logarithm of a where b is no
// integer.
func Pow(a, b float64) float64 {
	if 0 < a && a < smallestNormal && b != math.Trunc(b) && !math.IsNaN(b) {
		return math.Pow(a*0x1p54, b) * math.Exp2(-54*b)
	}
	return math.Pow(a, b)
}
