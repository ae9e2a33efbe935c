package typing

import (
	"slices"
	"strings"

	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// The methods of [ops.Unifier] that are not those of shapes.

// Elems makes two element types equal.
func (n *unifier) Elems(a, b types.Elem) bool {
	if n.rigid {
		return n.FindElem(a) == n.FindElem(b)
	}
	if !n.elemVaries(a) {
		a, b = b, a
	}
	return n.ElemVars.Elems(a, b) && n.agreeElems()
}

// ElemIn restricts an element type.
func (n *unifier) ElemIn(e types.Elem, among ...types.Elem) bool {
	if n.rigid {
		return !slices.ContainsFunc(n.Among(e), func(x types.Elem) bool { return !slices.Contains(among, x) })
	}
	return n.ElemVars.ElemIn(e, among...) && n.agreeElems()
}

// Permute applies the permutation of the operator that is being typed.
func (n *unifier) Permute(_ ops.Op, shape []size.Size) ([]size.Size, bool) {
	if !n.prefix(n.current.moves, n.Rank(shape)) {
		return nil, false
	}
	return n.permute(n.current.moves, shape), true
}

// Part returns the component that the operator names that is being typed.
func (n *unifier) Part(_ ops.Op, t *types.Type) (*types.Type, bool) {
	return n.nth(t.Parts, n.size(n.current.nth))
}

// nth is the type of an item; it is false if there are fewer.
func (n *unifier) nth(items []*types.Type, at size.Size) (*types.Type, bool) {
	items = n.spread(items)
	if v, _ := at.Var(); v == positionName && len(items) == 1 && isEach(items[0]) && n.part == nil {
		return items[0].Parts[0], n.Sizes(items[0].Shape[0], n.place)
	}
	if _, known := n.size(at).Const(); !known && !n.rigid && len(items) > 0 && !slices.ContainsFunc(items, isEach) {
		i := n.pick(len(items))
		return items[i], n.Sizes(at, number(i))
	}
	for i, t := range items {
		at = n.value(at)
		k := n.value(kinds(items[i : i+1]))
		switch {
		case n.natural(at.Sub(k)):
			at = at.Sub(k)
		case isEach(t) && (i == len(items)-1 || n.natural(k.Sub(at).Sub(number(1)))):
			return n.atSize(t.Parts[0], at), n.demand(k.Sub(at).Sub(number(1)))
		case at.IsConst(0) && !isEach(t):
			return t, true
		default:
			n.compare(at, k, "which component is meant")
		}
	}
	return nil, false
}

// compare leaves what cannot be decided as long as it is not known which of two lengths
// is greater.
func (n *unifier) compare(a, b size.Size, why string) {
	n.undecided(a.Sub(b))
	panic(undecided{why})
}

func isEach(t *types.Type) bool { return t.Kind == types.KEach }

// Resolve follows a solved type variable.
func (n *unifier) Resolve(t *types.Type) *types.Type {
	for t.Kind == types.KVar {
		u, ok := n.types[t.Name]
		if !ok {
			if u = n.elsewhere(varying{name: t.Name}); u == nil {
				return t
			}
		}
		t = u
	}
	return t
}

// Arrays chooses an array or a tuple of two for a type that is not known.
func (n *unifier) Arrays(t *types.Type) *types.Type {
	t = n.Resolve(t)
	switch {
	case t.Kind != types.KVar || n.rigid:
		return t
	case strings.HasSuffix(t.Name, each):
		panic(undecided{"a list of states of different types"})
	case n.pick(2) == 0:
		return n.Force(t, types.KArray)
	}
	array := func() *types.Type {
		return types.ArrayOf(n.NewElem(types.R, types.I, types.B), list(n.fresh())...)
	}
	if u := types.TupleOf(array(), array()); n.solve(t.Name, u) {
		return n.Resolve(u)
	}
	return t
}

// Alike makes a type the same at all places of a list.
func (n *unifier) Alike(t *types.Type) bool {
	t = n.Resolve(t)
	switch {
	case n.rigid:
		vars := n.perPlace(t)
		for _, v := range vars {
			if parts := n.joined[v]; parts != nil { // of one type each
				cut, ok := n.cut(t, n.spread(parts))
				return ok && !slices.ContainsFunc(cut, func(p *types.Type) bool { return !n.Alike(ofItem(p)) || !n.Types(ofItem(cut[0]), ofItem(p)) })
			}
		}
		return len(vars) == 0
	case t.Kind == types.KVar && strings.HasSuffix(t.Name, each):
		return n.solve(t.Name, variable(n.fresh()))
	case t.Kind == types.KArray:
		return (!n.elemVaries(t.Elem) || n.Elems(t.Elem, n.NewElem(n.Among(t.Elem)...))) && n.alikeSizes(t.Shape)
	}
	return isEach(t) || !slices.ContainsFunc(t.Parts, func(p *types.Type) bool { return !n.Alike(p) })
}

// Vector restricts a type to those that linear maps act on.
func (n *unifier) Vector(t *types.Type) bool {
	switch t = n.Resolve(t); t.Kind {
	case types.KArray:
		return n.ElemIn(t.Elem, types.R)
	case types.KTuple, types.KEach:
		return !slices.ContainsFunc(t.Parts, func(p *types.Type) bool { return !n.Vector(p) })
	case types.KVar:
		if parts := n.joined[varying{name: t.Name}]; parts != nil {
			return !slices.ContainsFunc(parts, func(p *types.Type) bool { return !n.Vector(p) })
		}
		if !n.rigid {
			n.vectors[t.Name] = true
		}
		return n.isVector(t.Name)
	}
	return false
}

func (n *unifier) isVector(name string) bool {
	base, _, _ := strings.Cut(name, "[")
	return n.vectors[name] || n.vectors[base+each]
}

// Types makes two types equal.
func (n *unifier) Types(a, b *types.Type) bool {
	a, b = n.Resolve(a), n.Resolve(b)
	if a.Kind == types.KVar && b.Kind == types.KVar {
		if a.Name == b.Name {
			return true
		}
		if n.keep(a.Name) > n.keep(b.Name) {
			a, b = b, a
		}
	}
	switch {
	case a.Kind == types.KVar:
		return !n.rigid && n.solve(a.Name, b)
	case b.Kind == types.KVar:
		return !n.rigid && n.solve(b.Name, a)
	case a.Kind != b.Kind || a.Kind == types.KArray && !n.Elems(a.Elem, b.Elem):
		return false
	case a.Kind == types.KArray:
		return n.Shapes(a.Shape, b.Shape)
	case a.Kind == types.KSort:
		return a.Name == b.Name
	case a.Kind == types.KTuple:
		return n.sameParts(a.Parts, b.Parts)
	}
	return slices.EqualFunc(a.Parts, b.Parts, n.Types)
}

// keep says which of two type variables is kept: what is at one place, or does not
// depend on a place, and what the rule names.
func (n *unifier) keep(name string) int {
	k := 0
	switch {
	case strings.HasSuffix(name, each):
	case strings.Contains(name, "["):
		k = 4
	default:
		k = 2
	}
	if !strings.HasPrefix(name, "_") {
		k++
	}
	return k
}

// solve gives a type variable its type; it is false if the type has the variable in
// it.
func (n *unifier) solve(name string, t *types.Type) bool {
	place := strings.HasSuffix(name, each)
	if place && t.Kind == types.KVar && sameBase(name, t.Name) { // as at one place, so at all
		t = variable(n.fresh())
	}
	if n.occurs(name, t) || !place && !n.Alike(t) {
		return false
	}
	v := varying{name: name}
	parts := n.joined[v]
	n.types[name] = t
	if n.isVector(name) && !n.Vector(t) {
		return false
	}
	if parts != nil {
		delete(n.joined, v)
		if cut, ok := n.cut(t, parts); !ok || !slices.EqualFunc(parts, cut, n.Types) {
			return false
		}
	}
	return n.agree(v)
}

// occurs reports whether a type has a variable in it, at all places or at one.
func (n *unifier) occurs(name string, t *types.Type) bool {
	t = n.Resolve(t)
	return t.Kind == types.KVar && (t.Name == name || sameBase(t.Name, name)) || slices.ContainsFunc(t.Parts, func(p *types.Type) bool { return n.occurs(name, p) })
}

// Force gives an open variable the kind that is needed.
func (n *unifier) Force(t *types.Type, kind types.Kind) *types.Type {
	t = n.Resolve(t)
	if t.Kind != types.KVar || n.rigid {
		return t
	}
	suffix := ""
	if strings.HasSuffix(t.Name, each) {
		suffix = each
	}
	var u *types.Type
	switch {
	case kind == types.KLin:
		u = types.LinOf(variable(n.fresh()+suffix), variable(n.fresh()+suffix))
		n.Vector(u.Parts[0])
		n.Vector(u.Parts[1])
	case suffix != "" && kind == types.KTuple:
		panic(undecided{"a list of tuples of different lengths"})
	case kind == types.KTuple:
		name := n.fresh()
		u = types.TupleOf(types.EachOf(lengthOf(name), variable(name+each)))
		n.Some(lengthOf(name))
		u.Parts[0].Shape[0] = n.size(lengthOf(name))
	default:
		u = types.ArrayOf(n.newElem(suffix != "", types.R, types.I, types.B), list(n.fresh()+suffix)...)
	}
	if !n.solve(t.Name, u) {
		return t
	}
	return n.Resolve(u)
}

// full puts in all that is known of a type.
func (n *unifier) full(t *types.Type) *types.Type {
	out := *n.Resolve(t)
	out.Elem = n.FindElem(out.Elem)
	if out.Kind == types.KArray {
		out.Shape = n.norm(out.Shape)
	} else if out.Kind == types.KEach {
		out.Shape = []size.Size{n.size(out.Shape[0])}
	}
	parts := out.Parts
	if out.Kind == types.KTuple {
		parts = n.spread(parts)
	}
	out.Parts = slice.Map(parts, n.full)
	return &out
}

func (n *unifier) shown(t *types.Type) string {
	if t == nil {
		return ""
	}
	return n.full(t).String()
}
