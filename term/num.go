package term

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// Num is a literal real: an exact rational, an infinity or NaN. Rounding to
// float64 happens once, when a program is run.
type Num struct {
	rat     *big.Rat // nil unless finite
	special float64  // an infinity or NaN if rat is nil
}

// MaxLiteralBits bounds the numerator and the denominator of a literal.
const MaxLiteralBits = 256

// NumInt is the literal n.
func NumInt(n int64) Num { return Num{rat: new(big.Rat).SetInt64(n)} }

// NumRat is the literal r, or an error if it has more than [MaxLiteralBits].
func NumRat(r *big.Rat) (Num, error) {
	if r.Num().BitLen() > MaxLiteralBits || r.Denom().BitLen() > MaxLiteralBits {
		return Num{}, fmt.Errorf("a literal has at most %d bits above and below the line", MaxLiteralBits)
	}
	return Num{rat: r}, nil
}

// NumInf is an infinity of the given sign.
func NumInf(sign int) Num { return Num{special: math.Inf(sign)} }

// NumNaN is the one NaN.
func NumNaN() Num { return Num{special: math.NaN()} }

// ParseNum reads a decimal literal, with fraction and exponent, or an exact
// ratio such as 1%3.
func ParseNum(s string) (Num, error) {
	if len(s) > maxLiteralText {
		return Num{}, fmt.Errorf("a literal has at most %d characters", maxLiteralText)
	}
	bad := fmt.Errorf("%q is not a number", s)
	if !strings.ContainsFunc(s, isDigit) || strings.ContainsFunc(s, func(r rune) bool { return !isDigit(r) && !strings.ContainsRune("+-.eE%", r) }) {
		return Num{}, bad
	}
	r, ok := new(big.Rat), false
	if num, den, ratio := strings.Cut(s, "%"); ratio {
		// Digits are decimal, also after a 0.
		n, ok1 := new(big.Int).SetString(num, 10)
		d, ok2 := new(big.Int).SetString(den, 10)
		if !ok1 || !ok2 {
			return Num{}, bad
		}
		if d.Sign() == 0 {
			return Num{}, fmt.Errorf("the ratio %s has the denominator 0", s)
		}
		r.SetFrac(n, d)
	} else {
		// An exponent is bounded before big.Rat expands it.
		if i := strings.IndexAny(s, "eE"); i >= 0 && len(strings.TrimLeft(s[i+1:], "+-0")) > 2 {
			return Num{}, tooLong(s)
		}
		if r, ok = r.SetString(s); !ok {
			return Num{}, bad
		}
	}
	if r.Num().BitLen() > MaxLiteralBits || r.Denom().BitLen() > MaxLiteralBits {
		return Num{}, tooLong(s)
	}
	return Num{rat: r}, nil
}

// maxLiteralText bounds the text of a literal.
const maxLiteralText = 200

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func tooLong(s string) error {
	return fmt.Errorf("%s needs more than %d bits as a ratio of whole numbers (no literal is beyond about 1e77 or below 1e-77)", s, MaxLiteralBits)
}

// Rat returns the rational value of a finite literal, nil for the others. It is
// shared: do not change it.
func (n Num) Rat() *big.Rat { return n.rat }

// Float64 is n rounded to nearest.
func (n Num) Float64() float64 {
	if n.rat == nil {
		return n.special
	}
	f, _ := n.rat.Float64()
	return f
}

// IsInt reports whether n is the integer k.
func (n Num) IsInt(k int64) bool {
	return n.rat != nil && n.rat.IsInt() && n.rat.Num().IsInt64() && n.rat.Num().Int64() == k
}

// neg is -n.
func (n Num) neg() Num {
	if n.rat == nil {
		return Num{special: -n.special}
	}
	return Num{rat: new(big.Rat).Neg(n.rat)}
}

// Sign is -1, 0 or 1; of NaN it is 0.
func (n Num) Sign() int {
	switch {
	case n.rat != nil:
		return n.rat.Sign()
	case n.special > 0:
		return 1
	case n.special < 0:
		return -1
	}
	return 0
}

// String prints n so that it parses back exactly: a decimal where n has a short
// one, else numerator%denominator.
func (n Num) String() string {
	if n.rat == nil {
		switch {
		case n.special > 0:
			return "inf"
		case n.special < 0:
			return "-inf"
		}
		return "nan"
	}
	if n.rat.IsInt() {
		if s := n.rat.Num().String(); len(s) < 21 {
			return s
		}
	}
	if prec, exact := n.rat.FloatPrec(); exact && prec < 40 {
		if s := n.rat.FloatString(prec); len(s) <= 60 {
			if prec > 8 || len(s) > 20 {
				if e := scientific(s); len(e) < len(s) {
					return e
				}
			}
			return s
		}
	}
	return n.rat.Num().String() + "%" + n.rat.Denom().String()
}

// scientific moves the point of a plain decimal behind its first digit.
func scientific(s string) string {
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	whole, frac, _ := strings.Cut(s, ".")
	digits := strings.TrimLeft(whole+frac, "0")
	exp := len(whole) - 1
	if whole == "0" {
		exp = -1 - (len(frac) - len(strings.TrimLeft(frac, "0")))
	}
	digits = strings.TrimRight(digits, "0")
	out := digits[:1]
	if len(digits) > 1 {
		out += "." + digits[1:]
	}
	out += fmt.Sprintf("e%d", exp)
	if neg {
		out = "-" + out
	}
	return out
}

// Key is equal for equal literals and differs otherwise.
func (n Num) Key() string {
	if n.rat == nil {
		return n.String()
	}
	return n.rat.RatString()
}
