package rules

import (
	"slices"

	"egad/term"
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
func (b *binding) value(s Sort) attrValue {
	return attrValue{sort: s, sizes: b.sizes, perm: b.perm, n: b.n, lit: b.lit}
}

// attr matches an attribute of a left side.
func (mt *matcher) attr(a *AttrExpr, v attrValue) bool {
	switch a.Kind {
	case AVar:
		if b := mt.m.get(a.Name); b != nil {
			return b.value(v.sort).equal(v)
		}
		return mt.bind(binding{name: a.Name, sizes: v.sizes, perm: v.perm, n: v.n, lit: v.lit})
	case ASize:
		return len(v.sizes) == 1 && v.sizes[0].Equal(a.Size)
	case AInt:
		return v.n == a.Int
	case ALit:
		return sameNumber(v.lit, a.Lit)
	case APerm:
		return slices.Equal(term.CanonPerm(a.Perm), v.perm)
	case ANil:
		return len(v.sizes) == 0
	case ACons:
		if len(v.sizes) == 0 {
			return false
		}
		head, tail := v, v
		head.sort, head.sizes, tail.sizes = SortSize, v.sizes[:1], v.sizes[1:]
		return mt.attr(a.Args[0], head) && mt.attr(a.Args[1], tail)
	case AFun: // ++ is the only function of left sides: one side has a known length
		n, ok := mt.sizesLen(a.Args[0])
		if !ok {
			m, known := mt.sizesLen(a.Args[1])
			if !known {
				return !mt.all && mt.bind(binding{sizes: v.sizes, whole: a})
			}
			n = len(v.sizes) - m
		}
		if n < 0 || n > len(v.sizes) {
			return false
		}
		front, back := v, v
		front.sizes, back.sizes = v.sizes[:n], v.sizes[n:]
		return mt.attr(a.Args[0], front) && mt.attr(a.Args[1], back)
	}
	return false
}

// sizesLen is the length of a list of sizes if it is known before matching.
func (mt *matcher) sizesLen(a *AttrExpr) (int, bool) {
	switch a.Kind {
	case ANil:
		return 0, true
	case AVar:
		if b := mt.m.get(a.Name); b != nil {
			return len(b.sizes), true
		}
	case ACons:
		n, ok := mt.sizesLen(a.Args[1])
		return n + 1, ok
	}
	return 0, false
}

// typePat matches a type of a left side.
func (mt *matcher) typePat(p *TypePat, t *term.Type) bool {
	switch p.Kind {
	case TypeVar:
		if b := mt.m.get(p.Name); b != nil {
			return b.typ.Equal(t)
		}
		return mt.bind(binding{name: p.Name, typ: t})
	case TypeArray:
		return t.Kind == term.KArray && t.Elem == p.Elem && mt.attr(p.Shape, attrValue{sort: SortSizes, sizes: t.Shape})
	case TypeTuple, TypeLin:
		kind := term.KTuple
		if p.Kind == TypeLin {
			kind = term.KLin
		}
		if t.Kind != kind || len(t.Parts) != len(p.Parts) {
			return false
		}
		for i := range p.Parts {
			if !mt.typePat(p.Parts[i], t.Parts[i]) {
				return false
			}
		}
		return true
	}
	return false
}
