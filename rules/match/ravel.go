package match

import (
	"slices"

	"egad/rules"
	"egad/slot"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// ravel is the linear index of ix in an array of the given shape.
func (b *builder) ravel(sizes []size.Size, ix []slot.Ref) slot.Ref {
	if len(ix) != len(sizes) {
		b.fail("ravel of %d indices for %d axes", len(ix), len(sizes))
	}
	if len(ix) == 0 {
		return b.int(0)
	}
	r := ix[0]
	for i := 1; i < len(ix); i++ {
		r = b.apply(ops.SymAdd, b.apply(ops.SymMul, r, b.sizeInt(sizes[i])), ix[i])
	}
	return r
}

// unravel is the indices of the element with linear index e.
func (b *builder) unravel(sizes []size.Size, e slot.Ref) []slot.Ref {
	out := make([]slot.Ref, len(sizes))
	for i := len(sizes) - 1; i >= 0; i-- {
		if i == 0 {
			out[0] = e
			break
		}
		out[i] = b.apply(ops.SymMod, e, b.sizeInt(sizes[i]))
		e = b.apply(ops.SymIdiv, e, b.sizeInt(sizes[i]))
	}
	return out
}

// unravelled is what unravel makes of the number of an element. Of the number at the variables of a binder
// list, which are in range, no more are made one number than have to be: an index of an axis that stays is
// that in the other shape too.
func (b *builder) unravelled(l *rules.ListPat) []slot.Ref {
	to, p := b.sizes(l.Sizes), l.Index
	if p.Kind != rules.PRavel || len(p.Kids) != 1 || p.Kids[0].Kind != rules.ESplice || p.Kids[0].List.Kind != rules.LBound {
		return b.unravel(to, b.term(p, types.ArrayOf(types.I)))
	}
	from, at := b.sizes(p.Lit), b.list(p.Kids[0].List)
	if !slices.EqualFunc(from, b.m.Get(p.Kids[0].List.Name).Sizes, size.Size.Equal) {
		return b.unravel(to, b.ravel(from, at))
	}
	var out []slot.Ref
	for _, g := range regrouped(from, to) {
		out = append(out, b.unravel(g.to, b.ravel(g.from, at[:len(g.from)]))...)
		at = at[len(g.from):]
	}
	return out
}

// regroup is some axes of a shape, and those of another one that have as many elements.
type regroup struct{ from, to []size.Size }

// regrouped takes two shapes of as many elements apart, from the left, into the shortest parts of which
// that is so too. It leaves them whole if it is not known.
func regrouped(from, to []size.Size) []regroup {
	all := size.Product(from)
	if n, ok := all.Const(); !ok || n == 0 || !all.Equal(size.Product(to)) {
		return []regroup{{from, to}}
	}
	var out []regroup
	for len(from)+len(to) > 0 {
		i, j, m, n := 0, 0, int64(1), int64(1)
		if len(from) > 0 && len(to) > 0 && from[0].Equal(to[0]) {
			i, j = 1, 1
		}
		for i+j == 0 || m != n {
			if i < len(from) && (m < n || m == n && (j == len(to) || !to[j].IsConst(1))) {
				m *= constant(from[i])
				i++
			} else {
				n *= constant(to[j])
				j++
			}
		}
		out = append(out, regroup{from[:i], to[:j]})
		from, to = from[i:], to[j:]
	}
	return out
}

func constant(s size.Size) int64 {
	n, _ := s.Const()
	return n
}
