package term

import (
	"cmp"
	"fmt"
	"math/big"

	"egad/term/numeric"
)

// Rationals is exact arithmetic, for the operators that stay in the rationals.
// Values must not be changed once made. A quotient by 0 and numbers of more than
// a million bits are errors.
type Rationals struct {
	// Bits bounds numbers otherwise, unless it is 0.
	Bits int
}

func (r Rationals) bits() int { return cmp.Or(r.Bits, maxRationalBits) }

// maxRationalBits bounds intermediate results.
const maxRationalBits = 1 << 20

// FromNum fails for infinities and NaN.
func (Rationals) FromNum(n numeric.Num) (*big.Rat, error) {
	if r := n.Rat(); r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("%s is not a rational number", n)
}

// FromInt is exact.
func (Rationals) FromInt(i int64) (*big.Rat, error) { return new(big.Rat).SetInt64(i), nil }

// Unary knows the operators on rationals, as their descriptors tell.
func (Rationals) Unary(sym Sym, n int, a *big.Rat) (*big.Rat, error) {
	if f := Builtin(sym).rat1; f != nil {
		return f(a), nil
	}
	return nil, fmt.Errorf("%s is not a rational operation", Builtin(sym).Name)
}

// Binary knows the operators on two rationals, as their descriptors tell: of powers
// those with whole exponents.
func (x Rationals) Binary(sym Sym, a, b *big.Rat) (*big.Rat, error) {
	f := Builtin(sym).rat2
	if f == nil {
		return nil, fmt.Errorf("%s is not a rational operation", Builtin(sym).Name)
	}
	r, err := f(a, b, x.bits())
	if err == nil && (r.Num().BitLen() > x.bits() || r.Denom().BitLen() > x.bits()) {
		return nil, fmt.Errorf("a rational number grew beyond %d bits", x.bits())
	}
	return r, err
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

// Compare is exact.
func (Rationals) Compare(sym Sym, a, b *big.Rat) bool {
	c := a.Cmp(b)
	switch sym {
	case SymLt:
		return c < 0
	case SymLe:
		return c <= 0
	}
	return c == 0
}

// Floor rounds down, saturating.
func (Rationals) Floor(a *big.Rat) int64 {
	q := new(big.Int).Div(a.Num(), a.Denom()) // Euclidean, and the denominator is positive
	switch {
	case q.IsInt64():
		return q.Int64()
	case q.Sign() > 0:
		return 1<<63 - 1
	}
	return -1 << 63
}

// Round rounds to nearest, ties to even, saturating.
func (r Rationals) Round(a *big.Rat) int64 {
	half := big.NewRat(1, 2)
	up := r.Floor(new(big.Rat).Add(a, half))
	if new(big.Rat).Sub(new(big.Rat).SetInt64(up), a).Cmp(half) == 0 && up%2 != 0 {
		return up - 1
	}
	return up
}

// IsNaN returns false.
func (Rationals) IsNaN(*big.Rat) bool { return false }

// RationalArrays returns the algebra of exact arrays.
func RationalArrays() Arrays[*big.Rat] { return Arrays[*big.Rat]{Scalars: Rationals{}} }
