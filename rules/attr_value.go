package rules

import (
	"slices"

	"egad/term"
	"egad/term/numeric"
)

// attrValue is the value of a static attribute.
type attrValue struct {
	sort  Sort
	sizes []term.Size // SortSizes; one for SortSize
	perm  []int
	n     int
	lit   term.Scalar
	// number says that lit is a number, which takes the type of its context.
	number bool
}

func (v attrValue) equal(w attrValue) bool {
	switch v.sort {
	case SortSizes, SortSize:
		return term.SizesEqual(v.sizes, w.sizes)
	case SortPerm:
		return slices.Equal(term.CanonPerm(v.perm), term.CanonPerm(w.perm))
	case SortInt:
		return v.n == w.n
	}
	switch {
	case v.number:
		return w.lit.Elem != term.B && sameNumber(w.lit, v.lit.Num)
	case w.number:
		return w.equal(v)
	}
	return v.lit.Elem == w.lit.Elem && v.lit.Key() == w.lit.Key()
}

// value is the attribute that a metavariable is bound to.
func (b *Variable) value(s Sort) attrValue {
	return attrValue{sort: s, sizes: b.Sizes, perm: b.Perm, n: b.N, lit: b.Lit}
}

func sameNumber(c term.Scalar, n numeric.Num) bool {
	if c.Elem == term.R {
		return c.Num.Key() == n.Key()
	}
	return n.IsInt(c.Int)
}
