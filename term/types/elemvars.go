package types

import "slices"

// ElemVars are inference variables for element types. A variable stands for one
// of a few element types until it is merged with another or with one of them.
type ElemVars struct{ vars []elemVar }

type elemVar struct {
	among []Elem
	same  Elem // another variable or an element type; NoElem for itself
}

// NewElem makes a variable for one of the listed element types.
func (v *ElemVars) NewElem(among ...Elem) Elem {
	v.vars = append(v.vars, elemVar{among: among})
	return firstElemVar + Elem(len(v.vars)-1)
}

// FindElem follows an element type to what it stands for.
func (v *ElemVars) FindElem(e Elem) Elem {
	for e >= firstElemVar && v.vars[e-firstElemVar].same != NoElem {
		at := &v.vars[e-firstElemVar]
		if next := at.same; next >= firstElemVar && v.vars[next-firstElemVar].same != NoElem {
			at.same = v.vars[next-firstElemVar].same // or long chains are followed again and again
		}
		e = at.same
	}
	return e
}

// Among lists the element types that e may stand for.
func (v *ElemVars) Among(e Elem) []Elem {
	if e = v.FindElem(e); e < firstElemVar {
		return []Elem{e}
	}
	return v.vars[e-firstElemVar].among
}

// Elems merges two element types; it is false if they differ.
func (v *ElemVars) Elems(a, b Elem) bool {
	a, b = v.FindElem(a), v.FindElem(b)
	switch {
	case a == b:
		return true
	case a < firstElemVar && b < firstElemVar:
		return false
	case a < firstElemVar:
		a, b = b, a
	}
	if !v.ElemIn(b, v.Among(a)...) {
		return false
	}
	v.vars[a-firstElemVar].same = b
	return true
}

// ElemIn restricts e to the listed element types; it is false if none is left.
func (v *ElemVars) ElemIn(e Elem, among ...Elem) bool {
	e = v.FindElem(e)
	left := slices.DeleteFunc(slices.Clone(v.Among(e)), func(x Elem) bool { return !slices.Contains(among, x) })
	if e < firstElemVar || len(left) == 0 {
		return len(left) > 0
	}
	v.vars[e-firstElemVar].among = left
	if len(left) == 1 {
		v.vars[e-firstElemVar].same = left[0]
	}
	return true
}
