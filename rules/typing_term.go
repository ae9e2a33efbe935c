package rules

import (
	"cmp"
	"fmt"
	"slices"

	"egad/diag"
	"egad/term"
)

// term is the type of a pattern. Expect is the type that the context gives to a
// literal of the right side, nil if it gives none.
func (n *typing) term(p *Pattern, expect *term.Type) *term.Type {
	switch p.Kind {
	case PMeta:
		return n.metas[p.Name]
	case PElem:
		return n.here(p.Name)
	case PIvar:
		if t := n.locals[p.Name]; t != nil {
			return t
		}
		return term.ArrayOf(term.I)
	case PPosition:
		return term.ArrayOf(term.I)
	case PLetVar:
		return n.lets[p.Name]
	case PSelf:
		return n.root
	case PNumber, PTruth, PZero, PLit, PSizeVal:
		if n.rule.Language != nil {
			return n.number(p, expect)
		}
		return n.literal(p, expect)
	case PLet:
		// Tuples are taken apart before they are bound.
		if n.lets[p.Name] = n.Force(n.term(p.Bound, nil), term.KArray); n.lets[p.Name].Kind != term.KArray {
			n.fail(p.Pos, "a let of a rule binds an array")
		}
		return n.term(p.Body, nil)
	case PSubst:
		t := n.term(p.X, expect)
		n.substitution(p.Subs)
		return t
	case PInside:
		axes := n.axes(p.X, p.Lit)
		n.need(p.Pos, n.demand(n.Rank(axes).Sub(kinds(n.indices(n.items(p.Kids, nil), p.Pos)))), "there are more indices than axes")
		return term.ArrayOf(term.B)
	case PSpread:
		t := n.Force(n.term(p.X, nil), term.KArray)
		n.need(p.Pos, t.Kind == term.KArray, "only an array is spread, and this is %s", n.shown(t))
		return term.ArrayOf(t.Elem, slices.Concat(n.attr(p.Lit, SortSizes).sizes, t.Shape)...)
	case PRavel:
		k := kinds(n.indices(n.items(p.Kids, nil), p.Pos))
		n.need(p.Pos, n.Sizes(k, n.Rank(n.attr(p.Lit, SortSizes).sizes)), "ravel needs one index for each axis")
		return term.ArrayOf(term.I)
	case PDigits:
		ks := n.attr(p.Lit, SortSizes).sizes
		q := n.freshSize()
		n.need(p.Pos, n.Sizes(ks[0], q.Mul(ks[1])), "%s is no multiple of %s", n.size(ks[0]), n.size(ks[1]))
		return term.ArrayOf(term.I, q, ks[1])
	case PPreimage:
		n.need(p.Pos, n.Types(n.term(p.X, nil), term.ArrayOf(term.I)), "preimage i u a needs an integer u")
		n.substitution(p.Subs)
		return term.ArrayOf(term.I)
	case PNth:
		t, ok := n.nth(n.list(p.Kids[0].List), n.attr(p.Lit, SortInt).size)
		n.need(p.Pos, ok, "the list has no such element")
		return t
	case PTotal:
		return n.total(p)
	case PInject:
		t := n.typ(p.LitFor)
		n.current = &applied{nth: n.attr(p.Lit, SortInt).size}
		part, ok := n.Part(term.Op{}, n.Force(t, term.KTuple))
		n.need(p.Pos, ok, "there is no such component in %s", n.shown(t))
		x := n.term(p.X, nil)
		n.need(p.Pos, n.Types(part, x), "the component has type %s, not %s", n.shown(part), n.shown(x))
		return t
	case PApp:
		return n.application(p, expect)
	case PMeant:
		return n.meant(p)
	}
	panic(undecided{"this form has no type"})
}

// total is the type of a sum of terms that are alike.
func (n *typing) total(p *Pattern) *term.Type {
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
func (n *typing) adds(t *term.Type) bool {
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
func (n *typing) literal(p *Pattern, t *term.Type) *term.Type {
	if p.LitFor != nil {
		t = n.Force(n.typ(p.LitFor), term.KArray)
	}
	var lit litType
	var among []term.Elem
	switch p.Kind {
	case PSizeVal:
		if p.LitFor == nil {
			return term.ArrayOf(term.I)
		}
		among = []term.Elem{term.R, term.I}
	case PNumber:
		if among = []term.Elem{term.R, term.I}; p.Value.Rat() == nil || !p.Value.Rat().IsInt() {
			among = among[:1]
		}
	case PTruth:
		among = []term.Elem{term.B}
	case PZero:
		among = []term.Elem{term.R, term.I, term.B}
	case PLit:
		lit = n.attr(p.Lit, SortLit).lit
		among = n.Among(lit.elem)
	}
	if !n.rigid {
		e := lit.elem
		if p.Kind != PLit {
			e = n.NewElem(among...)
		}
		u := term.ArrayOf(e, list(n.fresh())...)
		n.need(p.Pos, t == nil || n.Types(t, u), "this literal is not of type %s", n.shown(t))
		n.literals = append(n.literals, p)
		n.littypes[p] = u
		return u
	}
	switch {
	case t == nil && p.Kind == PLit && !lit.number:
		return term.ArrayOf(lit.elem)
	case t == nil:
		n.fail(p.Pos, "the type of a literal cannot be told from its context")
	}
	t = n.Resolve(t)
	switch {
	case p.Kind == PZero:
		return t
	case t.Kind != term.KArray:
		if t.Kind == term.KVar {
			panic(undecided{"a literal of a type that is not known"})
		}
		n.fail(p.Pos, "a literal is not a %s", n.shown(t))
	case p.Kind == PTruth:
		return term.ArrayOf(term.B, t.Shape...)
	case p.Kind == PLit && !lit.number:
		if p.LitFor != nil && n.FindElem(lit.elem) == term.I && n.FindElem(t.Elem) == term.R {
			return t
		}
		return term.ArrayOf(lit.elem, t.Shape...)
	case p.Kind == PLit:
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
func (n *typing) indices(items []*term.Type, pos diag.Pos) []*term.Type {
	for _, t := range items {
		if t.Kind == term.KEach {
			t = t.Parts[0]
		}
		n.need(pos, n.Types(t, term.ArrayOf(term.I)), "an index is a scalar I, not %s", n.shown(t))
	}
	return items
}

// items are the types of a list of children.
func (n *typing) items(es []Elem, expect *term.Type) []*term.Type {
	return spliced(es, expect, n.term, n.list, n.mapped)
}

// mapped is the type of the pattern of a spread at each place of its lists.
func (n *typing) mapped(e Elem, expect *term.Type) []*term.Type {
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
func (n *typing) elements(lists []string) *term.Type {
	out := term.TupleOf()
	for _, l := range lists {
		out.Parts = append(out.Parts, cmp.Or(n.metas[l], term.TupleOf()))
	}
	return out
}

// here is the type of an element of a list at the place that is being typed.
func (n *typing) here(list string) *term.Type {
	switch {
	case n.part[list] != nil:
		return n.part[list]
	case n.placeNow == "":
		return n.metas[list]
	}
	return n.at(n.metas[list], n.placeNow)
}

// length is that of a list of terms, or of the components of a tuple.
func (n *typing) length(name string) term.Size {
	if n.rule.Vars.Sort[name] != SortType {
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
func (n *typing) list(l *ListPat) []*term.Type {
	switch l.Kind {
	case LVar:
		return n.every(lengthOf(l.Name), n.metas[l.Name])
	case LBound:
		return n.every(n.Rank(n.binders[l.Name]), term.ArrayOf(term.I))
	case LLit:
		return n.items(l.Elems, term.ArrayOf(term.I))
	case LPermute, LUnpermute:
		arg := n.list(l.Arg)
		n.assume(func() bool { return n.prefix(n.attr(l.Perm, SortPerm).moves, kinds(arg)) })
		if len(arg) == 1 && isEach(arg[0]) {
			return arg
		}
		n.indices(arg, l.Pos) // or they would change places
		return n.every(kinds(arg), term.ArrayOf(term.I))
	case LUnravel:
		n.indices([]*term.Type{n.term(l.Index, term.ArrayOf(term.I))}, l.Pos)
		return n.every(n.Rank(n.attr(l.Sizes, SortSizes).sizes), term.ArrayOf(term.I))
	case LSubst:
		n.substitution(l.Subs)
		return n.list(l.Arg)
	}
	panic(undecided{"this list has no type"})
}

// prefix asks that a list is as long as permutations of its first elements need.
func (n *typing) prefix(ms []move, length term.Size) bool {
	return !slices.ContainsFunc(n.moves(ms), func(m move) bool { return !n.demand(n.size(length).Sub(n.reach(m))) })
}

func (n *typing) substitution(subs []Binding) {
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

func (n *typing) axes(of *Pattern, sizes *AttrExpr) []term.Size {
	if of == nil {
		return n.attr(sizes, SortSizes).sizes
	}
	t := n.Force(n.term(of, nil), term.KArray)
	n.need(of.Pos, t.Kind == term.KArray, "expected an array, found %s", n.shown(t))
	return t.Shape
}
