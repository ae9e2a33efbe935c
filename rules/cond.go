package rules

import (
	"slices"

	"egad/diag"
)

// Cond is a side condition.
type Cond struct {
	Kind  CondKind
	Pos   diag.Pos
	Name  string    // CondNotIn: the index variable; CondClass: the operator variable
	List  bool      // CondNotIn: Name is a list of index variables
	Terms []string  // CondNotIn: the metavariables
	Class Class     // CondClass
	Op    string    // CondOrder: <=, < or !=; CondInside: inside or outside
	L, R  *Pattern  // CondOrder and CondSame, and L of CondFinite, CondFact and CondLiteral
	Ix    *ListPat  // CondInside
	Of    *Pattern  // CondInside: an array, or nil
	Sizes *AttrExpr // CondInside: the sizes if Of is nil
	A, B  *AttrExpr // CondEqual, CondDiffer
	Type  *TypePat  // CondType
	Text  string    // as it is written
}

// CondKind tells the forms of a [Cond] apart.
type CondKind uint8

// The forms of conditions.
const (
	CondNotIn      CondKind = iota // i not in t
	CondClass                      // ?op : elementwise/2
	CondOrder                      // u <= v, u < v or u != v, proved from ranges
	CondFinite                     // finite u, proved from ranges
	CondInside                     // ix inside t, ix outside t
	CondEqual                      // attributes are equal
	CondDiffer                     // attributes differ
	CondType                       // t : R[sh...], which binds what is new in it
	CondFact                       // a truth value is known to be true
	CondSame                       // two terms are in the e-graph, and equal
	CondLiteral                    // t is literal: it is known to be one; of a language, is number
	CondNotLiteral                 // t is not literal: it is not known to be one yet
	CondSymbol                     // a is symbol
	CondVariable                   // a is variable
	CondDistinct                   // distinct a b: different numbers or symbols
)

// Static reports whether a condition is about attributes alone.
func (c *Cond) Static() bool {
	number := func(p *Pattern) bool {
		return p.Kind == PNumber || p.Kind == PLit || p.Kind == PSizeVal
	}
	return c.Kind == CondEqual || c.Kind == CondDiffer || c.Kind == CondOrder && number(c.L) && number(c.R)
}

// LiteralLast are the sides of an equation, a literal after what says its type.
func (c *Cond) LiteralLast() (l, r *Pattern) {
	if IsLiteral(c.L) {
		return c.R, c.L
	}
	return c.L, c.R
}

// Joined reports whether a condition is looked for together with the left side, and may bind
// metavariables. Otherwise it is decided when these are known.
func (r *Rule) Joined(k *Cond) bool {
	if d := r.Language; !r.Joins || k.Kind == CondFact && d.Distinct() != nil && k.L.Sym == d.Distinct().Sym {
		return false
	}
	return k.Searched()
}

// Searched reports whether the terms of a fact or an equation are operators, without lists, functions
// and computed attributes, applied to metavariables and variables.
func (k *Cond) Searched() bool {
	if k.Kind != CondFact && k.Kind != CondSame {
		return false
	}
	other := func(p *Pattern) bool {
		switch p.Kind {
		case PMeta, PIvar, PNumber:
			return false
		}
		return p.Kind != PApp || p.Binders != nil || !p.Attrs.matched() || HasLists(p.Kids)
	}
	return Find(k.L, other) == nil && (k.R == nil || Find(k.R, other) == nil)
}

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
// what package match makes of operands.
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
