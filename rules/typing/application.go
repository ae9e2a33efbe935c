package typing

import (
	"slices"

	"egad/rules"
	"egad/rules/match"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// application is the type of an operator applied to operands.
func (n *unifier) application(p *rules.Pattern, expect *types.Type) *types.Type {
	a := &applied{Op: ops.Op{Sym: p.Sym}}
	if p.Name != "" {
		a.Sym = n.op[p.Name][0]
	}
	o := n.sig.Operator(a.Sym)
	if o.Sorted != nil {
		return n.sorted(p, o.Sorted)
	}
	if o.Arity >= 0 && !n.rigid {
		n.count(p, o)
	}
	n.attributes(p, a)
	var kids []*types.Type
	if n.rigid && (o.Elementwise || a.Sym == ops.SymCond) {
		kids = n.pointwise(p, a.Op, expect)
	} else {
		kids = n.bound(p, a)
	}
	if !n.rigid {
		if n.ops[p] == nil {
			n.applied = append(n.applied, p)
		}
		n.ops[p] = a
	}
	n.current, a.kids = a, kids
	if o.Arity < 0 && len(o.Ports) > 0 && len(kids) > 0 && isEach(kids[0]) {
		n.fail(p.Pos, "%s takes one %s, and this is a list of terms", o.Name, o.Ports[0])
	}
	t, err := ops.InferType(n, n.sig.Operator(a.Op.Sym), a.Op, kids)
	if err != nil {
		n.fail(p.Pos, "%s", err.Msg)
	}
	return t
}

// count chooses how long the lists of operands of an operator are.
func (n *unifier) count(p *rules.Pattern, o *ops.Operator) {
	var open []size.Size
	left := int64(o.Arity)
	for _, e := range rules.Flatten(p.Kids) {
		size := number(1)
		switch e.Kind {
		case rules.ESplice:
			size = n.size(kinds(n.list(e.List)))
		case rules.EMap:
			size = n.length(e.Over[0])
		}
		if k, known := size.Const(); known {
			left -= k
		} else {
			open = append(open, size)
		}
	}
	for i, length := range open {
		k := left
		if i < len(open)-1 && left > 0 {
			k = int64(n.pick(int(left + 1)))
		}
		n.need(p.Pos, n.Sizes(length, size.Const(k)), "%s takes other operands", o.Name)
		left -= k
	}
	n.need(p.Pos, left == 0, "%s takes other operands", o.Name)
}

// pointwise are the types of the operands of elementwise operators and cond on the
// right side. A literal gets its type from the others.
func (n *unifier) pointwise(p *rules.Pattern, op ops.Op, expect *types.Type) []*types.Type {
	kids, literals := match.Apart(p.Kids, func(e rules.Elem) []*types.Type { return n.items([]rules.Elem{e}, expect) })
	if expect != nil {
		expect = n.Resolve(expect)
	}
	given := slices.Clone(kids)
	for i := range kids {
		if q := literals[i]; q != nil {
			kids[i] = n.literal(q, match.Sibling(op, given, i, expect))
		}
	}
	return kids
}

// attributes fills in the static attributes of an operator.
func (n *unifier) attributes(p *rules.Pattern, a *applied) {
	if x := p.Attrs.Sizes; x != nil {
		a.Sizes = n.attr(x, rules.SortSizes).sizes
	}
	if x := p.Attrs.Targets; x != nil {
		a.Targets = n.attr(x, rules.SortSizes).sizes
	}
	if x := p.Attrs.Perm; x != nil {
		a.moves = n.attr(x, rules.SortPerm).moves
	}
	if x := p.Attrs.N; x != nil {
		a.nth = n.attr(x, rules.SortInt).size
		if k, known := a.nth.Const(); known {
			a.N = int(k) // for messages
		}
	}
	_, form, _ := n.sig.Form(n.sig.Operator(a.Sym).Name)
	for _, k := range form {
		switch k {
		case ops.FormType:
			a.Type = n.typeOr(p.Attrs.Type)
		case ops.FormType2:
			a.Type2 = n.typeOr(p.Attrs.Type2)
		}
	}
}

// typeOr is the type that a pattern says, or on a left side any type.
func (n *unifier) typeOr(p *rules.TypePat) *types.Type {
	switch {
	case p != nil:
		return n.typ(p)
	case n.rigid:
		panic(undecided{"a type that is left out"})
	}
	return variable(n.fresh())
}

// bound gives the binders of an operator their ranges, and types its operands. The
// array of a gather or scatter is outside of them.
func (n *unifier) bound(p *rules.Pattern, a *applied) []*types.Type {
	b := p.Binders
	if b == nil {
		return n.items(p.Kids, nil)
	}
	o := n.sig.Operator(a.Sym)
	kids, body := n.items(p.Kids[:o.Outer()], nil), p.Kids[o.Outer():]
	if o.OwnRanges() {
		t := a.Type
		if len(kids) > 0 {
			t = kids[0]
		}
		t = n.Force(t, types.KArray)
		n.need(p.Pos, t.Kind == types.KArray, "expected an array, found %s", n.shown(t))
		k := number(len(b.Heads))
		if b.Rest != "" {
			if _, known := n.binders[b.Rest]; !known {
				n.need(p.Pos, !n.rigid, "the number of binders of a scatter is not known")
				n.binders[b.Rest] = list(n.fresh())
			}
			k = k.Add(n.Rank(n.binders[b.Rest]))
		}
		front, _, ok := n.Split(t.Shape, k)
		n.need(p.Pos, ok, "there are more binders than axes")
		a.Sizes = front
	}
	if b.State != "" {
		a.Type = n.Arrays(kids[0])
		n.locals[b.State] = a.Type
		if !n.rigid {
			n.leftLocals[b.State] = a.Type
		}
	}
	heads, rest, ok := n.Split(a.Sizes, number(len(b.Heads)))
	n.need(p.Pos, ok && (b.Rest != "" || n.Shapes(rest, nil)), "the binders are not as many as the sizes")
	heads = n.norm(heads)
	for i, h := range b.Heads {
		if i >= len(heads) || isList(heads[i]) {
			panic(undecided{"the range of a binder is not known"})
		}
		n.setRange(p, h, heads[i:i+1])
	}
	if b.Rest != "" {
		n.setRange(p, b.Rest, rest)
	}
	return append(kids, n.items(body, nil)...)
}

// setRange gives a bound variable, or a list of them, its range. Those of one name on
// the left side have one range; on the right side they are as many.
func (n *unifier) setRange(p *rules.Pattern, name string, ss []size.Size) {
	old, met := n.binders[name]
	if met && n.rigid {
		n.need(p.Pos, n.Sizes(n.Rank(old), n.Rank(ss)), "the binders are not as many as the sizes")
	} else if met {
		n.need(p.Pos, n.Shapes(old, ss), "the ranges of %s differ", name)
	}
	n.binders[name] = ss
}
