package ops

import (
	"fmt"
	"math/big"
)

// MaxRationalBits bounds the numerators and denominators of values, where no other bound is given.
const MaxRationalBits = 1 << 20

// RationalUnary returns the meaning of a unary operator on rationals, or nil if it has none.
func RationalUnary(sym Sym) func(a *big.Rat) *big.Rat { return operators[sym].rat1 }

// RationalBinary returns the meaning of a binary operator on rationals, or nil if it has none. Its
// results have at most so many bits.
func RationalBinary(sym Sym) func(a, b *big.Rat, most int) (*big.Rat, error) {
	return operators[sym].rat2
}

// inRationals is a meaning on two rationals that always has a value.
func inRationals(f func(z, a, b *big.Rat) *big.Rat) func(a, b *big.Rat, most int) (*big.Rat, error) {
	return func(a, b *big.Rat, _ int) (*big.Rat, error) { return f(new(big.Rat), a, b), nil }
}

// quotient has no value by 0.
func quotient(a, b *big.Rat, _ int) (*big.Rat, error) {
	if b.Sign() == 0 {
		return nil, fmt.Errorf("rational division by 0")
	}
	return new(big.Rat).Quo(a, b), nil
}

// power has no value if the exponent is not whole, nor has 0 to a power of 0 or less.
func power(base, e *big.Rat, most int) (*big.Rat, error) {
	if !e.IsInt() || !e.Num().IsInt64() || base.Sign() == 0 && e.Sign() <= 0 {
		return nil, fmt.Errorf("%s ^ %s is not rational", base.RatString(), e.RatString())
	}
	n := e.Num().Int64()
	bits := int64(max(base.Num().BitLen(), base.Denom().BitLen()))
	if m := int64(most); n < -m || n > m || max(n, -n)*(bits-1) > m {
		return nil, fmt.Errorf("a rational number grew beyond %d bits", most)
	}
	exp := big.NewInt(max(n, -n))
	num, den := new(big.Int).Exp(base.Num(), exp, nil), new(big.Int).Exp(base.Denom(), exp, nil)
	if n < 0 {
		num, den = den, num
	}
	return new(big.Rat).SetFrac(num, den), nil
}
