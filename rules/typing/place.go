package typing

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"egad/internal/memo"
	"egad/term/size"
	"egad/term/types"
)

// What depends on the place in a list of terms: the types of its elements, and in them
// element types, sizes, and lists of sizes. The name of a variable for it ends in the
// place: x[i] at all places, x[0] and x[n] at one, s[n]... for a list of sizes. What is
// known of it at all places is known at each. What does not depend on the place is never
// made equal to what does: it is the other way round.

const each = "[i]"

// placeOf takes the place out of a name: "s[n]..." is s and ..., at n. The place is "" if
// there is none.
func placeOf(name string) (base, place, dots string) {
	base, is := strings.CutSuffix(name, many)
	if is {
		dots = many
	}
	open := strings.IndexByte(base, '[')
	if open <= 0 || base[0] == '(' || base[len(base)-1] != ']' { // what is computed has brackets inside
		return base, "", dots
	}
	return base[:open], base[open+1 : len(base)-1], dots
}

// atPlace is the name at a place of what depends on it.
func atPlace(name, place string) string {
	base, _, dots := placeOf(name)
	return base + "[" + place + "]" + dots
}

// varies reports whether a size depends on the place.
func varies(s size.Size) bool { return strings.Contains(s.Key(), each) }

// sameBase reports whether one of two names is for all places and the other one for one
// of them.
func sameBase(a, b string) bool {
	x, p, dots := placeOf(a)
	y, q, others := placeOf(b)
	return x == y && dots == others && p != "" && q != "" && (p == "i") != (q == "i")
}

// varying is a variable for what depends on the place: a type, or one or more sizes if
// that is set, or an element type.
type varying struct {
	name  string
	sizes bool
	elem  types.Elem
}

// freshLike is a new name that depends on the place as another one does.
func (n *shapes) freshLike(name string) string {
	if strings.Contains(name, each) {
		return n.fresh() + each
	}
	return n.fresh()
}

// must leaves what has no type, if what was found out does not fit together.
func (n *shapes) must(ok bool) {
	if !ok {
		panic(untyped{msg: "shapes that must be equal are not"})
	}
}

// undecided notes a difference of lengths that would have to be compared. Those that
// depend on the place may be decided in one way here and in another one there.
func (n *shapes) undecided(d size.Size) {
	if !varies(d) {
		n.stuck = append(n.stuck, d)
	}
}

// solves reports whether a size may be the value of a name.
func (n *shapes) solves(name string, s size.Size) bool {
	return (strings.Contains(name, each) || !varies(s)) &&
		!slices.ContainsFunc(s.Vars(), func(v string) bool { return v == name || sameBase(v, name) })
}

// elsewhere is what is known of sizes at a place from what is known at all.
func (n *shapes) elsewhere(name string) ([]size.Size, bool) {
	if n.typing == nil {
		return nil, false
	}
	t := n.typing.elsewhere(varying{name: name, sizes: true})
	if t == nil {
		return nil, false
	}
	return t.Shape, true
}

// atPlaces is what is known of the names in a size from what is known at all places, nil
// if that is nothing.
func (n *shapes) atPlaces(s size.Size) map[string]size.Size {
	if n.typing == nil || !strings.Contains(s.Key(), "[") {
		return nil
	}
	var env map[string]size.Size
	for _, v := range s.Vars() {
		if known, ok := n.elsewhere(v); ok && !strings.HasSuffix(v, many) {
			memo.Set(&env, v, known[0])
		}
	}
	return env
}

// agree makes what is known of sizes at single places what they are at all.
func (n *shapes) agree(name string) bool {
	return n.typing == nil || n.typing.agree(varying{name: name, sizes: true})
}

// everywhere is an equation between sizes, and what it says at the places that are met,
// and of the parts of a list.
func (n *shapes) everywhere(e [2][]size.Size) [][2][]size.Size {
	out := [][2][]size.Size{e}
	if n.typing == nil || n.typing.asked || !slices.ContainsFunc(slices.Concat(e[0], e[1]), varies) {
		return out
	}
	n.typing.asked = true // it is not asked what is known in order to know that
	stuck := n.stuck
	defer func() { n.typing.asked, n.stuck = false, stuck }()
	for _, place := range slices.Sorted(maps.Keys(n.typing.places)) {
		attempt(func() *unifier { // or it is of another list
			out = append(out, n.typing.equation(e, n.typing.atBy(place)))
			return nil
		})
	}
	attempt(func() *unifier {
		out = append(out, n.typing.equationOfParts(e)...)
		return nil
	})
	return out
}

// equation is one between sizes with others in the place of variables.
func (n *unifier) equation(e [2][]size.Size, by func(v varying) *types.Type) [2][]size.Size {
	return [2][]size.Size{n.replacedSizes(e[0], by), n.replacedSizes(e[1], by)}
}

// equationOfParts is an equation for each part of the lists that it is about, if all have
// been taken apart in one way.
func (n *unifier) equationOfParts(e [2][]size.Size) [][2][]size.Size {
	vars := n.perPlace(types.ArrayOf(types.I, slices.Concat(e[0], e[1])...))
	if len(vars) == 0 {
		return nil
	}
	like := n.joined[vars[0]]
	if slices.ContainsFunc(vars, func(v varying) bool { return !slices.EqualFunc(n.joined[v], like, n.alikeItems) }) {
		return nil
	}
	var out [][2][]size.Size
	for i := range like {
		out = append(out, n.equation(e, func(v varying) *types.Type { return ofItem(n.joined[v][i]) }))
	}
	return out
}

// freely calls f so that it may assume something: that new names stand for what is there.
func (n *unifier) freely(f func() bool) bool {
	rigid := n.rigid
	defer func() { n.rigid = rigid }()
	n.rigid = false
	return f()
}

// asType is what a variable stands for, as a type: sizes as those of an array, an element
// type as that of a scalar.
func (v varying) asType() *types.Type {
	switch {
	case v.sizes:
		return types.ArrayOf(types.I, size.Var(v.name))
	case v.elem != types.NoElem:
		return types.ArrayOf(v.elem)
	}
	return variable(v.name)
}

// another makes a variable of the same kind, which may depend on the place.
func (n *unifier) another(v varying, varies bool) *types.Type {
	if v.elem != types.NoElem {
		return types.ArrayOf(n.newElem(varies, n.Among(v.elem)...))
	}
	_, _, dots := placeOf(v.name)
	name := n.fresh()
	if varies {
		name += each
	}
	n.vectors[name] = n.isVector(v.name)
	return varying{name: name + dots, sizes: v.sizes}.asType()
}

// solution is what a variable is known to be, nil if it is not.
func (n *unifier) solution(v varying) *types.Type {
	if !v.sizes {
		return n.types[v.name]
	}
	if ss, ok := n.lists[v.name]; ok {
		return types.ArrayOf(types.I, ss...)
	}
	if s, ok := n.sizes[v.name]; ok {
		return types.ArrayOf(types.I, s)
	}
	return nil
}

// maxDeep is how many names one follows to what is known of them at other places.
const maxDeep = 100

// elsewhere is what is known of a variable at a place from what is known at all places,
// or at one that is the same; nil if that is nothing.
func (n *unifier) elsewhere(v varying) *types.Type {
	_, place, dots := placeOf(v.name)
	if place == "" || place == "i" {
		return nil
	}
	n.deep++
	defer func() { n.deep-- }()
	if n.deep > maxDeep {
		panic(undecided{"what types at places of lists are, as each depends on others"})
	}
	at := func(place string) varying { return varying{name: atPlace(v.name, place), sizes: v.sizes} }
	same := n.samePlaces(place)
	for _, p := range same {
		if t := n.solution(at(p)); t != nil {
			return t
		}
	}
	if dots != "" {
		n.norm([]size.Size{size.Var(at("i").name)}) // its length may be known
	}
	if t := n.solution(at("i")); t != nil {
		return n.at(t, place)
	}
	all := at("i")
	list, isLength := lengthList(all.name)
	if isLength {
		all.name = list
	}
	if parts := n.joined[all]; parts != nil {
		if t, ok := n.nth(parts, n.placeSize(place)); ok && isLength {
			return types.ArrayOf(types.I, n.Rank(t.Shape))
		} else if ok {
			return t
		}
	}
	if len(same) > 0 && same[0] < place {
		return at(same[0]).asType()
	}
	return nil
}

// lengthList is the list of which a name is the length.
func lengthList(name string) (list string, ok bool) {
	list, ok = strings.CutPrefix(name, "len ")
	return list + many, ok
}

// placeSize is the place that a name says.
func (n *unifier) placeSize(place string) size.Size {
	if k, err := strconv.Atoi(place); err == nil {
		return number(k)
	}
	return n.places[place]
}

// samePlaces are the other words for a place, in order.
func (n *unifier) samePlaces(place string) []string {
	here := n.value(n.placeSize(place))
	var out []string
	add := func(p string) {
		if p != place && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	for p, at := range n.places {
		if n.value(at).Equal(here) {
			add(p)
		}
	}
	if k, known := here.Const(); known {
		add(strconv.FormatInt(k, 10))
	}
	slices.Sort(out)
	return out
}

// agree makes what is known of a variable at single places what it is at all.
func (n *unifier) agree(v varying) bool {
	if v.elem != types.NoElem {
		return n.freely(n.agreeElems)
	}
	if _, place, _ := placeOf(v.name); place != "i" {
		return true
	}
	return n.freely(func() bool {
		var places []string
		collect := func(name string) {
			if sameBase(name, v.name) {
				places = append(places, name)
			}
		}
		for name := range n.types {
			collect(name)
		}
		for name := range n.sizes {
			collect(name)
		}
		for name := range n.lists {
			collect(name)
		}
		slices.Sort(places)
		for _, p := range places {
			at := varying{name: p, sizes: v.sizes}
			t := n.solution(at)
			if t == nil {
				continue
			}
			delete(n.types, p)
			delete(n.sizes, p)
			delete(n.lists, p)
			if !n.Types(at.asType(), t) {
				return false
			}
		}
		return n.agreeParts(v)
	})
}

// agreeParts makes what is known of the parts of a list what is known of all of it.
func (n *unifier) agreeParts(v varying) bool {
	t := n.solution(v)
	if t == nil || !v.sizes { // types: see solve
		return true
	}
	if list, ok := lengthList(v.name); ok {
		parts := n.joined[varying{name: list, sizes: true}]
		if parts == nil || n.lists[list] != nil {
			return true
		}
		cut, ok := n.cut(t, parts)
		for i := range cut {
			ok = ok && n.Sizes(n.Rank(ofItem(parts[i]).Shape), ofItem(cut[i]).Shape[0])
		}
		return ok
	}
	parts := n.joined[v]
	if parts == nil {
		return true
	}
	delete(n.joined, v)
	cut, ok := n.cut(t, parts)
	return ok && slices.EqualFunc(parts, cut, n.Types)
}

// lengthFrom makes the length of a list that has been solved what the lengths of those in
// it are, and not the other way round: else it would be needed to tell its own.
func (n *shapes) lengthFrom(name string, is []size.Size) {
	length, _ := lengthOf(name).Var()
	for _, s := range is {
		in, _ := listName(s)
		of, _ := lengthOf(in).Var()
		old, solved := n.sizes[of]
		if !solved || !slices.Contains(old.Vars(), length) {
			continue
		}
		delete(n.sizes, of)
		if sum := n.Rank(is); n.solves(length, sum) {
			n.set(length, sum)
			return
		}
		n.sizes[of] = old
	}
}

// lengthOfAll is the length of a list, by its name if it has one: what the list is may
// have been found out after its length.
func (n *unifier) lengthOfAll(ss []size.Size) size.Size {
	if len(ss) == 1 {
		if name, is := listName(ss[0]); is && n.parts[name] == nil {
			return lengthOf(name)
		}
	}
	return n.Rank(ss)
}

// alikeSizes makes sizes the same at all places of a list.
func (n *unifier) alikeSizes(ss []size.Size) bool {
	ss = n.norm(ss)
	lengths := 0
	for _, s := range ss {
		if varies(n.Rank([]size.Size{s})) {
			lengths++
		}
	}
	for _, s := range ss {
		name, is := listName(s)
		p := n.parts[name]
		ok := true
		switch {
		case !varies(s):
		case lengths > 1 || p != nil && (p.moves == nil || strings.Contains(movesText(p.moves), each)):
			panic(undecided{"whether lists of sizes that are put together are the same at all places"})
		case p != nil:
			ok = n.alikeSizes(p.of)
		case is:
			ok = n.Shapes([]size.Size{s}, list(n.fresh()))
		default:
			ok = n.Sizes(s, n.freshSize())
		}
		if !ok {
			return false
		}
		if slices.ContainsFunc(n.norm([]size.Size{s}), varies) {
			panic(undecided{"whether sizes that are computed are the same at all places"})
		}
	}
	return true
}
