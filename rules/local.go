package rules

import "slices"

// Local reports whether all that the conditions of a rule ask of a match, besides
// what never changes, are bounds of what its metavariables stand for. They need
// not be asked again before these change, or what matched does. Conditions on other
// terms rest on all that is known to equal these.
func (r *Rule) Local() bool {
	return !slices.ContainsFunc(r.Conds, func(c Cond) bool {
		// A term that is the whole left side is no operand: e-nodes of its class do not
		// change when its bounds do.
		if r.General() && (c.Kind == CondOrder || c.Kind == CondFinite || c.Kind == CondInside) {
			return true
		}
		switch c.Kind {
		case CondFact, CondSame, CondLiteral:
			return true
		case CondOrder:
			return !c.L.local() || !c.R.local()
		case CondFinite:
			return !c.L.local()
		case CondNotLiteral:
			return c.L.Kind != PMeta // what is a literal goes on to be one
		case CondInside:
			return c.Ix.Kind != LVar && (c.Ix.Kind != LLit || slices.ContainsFunc(c.Ix.Elems, func(e Elem) bool {
				return e.Kind != EOne || e.Pat.Kind != PMeta
			}))
		}
		return false // types, sizes and classes of operators never change
	})
}

// local reports whether the bounds of p follow from those of metavariables; see
// [builder.operand].
func (p *Pattern) local() bool {
	switch p.Kind {
	case PMeta, PNumber, PZero, PLit, PSizeVal:
		return true
	}
	return p.Plain() && !slices.ContainsFunc(p.Kids, func(e Elem) bool { return !e.Pat.local() })
}

// Plain reports whether p is an operator without attributes, applied to operands
// that are each written.
func (p *Pattern) Plain() bool {
	return p.Kind == PApp && p.Binders == nil && p.Attrs == (Attrs{}) && !HasLists(p.Kids)
}
