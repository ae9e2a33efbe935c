package size

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"egad/term/numeric"
	"egad/term/overflow"
)

// Size is the length of an axis: a polynomial in named sizes, and quotients of such
// that are rounded down, with rational coefficients, in normal form, so that equal
// polynomials are equal sizes. The zero value is the size 0. After instantiation
// every size is a constant.
type Size struct {
	c    int64
	poly *poly // nil for a constant integer
}

// A poly is a sum of monomials sorted by key, none with coefficient 0. It is
// never a constant that fits an int64: that is a Size without a poly.
type poly struct {
	terms []monomial
	key   string
}

type monomial struct {
	vars string // factors sorted and joined by '*', with repetition: "D*D"
	coef *big.Rat
}

// Const returns the constant size n.
func Const(n int64) Size { return Size{c: n} }

// Var returns the named size x.
func Var(x string) Size {
	return Size{poly: &poly{terms: []monomial{{x, ratOne}}, key: "1*" + x + "+"}} // as makeSize says it
}

var ratOne = coefOf(1)

// Const returns the value of a constant size, and whether s is one.
func (s Size) Const() (int64, bool) { return s.c, s.poly == nil }

// IsConst reports whether s is the constant n.
func (s Size) IsConst(n int64) bool { return s.poly == nil && s.c == n }

// Equal reports whether s and t are the same polynomial.
func (s Size) Equal(t Size) bool {
	if s.poly == nil || t.poly == nil {
		return s.poly == t.poly && s.c == t.c
	}
	return s.poly.key == t.poly.key
}

// Key returns a string that is equal for equal sizes and differs otherwise.
func (s Size) Key() string {
	if s.poly == nil {
		return strconv.FormatInt(s.c, 10)
	}
	return s.poly.key
}

// String prints s as the language reads it: "n", "D + 1/2*D*D - 1/2*D".
func (s Size) String() string {
	if s.poly == nil {
		return strconv.FormatInt(s.c, 10)
	}
	// Products before constants, as people write them.
	ts := slices.Clone(s.poly.terms)
	slices.SortStableFunc(ts, func(a, b monomial) int {
		return degree(b.vars) - degree(a.vars)
	})
	// A common denominator is printed once, as "(… )/2", so that the text
	// parses back to the same polynomial.
	den := denominator(ts)
	var b strings.Builder
	for i, t := range ts {
		n := new(big.Int).Mul(t.coef.Num(), new(big.Int).Div(den, t.coef.Denom()))
		neg := n.Sign() < 0
		n.Abs(n)
		switch {
		case i == 0 && neg:
			b.WriteString("-")
		case i > 0 && neg:
			b.WriteString(" - ")
		case i > 0:
			b.WriteString(" + ")
		}
		one := n.IsInt64() && n.Int64() == 1
		if !one || t.vars == "" {
			b.WriteString(n.String())
			if t.vars != "" {
				b.WriteString("*")
			}
		}
		b.WriteString(strings.ReplaceAll(t.vars, "×", "*"))
	}
	switch {
	case den.IsInt64() && den.Int64() == 1:
		return b.String()
	case len(ts) == 1:
		return b.String() + "/" + den.String()
	}
	return "(" + b.String() + ")/" + den.String()
}

// Sign returns -1, 0 or 1; it is not known if s has names.
func (s Size) Sign() (sign int, known bool) {
	switch {
	case s.poly == nil:
		return cmp.Compare(s.c, 0), true
	case len(s.poly.terms) == 1 && s.poly.terms[0].vars == "":
		return s.poly.terms[0].coef.Sign(), true
	}
	return 0, false
}

// Add returns s + t.
func (s Size) Add(t Size) Size {
	if s.poly == nil && t.poly == nil {
		if r := s.c + t.c; (r > s.c) == (t.c > 0) {
			return Const(r)
		}
	}
	return makeSize(slices.Concat(s.monomials(), t.monomials()))
}

// Sub returns s - t.
func (s Size) Sub(t Size) Size {
	if t.poly == nil {
		return s.Add(t.Mul(Const(-1)))
	}
	return makeSize(appendTimes(slices.Clone(s.monomials()), coefOf(-1), t))
}

// Mul returns s * t.
func (s Size) Mul(t Size) Size {
	if s.IsConst(1) {
		return t
	}
	if t.IsConst(1) {
		return s
	}
	if s.poly == nil && t.poly == nil && s.c == int64(int32(s.c)) && t.c == int64(int32(t.c)) {
		return Const(s.c * t.c)
	}
	as, bs := s.monomials(), t.monomials()
	if len(as)*len(bs) > maxSizeProducts || s.degree()+t.degree() > maxSizeDegree {
		panic(tooLarge())
	}
	out := make([]monomial, 0, len(as)*len(bs))
	for _, a := range as {
		for _, b := range bs {
			out = append(out, monomial{mulVars(a.vars, b.vars), mulCoefs(a.coef, b.coef)})
		}
	}
	return makeSize(out)
}

func mulVars(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	vars := slices.Concat(splitVars(a), splitVars(b))
	slices.Sort(vars)
	return strings.Join(vars, "*")
}

// appendTimes appends the monomials of a multiple of s.
func appendTimes(to []monomial, times *big.Rat, s Size) []monomial {
	for _, m := range s.monomials() {
		to = append(to, monomial{m.vars, mulCoefs(times, m.coef)})
	}
	return to
}

// Div returns s divided by a non-zero constant t. The quotient may have rational
// coefficients; whether it is a whole number is seen when its names have values.
func (s Size) Div(t Size) (Size, error) {
	c, ok := t.Const()
	if !ok {
		return Size{}, fmt.Errorf("a size can only be divided by a constant, not by %s%s", t, s.productHint(t))
	}
	if c == 0 {
		return Size{}, errors.New("size divided by 0")
	}
	ms := slices.Clone(s.monomials())
	for i := range ms {
		ms[i].coef = new(big.Rat).Quo(ms[i].coef, new(big.Rat).SetInt64(c))
	}
	return makeSize(ms), nil
}

// Natural reports whether s is a whole number that is not negative wherever its names
// are, as no coefficient is negative or a fraction. Others may be too.
func (s Size) Natural() bool {
	return !slices.ContainsFunc(s.monomials(), func(m monomial) bool {
		return m.coef.Sign() < 0 || !m.coef.IsInt() || slices.ContainsFunc(splitVars(m.vars), func(v string) bool {
			a, ok := atomOf(v)
			return ok && !a.natural() || strings.HasSuffix(v, IntegerMark)
		})
	})
}

// productHint says how to do without the quotient of s by t, where both are names.
func (s Size) productHint(t Size) string {
	product, named := s.Var()
	by, also := t.Var()
	if !named || !also {
		return ""
	}
	other := "e"
	if product == other || by == other {
		other = "k"
	}
	return fmt.Sprintf("; where %s is %s * %s, declare %[2]s and %[3]s, and write %[2]s * %[3]s for %[1]s", product, by, other)
}

// Vars lists the named sizes in s, sorted.
func (s Size) Vars() []string {
	if s.poly == nil {
		return nil
	}
	var out []string
	for _, m := range s.poly.terms {
		for _, v := range splitVars(m.vars) {
			if a, ok := atomOf(v); ok {
				out = append(append(out, a.l.Vars()...), a.r.Vars()...)
			} else {
				out = append(out, v)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Var returns the name if s is a single named size.
func (s Size) Var() (string, bool) {
	if s.poly == nil || len(s.poly.terms) != 1 {
		return "", false
	}
	m := s.poly.terms[0]
	if m.vars == "" || strings.Contains(m.vars, "*") || strings.HasSuffix(m.vars, ")") || m.coef != ratOne && m.coef.Cmp(ratOne) != 0 {
		return "", false
	}
	return m.vars, true
}

// Factors splits a size that is a single product: a whole number times named
// sizes, sorted, with repetition.
func (s Size) Factors() (coef int64, names []string, ok bool) {
	ms := s.monomials()
	switch {
	case len(ms) == 0:
		return 0, nil, true
	case len(ms) > 1 || !ms[0].coef.IsInt() || !ms[0].coef.Num().IsInt64():
		return 0, nil, false
	}
	return ms[0].coef.Num().Int64(), splitVars(ms[0].vars), true
}

// Solve gives the value of the named size x for which s is 0, if s is linear in
// x with coefficient 1 or -1.
func (s Size) Solve(x string) (Size, bool) {
	times, rest, ok := s.linear(x)
	if !ok || times != 1 && times != -1 {
		return Size{}, false
	}
	return rest.Mul(Const(-times)), true
}

// linear splits s into a whole number of times the named size x, not 0 times, and what
// does not depend on x.
func (s Size) linear(x string) (times int64, rest Size, ok bool) {
	var others []monomial
	for _, m := range s.monomials() {
		switch {
		case !slices.Contains(makeSize([]monomial{m}).Vars(), x):
			others = append(others, m)
		case m.vars != x || !m.coef.IsInt() || !m.coef.Num().IsInt64():
			return 0, Size{}, false
		default:
			times = m.coef.Num().Int64()
		}
	}
	return times, makeSize(others), times != 0
}

// Subst replaces named sizes; names not in env stay.
func (s Size) Subst(env map[string]Size) Size {
	if s.poly == nil {
		return s
	}
	if v, ok := s.Var(); ok {
		if r, ok := env[v]; ok {
			return r
		}
		return s
	}
	if !s.mentions(env) {
		return s
	}
	sum := make([]monomial, 0, 2*len(s.poly.terms))
	for _, m := range s.poly.terms {
		p := Const(1)
		for v := range strings.SplitSeq(m.vars, "*") {
			switch r, ok := env[v]; {
			case v == "":
			case ok:
				p = p.Mul(r)
			default:
				a, ok := atomOf(v)
				if r = Var(v); ok {
					r = a.subst(env)
				}
				p = p.Mul(r)
			}
		}
		sum = appendTimes(sum, m.coef, p)
	}
	return makeSize(sum)
}

// mentions reports whether s has a name of env in it.
func (s Size) mentions(env map[string]Size) bool {
	if s.poly == nil || len(env) == 0 {
		return false
	}
	for _, m := range s.poly.terms {
		for v := range strings.SplitSeq(m.vars, "*") {
			if _, ok := env[v]; ok && v != "" {
				return true
			}
			if a, ok := atomOf(v); ok && (a.l.mentions(env) || a.r.mentions(env)) {
				return true
			}
		}
	}
	return false
}

// Eval gives the value of s under env. It fails if a name has no value or the
// value is negative, not whole, or does not fit 63 bits.
func (s Size) Eval(env map[string]int64) (int64, error) {
	sub := make(map[string]Size, len(env))
	for k, v := range env {
		sub[k] = Const(v)
	}
	r := s.Subst(sub)
	if c, ok := r.Const(); ok {
		if c < 0 {
			return 0, fmt.Errorf("size %s is %d, and a size cannot be negative", s, c)
		}
		return c, nil
	}
	if vs := r.Vars(); len(vs) > 0 {
		return 0, fmt.Errorf("size %s needs a value for %s", s, strings.Join(vs, ", "))
	}
	return 0, fmt.Errorf("size %s is %s, which is not a whole number that fits 63 bits", s, r)
}

// Product multiplies sizes; the product of none is 1.
func Product(ss []Size) Size {
	p := Const(1)
	for _, s := range ss {
		p = p.Mul(s)
	}
	return p
}

// Equal reports whether two shapes are equal axis by axis.
func Equal(a, b []Size) bool { return slices.EqualFunc(a, b, Size.Equal) }

// Sizes stay small enough to work with; arithmetic that leaves these bounds is an
// [*overflow.Error].
const (
	maxSizeTerms    = 1000
	maxSizeProducts = 100_000
	maxSizeDegree   = 100
)

func tooLarge() *overflow.Error {
	return &overflow.Error{Msg: fmt.Sprintf("a size grows beyond %d terms, degree %d or %d bits", maxSizeTerms, maxSizeDegree, numeric.MaxLiteralBits)}
}

// denominator is the least common one of the coefficients.
func denominator(ms []monomial) *big.Int {
	den := big.NewInt(1)
	for _, m := range ms {
		den.Mul(den, new(big.Int).Div(m.coef.Denom(), new(big.Int).GCD(nil, nil, den, m.coef.Denom())))
	}
	return den
}

// monomials are those of s, which nothing changes.
func (s Size) monomials() []monomial {
	if s.poly == nil {
		if s.c == 0 {
			return nil
		}
		return []monomial{{coef: coefOf(s.c)}}
	}
	return s.poly.terms
}

// makeSize is the sum of monomials, whose array it takes over.
func makeSize(ms []monomial) Size {
	slices.SortStableFunc(ms, func(a, b monomial) int { return strings.Compare(a.vars, b.vars) })
	out := ms[:0]
	for _, m := range ms {
		if n := len(out); n > 0 && out[n-1].vars == m.vars {
			out[n-1].coef = addCoefs(out[n-1].coef, m.coef)
		} else {
			out = append(out, m)
		}
	}
	out = slices.DeleteFunc(out, func(m monomial) bool { return m.coef.Sign() == 0 })
	if len(out) == 0 {
		return Size{}
	}
	if c := out[0].coef; len(out) == 1 && out[0].vars == "" && c.IsInt() && c.Num().IsInt64() {
		return Const(c.Num().Int64())
	}
	if len(out) > maxSizeTerms {
		panic(tooLarge())
	}
	var text [64]byte
	key := text[:0]
	for _, m := range out {
		if m.coef.Num().BitLen() > numeric.MaxLiteralBits || m.coef.Denom().BitLen() > numeric.MaxLiteralBits {
			panic(tooLarge())
		}
		key = append(appendCoef(key, m.coef), '*')
		key = append(append(key, m.vars...), '+')
	}
	return Size{poly: &poly{terms: out, key: string(key)}}
}

func splitVars(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "*")
}

func degree(vars string) int { return len(splitVars(vars)) }

// degree is that of the polynomial.
func (s Size) degree() int {
	d := 0
	for _, m := range s.monomials() {
		d = max(d, degree(m.vars))
	}
	return d
}
