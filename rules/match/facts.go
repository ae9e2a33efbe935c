package match

import (
	"slices"

	"egad/rules"
	"egad/slot"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// operand is what is known of a term of a condition. Terms of operators without
// attributes are not built, so that asking does not make an e-graph grow.
func (b *builder) operand(p *rules.Pattern) ops.Operand {
	switch n, is, known := b.numeral(p); {
	case known:
		return ops.Operand{Bounds: ops.BoundsOfNum(n)}
	case is:
		return ops.Operand{Bounds: ops.Unbounded}
	case p.Plain():
		return b.applied(p)
	}
	r := b.term(p, nil)
	return ops.Operand{Type: b.space.Type(r), Bounds: b.space.Bounds(r)}
}

// numeral is the number that a side of a comparison is, if it is one; known is false of a size
// that is symbolic. Sizes are computed as integers, which may be negative.
func (b *builder) numeral(p *rules.Pattern) (n numeric.Num, is, known bool) {
	switch p.Kind {
	case rules.PNumber:
		return p.Value, true, true
	case rules.PZero:
		return numeric.Int(0), true, true
	case rules.PLit:
		return numOf(b.attr(p.Lit, rules.SortLit).lit), true, true
	case rules.PSizeVal:
		k, known := b.integer(p.Lit).Const()
		return numeric.Int(k), true, known
	case rules.PApp:
		return b.smallInteger(p)
	}
	return n, false, false
}

// exactReal bounds the integers that are the same as reals, and so are their sums.
const exactReal = 1 << 52

// smallInteger is what +, - or * makes of integers that are known, where that is the same of reals.
func (b *builder) smallInteger(p *rules.Pattern) (n numeric.Num, is, known bool) {
	of := map[ops.Sym]func(x, y int64) int64{
		ops.SymAdd: func(x, y int64) int64 { return x + y },
		ops.SymSub: func(x, y int64) int64 { return x - y },
		ops.SymMul: func(x, y int64) int64 { return x * y },
	}[p.Sym]
	if p.Name != "" || of == nil || !p.Plain() {
		return n, false, false
	}
	bound := int64(exactReal)
	if p.Sym == ops.SymMul {
		bound = 1 << 26
	}
	var xs [2]int64
	for i, e := range p.Kids {
		x, _, known := b.numeral(e.Pat)
		k, whole := x.Int64()
		if !known || !whole || k < -bound || k > bound {
			return n, false, false
		}
		xs[i] = k
	}
	return numeric.Int(of(xs[0], xs[1])), true, true
}

// numOf is a literal as a number.
func numOf(c ops.Scalar) numeric.Num {
	if c.Elem == types.R {
		return c.Num
	}
	return numeric.Int(c.Int)
}

// applied is what is known of an operator applied to operands.
func (b *builder) applied(p *rules.Pattern) ops.Operand {
	op := ops.Op{Sym: p.Sym}
	if p.Name != "" {
		op = *b.m.Get(p.Name).Op
	}
	kids, ts := make([]ops.Operand, len(p.Kids)), make([]*types.Type, len(p.Kids))
	beside := types.ArrayOf(types.R) // what stands beside literals
	for i, k := range p.Kids {
		kids[i] = b.operand(k.Pat)
		ts[i] = kids[i].Type
		if t := ts[i]; t != nil && t.Kind == types.KArray {
			beside = t
			if t.Elem == types.B {
				beside = types.ArrayOf(types.R, t.Shape...)
			}
		}
	}
	ts, t, err := TypeBeside(ops.Equality{}, b.space.Signature(), op, ts, beside)
	for i := range kids {
		kids[i].Type = ts[i]
	}
	if err != nil {
		b.fail("asks for an ill-typed term: %s", err.Msg)
	}
	equal := len(kids) == 2 && b.samePattern(p.Kids[0].Pat, p.Kids[1].Pat)
	return ops.Operand{Type: t, Bounds: ops.BoundsOf(op, t, kids, equal)}
}

// samePattern reports whether two patterns are the same term by their form.
func (b *builder) samePattern(p, q *rules.Pattern) bool {
	if p.Kind != q.Kind || p.Name != q.Name || p.Sym != q.Sym || len(p.Kids) != len(q.Kids) {
		return p.Kind == rules.PMeta && q.Kind == rules.PMeta && b.space.Same(b.term(p, nil), b.term(q, nil))
	}
	switch p.Kind {
	case rules.PMeta, rules.PIvar, rules.PSelf:
		return true
	case rules.PNumber:
		return p.Value.Key() == q.Value.Key()
	case rules.PApp:
		for i := range p.Kids {
			if rules.HasLists(p.Kids[i:i+1]) || rules.HasLists(q.Kids[i:i+1]) || !b.samePattern(p.Kids[i].Pat, q.Kids[i].Pat) {
				return false
			}
		}
		return p.Binders == nil && p.Attrs == (rules.Attrs{}) && q.Attrs == (rules.Attrs{})
	}
	return false
}

// compare reports whether an order is proved, of all elements that are numbers.
// What is said of numbers without a type holds of integers or of reals.
func compare(op string, l, r ops.Operand) bool {
	elem := types.NoElem
	for _, x := range []ops.Operand{l, r} {
		if x.Type != nil && x.Type.Kind == types.KArray {
			elem = x.Type.Elem
		}
	}
	x, y := l.Int, r.Int
	a, c := l.Real, r.Real
	ints, reals := elem != types.R, elem != types.I
	switch op {
	case "<":
		return ints && x.Hi < y.Lo || reals && a.Less(c)
	case "<=":
		return ints && x.Hi <= y.Lo || reals && a.AtMost(c)
	}
	return ints && (x.Hi < y.Lo || y.Hi < x.Lo) || reals && a.Differ(c)
}

// inOrder reports whether two numbers of a comparison are in order. In rules for arrays so are the floats that
// they are rounded to, or else they are integers.
func (b *builder) inOrder(c *rules.Cond, x, y numeric.Num) bool {
	order, ok := x.Compare(y)
	if c.Op != "<=" && b.m.Rule.Language == nil && x.Float64() == y.Float64() && !b.ofIntegers(c, x, y) {
		return false
	}
	switch c.Op {
	case "<":
		return ok && order < 0
	case "<=":
		return ok && order <= 0
	}
	return ok && order != 0
}

// ofIntegers reports whether two numbers of a comparison are integers: whole numbers of which none is a real literal.
func (b *builder) ofIntegers(c *rules.Cond, ns ...numeric.Num) bool {
	for i, p := range []*rules.Pattern{c.L, c.R} {
		if _, whole := ns[i].Int64(); !whole || p.Kind == rules.PLit && b.attr(p.Lit, rules.SortLit).lit.Elem == types.R {
			return false
		}
	}
	return true
}

// finite reports whether all elements are proved to be finite, as integers are.
func finite(x ops.Operand) bool {
	return x.Real.Finite() || x.Type != nil && x.Type.Kind == types.KArray && x.Type.Elem != types.R
}

// AskFacts asks for all facts about numbers that the rule mentions: a mistake in
// one is an error.
func (m *Match) AskFacts(s Space) error {
	return m.ask(s, func(b *builder) {
		for _, c := range slices.Concat(m.Rule.Conds, m.Rule.Assumes) {
			switch c.Kind {
			case rules.CondOrder, rules.CondFinite, rules.CondFact, rules.CondSame, rules.CondLiteral, rules.CondNotLiteral:
				b.condition(&c)
			}
		}
	})
}

// Unproved lists the assumptions of the rule that are not proved for a match, as
// they are written.
func (m *Match) Unproved(s Space) ([]string, error) {
	var out []string
	err := m.ask(s, func(b *builder) {
		for i := range m.Rule.Assumes {
			if c := &m.Rule.Assumes[i]; !b.condition(c) && (len(out) == 0 || out[len(out)-1] != c.Text) {
				out = append(out, c.Text)
			}
		}
	})
	return out, err
}

// Term makes a term of a rule. It is false if a function in it has no value; a mistake in the
// rule is an error.
func (m *Match) Term(s Space, p *rules.Pattern) (r slot.Ref, ok bool, err error) {
	b := &builder{space: s, m: m}
	ok, err = b.guard(func() { r = b.term(p, nil) })
	return r, ok, err
}

// Find returns the class of a term of a condition; it is false if it is not there, or if a
// function in it has no value.
func (m *Match) Find(s Space, p *rules.Pattern) (r slot.Ref, ok bool) {
	b := &builder{space: s, m: m}
	ok, err := b.guard(func() { r = b.known(p, nil) })
	return r, ok && err == nil
}

// A Finder is a space in which terms can be looked up.
type Finder interface {
	// Lookup is the class of a node that is there; it adds nothing.
	Lookup(op ops.Op, own, binders []slot.Name, kids []slot.Ref) (slot.Ref, bool)
}

// known is a term of a condition. It is looked up where that can be done: a condition
// on a term that is not there does not hold.
func (b *builder) known(p *rules.Pattern, expect *types.Type) slot.Ref {
	find, ok := b.space.(Finder)
	if !ok {
		return b.term(p, expect)
	}
	look := *b
	look.find = find
	return look.term(p, expect)
}

// truth is what is true of the type of a fact, as make gives it. In a language all facts have one.
func (b *builder) truth(fact slot.Ref, make func(*rules.Pattern, *types.Type) slot.Ref) slot.Ref {
	t := types.ArrayOf(types.B)
	if b.m.Rule.Language == nil {
		t = b.space.Type(fact)
	}
	if t.Kind != types.KArray || t.Elem != types.B {
		b.fail("a fact is a truth value, not %s", t)
	}
	return make(&rules.Pattern{Kind: rules.PTruth, Truth: true}, t)
}

// sides are the two terms of an equation, which are looked up. What is a literal on
// one side has the type of the other.
func (b *builder) sides(c *rules.Cond) (x, y slot.Ref) {
	l, r := c.LiteralLast()
	x = b.known(l, nil)
	y = b.known(r, b.space.Type(x))
	if t, u := b.space.Type(x), b.space.Type(y); !t.Equal(u) {
		b.fail("the condition compares %s and %s", t, u)
	}
	return x, y
}
