package typing

import (
	"cmp"
	"fmt"
	"slices"

	"egad/diag"
	"egad/rules"
	"egad/rules/match"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// term is the type of a pattern. Expect is the type that the context gives to a
// literal of the right side, nil if it gives none.
func (n *unifier) term(p *rules.Pattern, expect *types.Type) *types.Type {
	switch p.Kind {
	case rules.PMeta:
		return n.metas[p.Name]
	case rules.PElem:
		return n.here(p.Name)
	case rules.PIvar:
		if t := n.locals[p.Name]; t != nil {
			return t
		}
		return types.ArrayOf(types.I)
	case rules.PPosition:
		return types.ArrayOf(types.I)
	case rules.PLetVar:
		return n.lets[p.Name]
	case rules.PSelf:
		return n.root
	case rules.PNumber, rules.PTruth, rules.PZero, rules.PLit, rules.PSizeVal:
		if n.rule.Language != nil {
			return n.number(p, expect)
		}
		return n.literal(p, expect)
	case rules.PLet:
		// Tuples are taken apart before they are bound.
		if n.lets[p.Name] = n.Force(n.term(p.Bound, nil), types.KArray); n.lets[p.Name].Kind != types.KArray {
			n.fail(p.Pos, "a let of a rule binds an array")
		}
		return n.term(p.Body, nil)
	case rules.PSubst:
		t := n.term(p.X, expect)
		n.substitution(p.Subs)
		return t
	case rules.PInside:
		axes := n.axes(p.X, p.Lit)
		n.need(p.Pos, n.demand(n.Rank(axes).Sub(kinds(n.indices(n.items(p.Kids, nil), p.Pos)))), "there are more indices than axes")
		return types.ArrayOf(types.B)
	case rules.PSpread:
		t := n.Force(n.term(p.X, nil), types.KArray)
		n.need(p.Pos, t.Kind == types.KArray, "only an array is spread, and this is %s", n.shown(t))
		return types.ArrayOf(t.Elem, slices.Concat(n.attr(p.Lit, rules.SortSizes).sizes, t.Shape)...)
	case rules.PPlace:
		n.need(p.Pos, n.Types(n.term(p.Kids[0].Pat, types.ArrayOf(types.I)), types.ArrayOf(types.I)), "place k u x needs an integer u")
		t := n.Force(n.term(p.X, nil), types.KArray)
		n.need(p.Pos, t.Kind == types.KArray, "only an array is placed, and this is %s", n.shown(t))
		return types.ArrayOf(t.Elem, append([]size.Size{n.attr(p.Lit, rules.SortSize).size}, t.Shape...)...)
	case rules.PRavel:
		k := kinds(n.indices(n.items(p.Kids, nil), p.Pos))
		n.need(p.Pos, n.Sizes(k, n.Rank(n.attr(p.Lit, rules.SortSizes).sizes)), "ravel needs one index for each axis")
		return types.ArrayOf(types.I)
	case rules.PDigits:
		ks := n.attr(p.Lit, rules.SortSizes).sizes
		q := n.freshSize()
		n.need(p.Pos, n.Sizes(ks[0], q.Mul(ks[1])), "%s is no multiple of %s", n.size(ks[0]), n.size(ks[1]))
		return types.ArrayOf(types.I, q, ks[1])
	case rules.PPreimage:
		n.need(p.Pos, n.Types(n.term(p.X, nil), types.ArrayOf(types.I)), "preimage i u a needs an integer u")
		n.substitution(p.Subs)
		return types.ArrayOf(types.I)
	case rules.PMultiples, rules.POthers:
		n.need(p.Pos, n.Types(n.term(p.X, nil), types.ArrayOf(types.I)), "multiples u c and others u c need an integer u")
		n.attr(p.Lit, rules.SortLit)
		return types.ArrayOf(types.I)
	case rules.PNth:
		t, ok := n.nth(n.list(p.Kids[0].List), n.attr(p.Lit, rules.SortInt).size)
		n.need(p.Pos, ok, "the list has no such element")
		return t
	case rules.PTotal:
		return n.total(p)
	case rules.PInject:
		t := n.typ(p.LitFor)
		n.current = &applied{nth: n.attr(p.Lit, rules.SortInt).size}
		part, ok := n.Part(ops.Op{}, n.Force(t, types.KTuple))
		n.need(p.Pos, ok, "there is no such component in %s", n.shown(t))
		x := n.term(p.X, nil)
		n.need(p.Pos, n.Types(part, x), "the component has type %s, not %s", n.shown(part), n.shown(x))
		return t
	case rules.PApp:
		return n.application(p, expect)
	case rules.PMeant:
		return n.meant(p)
	}
	panic(undecided{"this form has no type"})
}

// total is the type of a sum of terms that are alike.
func (n *unifier) total(p *rules.Pattern) *types.Type {
	items := n.items(p.Kids, nil)
	n.need(p.Pos, n.Some(kinds(items)), "this may be the total of nothing")
	var t *types.Type
	for _, x := range items {
		if x.Kind == types.KEach {
			x = x.Parts[0]
			n.need(p.Pos, n.Alike(x), "the terms of a total differ in type")
		}
		if t == nil {
			t = n.Resolve(x)
		}
		n.need(p.Pos, n.Types(t, x), "the terms of a total differ in type: %s and %s", n.shown(t), n.shown(x))
	}
	n.need(p.Pos, n.adds(t), "there is no total of terms of type %s", n.shown(t))
	return t
}

// adds reports whether terms of a type can be added.
func (n *unifier) adds(t *types.Type) bool {
	t = n.Resolve(t)
	switch t.Kind {
	case types.KArray:
		return n.ElemIn(t.Elem, types.R, types.I)
	case types.KTuple, types.KEach:
		return !slices.ContainsFunc(t.Parts, func(p *types.Type) bool { return !n.adds(p) })
	case types.KVar:
		return n.Vector(t)
	}
	return t.Kind == types.KLin
}

// literal is the type of a literal: on the left side any array, on the right side
// what the context says.
func (n *unifier) literal(p *rules.Pattern, t *types.Type) *types.Type {
	if p.LitFor != nil {
		t = n.Force(n.typ(p.LitFor), types.KArray)
	}
	var lit litType
	var among []types.Elem
	switch p.Kind {
	case rules.PSizeVal:
		if p.LitFor == nil {
			return types.ArrayOf(types.I)
		}
		among = []types.Elem{types.R, types.I}
	case rules.PNumber:
		if among = []types.Elem{types.R, types.I}; p.Value.Rat() == nil || !p.Value.Rat().IsInt() {
			among = among[:1]
		}
	case rules.PTruth:
		among = []types.Elem{types.B}
	case rules.PZero:
		among = []types.Elem{types.R, types.I, types.B}
	case rules.PLit:
		lit = n.attr(p.Lit, rules.SortLit).lit
		among = n.Among(lit.elem)
	}
	if !n.rigid {
		e := lit.elem
		if p.Kind != rules.PLit {
			e = n.NewElem(among...)
		}
		u := types.ArrayOf(e, list(n.fresh())...)
		n.need(p.Pos, t == nil || n.Types(t, u), "this literal is not of type %s", n.shown(t))
		n.literals = append(n.literals, p)
		n.littypes[p] = u
		return u
	}
	switch {
	case t == nil && p.Kind == rules.PLit && !lit.number:
		return types.ArrayOf(lit.elem)
	case t == nil:
		n.fail(p.Pos, "the type of a literal cannot be told from its context")
	}
	t = n.Resolve(t)
	switch {
	case p.Kind == rules.PZero:
		return t
	case t.Kind != types.KArray:
		if t.Kind == types.KVar {
			panic(undecided{"a literal of a type that is not known"})
		}
		n.fail(p.Pos, "a literal is not a %s", n.shown(t))
	case p.Kind == rules.PTruth:
		return types.ArrayOf(types.B, t.Shape...)
	case p.Kind == rules.PLit && !lit.number:
		if p.LitFor != nil && n.FindElem(lit.elem) == types.I && n.FindElem(t.Elem) == types.R {
			return t
		}
		return types.ArrayOf(lit.elem, t.Shape...)
	case p.Kind == rules.PLit:
		n.assume(func() bool { return n.ElemIn(t.Elem, types.R, types.I) })
		return t
	}
	n.need(p.Pos, n.ElemIn(t.Elem, among...), "this literal is not of type %s", n.shown(t))
	return t
}

// kinds counts terms, with those of lists.
func kinds(items []*types.Type) size.Size {
	sum := number(0)
	for _, t := range items {
		if t.Kind == types.KEach {
			sum = sum.Add(t.Shape[0])
		} else {
			sum = sum.Add(number(1))
		}
	}
	return sum
}

// indices demands that terms are indices.
func (n *unifier) indices(items []*types.Type, pos diag.Pos) []*types.Type {
	for _, t := range items {
		if t.Kind == types.KEach {
			t = t.Parts[0]
		}
		n.need(pos, n.Types(t, types.ArrayOf(types.I)), "an index is a scalar I, not %s", n.shown(t))
	}
	return items
}

// items are the types of a list of children.
func (n *unifier) items(es []rules.Elem, expect *types.Type) []*types.Type {
	return match.Spliced(es, expect, n.term, n.list, n.mapped)
}

// mapped is the type of the pattern of a spread at each place of its lists.
func (n *unifier) mapped(e rules.Elem, expect *types.Type) []*types.Type {
	var size size.Size
	for i, l := range e.Over {
		k := n.length(l)
		if i > 0 {
			n.assume(func() bool { return n.Sizes(k, size) })
		}
		size = n.size(k)
	}
	if !n.rigid {
		n.need(e.Pat.Pos, n.Some(size), "nothing is spread")
	}
	outer, at, in, generic := n.place, n.placeNow, n.part, n.generic
	defer func() { n.place, n.placeNow, n.part, n.generic = outer, at, in, generic }()
	n.place, n.generic = size, ""
	if k, fixed := size.Const(); fixed {
		var out []*types.Type
		for i := range k {
			n.placeNow = fmt.Sprint(i)
			out = append(out, n.term(e.Pat, expect))
		}
		return out
	}
	all := n.every(size, n.elements(e.Over))
	if len(all) == 1 {
		n.generic = each
		return []*types.Type{types.EachOf(size, n.term(e.Pat, expect))}
	}
	var out []*types.Type
	for _, t := range all {
		n.part = make(map[string]*types.Type)
		for i, l := range e.Over {
			n.part[l] = ofItem(t).Parts[i]
		}
		if n.generic = ""; isEach(t) {
			n.generic = each
		}
		out = append(out, item(t, n.term(e.Pat, expect)))
	}
	return out
}

// elements are the types of the elements of lists, as a tuple.
func (n *unifier) elements(lists []string) *types.Type {
	out := types.TupleOf()
	for _, l := range lists {
		out.Parts = append(out.Parts, cmp.Or(n.metas[l], types.TupleOf()))
	}
	return out
}

// here is the type of an element of a list at the place that is being typed.
func (n *unifier) here(list string) *types.Type {
	switch {
	case n.part[list] != nil:
		return n.part[list]
	case n.placeNow == "":
		return n.metas[list]
	}
	return n.at(n.metas[list], n.placeNow)
}

// length is that of a list of terms, or of the components of a tuple.
func (n *unifier) length(name string) size.Size {
	if n.rule.Vars.Sort[name] != rules.SortType {
		return n.size(lengthOf(name))
	}
	var t *types.Type
	n.assume(func() bool {
		t = n.Force(variable(name), types.KTuple)
		return t.Kind == types.KTuple
	})
	return n.size(kinds(t.Parts))
}

// list is the types of a list of terms.
func (n *unifier) list(l *rules.ListPat) []*types.Type {
	switch l.Kind {
	case rules.LVar:
		return n.every(lengthOf(l.Name), n.metas[l.Name])
	case rules.LBound:
		return n.every(n.Rank(n.binders[l.Name]), types.ArrayOf(types.I))
	case rules.LLit:
		return n.items(l.Elems, types.ArrayOf(types.I))
	case rules.LPermute, rules.LUnpermute:
		arg := n.list(l.Arg)
		n.assume(func() bool { return n.prefix(n.attr(l.Perm, rules.SortPerm).moves, kinds(arg)) })
		if len(arg) == 1 && isEach(arg[0]) {
			return arg
		}
		n.indices(arg, l.Pos) // or they would change places
		return n.every(kinds(arg), types.ArrayOf(types.I))
	case rules.LUnravel:
		n.indices([]*types.Type{n.term(l.Index, types.ArrayOf(types.I))}, l.Pos)
		return n.every(n.Rank(n.attr(l.Sizes, rules.SortSizes).sizes), types.ArrayOf(types.I))
	case rules.LSubst:
		n.substitution(l.Subs)
		return n.list(l.Arg)
	}
	panic(undecided{"this list has no type"})
}

// prefix asks that a list is as long as permutations of its first elements need.
func (n *unifier) prefix(ms []move, length size.Size) bool {
	return !slices.ContainsFunc(n.moves(ms), func(m move) bool { return !n.demand(n.size(length).Sub(n.reach(m))) })
}

func (n *unifier) substitution(subs []rules.Binding) {
	for _, s := range subs {
		switch t := cmp.Or(n.lets[s.Var], n.leftLocals[s.Var]); {
		case s.List:
			by := n.indices(n.list(s.ByL), s.ByL.Pos)
			n.assume(func() bool { return n.Sizes(kinds(by), n.Rank(n.binders[s.Var])) })
		case n.rule.Language != nil:
			n.ofSort(s.By.Pos, n.term(s.By, t), t)
		case t != nil:
			by := n.term(s.By, nil)
			n.need(s.By.Pos, n.Types(t, by), "%s cannot stand for %s, which is %s", n.shown(by), s.Var, n.shown(t))
		default:
			n.indices([]*types.Type{n.term(s.By, nil)}, s.By.Pos)
		}
	}
}

func (n *unifier) axes(of *rules.Pattern, sizes *rules.AttrExpr) []size.Size {
	if of == nil {
		return n.attr(sizes, rules.SortSizes).sizes
	}
	t := n.Force(n.term(of, nil), types.KArray)
	n.need(of.Pos, t.Kind == types.KArray, "expected an array, found %s", n.shown(t))
	return t.Shape
}
