package match

import (
	"egad/internal/slice"
	"egad/rules"
	"egad/slot"
	"egad/term/ops"
	"egad/term/types"
)

// Spliced is what the items of a list of children are, one after the other.
func Spliced[T any](es []rules.Elem, expect *types.Type, one func(*rules.Pattern, *types.Type) T, list func(*rules.ListPat) []T, each func(rules.Elem, *types.Type) []T) (out []T) {
	for _, e := range es {
		switch e.Kind {
		case rules.EOne:
			out = append(out, one(e.Pat, expect))
		case rules.ESplice:
			out = append(out, list(e.List)...)
		case rules.EMap:
			out = append(out, each(e, expect)...)
		}
	}
	return out
}

// Apart makes something of all operands but literals, which it gives by place.
func Apart[T any](es []rules.Elem, make func(rules.Elem) []T) (kids []T, literals map[int]*rules.Pattern) {
	literals = map[int]*rules.Pattern{}
	for _, e := range es {
		if e.Kind == rules.EOne && rules.IsLiteral(e.Pat) {
			literals[len(kids)] = e.Pat
			kids = append(kids, *new(T))
			continue
		}
		kids = append(kids, make(e)...)
	}
	return kids, literals
}

// list builds a list of terms.
func (b *builder) list(l *rules.ListPat) []slot.Ref {
	switch l.Kind {
	case rules.LVar:
		return b.value(l.Name).Terms
	case rules.LBound:
		x := b.m.Get(l.Name)
		return slice.Make(len(x.Names), func(i int) slot.Ref { return b.ivar(x.Names[i], x.Sizes[i]) })
	case rules.LLit:
		return b.elems(l.Elems, types.ArrayOf(types.I))
	case rules.LPermute, rules.LUnpermute:
		p, arg := b.attr(l.Perm, rules.SortPerm).perm, b.list(l.Arg)
		if len(p) > len(arg) {
			b.noValue("a list is too short")
		}
		if l.Kind == rules.LUnpermute {
			p = ops.InvertPerm(p)
		}
		out := make([]slot.Ref, len(p), len(arg))
		for i, j := range p {
			out[i] = arg[j]
		}
		return append(out, arg[len(p):]...)
	case rules.LUnravel:
		return b.unravelled(l)
	case rules.LSubst:
		env := b.substitution(l.Subs)
		arg := b.list(l.Arg)
		return slice.Map(arg, func(r slot.Ref) slot.Ref { return b.space.Subst(r, env) })
	}
	b.fail("this list is not built")
	return nil
}

// elems builds the items of a list of children.
func (b *builder) elems(es []rules.Elem, expect *types.Type) []slot.Ref {
	return Spliced(es, expect, b.term, b.list, b.mapped)
}

// mapped builds e.Pat once for each place of the lists it runs over.
func (b *builder) mapped(e rules.Elem, expect *types.Type) []slot.Ref {
	first := b.m.Get(e.Over[0])
	n := len(first.Terms)
	if first.Type != nil {
		if first.Type.Kind != types.KTuple {
			b.noValue("not a tuple")
		}
		n = len(first.Type.Parts)
	}
	for _, l := range e.Over[1:] {
		if len(b.m.Get(l).Terms) != n {
			b.noValue("lists of different length")
		}
	}
	out := make([]slot.Ref, n)
	b.places(out, func() slot.Ref { return b.term(e.Pat, expect) })
	return out
}

// places fills out with what a spread makes at each place.
func (b *builder) places(out []slot.Ref, make func() slot.Ref) {
	outer := b.place
	for i := range out {
		b.place = i
		out[i] = make()
	}
	b.place = outer
}
