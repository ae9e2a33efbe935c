// Package values makes random numbers of many kinds for the operands of rules and
// the inputs of programs: simple ones, and those where arithmetic has limits.
package values

import (
	"math"
	"math/big"
	rng "math/rand/v2"
	"slices"

	"egad/rules/match"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// Mode says how the values of a leaf are made; lower is simpler.
type Mode uint8

// The modes.
const (
	Counting Mode = iota // 1, 2, 3, …
	Small                // small whole numbers, with 0 and repetitions
	Dyadic               // halves and quarters of both signs
	Rounded              // any fractions, whose sums round
	Special              // finite reals and integers at the limits of what they can be
	Wild                 // any float64, with NaN, infinities and -0
	Extreme              // one of a few float64, mostly 0, -0, infinite or NaN; integers at their limits
)

// extremeReals are where the arithmetic of float64 is not that of numbers.
var extremeReals = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1), math.NaN(), 1, -1}

// specialReals are finite and where arithmetic has limits: of whole numbers, of
// integers, of denormals, of the largest.
var specialReals = []float64{
	0, 1, -1, 0.5, -0.5, 0.1, 2.5, -2.5, 1 << 53, 1<<53 - 1, -(1 << 53), 1<<53 + 2, 1e16, -1e16, 3037000500, -3037000500, 1 << 31, 1 << 60,
	1 << 62, 1 << 63, -(1 << 63), -(1<<63 + 2048), 1e19, -1e19, 1e100, 1e154, -1e154, 1e200, 1e300, -1e300, 1.7e308, math.MaxFloat64, -math.MaxFloat64,
	5e-324, -5e-324, 1.5e-323, 1e-310, 0x1p-1022, -0x1p-1022, 1e-300, 1e-200, -1e-200, 1e-17, 0x1p-53, 709, 710, -745, 1e6, -1e6,
}

// specialExponents are where numbers, their squares and their cubes are almost
// denormal, just denormal, or almost too large.
var specialExponents = []int{-1074, -1040, -1023, -1022, -1021, -538, -513, -512, -512, -511, -342, -341, 340, 341, 511, 512, 1022, 1023}

// withExponent is any number of an exponent.
func withExponent(from *rng.Rand, exponent int) float64 {
	return math.Ldexp(1+from.Float64(), exponent) * float64(2*from.IntN(2)-1)
}

// wildReals are the rest of float64.
var wildReals = []float64{math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1), math.NaN()}

var specialWholes = []int64{
	math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, 0, -1, 1, 1<<53 + 1, 2, 1 << 53, -(1<<53 + 1), 3037000500, 3037000499, -3037000500,
	1 << 31, 1 << 32, 1<<31 - 1, 1 << 40, 1 << 60, 1 << 62, -(1 << 62), 1 << 63 / 3, 4611686018427387905,
}

// SpecialWhole is an integer at the limits of what it can be, at the ends of all
// integers most of all.
func SpecialWhole(from *rng.Rand) int64 {
	if from.IntN(2) == 0 {
		return specialWholes[from.IntN(8)]
	}
	return oneOf(from, specialWholes)
}

func oneOf[T any](from *rng.Rand, xs []T) T { return xs[from.IntN(len(xs))] }

// Real is number i of an array.
func Real(from *rng.Rand, mode Mode, i int) float64 {
	switch mode {
	case Extreme:
		return oneOf(from, extremeReals)
	case Counting:
		return float64(i + 1)
	case Small:
		return float64(from.IntN(7) - 3)
	case Dyadic:
		return float64(from.IntN(65)-32) / 4
	case Special, Wild:
		switch from.IntN(6) {
		case 0:
			return Real(from, Small, i)
		case 1:
			return from.NormFloat64()
		case 2:
			if mode == Wild {
				return oneOf(from, wildReals)
			}
		case 3: // any exponent
			return withExponent(from, from.IntN(2040)-1020)
		case 4:
			return withExponent(from, oneOf(from, specialExponents))
		}
		return oneOf(from, specialReals)
	}
	switch from.IntN(4) {
	case 0:
		return float64(from.IntN(2001)-1000) / 10
	case 1:
		return 100 * from.NormFloat64()
	}
	return from.NormFloat64()
}

// Whole is integer or truth value i of an array.
func Whole(from *rng.Rand, mode Mode, i int, e types.Elem) int64 {
	if e == types.B {
		return from.Int64() & 1
	}
	switch mode {
	case Counting:
		return int64(i)
	case Special, Wild, Extreme:
		switch from.IntN(4) {
		case 0, 1:
			return SpecialWhole(from)
		case 2:
			return int64(from.Uint64()) >> from.IntN(64)
		}
	case Rounded:
		return int64(from.IntN(2001) - 1000)
	}
	return int64(from.IntN(7) - 2)
}

// specialNums are literals that are no small whole numbers.
var specialNums = []*big.Rat{
	big.NewRat(1, 2), big.NewRat(-1, 2), big.NewRat(1, 3), big.NewRat(1, 10), big.NewRat(-7, 4), big.NewRat(1<<53+1, 1), big.NewRat(1<<60, 1),
	big.NewRat(1, 1<<60), big.NewRat(3037000500, 1), new(big.Rat).SetFloat64(1e19), new(big.Rat).SetFloat64(-1e70), new(big.Rat).SetFloat64(1e-70), big.NewRat(math.MaxInt64, 1),
}

// Literal is a literal of an element type: mostly a small one.
func Literal(from *rng.Rand, e types.Elem) ops.Scalar {
	small := []int64{0, 1, -1, 2, 3, -2, 5}[from.IntN(7)]
	switch e {
	case types.B:
		return ops.ScalarB(from.IntN(2) == 0)
	case types.I:
		if from.IntN(4) == 0 {
			small = SpecialWhole(from)
		}
		return ops.ScalarI(small)
	}
	if from.IntN(5) < 2 {
		if n, err := numeric.FromRat(oneOf(from, specialNums)); err == nil {
			return ops.ScalarR(n)
		}
	}
	return ops.ScalarR(numeric.Int(small))
}

// WholeIn is an integer in a range, at its ends more often than elsewhere.
func WholeIn(from *rng.Rand, r ops.Range) int64 {
	// Only some integers near an end that is known.
	lo, hi := r.Lo, r.Hi
	switch {
	case lo == math.MinInt64 && hi == math.MaxInt64:
		return Whole(from, Special, 0, types.I)
	case lo == math.MinInt64:
		lo = max(hi, math.MinInt64+8) - 8
	case hi == math.MaxInt64:
		hi = min(lo, math.MaxInt64-8) + 8
	}
	switch from.IntN(6) {
	case 0:
		return r.Lo
	case 1:
		return r.Hi
	case 2:
		return lo
	case 3:
		return hi
	}
	wide := hi - lo
	if wide < 0 || wide > 1<<40 {
		wide = 1 << 40
	}
	return lo + from.Int64N(wide+1)
}

// Fits reports whether x is what is wanted. NaN is, unless a finite number is.
func Fits(x float64, w match.Want) bool {
	if math.IsNaN(x) || math.IsInf(x, 0) && w.Finite {
		return !w.Finite
	}
	return inBounds(x, w)
}

func inBounds(x float64, w match.Want) bool {
	return w.Lo <= x && x <= w.Hi && !(w.Open && (x == w.Lo || x == w.Hi)) && !slices.Contains(w.But, x)
}

// RealIn is x, or where that is not what is wanted, a number that is; sometimes it
// is at a bound.
func RealIn(from *rng.Rand, x float64, w match.Want) float64 {
	if w.Finite && (math.IsNaN(x) || math.IsInf(x, 0)) {
		x = from.NormFloat64()
	}
	fits := func() bool { return inBounds(x, w) }
	if from.IntN(6) == 0 { // what a bound should have been shows at it
		old, end, beyond := x, w.Lo, math.Inf(1)
		if from.IntN(2) == 0 {
			end, beyond = w.Hi, math.Inf(-1)
		}
		if x = end; w.Open {
			x = math.Nextafter(end, beyond)
		}
		if !math.IsInf(end, 0) && fits() {
			return x
		}
		x = old
	}
	for range 4 {
		switch {
		case math.IsNaN(x) || fits():
			return x
		case math.IsInf(w.Lo, 0) && math.IsInf(w.Hi, 0): // it is a number that it must not be
			x += 1 - 2*float64(from.IntN(2))
		case math.IsInf(w.Hi, 0):
			x = w.Lo + math.Abs(x)
		case math.IsInf(w.Lo, 0):
			x = w.Hi - math.Abs(x)
		default:
			x = w.Lo + from.Float64()*(w.Hi-w.Lo)
		}
		if !fits() {
			x = from.NormFloat64()
		}
	}
	return x
}

// Point is an operand at which slopes are compared: a dyadic number, often 0 or
// small, sometimes far out.
func Point(from *rng.Rand, mode Mode) float64 {
	sign := float64(2*from.IntN(2) - 1)
	switch mode {
	case Counting, Small:
		return float64(from.IntN(7) - 3)
	case Dyadic:
		return float64(from.IntN(33)-16) / 4
	case Rounded:
		return float64(from.IntN(4097)-2048) / 512
	}
	return sign * math.Ldexp(1+float64(from.IntN(16))/16, from.IntN(32)-12)
}
