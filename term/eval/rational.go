package eval

import (
	"cmp"
	"fmt"
	"math/big"

	"egad/internal/raise"
	"egad/term/numeric"
	"egad/term/ops"
)

// Rationals is exact arithmetic, for the operators that stay in the rationals.
// Values must not be changed once made. A quotient by 0 and numbers of more than
// a million bits are errors.
type Rationals struct {
	// Bits bounds numbers otherwise, unless it is 0.
	Bits int
}

func (r Rationals) bits() int { return cmp.Or(r.Bits, ops.MaxRationalBits) }

// FromNum fails for infinities and NaN.
func (Rationals) FromNum(n numeric.Num) *big.Rat {
	r := n.Rat()
	if r == nil {
		raise.Error(fmt.Errorf("%s is not a rational number", n))
	}
	return r
}

// FromInt is exact.
func (Rationals) FromInt(i int64) *big.Rat { return new(big.Rat).SetInt64(i) }

// Unary knows the operators on rationals, as their descriptors tell.
func (Rationals) Unary(sym ops.Sym, n int, a *big.Rat) *big.Rat {
	f := ops.RationalUnary(sym)
	if f == nil {
		raise.Error(fmt.Errorf("%s is not a rational operation", ops.Builtin(sym).Name))
	}
	return f(a)
}

// Binary knows the operators on two rationals, as their descriptors tell: of powers
// those with whole exponents.
func (x Rationals) Binary(sym ops.Sym, a, b *big.Rat) *big.Rat {
	f := ops.RationalBinary(sym)
	if f == nil {
		raise.Error(fmt.Errorf("%s is not a rational operation", ops.Builtin(sym).Name))
	}
	r := raise.Must(f(a, b, x.bits()))
	if r.Num().BitLen() > x.bits() || r.Denom().BitLen() > x.bits() {
		raise.Error(fmt.Errorf("a rational number grew beyond %d bits", x.bits()))
	}
	return r
}

// Compare is exact.
func (Rationals) Compare(sym ops.Sym, a, b *big.Rat) bool {
	c := a.Cmp(b)
	switch sym {
	case ops.SymLt:
		return c < 0
	case ops.SymLe:
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
