package numeric

import (
	"math"
	"math/big"
	"sync"
)

// Sin, Cos and Tan are those of package math, but for angles that are far from 0: there it is wrong by many units where
// a multiple of a half of π is near, and these by a few.

// Sin returns the sine of x radians.
func Sin(x float64) float64 {
	if !isFar(x) {
		return math.Sin(x)
	}
	s, c, quarters := far(math.Abs(x))
	return math.Copysign(1, x) * [4]float64{s, c, -s, -c}[quarters]
}

// Cos returns the cosine of x radians.
func Cos(x float64) float64 {
	if !isFar(x) {
		return math.Cos(x)
	}
	s, c, quarters := far(math.Abs(x))
	return [4]float64{c, -s, -c, s}[quarters]
}

// Tan returns the tangent of x radians.
func Tan(x float64) float64 {
	switch {
	case math.Abs(x) < 1e-7: // where math.Tan is x
		return x + x*x*x/3
	case !isFar(x):
		return math.Tan(x)
	}
	s, c, quarters := far(math.Abs(x))
	if quarters%2 == 1 {
		s, c = c, -s
	}
	return math.Copysign(1, x) * (s / c)
}

// Atan2 returns the angle of the point (x, y) in radians. Unlike math.Atan2 it has the sign of y where y/x is too
// small for a float64.
func Atan2(y, x float64) float64 { return math.Copysign(math.Atan2(y, x), y) }

// isFar reports whether an angle is a number so large that package math takes too few bits of 4/π.
func isFar(x float64) bool { return math.Abs(x) >= 1<<29 && !math.IsInf(x, 0) }

// far takes the nearest multiple of a half of π from a large x, and returns the sine and the cosine of what is left,
// and the multiple modulo 4.
func far(x float64) (sin, cos float64, quarters uint64) {
	_, exp := math.Frexp(x)
	bits := uint(exp) + 160 // 61 bits of what is left may be 0
	half := new(big.Float).SetPrec(bits).Set(halfPi())
	q := new(big.Float).SetPrec(bits).SetFloat64(x)
	r := new(big.Float).Copy(q)
	n, _ := q.Quo(q, half).Add(q, big.NewFloat(0.5)).Int(nil)
	r.Sub(r, q.Mul(q.SetInt(n), half))
	hi, _ := r.Float64()
	lo, _ := r.Sub(r, q.SetFloat64(hi)).Float64()
	sin, cos = math.Sincos(hi)
	return sin + lo*cos, cos - lo*sin, new(big.Int).And(n, big.NewInt(3)).Uint64()
}

// halfPi is a half of π, of so many bits as the largest float64 needs, by Machin's 4 arctan(1/5) - arctan(1/239) for
// a quarter.
var halfPi = sync.OnceValue(func() *big.Float {
	const bits = 1024 + 256
	unit := new(big.Int).Lsh(big.NewInt(1), bits)
	arctan := func(n int64) *big.Int { // of 1/n
		sum, power := new(big.Int), new(big.Int).Div(unit, big.NewInt(n))
		for k := int64(1); power.Sign() != 0; k += 2 {
			term := new(big.Int).Div(power, big.NewInt(k))
			if k%4 == 3 {
				term.Neg(term)
			}
			sum.Add(sum, term)
			power.Div(power, big.NewInt(n*n))
		}
		return sum
	}
	quarter := arctan(5)
	quarter.Lsh(quarter, 2).Sub(quarter, arctan(239))
	half := new(big.Float).SetPrec(bits).SetInt(quarter)
	return half.SetMantExp(half, 1-bits)
})
