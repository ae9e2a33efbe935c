package typing

import (
	"slices"

	"egad/internal/slice"
	"egad/term/size"
	"egad/term/types"
)

// The types of lists of operands, and of the components of tuples: items, of which each
// is a type, or as many as a length says. A list may be of several parts, as in
// (x, ys...): then the variable for its elements, a[i], is none for all of them any more,
// and unifier.joined has the items.

// ofItem is the type of an item, or of each of the list that it is.
func ofItem(t *types.Type) *types.Type {
	if isEach(t) {
		return t.Parts[0]
	}
	return t
}

// item is an item like another, with elements of type t.
func item(like, t *types.Type) *types.Type {
	if isEach(like) {
		return types.EachOf(like.Shape[0], t)
	}
	return t
}

// spread puts in what is known of lists.
func (n *unifier) spread(items []*types.Type) []*types.Type {
	var out []*types.Type
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
func (n *unifier) every(size size.Size, t *types.Type) []*types.Type {
	size = n.size(size)
	if k, fixed := size.Const(); fixed {
		return slice.Make(max(k, 0), func(i int) *types.Type { return n.atSize(t, number(i)) })
	}
	for _, v := range n.perPlace(t) {
		if parts := n.joined[v]; parts != nil {
			if cut, ok := n.cut(t, n.spread(parts)); ok {
				return n.spread(cut)
			}
		}
	}
	return []*types.Type{types.EachOf(size, t)}
}

// cut takes a list with elements of type t apart, into items as long as others. It is
// false if what is known of it forbids that.
func (n *unifier) cut(t *types.Type, like []*types.Type) ([]*types.Type, bool) {
	env := slice.Make(len(like), func(int) map[varying]*types.Type { return make(map[varying]*types.Type) })
	var lists []varying
	for _, v := range n.perPlace(t) {
		old := n.joined[v]
		if slices.EqualFunc(old, like, n.alikeItems) {
			for i, p := range old {
				env[i][v] = ofItem(p)
			}
			continue
		}
		if v.sizes {
			lists = append(lists, v)
		}
		items := make([]*types.Type, len(like))
		for i, l := range like {
			env[i][v] = n.another(v, isEach(l))
			items[i] = item(l, env[i][v])
		}
		n.joined[v] = items
		if old == nil && !n.agree(v) || old != nil && !n.freely(func() bool { return n.sameParts(items, old) }) {
			return nil, false
		}
	}
	out := make([]*types.Type, len(like))
	for i, l := range like {
		by := func(v varying) *types.Type { return env[i][v] }
		for _, v := range lists {
			if !n.freely(func() bool {
				return n.Sizes(n.Rank(by(v).Shape), n.replacedSize(n.Rank([]size.Size{size.Var(v.name)}), by))
			}) {
				return nil, false
			}
		}
		out[i] = item(l, n.replaced(t, by))
	}
	return out, true
}

// sameParts makes the components of two tuples equal.
func (n *unifier) sameParts(as, bs []*types.Type) bool {
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
			like = []*types.Type{bs[0], types.EachOf(k.Sub(l), bs[0])}
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
func (n *unifier) alikeItems(a, b *types.Type) bool {
	return isEach(a) == isEach(b) && (!isEach(a) || n.size(a.Shape[0]).Equal(n.size(b.Shape[0])))
}
