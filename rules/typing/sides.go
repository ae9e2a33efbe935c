package typing

import (
	"slices"

	"egad/rules"
	"egad/rules/match"
	"egad/rules/syntax"
	"egad/term/ops"
	"egad/term/types"
)

// left types the left side and the conditions.
func (n *unifier) left() {
	n.root = n.term(n.rule.Lhs, nil)
	if n.rule.Nabla { // only what is real has a derivative
		n.need(n.rule.Lhs.Pos, n.Vector(n.root), "only what is real has a derivative, and this is %s", n.shown(n.root))
	}
	for i := range n.rule.Conds {
		n.condition(&n.rule.Conds[i])
	}
	if !n.retry() {
		n.fail(n.rule.Lhs.Pos, "shapes that must be equal are not")
	}
}

// condition uses what a side condition says about types.
func (n *unifier) condition(c *rules.Cond) {
	if n.rule.Language != nil {
		return // sorts have no sizes
	}
	switch c.Kind {
	case rules.CondType:
		t, want := n.term(c.Of, nil), n.typ(c.Type)
		n.need(c.Pos, n.Types(t, want), "this is %s, not %s", n.shown(t), n.shown(want))
	case rules.CondEqual:
		n.equate(c)
	case rules.CondInside:
		axes := n.axes(c.Of, c.Sizes)
		n.need(c.Pos, n.demand(n.Rank(axes).Sub(kinds(n.list(c.Ix)))), "there are more indices than axes")
	}
}

// equate makes two attributes equal.
func (n *unifier) equate(c *rules.Cond) {
	ok := true
	switch sort := rules.AttrSortOf(c.A, c.B); sort {
	case rules.SortSizes:
		ok = n.Shapes(n.attr(c.A, sort).sizes, n.attr(c.B, sort).sizes)
	case rules.SortSize, rules.SortInt:
		ok = n.Sizes(n.attr(c.A, sort).size, n.attr(c.B, sort).size)
	case rules.SortPerm:
		n.samePerm(n.attr(c.A, sort).moves, n.attr(c.B, sort).moves)
	case rules.SortLit:
		x, y := n.attr(c.A, sort).lit, n.attr(c.B, sort).lit
		if x.number {
			x, y = y, x
		}
		switch {
		case x.number:
		case !y.number:
			ok = n.Elems(x.elem, y.elem)
		case y.value != nil && (y.value.Rat() == nil || !y.value.Rat().IsInt()):
			ok = n.ElemIn(x.elem, types.R)
		default:
			ok = n.ElemIn(x.elem, types.R, types.I)
		}
	}
	n.need(c.Pos, ok, "this never holds")
}

// right decides whether the right side has the type of the left side.
func (n *unifier) right() {
	// Of a language, the right side may say the sort of a metavariable.
	n.rigid = n.rule.Language == nil
	if n.rule.Nabla {
		n.maps()
		return
	}
	switch n.rule.Kind {
	case syntax.Demand:
		n.term(n.rule.Rhs, nil)
	case syntax.Fact:
		n.truth(n.rule.Rhs)
	default:
		t := n.term(n.rule.Rhs, n.root)
		if n.rule.Language != nil {
			n.need(n.rule.Rhs.Pos, n.Types(n.root, t), "this has the sort %s, expected %s", n.sortName(t), n.sortName(n.root))
		}
		n.need(n.rule.Pos, n.Types(n.root, t), "the left side has type %s and the right side %s", n.shown(n.root), n.shown(t))
	}
	for _, c := range slices.Concat(n.rule.Conds, n.rule.Assumes) {
		switch c.Kind {
		case rules.CondOrder, rules.CondFinite, rules.CondLiteral, rules.CondNotLiteral, rules.CondSymbol, rules.CondVariable:
			n.fact(c.L)
			n.fact(c.R)
		case rules.CondFact:
			n.truth(c.L)
		case rules.CondSame, rules.CondDistinct:
			l, r := c.LiteralLast()
			t := n.term(l, nil)
			u := n.term(r, t)
			n.need(c.Pos, n.Types(t, u), "the condition compares %s and %s", n.shown(t), n.shown(u))
		}
	}
}

// truth types a fact.
func (n *unifier) truth(p *rules.Pattern) {
	t := n.Resolve(n.term(p, nil))
	if n.rule.Language != nil {
		n.ofSort(p.Pos, t, ops.Fact)
	}
	n.need(p.Pos, t.Kind == types.KArray && n.ElemIn(t.Elem, types.B), "a fact is a truth value, not %s", n.shown(t))
}

// fact types what a condition on numbers is about, as building it does; numbers and
// sizes alone have no type, nil.
func (n *unifier) fact(p *rules.Pattern) *types.Type {
	switch {
	case p == nil || p.Kind == rules.PNumber || p.Kind == rules.PZero:
		return nil
	case p.Kind == rules.PLit:
		n.attr(p.Lit, rules.SortLit)
		return nil
	case p.Kind == rules.PSizeVal:
		n.attr(p.Lit, rules.SortSize)
		return nil
	case !p.Plain():
		return n.term(p, nil)
	}
	op := ops.Op{Sym: p.Sym}
	if p.Name != "" {
		op.Sym = n.op[p.Name][0]
	}
	kids, beside := make([]*types.Type, len(p.Kids)), types.ArrayOf(types.R)
	for i, k := range p.Kids {
		if kids[i] = n.fact(k.Pat); kids[i] == nil {
			continue
		}
		if t := n.Resolve(kids[i]); t.Kind == types.KArray {
			if beside = t; n.FindElem(t.Elem) == types.B {
				beside = types.ArrayOf(types.R, t.Shape...)
			}
		}
	}
	_, t, err := match.TypeBeside(n, n.sig, op, kids, beside)
	if err != nil {
		n.fail(p.Pos, "asks for an ill-typed term: %s", err.Msg)
	}
	return t
}

// maps types the maps of a derivative rule: from the operands to the result.
func (n *unifier) maps() {
	op := n.ops[n.rule.Lhs]
	if op == nil {
		panic(undecided{"the derivative of no operator"})
	}
	kids := op.kids
	var maps []*types.Type
	for _, e := range n.rule.Maps {
		if e.Kind == rules.ENone {
			maps = append(maps, nil)
			continue
		}
		maps = append(maps, n.items([]rules.Elem{e}, nil)...)
	}
	result := match.Changes(n.Resolve(n.root))
	for i, m := range maps {
		if m == nil {
			continue
		}
		if i >= len(kids) {
			n.fail(n.rule.Pos, "there are more maps than operands")
		}
		want := types.LinOf(kids[i], result)
		if isEach(kids[i]) && isEach(m) && n.Sizes(kids[i].Shape[0], m.Shape[0]) {
			want, m = types.LinOf(kids[i].Parts[0], result), m.Parts[0]
		}
		n.need(n.rule.Pos, n.Types(want, m), "the map of operand %d has type %s and must have %s", i, n.shown(m), n.shown(want))
	}
}

// assume calls f so that it may assume what a function of attributes needs to have a
// value: elsewhere the rule does not apply.
func (n *unifier) assume(f func() bool) {
	rigid := n.rigid
	n.rigid = false
	if !f() {
		panic(noValue{})
	}
	n.rigid = rigid
}
