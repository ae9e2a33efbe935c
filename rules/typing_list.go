package rules

import (
	"slices"
	"strings"

	"egad/term"
)

// The types of lists of operands, and of the components of tuples: items, of which each
// is a type, or as many as a length says. A list may be of several parts, as in
// (x, ys...): then the variable for its elements, a[i], is none for all of them any more,
// and [typing.joined] has the items.

// pieces are the items that the variable called name stands for, nil if it is one for
// all places.
func (n *typing) pieces(name string) []*term.Type {
	base, place := strings.CutSuffix(name, each)
	if !place {
		return nil
	}
	return n.joined[base]
}

// ofItem is the type of an item, or of each of the list that it is.
func ofItem(t *term.Type) *term.Type {
	if isEach(t) {
		return t.Parts[0]
	}
	return t
}

// item is an item like another, with elements of type t.
func item(like, t *term.Type) *term.Type {
	if isEach(like) {
		return term.EachOf(like.Shape[0], t)
	}
	return t
}

// spread puts in what is known of lists.
func (n *typing) spread(items []*term.Type) []*term.Type {
	var out []*term.Type
	for _, t := range items {
		if isEach(t) {
			out = append(out, n.every(t.Shape[0], t.Parts[0])...)
		} else {
			out = append(out, t)
		}
	}
	return out
}

// every are the types of so many terms.
func (n *typing) every(size term.Size, t *term.Type) []*term.Type {
	size = n.size(size)
	if k, fixed := size.Const(); fixed {
		out := make([]*term.Type, max(k, 0))
		for i := range out {
			out[i] = n.atSize(t, number(i))
		}
		return out
	}
	for _, v := range n.perPlace(t, nil) {
		if parts := n.pieces(v); parts != nil {
			if cut, ok := n.cut(t, n.spread(parts)); ok {
				return n.spread(cut)
			}
		}
	}
	return []*term.Type{term.EachOf(size, t)}
}

// perPlace collects the variables of a type that depend on the place.
func (n *typing) perPlace(t *term.Type, to []string) []string {
	t = n.Resolve(t)
	if t.Kind == term.KVar && strings.HasSuffix(t.Name, each) && !slices.Contains(to, t.Name) {
		to = append(to, t.Name)
	}
	if !isEach(t) {
		for _, p := range t.Parts {
			to = n.perPlace(p, to)
		}
	}
	return to
}

// cut takes a list with elements of type t apart, into items as long as others. It is
// false if what is known of it forbids that.
func (n *typing) cut(t *term.Type, like []*term.Type) ([]*term.Type, bool) {
	env := make([]map[string]*term.Type, len(like))
	for i := range like {
		env[i] = make(map[string]*term.Type)
	}
	for _, v := range n.perPlace(t, nil) {
		items := make([]*term.Type, len(like))
		for i, l := range like {
			name := n.fresh()
			if isEach(l) {
				name += each
			}
			env[i][v] = variable(name)
			items[i] = item(l, env[i][v])
			n.vectors[name] = n.isVector(v)
		}
		base := strings.TrimSuffix(v, each)
		if old := n.joined[base]; old != nil {
			rigid := n.rigid
			n.rigid = false // the new names stand for what is there
			ok := n.sameParts(items, old)
			if n.rigid = rigid; !ok {
				return nil, false
			}
			continue
		}
		if n.joined[base] = items; !n.agree(v) {
			return nil, false
		}
	}
	out := make([]*term.Type, len(like))
	for i, l := range like {
		out[i] = item(l, n.replaced(t, func(name string) *term.Type { return env[i][name] }))
	}
	return out, true
}

// replaced puts types in the place of variables, where by has one.
func (n *typing) replaced(t *term.Type, by func(name string) *term.Type) *term.Type {
	t = n.Resolve(t)
	if t.Kind == term.KVar {
		if u := by(t.Name); u != nil {
			return n.Resolve(u)
		}
	}
	if len(t.Parts) == 0 || isEach(t) { // which has places of its own
		return t
	}
	out := *t
	out.Parts = make([]*term.Type, len(t.Parts))
	for i, p := range t.Parts {
		out.Parts[i] = n.replaced(p, by)
	}
	return &out
}

// sameParts makes the components of two tuples equal.
func (n *typing) sameParts(as, bs []*term.Type) bool {
	for {
		as, bs = n.spread(as), n.spread(bs)
		x, y := len(as), len(bs)
		switch {
		case x == 0 || y == 0:
			return n.Sizes(kinds(as), kinds(bs)) && len(n.spread(as))+len(n.spread(bs)) == 0
		case n.alikeItems(as[0], bs[0]):
			if !n.Types(ofItem(as[0]), ofItem(bs[0])) {
				return false
			}
			as, bs = as[1:], bs[1:]
			continue
		case n.alikeItems(as[x-1], bs[y-1]):
			if !n.Types(ofItem(as[x-1]), ofItem(bs[y-1])) {
				return false
			}
			as, bs = as[:x-1], bs[:y-1]
			continue
		case x == 1 && y == 1:
			if !n.Sizes(kinds(as), kinds(bs)) {
				return false
			}
			if as, bs = n.spread(as), n.spread(bs); len(as) == 1 && len(bs) == 1 && !n.alikeItems(as[0], bs[0]) {
				n.compare(kinds(as), kinds(bs), "which of two lists is longer")
			}
			continue
		case y == 1 || x > 1 && n.natural(kinds(bs[:1]).Sub(kinds(as[:1]))):
			as, bs = bs, as
		}
		// The first of as is the longer one, or the only one.
		like := bs
		if len(as) > 1 {
			k, l := kinds(as[:1]), kinds(bs[:1])
			if !n.natural(k.Sub(l)) {
				n.compare(k, l, "which of two lists is longer")
			}
			like = []*term.Type{bs[0], term.EachOf(k.Sub(l), bs[0])}
		} else if !n.Sizes(kinds(as), kinds(bs)) {
			return false
		}
		if !isEach(as[0]) {
			return false
		}
		front, ok := n.cut(as[0].Parts[0], like)
		if !ok {
			return false
		}
		as = slices.Concat(front, as[1:])
	}
}

// alikeItems reports whether two items are equally many.
func (n *typing) alikeItems(a, b *term.Type) bool {
	return isEach(a) == isEach(b) && (!isEach(a) || n.size(a.Shape[0]).Equal(n.size(b.Shape[0])))
}
