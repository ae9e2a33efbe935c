package ops

import (
	"math"
	"math/big"

	"egad/term/numeric"
)

// Functions of a real that are there for the accuracy of their values, or for their
// derivatives.

func init() {
	each(SymStopgrad, Operator{
		Name: "stopgrad", Work: WorkMove,
		float1: alike(func(a float64) float64 { return a }),
		rat1:   func(a *big.Rat) *big.Rat { return a },
		int1:   func(a int64) int64 { return a },
		bounds: same,
	})
	each(SymSign, Operator{
		Name:   "sign",
		float1: alike(sign),
		rat1:   func(a *big.Rat) *big.Rat { return new(big.Rat).SetInt64(int64(a.Sign())) },
		int1:   signOfInt,
		bounds: ofOne(func(a Range) Range { return Range{signOfInt(a.Lo), signOfInt(a.Hi)} },
			func(a numeric.Interval) numeric.Interval {
				return numeric.Interval{Lo: sign(a.Lo), Hi: sign(a.Hi), NonZero: a.NonZero, Number: a.Number}
			}),
	})
	real(SymRelu, Operator{Name: "relu", float1: alike(relu), rat1: reluOfRational}, func(a numeric.Interval) numeric.Interval {
		return numeric.Interval{Lo: relu(a.Lo), Hi: relu(a.Hi), NonZero: a.Lo > 0 || a.Lo == 0 && a.NonZero, Number: a.Number}
	})
	growing(SymSoftplus, Operator{Name: "softplus", Twins: true}, softplus, math.Inf(-1), 0, 0, math.Inf(1))
	growing(SymErf, Operator{Name: "erf", Operations: 3}, math.Erf, 0, 0, -1, 1)
	growing(SymLog1p, Operator{Name: "log1p"}, math.Log1p, 0, 0, math.Inf(-1), math.Inf(1))
	growing(SymExpm1, Operator{Name: "expm1"}, math.Expm1, 0, 0, -1, math.Inf(1))
	growing(SymAsin, Operator{Name: "asin", Operations: 3}, asin, 0, 0, -2, 2)
	real(SymAcos, Operator{Name: "acos", float1: alike(acos), Operations: 3}, func(a numeric.Interval) numeric.Interval {
		return numeric.Interval{Lo: 0, Hi: 4, Number: a.Number && a.Lo >= -1 && a.Hi <= 1}
	})
	growing(SymAtan, Operator{Name: "atan", Operations: 3}, math.Atan, 0, 0, -2, 2)
	growing(SymSinh, Operator{Name: "sinh"}, sinh, 0, 0, math.Inf(-1), math.Inf(1))
	real(SymCosh, Operator{Name: "cosh", float1: alike(cosh)}, func(a numeric.Interval) numeric.Interval {
		return a.Abs().Monotone(cosh, 1, math.Inf(1))
	})
}

// sign is 0 of both zeros.
func sign(a float64) float64 {
	switch {
	case a > 0:
		return 1
	case a < 0:
		return -1
	case a == 0:
		return 0
	}
	return a
}

func signOfInt(a int64) int64 { return Truth(a > 0) - Truth(a < 0) }

// relu is NaN of NaN.
func relu(a float64) float64 {
	if a <= 0 {
		return 0
	}
	return a
}

func reluOfRational(a *big.Rat) *big.Rat {
	if a.Sign() < 0 {
		return new(big.Rat)
	}
	return a
}

// softplus is log (1 + exp a); the exponential does not overflow.
func softplus(a float64) float64 { return max(a, 0) + math.Log1p(numeric.Exp(-math.Abs(a))) }

// asin and acos keep their accuracy next to the ends, where package math takes them
// from a difference.
func asin(a float64) float64 { return math.Atan2(a, math.Sqrt((1-a)*(1+a))) }

func acos(a float64) float64 { return 2 * math.Atan2(math.Sqrt(1-a), math.Sqrt(1+a)) }

// sinh and cosh are finite where exp is not yet.
func sinh(a float64) float64 {
	if math.Abs(a) < 700 || math.IsInf(a, 0) {
		return math.Sinh(a)
	}
	return math.Copysign(cosh(a), a)
}

func cosh(a float64) float64 {
	if b := math.Abs(a); b >= 700 {
		half := numeric.Exp(b / 2)
		return half / 2 * half
	}
	return math.Cosh(a)
}
