package typing

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"egad/term/types"
)

// Element types that depend on the place in a list.

// elemPlace is an element type that depends on the place, at one.
type elemPlace struct {
	elem  types.Elem
	place string
}

// newElem makes a variable for an element type, which may depend on the place.
func (n *unifier) newElem(varies bool, among ...types.Elem) types.Elem {
	e := n.NewElem(among...)
	if varies {
		n.elemsAt[elemPlace{e, "i"}] = e
	}
	return e
}

func (n *unifier) elemVaries(e types.Elem) bool {
	_, ok := n.elemsAt[elemPlace{n.FindElem(e), "i"}]
	return ok
}

// elemAt is an element type at a place.
func (n *unifier) elemAt(e types.Elem, place string) types.Elem {
	key := elemPlace{n.FindElem(e), place}
	if !n.elemVaries(e) || place == "i" {
		return key.elem
	}
	if at, ok := n.elemsAt[key]; ok {
		return n.FindElem(at)
	}
	at := n.NewElem(n.Among(e)...)
	if parts := n.joined[varying{elem: key.elem}]; parts != nil {
		if t, ok := n.nth(parts, n.placeSize(place)); ok {
			at = t.Elem
		}
	}
	n.elemsAt[key] = at
	return at
}

// agreeElems makes element types at single places what they are at all.
func (n *unifier) agreeElems() bool {
	for _, k := range slices.SortedFunc(maps.Keys(n.elemsAt), func(a, b elemPlace) int {
		return cmp.Or(cmp.Compare(a.elem, b.elem), strings.Compare(a.place, b.place))
	}) {
		at, all := n.elemsAt[k], n.FindElem(k.elem)
		if k.place == "i" {
			v := varying{elem: k.elem}
			parts := n.joined[v]
			if parts == nil {
				continue
			}
			if all != k.elem {
				delete(n.joined, v)
				if cut, ok := n.cut(types.ArrayOf(all), parts); !ok || !slices.EqualFunc(parts, cut, n.Types) {
					return false
				}
			}
			for _, p := range parts {
				if !n.ElemVars.ElemIn(ofItem(p).Elem, n.Among(all)...) {
					return false
				}
			}
			continue
		}
		if here := n.elemAt(all, k.place); n.FindElem(here) != n.FindElem(at) && !n.ElemVars.Elems(at, here) || !n.ElemVars.ElemIn(at, n.Among(all)...) {
			return false
		}
	}
	return true
}

// placed says of which element type one is that at a place; the place is "" if it does not
// depend on any.
func (n *unifier) placed(e types.Elem) (all types.Elem, place string) {
	all = e
	for k, at := range n.elemsAt {
		if n.FindElem(at) == e && n.elemVaries(k.elem) && (place == "" || k.place < place) {
			all, place = n.FindElem(k.elem), k.place
		}
	}
	return all, place
}

// sameElems are the other names of an element type at a place: at n, where n is 2.
func (n *unifier) sameElems(e types.Elem) []types.Elem {
	var out []types.Elem
	for k, at := range n.elemsAt {
		if k.place == "i" || n.FindElem(at) != e {
			continue
		}
		for _, p := range n.samePlaces(k.place) {
			if x, ok := n.elemsAt[elemPlace{k.elem, p}]; ok && !slices.Contains(out, n.FindElem(x)) {
				out = append(out, n.FindElem(x))
			}
		}
	}
	slices.Sort(out)
	return out
}
