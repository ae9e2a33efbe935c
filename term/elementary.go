package term

import "math"

// The functions of package math, where they lose a value that a float64 has: the
// assembly of amd64 takes the logarithm of a denormal for that of the smallest
// normal number, and overflows the exponential a little early.

// log is the natural logarithm.
func log(a float64) float64 {
	const smallestNormal = 0x1p-1022
	if 0 < a && a < smallestNormal {
		return math.Log(a*0x1p54) - 54*math.Ln2
	}
	return math.Log(a)
}

// exp is e to the power of a. Taking off 1 is exact where the difference is used.
func exp(a float64) float64 {
	if a > 709 {
		return math.Exp(a-1) * math.E
	}
	return math.Exp(a)
}
