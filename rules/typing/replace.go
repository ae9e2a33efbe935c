package typing

import (
	"slices"
	"strings"

	"egad/internal/slice"
	"egad/term/size"
	"egad/term/types"
)

// Types at a place, or of a part of a list, from those at all places.

// at is the type at a place of a list.
func (n *unifier) at(t *types.Type, place string) *types.Type { return n.replaced(t, n.atBy(place)) }

// atSize is at where the place is a size.
func (n *unifier) atSize(t *types.Type, at size.Size) *types.Type {
	place := strings.ReplaceAll(at.String(), "*", "·") // which is not part of the name of a size
	if strings.Contains(place, "[") {
		panic(undecided{"the type at a place that shapes at other places say"})
	}
	n.places[place] = at
	return n.at(t, place)
}

func (n *unifier) atBy(place string) func(v varying) *types.Type {
	return func(v varying) *types.Type {
		if v.elem != types.NoElem {
			return types.ArrayOf(n.elemAt(v.elem, place))
		}
		return varying{name: atPlace(v.name, place), sizes: v.sizes}.asType()
	}
}

// replaced puts types in the place of variables for what depends on the place, where by
// has one.
func (n *unifier) replaced(t *types.Type, by func(v varying) *types.Type) *types.Type {
	t = n.Resolve(t)
	switch {
	case t.Kind == types.KVar && strings.HasSuffix(t.Name, each):
		if u := by(varying{name: t.Name}); u != nil {
			return n.Resolve(u)
		}
	case t.Kind == types.KArray:
		e := n.FindElem(t.Elem)
		if n.elemVaries(e) {
			if u := by(varying{elem: e}); u != nil {
				e = u.Elem
			}
		}
		return types.ArrayOf(e, n.replacedSizes(t.Shape, by)...)
	}
	if len(t.Parts) == 0 || isEach(t) { // which has places of its own
		return t
	}
	out := *t
	out.Parts = slice.Map(t.Parts, func(p *types.Type) *types.Type { return n.replaced(p, by) })
	return &out
}

func (n *unifier) replacedSizes(ss []size.Size, by func(v varying) *types.Type) []size.Size {
	var out []size.Size
	for _, s := range n.norm(ss) {
		name, is := listName(s)
		p := n.parts[name]
		switch {
		case !varies(s):
			out = append(out, s)
		case p != nil:
			out = append(out, n.shapes.part(&part{moves: n.replacedMoves(p.moves, by), n: n.replacedSize(p.n, by), drop: p.drop, of: n.replacedSizes(p.of, by)}))
		case is:
			if u := by(varying{name: name, sizes: true}); u != nil {
				out = append(out, u.Shape...)
			} else {
				out = append(out, s)
			}
		default:
			out = append(out, n.replacedSize(s, by))
		}
	}
	return out
}

func (n *unifier) replacedSize(s size.Size, by func(v varying) *types.Type) size.Size {
	if s = n.size(s); !varies(s) {
		return s
	}
	env := make(map[string]size.Size)
	for _, v := range s.Vars() {
		list, isLength := lengthList(v)
		switch {
		case !strings.Contains(v, each):
		case strings.HasSuffix(v, many):
			env[v] = n.product(n.replacedSizes([]size.Size{size.Var(v)}, by))
		case isLength:
			if u := by(varying{name: list, sizes: true}); u != nil {
				env[v] = n.lengthOfAll(u.Shape)
			}
		default:
			if u := by(varying{name: v, sizes: true}); u != nil {
				env[v] = u.Shape[0]
			}
		}
	}
	return s.Subst(env)
}

func (n *unifier) replacedMoves(ms []move, by func(v varying) *types.Type) []move {
	out := slices.Clone(ms)
	for i, m := range out {
		if m.past != nil {
			k := n.replacedSize(*m.past, by)
			out[i].past = &k
		}
		out[i].lift = n.replacedMoves(m.lift, by)
	}
	return out
}

// perPlace collects the variables of a type for what depends on the place. The length of
// a list of sizes is known with the list.
func (n *unifier) perPlace(t *types.Type) (to []varying) {
	t = n.Resolve(t)
	add := func(v varying) *types.Type {
		if _, place, _ := placeOf(v.name); (v.elem != types.NoElem || place == "i") && !slices.Contains(to, v) {
			to = append(to, v)
		}
		return nil
	}
	n.replaced(t, add)
	for i := 0; i < len(to); i++ { // with what their lengths are
		if to[i].sizes && strings.HasSuffix(to[i].name, many) {
			n.replacedSize(n.Rank([]size.Size{size.Var(to[i].name)}), add)
		}
	}
	return to
}
