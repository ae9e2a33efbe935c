package typing

import (
	"egad/rules"
	"egad/term"
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
			ok = n.ElemIn(x.elem, term.R)
		default:
			ok = n.ElemIn(x.elem, term.R, term.I)
		}
	}
	n.need(c.Pos, ok, "this never holds")
}
