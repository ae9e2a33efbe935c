package numeric

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Num is a literal real: an exact rational, an infinity or NaN. Rounding to
// float64 happens once, when a program is run. Literals may be many, so that a
// small one is held in place.
type Num struct {
	// num/den in lowest terms if den > 0. If it is 0 and rat is nil, num has the bits
	// of an infinity or NaN.
	num, den int64
	rat      *big.Rat // of a finite literal that does not fit
}

// MaxLiteralBits bounds the numerator and the denominator of a literal.
const MaxLiteralBits = 256

// Int returns the literal n.
func Int(n int64) Num { return Num{num: n, den: 1} }

// FromRat returns the literal r, or an error if it has more than [MaxLiteralBits].
func FromRat(r *big.Rat) (Num, error) {
	if r.Num().BitLen() > MaxLiteralBits || r.Denom().BitLen() > MaxLiteralBits {
		return Num{}, fmt.Errorf("a literal has at most %d bits above and below the line", MaxLiteralBits)
	}
	return Of(r), nil
}

// Of returns the literal r, however many bits it has.
func Of(r *big.Rat) Num {
	if r.Num().IsInt64() && r.Denom().IsInt64() {
		return Num{num: r.Num().Int64(), den: r.Denom().Int64()}
	}
	return Num{rat: r}
}

// notFinite is an infinity or NaN.
func notFinite(f float64) Num { return Num{num: int64(math.Float64bits(f))} }

// special is the value of a literal that is not finite.
func (n Num) special() float64 { return math.Float64frombits(uint64(n.num)) }

// finite reports whether n is a rational.
func (n Num) finite() bool { return n.den > 0 || n.rat != nil }

// Inf returns an infinity of the given sign.
func Inf(sign int) Num { return notFinite(math.Inf(sign)) }

// NaN returns the one NaN.
func NaN() Num { return notFinite(math.NaN()) }

// Parse reads a decimal literal, with fraction and exponent, or an exact
// ratio such as 1%3.
func Parse(s string) (Num, error) {
	if len(s) > maxLiteralText {
		return Num{}, fmt.Errorf("a literal has at most %d characters", maxLiteralText)
	}
	return Read(s, MaxLiteralBits)
}

// Read reads what [Num.String] gives, of numbers that have at most so many bits above and
// below the line.
func Read(s string, bits int) (Num, error) {
	if len(s) > bits { // in digits it would be less
		return Num{}, tooLong(s, bits)
	}
	bad := fmt.Errorf("%q is not a number", s)
	if !strings.ContainsFunc(s, isDigit) || strings.ContainsFunc(s, func(r rune) bool { return !isDigit(r) && !strings.ContainsRune("+-.eE%", r) }) {
		return Num{}, bad
	}
	if v, ok := smallDecimal(s); ok {
		return v, nil
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
			return Num{}, tooLong(s, bits)
		}
		if r, ok = r.SetString(s); !ok {
			return Num{}, bad
		}
	}
	if r.Num().BitLen() > bits || r.Denom().BitLen() > bits {
		return Num{}, tooLong(s, bits)
	}
	return Of(r), nil
}

// smallDecimal reads a decimal literal of few digits without an exponent.
func smallDecimal(s string) (Num, bool) {
	const digits = 17 // an int64 holds any number of so many, and 10 to that power
	if len(s) > digits+1 {
		return Num{}, false
	}
	num, den := int64(0), int64(0) // den is 0 before the point
	for _, c := range []byte(s) {
		switch {
		case '0' <= c && c <= '9':
			num, den = 10*num+int64(c-'0'), 10*den
		case c == '.' && den == 0:
			den = 1
		default:
			return Num{}, false
		}
	}
	den = max(den, 1)
	for _, p := range []int64{2, 5} {
		for den%p == 0 && num%p == 0 {
			num, den = num/p, den/p
		}
	}
	return Num{num: num, den: den}, true
}

// maxLiteralText bounds the text of a literal.
const maxLiteralText = 200

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func tooLong(s string, bits int) error {
	limit := ""
	if bits == MaxLiteralBits {
		limit = " (no literal is beyond about 1e77 or below 1e-77)"
	}
	return fmt.Errorf("%s needs more than %d bits as a ratio of whole numbers%s", s, bits, limit)
}

// Rat returns the rational value of a finite literal, nil for the others. It may
// be shared: do not change it.
func (n Num) Rat() *big.Rat {
	if n.den > 0 {
		return big.NewRat(n.num, n.den)
	}
	return n.rat
}

// Float64 returns n rounded to nearest.
func (n Num) Float64() float64 {
	const exact = 1 << 53
	switch {
	case !n.finite():
		return n.special()
	case n.den > 0 && n.den < exact && -exact < n.num && n.num < exact:
		return float64(n.num) / float64(n.den) // which rounds once
	}
	f, _ := n.Rat().Float64()
	return f
}

// Int64 returns the integer that n is, and whether it is one that fits.
func (n Num) Int64() (int64, bool) { return n.num, n.den == 1 }

// IsInt reports whether n is the integer k.
func (n Num) IsInt(k int64) bool { return n.den == 1 && n.num == k }

// Neg returns -n.
func (n Num) Neg() Num {
	if n.finite() {
		return Of(new(big.Rat).Neg(n.Rat()))
	}
	return notFinite(-n.special())
}

// Sign returns -1, 0 or 1; of NaN it is 0.
func (n Num) Sign() int {
	switch {
	case n.den > 0:
		return cmp.Compare(n.num, 0)
	case n.rat != nil:
		return n.rat.Sign()
	case n.special() > 0:
		return 1
	case n.special() < 0:
		return -1
	}
	return 0
}

// Compare orders n and m: -1, 0 or 1. It is false if one of them is NaN.
func (n Num) Compare(m Num) (order int, ok bool) {
	const small = 1 << 31 // products are exact
	in := func(k int64) bool { return -small < k && k < small }
	switch {
	case n.den > 0 && n.den == m.den:
		return cmp.Compare(n.num, m.num), true
	case n.den > 0 && m.den > 0 && in(n.num) && in(n.den) && in(m.num) && in(m.den):
		return cmp.Compare(n.num*m.den, m.num*n.den), true
	case n.finite() && m.finite():
		return n.Rat().Cmp(m.Rat()), true
	}
	end := func(n Num) float64 { // between the infinities all numbers are the same
		if n.finite() {
			return 0
		}
		return n.special()
	}
	x, y := end(n), end(m)
	return cmp.Compare(x, y), !math.IsNaN(x) && !math.IsNaN(y)
}

// String prints n so that it parses back exactly: a decimal where n has a short
// one, else numerator%denominator.
func (n Num) String() string {
	if !n.finite() {
		switch {
		case n.special() > 0:
			return "inf"
		case n.special() < 0:
			return "-inf"
		}
		return "nan"
	}
	if n.den == 1 {
		return strconv.FormatInt(n.num, 10)
	}
	if s, ok := n.shortDecimal(); ok {
		return s
	}
	r := n.Rat()
	if r.IsInt() {
		if s := r.Num().String(); len(s) < 21 {
			return s
		}
	}
	if prec, exact := r.FloatPrec(); exact && prec < 40 {
		if s := r.FloatString(prec); len(s) <= 60 {
			if prec > 8 || len(s) > 20 {
				if e := scientific(s); len(e) < len(s) {
					return e
				}
			}
			return s
		}
	}
	return r.Num().String() + "%" + r.Denom().String()
}

// shortDecimal is a decimal of at most 8 digits after the point and 20 characters,
// if n has one.
func (n Num) shortDecimal() (string, bool) {
	power := int64(1)
	for k := 1; n.den > 0 && k <= 8; k++ {
		if power *= 10; power%n.den != 0 {
			continue
		}
		scaled := power / n.den
		if v := n.num * scaled; v/scaled == n.num && v != math.MinInt64 {
			s := strconv.FormatInt(max(v, -v), 10)
			if len(s) <= k {
				s = strings.Repeat("0", k+1-len(s)) + s
			}
			s = s[:len(s)-k] + "." + s[len(s)-k:]
			if v < 0 {
				s = "-" + s
			}
			return s, len(s) <= 20
		}
		break
	}
	return "", false
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

// Equal reports whether n and m are one literal.
func (n Num) Equal(m Num) bool {
	if n.den > 0 || m.den > 0 {
		return n.num == m.num && n.den == m.den
	}
	return n.Key() == m.Key()
}

// Key is equal for equal literals and differs otherwise.
func (n Num) Key() string {
	switch {
	case n.den == 1:
		return strconv.FormatInt(n.num, 10)
	case n.den > 0:
		return strconv.FormatInt(n.num, 10) + "/" + strconv.FormatInt(n.den, 10)
	case n.rat != nil:
		return n.rat.RatString()
	}
	return n.String()
}
