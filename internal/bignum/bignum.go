// Package bignum computes functions of long numbers by series, as another way to what
// operators compute. Results have the precision of the first operand.
package bignum

import (
	"math"
	"math/big"
	"sync"
)

// New is x with so many bits.
func New(x float64, bits uint) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(x) }

// like is a number with the precision of x.
func like(x *big.Float, y float64) *big.Float { return New(y, x.Prec()) }

// Add returns x + y.
func Add(x, y *big.Float) *big.Float { return like(x, 0).Add(x, y) }

// Sub returns x - y.
func Sub(x, y *big.Float) *big.Float { return like(x, 0).Sub(x, y) }

// Mul returns x * y.
func Mul(x, y *big.Float) *big.Float { return like(x, 0).Mul(x, y) }

// Quo returns x / y.
func Quo(x, y *big.Float) *big.Float { return like(x, 0).Quo(x, y) }

// Sqrt returns the square root of x.
func Sqrt(x *big.Float) *big.Float { return like(x, 0).Sqrt(x) }

// Scale returns x times a power of 2.
func Scale(x *big.Float, power int) *big.Float { return like(x, 0).SetMantExp(x, power) }

// series adds parts of terms, of which next makes the one after the n-th, until they no
// longer count.
func series(first *big.Float, next, part func(term *big.Float, n float64) *big.Float) *big.Float {
	sum, t := like(first, 0), first
	for n := 0.0; t.Sign() != 0 && (sum.Sign() == 0 || t.MantExp(nil) > sum.MantExp(nil)-2*int(first.Prec())); n++ {
		sum.Add(sum, part(t, n))
		t = next(t, n)
	}
	return sum
}

func itself(t *big.Float, _ float64) *big.Float { return t }

// Exp returns e to the power of x: it halves until the series is short, and squares.
func Exp(x *big.Float) *big.Float {
	halvings := max(0, x.MantExp(nil)+8)
	y := Scale(x, -halvings)
	e := series(like(x, 1), func(t *big.Float, n float64) *big.Float { return Quo(Mul(t, y), like(x, n+1)) }, itself)
	for range halvings {
		e = Mul(e, e)
	}
	return e
}

// Log returns the natural logarithm of x, by Halley's method.
func Log(x *big.Float) *big.Float {
	if x.MantExp(nil) > 1000 || x.MantExp(nil) < -1000 {
		return Mul(like(x, 2), Log(Sqrt(x)))
	}
	f, _ := x.Float64()
	z := like(x, math.Log(f))
	for digits := uint(50); digits < 2*x.Prec(); digits *= 3 {
		e := Exp(z)
		z = Add(z, Mul(like(x, 2), Quo(Sub(x, e), Add(x, e))))
	}
	return z
}

// Atan returns the angle whose tangent is x.
func Atan(x *big.Float) *big.Float {
	const halvings = 8
	one := like(x, 1)
	for range halvings {
		x = Quo(x, Add(one, Sqrt(Add(one, Mul(x, x)))))
	}
	square := Mul(x, x)
	a := series(x, func(t *big.Float, _ float64) *big.Float { return Mul(Mul(t, square), like(x, -1)) },
		func(t *big.Float, n float64) *big.Float { return Quo(t, like(x, 2*n+1)) })
	return Scale(a, halvings)
}

// Pi returns the number with so many bits.
func Pi(bits uint) *big.Float { return Mul(New(4, bits), Atan(New(1, bits))) }

// Asin returns the angle whose sine is x.
func Asin(x *big.Float) *big.Float { return Atan(Quo(x, Sqrt(Sub(like(x, 1), Mul(x, x))))) }

// Sin returns the sine of x + quarters * pi / 2.
func Sin(x *big.Float, quarters int) *big.Float {
	turn := Mul(like(x, 2), Pi(x.Prec()))
	x = Add(x, Mul(like(x, float64(quarters)/4), turn))
	n, _ := Add(Quo(x, turn), like(x, 0.5)).Int(nil)
	x = Sub(x, Mul(like(x, 0).SetInt(n), turn))
	return series(x, func(t *big.Float, n float64) *big.Float {
		k := 2*n + 2
		return Quo(Mul(Mul(t, like(x, -1)), Mul(x, x)), like(x, k*(k+1)))
	}, itself)
}

// Erf returns the error function of x.
func Erf(x *big.Float) *big.Float {
	square := Mul(x, x)
	s := series(x, func(t *big.Float, n float64) *big.Float { return Quo(Mul(Mul(t, square), like(x, -1)), like(x, n+1)) },
		func(t *big.Float, n float64) *big.Float { return Quo(t, like(x, 2*n+1)) })
	return Quo(Mul(like(x, 2), s), Sqrt(Pi(x.Prec())))
}

// Lgamma returns the logarithm of the gamma function of x > 0 with some 150 bits, by
// Stirling's series for a number that is larger by a whole number.
func Lgamma(x *big.Float) *big.Float {
	const least = 60
	product := like(x, 1)
	for x.Cmp(like(x, least)) < 0 {
		product = Mul(product, x)
		x = Add(x, like(x, 1))
	}
	half := like(x, 0.5)
	sum := Sub(Mul(Sub(x, half), Log(x)), x)
	sum = Add(sum, Mul(half, Log(Mul(like(x, 2), Pi(x.Prec())))))
	power := x
	for k, b := range bernoulli() {
		if k < 2 || k%2 == 1 {
			continue
		}
		sum = Add(sum, Quo(like(x, 0).SetRat(b), Mul(like(x, float64(k*(k-1))), power)))
		power = Mul(power, Mul(x, x))
	}
	return Sub(sum, Log(product))
}

// bernoulli lists the first Bernoulli numbers.
var bernoulli = sync.OnceValue(func() []*big.Rat {
	out := []*big.Rat{big.NewRat(1, 1)}
	for m := 1; m < 80; m++ {
		sum := new(big.Rat)
		for k, b := range out {
			c := new(big.Rat).SetInt(new(big.Int).Binomial(int64(m+1), int64(k)))
			sum.Add(sum, c.Mul(c, b))
		}
		out = append(out, sum.Mul(sum, big.NewRat(-1, int64(m+1))))
	}
	return out
})
