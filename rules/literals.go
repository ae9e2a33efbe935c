package rules

import (
	"slices"

	"egad/term"
)

// solveLiteral gives a literal that an equation asks for its value, among the
// attributes of an instance: c = 3, c = n + 1, c = d. It is false if there is no
// such literal of its type. What is not known yet is left.
func (b *builder) solveLiteral(c *Cond, attrs []Variable) bool {
	if c.Kind != CondEqual || AttrSortOf(c.A, c.B) != SortLit {
		return true
	}
	x, e := c.A, c.B
	if x.Kind != AVar {
		x, e = e, x
	}
	if x.Kind != AVar {
		return true
	}
	var v attrValue
	if ok, err := b.guard(func() { v = b.attr(e, SortLit) }); !ok || err != nil {
		return true
	}
	for i := range attrs {
		a := &attrs[i]
		if a.Name != x.Name {
			continue
		}
		if a.Lit.Elem == term.B && v.number || !v.number && a.Lit.Elem != v.lit.Elem {
			return false
		}
		ok, _ := b.guard(func() { a.Lit = b.literalOf(v, a.Lit.Elem) })
		if known := b.m.Get(a.Name); known != nil {
			known.Lit = a.Lit
		}
		return ok
	}
	return true
}

// SolveLiterals gives literals among the attributes of an instance the values that equations of
// the rule ask for. It is false if there are none.
func (m *Match) SolveLiterals(sig *term.Signature, attrs []Variable) bool {
	b := &builder{space: Terms{Store: term.NewStore(sig)}, m: m}
	return !slices.ContainsFunc(m.Rule.Conds, func(c Cond) bool { return !b.solveLiteral(&c, attrs) })
}
