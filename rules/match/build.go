package match

import (
	"egad/rules"
	"egad/rules/syntax"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// Build makes the right side of a match in s. It is false if a function of the
// right side has no value there; a mistake in the rule is an error.
func (m *Match) Build(s Space) (r slot.Ref, ok bool, err error) {
	b := &builder{space: s, m: m}
	var expect *types.Type // of the right side, if it equals the left one
	if m.Rule.Kind == syntax.Rewrite {
		expect = s.Type(m.Root)
	}
	ok, err = b.guard(func() { r = b.term(m.Rule.Rhs, expect) })
	return r, ok, err
}

// BuildMaps makes the linear maps of a derivative rule, one for each operand
// that has one; the others are missing from the result.
func (m *Match) BuildMaps(s Space) (maps map[int]slot.Ref, ok bool, err error) {
	b := &builder{space: s, m: m}
	maps = make(map[int]slot.Ref)
	ok, err = b.guard(func() {
		at := 0
		for _, e := range m.Rule.Maps {
			if e.Kind == rules.ENone {
				at++
				continue
			}
			for _, r := range b.elems([]rules.Elem{e}, nil) {
				b.fits(r, at)
				maps[at] = r
				at++
			}
		}
	})
	return maps, ok, err
}

// fits checks that a map goes from an operand of the left side to its result.
func (b *builder) fits(m slot.Ref, operand int) {
	b.space.Nodes(b.m.Root, func(v term.View) bool {
		if operand >= len(v.Kids) {
			b.fail("there are more maps than operands")
		}
		want, got := types.LinOf(b.space.Type(v.Kids[operand]), Changes(b.space.Type(b.m.Root))), b.space.Type(m)
		if !got.Equal(want) {
			b.fail("the map of operand %d has type %s and must have %s", operand, got, want)
		}
		return false
	})
}

// term builds a pattern. Expect is the type that the context gives to a literal,
// nil if it gives none.
func (b *builder) term(p *rules.Pattern, expect *types.Type) slot.Ref {
	if (p.Kind == rules.PSubst || p.Kind == rules.PPreimage) && b.find != nil {
		b.noValue("a substitution adds terms")
	}
	switch p.Kind {
	case rules.PMeta:
		return b.value(p.Name).Ref
	case rules.PElem:
		return b.m.Get(p.Name).Terms[b.place]
	case rules.PLetVar:
		return b.letVar(p.Name)
	case rules.PLet:
		return b.let(p)
	case rules.PIvar:
		return b.variable(b.m.Get(p.Name))
	case rules.PSelf:
		return b.m.Root
	case rules.PPosition:
		return b.int(int64(b.place))
	case rules.PNumber, rules.PTruth, rules.PZero, rules.PLit:
		return b.literal(p, expect)
	case rules.PSizeVal:
		return b.sizeValue(p)
	case rules.PSubst:
		x := b.term(p.X, expect)
		if b.isLet(p.Subs[0].Var) {
			return b.substLet(x, p.Subs[0].Var, b.term(p.Subs[0].By, nil))
		}
		return b.space.Subst(x, b.substitution(p.Subs))
	case rules.PInside:
		return b.inside(b.elems(p.Kids, nil), b.axes(p.X, p.Lit))
	case rules.PSpread:
		r := b.term(p.X, nil)
		sizes := b.sizes(p.Lit)
		for i := len(sizes) - 1; i >= 0; i-- {
			r = b.make(ops.Op{Sym: ops.SymReplicate, Sizes: sizes[i : i+1]}, nil, nil, []slot.Ref{r})
		}
		return r
	case rules.PPlace:
		return b.placed(b.size(p.Lit), b.term(p.Kids[0].Pat, types.ArrayOf(types.I)), b.term(p.X, nil))
	case rules.PRavel:
		return b.ravel(b.sizes(p.Lit), b.elems(p.Kids, nil))
	case rules.PDigits:
		return b.digits(b.sizes(p.Lit))
	case rules.PPreimage:
		return b.preimage(b.m.Get(p.Subs[0].Var).Index, b.term(p.X, nil), b.term(p.Subs[0].By, types.ArrayOf(types.I)))
	case rules.PMultiples, rules.POthers:
		of, others := b.multiples(b.term(p.X, nil), b.attr(p.Lit, rules.SortLit).lit.Int)
		if p.Kind == rules.POthers {
			return others
		}
		return of
	case rules.PNth:
		l, n := b.list(p.Kids[0].List), b.attr(p.Lit, rules.SortInt).n
		if n >= len(l) {
			b.fail("no element %d in a list of %d", n, len(l))
		}
		return l[n]
	case rules.PTotal:
		return b.total(b.elems(p.Kids, nil))
	case rules.PInject:
		return b.inject(b.attr(p.Lit, rules.SortInt).n, b.typ(p.LitFor), b.term(p.X, nil))
	case rules.PApp:
		return b.application(p, expect)
	case rules.PMeant:
		var op ops.Op
		b.attributes(p, &op)
		var kids []slot.Ref
		for i, e := range p.Kids {
			kids = append(kids, b.elems([]rules.Elem{e}, p.Meant.Kid(i))...)
		}
		return p.Meant.Apply(op, kids, func(op ops.Op, kids []slot.Ref) slot.Ref { return b.make(op, nil, nil, kids) }, b.sizeInt)
	}
	b.fail("this form is not built")
	return slot.Ref{}
}
