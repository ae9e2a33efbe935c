package size

import (
	"math/big"
	"slices"
	"strings"
	"sync"

	"egad/term/overflow"
)

// An atom is what a polynomial of sizes cannot say: a quotient rounded down, the
// smaller or the larger of two sizes. In a monomial it stands like a name, by its
// text, in which * is written ×.
type atom struct {
	op   string // div, min, max
	l, r Size
}

var atoms sync.Map // from texts to atoms

// maxAtomText bounds the text of an atom.
const maxAtomText = 10_000

func (a atom) size() Size {
	text := a.op + "(" + a.l.String() + ", " + a.r.String() + ")"
	if a.op == "div" {
		text = "((" + a.l.String() + ") div " + a.r.String() + ")"
		if ms := a.l.monomials(); len(ms) == 1 && ms[0].coef.Cmp(ratOne) == 0 && len(splitVars(ms[0].vars)) == 1 {
			text = "(" + a.l.String() + " div " + a.r.String() + ")"
		}
	}
	if len(text) > maxAtomText {
		panic(tooLarge())
	}
	text = strings.ReplaceAll(text, "*", "×")
	atoms.LoadOrStore(text, a)
	return makeSize([]monomial{{text, ratOne}})
}

// atomOf is the atom that a factor of a monomial is, if it is no name.
func atomOf(factor string) (atom, bool) {
	if !strings.HasSuffix(factor, ")") {
		return atom{}, false
	}
	a, ok := atoms.Load(factor)
	if !ok {
		return atom{}, false
	}
	return a.(atom), true
}

func (a atom) subst(env map[string]Size) Size {
	l, r := a.l.Subst(env), a.r.Subst(env)
	switch a.op {
	case "min":
		return l.Min(r)
	case "max":
		return l.Max(r)
	}
	q, err := l.FloorDiv(r)
	if err != nil {
		panic(&overflow.Error{Msg: err.Error()})
	}
	return q
}

// natural is as [Size.Natural] is.
func (a atom) natural() bool {
	switch l, r := a.l.Natural(), a.r.Natural(); a.op {
	case "max":
		return l && r || a.whole() && (l || r)
	default: // a divisor is not 0
		return l && r
	}
}

// Min returns the smaller of two sizes, where that is known at all values of their names,
// and else what becomes the smaller one.
func (s Size) Min(t Size) Size { return s.choose(t, "min", 1) }

// Max returns the larger of two sizes.
func (s Size) Max(t Size) Size { return s.choose(t, "max", -1) }

func (s Size) choose(t Size, op string, sign int) Size {
	d := t.Sub(s)
	if sign < 0 {
		d = s.Sub(t)
	}
	switch c, known := d.Sign(); {
	case known && c >= 0 || d.Natural():
		return s
	case known || Const(0).Sub(d).Natural():
		return t
	}
	if t.Key() < s.Key() {
		s, t = t, s
	}
	return atom{op, s, t}.size()
}

// maxFloorDivisor bounds the divisors for which a quotient is looked at for all
// remainders.
const maxFloorDivisor = 64

// FloorDiv returns s divided by a constant t that is not 0, rounded down, as div is on
// integers. It is a polynomial where that says the same for all whole numbers.
func (s Size) FloorDiv(t Size) (Size, error) {
	q, err := s.Div(t)
	if err != nil {
		return Size{}, err
	}
	if !s.whole() {
		return atom{"div", s, t}.size(), nil
	}
	den := denominator(q.monomials())
	// q is whole + rest/den, and no coefficient of rest is negative, or den or more.
	var whole, rest []monomial
	for _, m := range q.monomials() {
		n := new(big.Int).Mul(m.coef.Num(), new(big.Int).Div(den, m.coef.Denom()))
		k, r := new(big.Int).DivMod(n, den, new(big.Int))
		whole = append(whole, monomial{m.vars, new(big.Rat).SetInt(k)})
		rest = append(rest, monomial{m.vars, new(big.Rat).SetInt(r)})
	}
	left, out := makeSize(rest), makeSize(whole)
	if len(left.Vars()) == 0 {
		return out, nil
	}
	if r, ok := left.remainder(den); ok {
		exact, err := left.Sub(Const(r)).Div(Const(den.Int64()))
		return out.Add(exact), err
	}
	if !den.IsInt64() {
		panic(tooLarge())
	}
	return out.Add(atom{"div", left, Const(den.Int64())}.size()), nil
}

// whole reports whether all factors of s are whole numbers: names are, and quotients
// rounded down.
func (s Size) whole() bool {
	for _, m := range s.monomials() {
		for _, v := range splitVars(m.vars) {
			if a, ok := atomOf(v); ok && !a.whole() {
				return false
			}
		}
	}
	return true
}

func (a atom) whole() bool {
	return a.op == "div" || a.l.whole() && a.r.whole() &&
		!slices.ContainsFunc(slices.Concat(a.l.monomials(), a.r.monomials()), func(m monomial) bool { return !m.coef.IsInt() })
}

// remainder is the one remainder that s has by d, whatever whole numbers its factors
// are, if there is one and that can be seen.
func (s Size) remainder(d *big.Int) (int64, bool) {
	var names []string
	for _, m := range s.monomials() {
		names = append(names, splitVars(m.vars)...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if !d.IsInt64() || d.Int64() > maxFloorDivisor || len(names) > 2 {
		return 0, false
	}
	n, first, met := d.Int64(), int64(0), false
	at := make(map[string]int64)
	var all func(k int) bool
	all = func(k int) bool {
		if k < len(names) {
			for v := range n {
				if at[names[k]] = v; !all(k + 1) {
					return false
				}
			}
			return true
		}
		sum := int64(0)
		for _, m := range s.monomials() {
			p := new(big.Int).Mod(m.coef.Num(), d).Int64()
			for _, v := range splitVars(m.vars) {
				p = p * at[v] % n
			}
			sum = (sum + p) % n
		}
		if !met {
			first, met = sum, true
		}
		return sum == first
	}
	return first, all(0) && met
}
