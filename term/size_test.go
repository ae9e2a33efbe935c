package term_test

import (
	"fmt"
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"github.com/leanovate/gopter"

	"egad/diag"
	"egad/term/ast"
	"egad/term/size"
)

// A polynomial is a size and the text it was made from, which is its own oracle:
// value is computed from the text's structure, not from the size.
type polynomial struct {
	op   byte // 'c' a constant, 'v' a name, or an operator
	c    int64
	name string
	l, r *polynomial
}

func (p *polynomial) String() string {
	switch p.op {
	case 'c':
		return fmt.Sprint(p.c)
	case 'v':
		return p.name
	case '/':
		return fmt.Sprintf("(%s) / %d", p.l, p.c)
	case '~':
		return fmt.Sprintf("-(%s)", p.l)
	case 'd':
		return fmt.Sprintf("((%s) div %d)", p.l, p.c)
	case 'm':
		return fmt.Sprintf("min (%s) (%s)", p.l, p.r)
	case 'M':
		return fmt.Sprintf("max (%s) (%s)", p.l, p.r)
	}
	return fmt.Sprintf("(%s %c %s)", p.l, p.op, p.r)
}

// size makes the polynomial with the operations of Size.
func (p *polynomial) size() size.Size {
	switch p.op {
	case 'c':
		return size.Const(p.c)
	case 'v':
		return size.Var(p.name)
	case '/':
		q, err := p.l.size().Div(size.Const(p.c))
		if err != nil {
			panic(err)
		}
		return q
	case '~':
		return size.Const(0).Sub(p.l.size())
	case 'd':
		q, err := p.l.size().FloorDiv(size.Const(p.c))
		if err != nil {
			panic(err)
		}
		return q
	case 'm':
		return p.l.size().Min(p.r.size())
	case 'M':
		return p.l.size().Max(p.r.size())
	case '+':
		return p.l.size().Add(p.r.size())
	case '-':
		return p.l.size().Sub(p.r.size())
	}
	return p.l.size().Mul(p.r.size())
}

// value is the value of the polynomial.
func (p *polynomial) value(env map[string]int64) *big.Rat {
	r := new(big.Rat)
	switch p.op {
	case 'c':
		return r.SetInt64(p.c)
	case 'v':
		return r.SetInt64(env[p.name])
	case '/':
		return r.Quo(p.l.value(env), big.NewRat(p.c, 1))
	case '~':
		return r.Neg(p.l.value(env))
	case 'd':
		r.Quo(p.l.value(env), big.NewRat(p.c, 1))
		return r.SetInt(new(big.Int).Div(r.Num(), r.Denom())) // a denominator is positive
	case 'm', 'M':
		a, b := p.l.value(env), p.r.value(env)
		if (a.Cmp(b) < 0) == (p.op == 'm') {
			return a
		}
		return b
	case '+':
		return r.Add(p.l.value(env), p.r.value(env))
	case '-':
		return r.Sub(p.l.value(env), p.r.value(env))
	}
	return r.Mul(p.l.value(env), p.r.value(env))
}

var sizeNames = []string{"n", "m", "D", "n2"}

func polynomialGen() gopter.Gen {
	return func(params *gopter.GenParameters) *gopter.GenResult {
		return gopter.NewGenResult(randomPolynomial(params.Rng, 4), func(v any) gopter.Shrink {
			p := v.(*polynomial)
			parts := []*polynomial{p.l, p.r}
			return func() (any, bool) {
				for len(parts) > 0 {
					q := parts[0]
					parts = parts[1:]
					if q != nil {
						return q, true
					}
				}
				return nil, false
			}
		})
	}
}

func randomPolynomial(rng *rand.Rand, depth int) *polynomial {
	if depth == 0 || rng.Intn(5) == 0 {
		if rng.Intn(2) == 0 {
			return &polynomial{op: 'c', c: int64(rng.Intn(9) - 3)}
		}
		return &polynomial{op: 'v', name: sizeNames[rng.Intn(len(sizeNames))]}
	}
	l := randomPolynomial(rng, depth-1)
	switch k := rng.Intn(12); k {
	case 11:
		return &polynomial{op: 'd', c: int64(2+rng.Intn(2)) * int64(1-2*rng.Intn(2)), l: l}
	case 9, 10:
		return &polynomial{op: "mM"[k-9], l: l, r: randomPolynomial(rng, depth-1)}
	case 0:
		return &polynomial{op: '/', c: int64(2 + rng.Intn(2)), l: l}
	case 1:
		return &polynomial{op: '~', l: l}
	default:
		return &polynomial{op: "+-*"[k%3], l: l, r: randomPolynomial(rng, depth-1)}
	}
}

// sizesInReach is the environment in which a text with the test names is read.
func sizesInReach() map[string]size.Size {
	env := make(map[string]size.Size)
	for _, n := range sizeNames {
		env[n] = size.Var(n)
	}
	return env
}

// readSize reads the text of a size.
func readSize(text string) (size.Size, error) {
	var errs diag.List
	p := ast.NewParser(source(text), &errs)
	var e ast.Expr
	if !p.Recover(func() { e = p.Expr() }) || !p.AtEnd() {
		return size.Size{}, fmt.Errorf("%q is not read: %v", text, errs.Err())
	}
	s, err := size.Read(e, sizesInReach())
	if err != nil {
		return size.Size{}, fmt.Errorf("%q: %s", text, err.Msg)
	}
	return s, nil
}

// A polynomial has the value that its text has, and is printed so that it is
// read back.
func TestSizeValue(t *testing.T) {
	holds(t, 3000, polynomialGen(), func(p *polynomial) error {
		s := p.size()
		for _, text := range []string{p.String(), s.String()} {
			back, err := readSize(text)
			if err != nil {
				return err
			}
			if !back.Equal(s) || back.Key() != s.Key() || back.String() != s.String() {
				return fmt.Errorf("%s is read from %s as %s", s, text, back)
			}
		}
		for _, env := range []map[string]int64{
			{"n": 0, "m": 0, "D": 0, "n2": 0}, {"n": 1, "m": 2, "D": 3, "n2": 5}, {"n": 6, "m": 6, "D": 12, "n2": 4},
		} {
			want := p.value(env)
			got, err := s.Eval(env)
			switch {
			case !want.IsInt() || want.Sign() < 0:
				if err == nil {
					return fmt.Errorf("%s is %d at %v, and is %s", s, got, env, want)
				}
			case err != nil:
				return err
			case want.Cmp(big.NewRat(got, 1)) != 0:
				return fmt.Errorf("%s is %d at %v, and is %s", s, got, env, want)
			}
			// The sign is known of fractions and negative values too.
			sub := make(map[string]size.Size)
			for k, v := range env {
				sub[k] = size.Const(v)
			}
			if sign, known := s.Subst(sub).Sign(); !known || sign != want.Sign() {
				return fmt.Errorf("%s has sign %d at %v, and is %s", s, sign, env, want)
			}
		}
		return nil
	}, func(p *polynomial) string { return p.String() })
}

// A quotient that is rounded down is a polynomial where that says the same.
func TestFloorDiv(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"7 div 2", "3"}, {"-7 div 2", "-4"}, {"7 div -2", "-4"}, {"(2 * n) div 2", "n"}, {"(2 * n + 1) div 2", "n"}, {"(2 * n - 1) div 2", "n - 1"},
		{"(n + 2) div 2", "(n div 2) + 1"}, {"n * (n - 1) div 2", "(n*n - n)/2"}, {"(n * n + n + 1) div 2", "(n*n + n)/2"},
		{"n * m div 2", "((m*n) div 2)"}, {"(n div 2) div 3", "((n div 2) div 3)"}, {"min n (n + 1)", "n"}, {"max (n + 1) n", "n + 1"}, {"min 3 2", "2"}, {"max m n", "max(m, n)"},
	} {
		s, err := readSize(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if s.String() != c.want {
			t.Errorf("%s is %s, not %s", c.text, s, c.want)
		}
	}
}

// Sizes are a commutative ring, in normal form.
func TestSizeLaws(t *testing.T) {
	var others []size.Size
	rng := rand.New(rand.NewSource(1))
	for range 20 {
		others = append(others, randomPolynomial(rng, 2).size())
	}
	zero, one := size.Const(0), size.Const(1)
	holds(t, 1500, polynomialGen(), func(p *polynomial) error {
		a := p.size()
		b, c := others[rng.Intn(len(others))], others[rng.Intn(len(others))]
		for _, law := range []struct {
			name string
			l, r size.Size
		}{
			{"a + b = b + a", a.Add(b), b.Add(a)},
			{"a + (b + c) = (a + b) + c", a.Add(b.Add(c)), a.Add(b).Add(c)},
			{"a + 0 = a", a.Add(zero), a},
			{"a - a = 0", a.Sub(a), zero},
			{"a - b = -(b - a)", a.Sub(b), zero.Sub(b.Sub(a))},
			{"a b = b a", a.Mul(b), b.Mul(a)},
			{"a (b c) = (a b) c", a.Mul(b.Mul(c)), a.Mul(b).Mul(c)},
			{"a 1 = a", a.Mul(one), a},
			{"a 0 = 0", a.Mul(zero), zero},
			{"a (b + c) = a b + a c", a.Mul(b.Add(c)), a.Mul(b).Add(a.Mul(c))},
			{"a[n := n] = a", a.Subst(map[string]size.Size{"n": size.Var("n")}), a},
			{"(a b)[n := c] = a[n := c] b[n := c]", a.Mul(b).Subst(map[string]size.Size{"n": c}), a.Subst(map[string]size.Size{"n": c}).Mul(b.Subst(map[string]size.Size{"n": c}))},
			{"product", size.Product([]size.Size{a, b, c}), a.Mul(b).Mul(c)},
		} {
			if !law.l.Equal(law.r) || law.l.Key() != law.r.Key() {
				return fmt.Errorf("%s fails for a = %s, b = %s, c = %s: %s and %s", law.name, a, b, c, law.l, law.r)
			}
		}
		if !a.Equal(b) && a.Key() == b.Key() {
			return fmt.Errorf("%s and %s have one key", a, b)
		}
		for _, x := range sizeNames {
			if s, ok := a.Solve(x); ok {
				if left := a.Subst(map[string]size.Size{x: s}); !left.IsConst(0) {
					return fmt.Errorf("%s is 0 for %s = %s, and is %s", a, x, s, left)
				}
			}
		}
		if coef, names, ok := a.Factors(); ok {
			product := size.Const(coef)
			for _, n := range names {
				product = product.Mul(size.Var(n))
			}
			if !product.Equal(a) {
				return fmt.Errorf("the factors of %s make %s", a, product)
			}
		}
		return nil
	}, func(p *polynomial) string { return p.String() })
}

// An axis that is a number of times a size and others tells it, whatever the size is, and
// no other size.
func TestTellSizes(t *testing.T) {
	k, n := size.Var("k"), size.Var("n")
	for _, is := range []size.Size{size.Const(0), size.Const(7), n, n.Mul(k).Add(size.Const(1)), n.Min(k)} {
		for times := range int64(4) {
			for plus := int64(-2); plus < 3; plus++ {
				declared := n.Mul(size.Const(times + 1)).Add(k.Mul(k)).Add(size.Const(plus))
				length := is.Mul(size.Const(times + 1)).Add(size.Const(25 + plus))
				axes := []size.Axis{{Declared: declared, Is: length}, {Declared: k.Add(size.Const(1)), Is: size.Const(6)}, {Declared: n.Mul(n), Is: length}}
				sizes := make(map[string]size.Size)
				if by := size.Tell(axes, sizes); !sizes["n"].Equal(is) || !sizes["k"].IsConst(5) || by["n"] != 0 || by["k"] != 1 {
					t.Errorf("%v tell %v", axes, sizes)
				}
				axes[0].Is = length.Add(size.Const(1))
				clear(sizes)
				if size.Tell(axes, sizes); times > 0 && size.Misfit(axes, sizes, "n") != 0 {
					t.Errorf("%v tell %v", axes, sizes)
				}
			}
		}
	}
}

// An axis that is one size times another tells it where the value of the other is known.
func TestTellSizesByValue(t *testing.T) {
	h, e, m := size.Var("h"), size.Var("e"), size.Var("m")
	for _, c := range []struct{ h, is, want size.Size }{
		{size.Const(2), size.Const(6), size.Const(3)},
		{size.Const(2), m.Mul(size.Const(4)), m.Mul(size.Const(2))},
		{size.Const(2), size.Const(5), size.Var("none")},
		{size.Const(0), size.Const(0), size.Var("none")},
		{e, e.Mul(m), size.Var("none")},
	} {
		sizes := make(map[string]size.Size)
		size.Tell([]size.Axis{{Declared: h.Mul(e), Is: c.is}, {Declared: h, Is: c.h}}, sizes)
		if n, told := sizes["e"]; told && !n.Equal(c.want) || !told && !c.want.Equal(size.Var("none")) {
			t.Errorf("h is %s, h * e is %s: %v", c.h, c.is, sizes)
		}
	}
}

func TestSizeText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"0", "0"}, {"n", "n"}, {"n + 0", "n"}, {"n - n", "0"}, {"2 * n", "2*n"}, {"n + n", "2*n"},
		{"1 + n", "n + 1"}, {"n - 1 - 2", "n - 3"}, {"3 - n", "-n + 3"}, {"n / 2", "n/2"}, {"-n / 2", "-n/2"}, {"3 / 2", "3/2"},
		{"D + D * (D - 1) / 2", "(D*D + D)/2"}, {"n * m + m * n", "2*m*n"}, {"(n + m) * (n - m)", "-m*m + n*n"}, {"n / 2 + n / 3", "5*n/6"},
		{"9223372036854775807 + 1", "9223372036854775808"}, {"9223372036854775807 * 9223372036854775807 - 9223372036854775807 * 9223372036854775807", "0"},
		{"n div 2", "(n div 2)"},
	} {
		s, err := readSize(c.in)
		if err != nil {
			t.Error(err)
			continue
		}
		if s.String() != c.want {
			t.Errorf("%s is printed %s, want %s", c.in, s, c.want)
		}
	}
	for _, c := range []struct {
		in   string
		env  map[string]int64
		want string
	}{
		{"n / 2", map[string]int64{"n": 3}, "size n/2 is 3/2, which is not a whole number"},
		{"n - 5", map[string]int64{"n": 3}, "size n - 5 is -2, and a size cannot be negative"},
		{"n + m", map[string]int64{"n": 3}, "size m + n needs a value for m"},
		{"n * n", map[string]int64{"n": 1 << 40}, "not a whole number that fits 63 bits"},
	} {
		s, err := readSize(c.in)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := s.Eval(c.env); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s at %v: %v, want %q", c.in, c.env, err, c.want)
		}
	}
	if v, ok := size.Var("n").Var(); !ok || v != "n" {
		t.Error("Var of n")
	}
	for _, text := range []string{"2 * n", "n * n", "n + 1", "3", "n / 2"} {
		s, err := readSize(text)
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := s.Var(); ok {
			t.Errorf("%s is taken for the name %s", text, v)
		}
	}
}
