package typing

import (
	"maps"
	"slices"

	"egad/rules"
	"egad/rules/match"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// highRank bounds the ranks and the lengths of lists of random instances.
const highRank = 5

// SetLiterals gives the literals that the rule binds other values, of the same
// element types; those that equations of the rule ask for have the values asked
// for. It is false if there are none. The instance is one that [Instance.At] made.
func (in *Instance) SetLiterals(draw func(name string, e types.Elem) ops.Scalar) bool {
	for i, a := range in.attrs {
		if in.Rule.Vars.Sort[a.Name] == rules.SortLit {
			in.attrs[i].Lit = draw(a.Name, a.Lit.Elem)
		}
	}
	return in.solveLiterals()
}

// WholeLiterals returns the names of the literals that the rule binds and that are integers.
func (in *Instance) WholeLiterals() (out []string) {
	for _, a := range in.attrs {
		if in.Rule.Vars.Sort[a.Name] == rules.SortLit && a.Lit.Elem == types.I {
			out = append(out, a.Name)
		}
	}
	return out
}

// Largest returns the greatest number of elements of an array that the instance says
// something about, at constant sizes: of a metavariable for all values of the
// variables in its scope, of a literal or an attribute. For a linear map it is the
// entries of its matrix.
func (in *Instance) Largest() int64 {
	most := int64(0)
	for _, t := range in.Terms {
		n := elements(t.Type)
		for _, v := range t.Scope {
			n *= product(in.binders[v])
		}
		most = max(most, n)
	}
	for _, t := range in.literals {
		most = max(most, elements(t))
	}
	for _, op := range in.Ops {
		most = max(most, product(op.Sizes), product(op.Targets))
		if op.Type != nil {
			most = max(most, elements(op.Type)*product(op.Sizes))
		}
	}
	return most
}

// Largest returns the greatest number of elements of an array that the sides of a rule
// compute, at constant sizes. For a linear map it is the entries of its matrix.
func Largest(x *match.Sides, s *term.Store) int64 {
	most := int64(0)
	for _, root := range append(slices.Collect(maps.Values(x.Maps)), x.Lhs, x.Rhs) {
		if root.ID != 0 { // a derivative rule has maps, and no right side
			s.Walk(root, func(t term.Term) { most = max(most, elements(s.Type(t))) })
		}
	}
	return most
}

// product multiplies constant sizes, with 1 for 0.
func product(ss []size.Size) int64 {
	n := int64(1)
	for _, s := range ss {
		c, _ := s.Const()
		n *= max(c, 1)
	}
	return n
}

// elements counts the elements of an array, or of all in a tuple; of a linear map, the entries of its matrix.
func elements(t *types.Type) int64 {
	if t.Kind == types.KArray {
		return product(t.Shape)
	}
	n := int64(0)
	for i, p := range t.Parts {
		if k := elements(p); i > 0 && t.Kind == types.KLin {
			n *= k
		} else {
			n += k
		}
	}
	return n
}
