package typing

import (
	"cmp"
	"fmt"
	"slices"

	"egad/diag"
	"egad/rules"
	"egad/rules/match"
	"egad/term"
)

// term is the type of a pattern. Expect is the type that the context gives to a
// literal of the right side, nil if it gives none.
func (n *unifier) term(p *rules.Pattern, expect *term.Type) *term.Type {
	switch p.Kind {
	case rules.PMeta:
		return n.metas[p.Name]
	case rules.PElem:
		return n.here(p.Name)
	case rules.PIvar:
		if t := n.locals[p.Name]; t != nil {
			return t
		}
		return term.ArrayOf(term.I)
	case rules.PPosition:
		return term.ArrayOf(term.I)
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
		if n.lets[p.Name] = n.Force(n.term(p.Bound, nil), term.KArray); n.lets[p.Name].Kind != term.KArray {
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
		return term.ArrayOf(term.B)
	case rules.PSpread:
		t := n.Force(n.term(p.X, nil), term.KArray)
		n.need(p.Pos, t.Kind == term.KArray, "only an array is spread, and this is %s", n.shown(t))
		return term.ArrayOf(t.Elem, slices.Concat(n.attr(p.Lit, rules.SortSizes).sizes, t.Shape)...)
	case rules.PRavel:
		k := kinds(n.indices(n.items(p.Kids, nil), p.Pos))
		n.need(p.Pos, n.Sizes(k, n.Rank(n.attr(p.Lit, rules.SortSizes).sizes)), "ravel needs one index for each axis")
		return term.ArrayOf(term.I)
	case rules.PDigits:
		ks := n.attr(p.Lit, rules.SortSizes).sizes
		q := n.freshSize()
		n.need(p.Pos, n.Sizes(ks[0], q.Mul(ks[1])), "%s is no multiple of %s", n.size(ks[0]), n.size(ks[1]))
		return term.ArrayOf(term.I, q, ks[1])
	case rules.PPreimage:
		n.need(p.Pos, n.Types(n.term(p.X, nil), term.ArrayOf(term.I)), "preimage i u a needs an integer u")
		n.substitution(p.Subs)
		return term.ArrayOf(term.I)
	case rules.PMultiples, rules.POthers:
		n.need(p.Pos, n.Types(n.term(p.X, nil), term.ArrayOf(term.I)), "multiples u c and others u c need an integer u")
		n.attr(p.Lit, rules.SortLit)
		return term.ArrayOf(term.I)
	case rules.PNth:
		t, ok := n.nth(n.list(p.Kids[0].List), n.attr(p.Lit, rules.SortInt).size)
		n.need(p.Pos, ok, "the list has no such element")
		return t
	case rules.PTotal:
		return n.total(p)
	case rules.PInject:
		t := n.typ(p.LitFor)
		n.current = &applied{nth: n.attr(p.Lit, rules.SortInt).size}
		part, ok := n.Part(term.Op{}, n.Force(t, term.KTuple))
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
func (n *unifier) total(p *rules.Pattern) *term.Type {
	items := n.items(p.Kids, nil)
	n.need(p.Pos, n.Some(kinds(items)), "this may be the total of nothing")
	var t *term.Type
	for _, x := range items {
		if x.Kind == term.KEach {
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
func (n *unifier) adds(t *term.Type) bool {
	t = n.Resolve(t)
	switch t.Kind {
	case term.KArray:
		return n.ElemIn(t.Elem, term.R, term.I)
	case term.KTuple, term.KEach:
		return !slices.ContainsFunc(t.Parts, func(p *term.Type) bool { return !n.adds(p) })
	case term.KVar:
		return n.Vector(t)
	}
	return t.Kind == term.KLin
}

// literal is the type of a literal: on the left side any array, on the right side
// what the context says.
func (n *unifier) literal(p *rules.Pattern, t *term.Type) *term.Type {
	if p.LitFor != nil {
		t = n.Force(n.typ(p.LitFor), term.KArray)
	}
	var lit litType
	var among []term.Elem
	switch p.Kind {
	case rules.PSizeVal:
		if p.LitFor == nil {
			return term.ArrayOf(term.I)
		}
		among = []term.Elem{term.R, term.I}
	case rules.PNumber:
		if among = []term.Elem{term.R, term.I}; p.Value.Rat() == nil || !p.Value.Rat().IsInt() {
			among = among[:1]
		}
	case rules.PTruth:
		among = []term.Elem{term.B}
	case rules.PZero:
		among = []term.Elem{term.R, term.I, term.B}
	case rules.PLit:
		lit = n.attr(p.Lit, rules.SortLit).lit
		among = n.Among(lit.elem)
	}
	if !n.rigid {
		e := lit.elem
		if p.Kind != rules.PLit {
			e = n.NewElem(among...)
		}
		u := term.ArrayOf(e, list(n.fresh())...)
		n.need(p.Pos, t == nil || n.Types(t, u), "this literal is not of type %s", n.shown(t))
		n.literals = append(n.literals, p)
		n.littypes[p] = u
		return u
	}
	switch {
	case t == nil && p.Kind == rules.PLit && !lit.number:
		return term.ArrayOf(lit.elem)
	case t == nil:
		n.fail(p.Pos, "the type of a literal cannot be told from its context")
	}
	t = n.Resolve(t)
	switch {
	case p.Kind == rules.PZero:
		return t
	case t.Kind != term.KArray:
		if t.Kind == term.KVar {
			panic(undecided{"a literal of a type that is not known"})
		}
		n.fail(p.Pos, "a literal is not a %s", n.shown(t))
	case p.Kind == rules.PTruth:
		return term.ArrayOf(term.B, t.Shape...)
	case p.Kind == rules.PLit && !lit.number:
		if p.LitFor != nil && n.FindElem(lit.elem) == term.I && n.FindElem(t.Elem) == term.R {
			return t
		}
		return term.ArrayOf(lit.elem, t.Shape...)
	case p.Kind == rules.PLit:
		n.assume(func() bool { return n.ElemIn(t.Elem, term.R, term.I) })
		return t
	}
	n.need(p.Pos, n.ElemIn(t.Elem, among...), "this literal is not of type %s", n.shown(t))
	return t
}

// kinds counts terms, with those of lists.
func kinds(items []*term.Type) term.Size {
	sum := number(0)
	for _, t := range items {
		if t.Kind == term.KEach {
			sum = sum.Add(t.Shape[0])
		} else {
			sum = sum.Add(number(1))
		}
	}
	return sum
}

// indices demands that terms are indices.
func (n *unifier) indices(items []*term.Type, pos diag.Pos) []*term.Type {
	for _, t := range items {
		if t.Kind == term.KEach {
			t = t.Parts[0]
		}
		n.need(pos, n.Types(t, term.ArrayOf(term.I)), "an index is a scalar I, not %s", n.shown(t))
	}
	return items
}

// items are the types of a list of children.
func (n *unifier) items(es []rules.Elem, expect *term.Type) []*term.Type {
	return match.Spliced(es, expect, n.term, n.list, n.mapped)
}

// mapped is the type of the pattern of a spread at each place of its lists.
func (n *unifier) mapped(e rules.Elem, expect *term.Type) []*term.Type {
	var size term.Size
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
		var out []*term.Type
		for i := range k {
			n.placeNow = fmt.Sprint(i)
			out = append(out, n.term(e.Pat, expect))
		}
		return out
	}
	all := n.every(size, n.elements(e.Over))
	if len(all) == 1 {
		n.generic = each
		return []*term.Type{term.EachOf(size, n.term(e.Pat, expect))}
	}
	var out []*term.Type
	for _, t := range all {
		n.part = make(map[string]*term.Type)
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
func (n *unifier) elements(lists []string) *term.Type {
	out := term.TupleOf()
	for _, l := range lists {
		out.Parts = append(out.Parts, cmp.Or(n.metas[l], term.TupleOf()))
	}
	return out
}

// here is the type of an element of a list at the place that is being typed.
func (n *unifier) here(list string) *term.Type {
	switch {
	case n.part[list] != nil:
		return n.part[list]
	case n.placeNow == "":
		return n.metas[list]
	}
	return n.at(n.metas[list], n.placeNow)
}

// length is that of a list of terms, or of the components of a tuple.
func (n *unifier) length(name string) term.Size {
	if n.rule.Vars.Sort[name] != rules.SortType {
		return n.size(lengthOf(name))
	}
	var t *term.Type
	n.assume(func() bool {
		t = n.Force(variable(name), term.KTuple)
		return t.Kind == term.KTuple
	})
	return n.size(kinds(t.Parts))
}

// list is the types of a list of terms.
func (n *unifier) list(l *rules.ListPat) []*term.Type {
	switch l.Kind {
	case rules.LVar:
		return n.every(lengthOf(l.Name), n.metas[l.Name])
	case rules.LBound:
		return n.every(n.Rank(n.binders[l.Name]), term.ArrayOf(term.I))
	case rules.LLit:
		return n.items(l.Elems, term.ArrayOf(term.I))
	case rules.LPermute, rules.LUnpermute:
		arg := n.list(l.Arg)
		n.assume(func() bool { return n.prefix(n.attr(l.Perm, rules.SortPerm).moves, kinds(arg)) })
		if len(arg) == 1 && isEach(arg[0]) {
			return arg
		}
		n.indices(arg, l.Pos) // or they would change places
		return n.every(kinds(arg), term.ArrayOf(term.I))
	case rules.LUnravel:
		n.indices([]*term.Type{n.term(l.Index, term.ArrayOf(term.I))}, l.Pos)
		return n.every(n.Rank(n.attr(l.Sizes, rules.SortSizes).sizes), term.ArrayOf(term.I))
	case rules.LSubst:
		n.substitution(l.Subs)
		return n.list(l.Arg)
	}
	panic(undecided{"this list has no type"})
}

// prefix asks that a list is as long as permutations of its first elements need.
func (n *unifier) prefix(ms []move, length term.Size) bool {
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
			n.indices([]*term.Type{n.term(s.By, nil)}, s.By.Pos)
		}
	}
}

func (n *unifier) axes(of *rules.Pattern, sizes *rules.AttrExpr) []term.Size {
	if of == nil {
		return n.attr(sizes, rules.SortSizes).sizes
	}
	t := n.Force(n.term(of, nil), term.KArray)
	n.need(of.Pos, t.Kind == term.KArray, "expected an array, found %s", n.shown(t))
	return t.Shape
}
