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
func (mt *matcher) attr(a *AttrExpr, v attrValue, k func() bool) bool {
	switch a.Kind {
	case AVar:
		if b := mt.m.get(a.Name); b != nil {
			if !b.value(v.sort).equal(v) {
				return true
			}
			return k()
		}
		return mt.with(binding{name: a.Name, sizes: v.sizes, perm: v.perm, n: v.n, lit: v.lit}, k)
	case ASize:
		if len(v.sizes) != 1 || !v.sizes[0].Equal(a.Size) {
			return true
		}
		return k()
	case AInt:
		if v.n != a.Int {
			return true
		}
		return k()
	case APerm:
		if !slices.Equal(term.CanonPerm(a.Perm), v.perm) {
			return true
		}
		return k()
	case ANil:
		if len(v.sizes) != 0 {
			return true
		}
		return k()
	case ACons:
		if len(v.sizes) == 0 {
			return true
		}
		head, tail := v, v
		head.sort, head.sizes, tail.sizes = SortSize, v.sizes[:1], v.sizes[1:]
		return mt.attr(a.Args[0], head, func() bool { return mt.attr(a.Args[1], tail, k) })
	case AFun: // ++ is the only function of left sides: one side has a known length
		n, ok := mt.sizesLen(a.Args[0])
		if !ok {
			m, known := mt.sizesLen(a.Args[1])
			if !known {
				return true
			}
			n = len(v.sizes) - m
		}
		if n < 0 || n > len(v.sizes) {
			return true
		}
		front, back := v, v
		front.sizes, back.sizes = v.sizes[:n], v.sizes[n:]
		return mt.attr(a.Args[0], front, func() bool { return mt.attr(a.Args[1], back, k) })
	}
	return true
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
func (mt *matcher) typePat(p *TypePat, t *term.Type, k func() bool) bool {
	switch p.Kind {
	case TypeVar:
		if b := mt.m.get(p.Name); b != nil {
			if !b.typ.Equal(t) {
				return true
			}
			return k()
		}
		return mt.with(binding{name: p.Name, typ: t}, k)
	case TypeArray:
		if t.Kind != term.KArray || t.Elem != p.Elem {
			return true
		}
		return mt.attr(p.Shape, attrValue{sort: SortSizes, sizes: t.Shape}, k)
	case TypeTuple, TypeLin:
		kind := term.KTuple
		if p.Kind == TypeLin {
			kind = term.KLin
		}
		if t.Kind != kind || len(t.Parts) != len(p.Parts) {
			return true
		}
		var steps []func(func() bool) bool
		for i := range p.Parts {
			steps = append(steps, func(k func() bool) bool { return mt.typePat(p.Parts[i], t.Parts[i], k) })
		}
		return chain(steps, k)
	}
	return true
}
