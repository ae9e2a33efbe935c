package match

import (
	"slices"

	"egad/rules"
	"egad/slot"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// valueless makes a function without a value a condition that does not hold.
func valueless(holds *bool) {
	if f, is := failed(recover()); is {
		if f.mistake {
			panic(f)
		}
		*holds = false
	}
}

// condition reports whether a side condition holds. It is proved from types, ranges and
// constants.
func (b *builder) condition(c *rules.Cond) (holds bool) {
	defer valueless(&holds)
	if c.Kind == rules.CondType && b.typed != nil {
		return b.typed(c, b.space.Type(b.term(c.Of, nil)))
	}
	return b.holds(c)
}

// sizeFits reports whether a literal is the size that it must be.
func (b *builder) sizeFits(x Variable) (fits bool) {
	defer valueless(&fits)
	n, ok := b.integer(x.Size.Lit).Const()
	return ok && x.Lit.Elem != types.B && sameNumber(x.Lit, numeric.Int(n))
}

// holds reports whether a condition is proved of terms that are all known, as far as the space
// shows what they are equal to. A type binds nothing.
func (b *builder) holds(c *rules.Cond) bool {
	l := b.m.Rule.Language
	some := func(r slot.Ref, is func(v term.View) bool) (found bool) {
		b.space.Nodes(r, func(v term.View) bool {
			found = is(v)
			return !found
		})
		return found
	}
	switch c.Kind {
	case rules.CondNotIn:
		x := b.m.Get(c.Name)
		names := x.binds(b.m.Rule)
		if b.m.Rule.Vars.Sort[c.Name] == rules.SortTerm { // it is a variable
			if names = x.Ref.Args; len(names) != 1 {
				return false
			}
		}
		in := func(r slot.Ref) bool { return slices.ContainsFunc(names, r.Has) }
		return !slices.ContainsFunc(c.Terms, func(t string) bool { return slices.ContainsFunc(b.m.Get(t).terms(), in) })
	case rules.CondClass:
		return c.Class.Has(b.space.Signature().Operator(b.m.Get(c.Name).Op.Sym))
	case rules.CondOrder:
		if x, _, known := b.numeral(c.L); known {
			if y, _, known := b.numeral(c.R); known {
				return b.inOrder(c, x, y)
			}
		}
		return compare(c.Op, b.operand(c.L), b.operand(c.R))
	case rules.CondFinite:
		return finite(b.operand(c.L))
	case rules.CondInside:
		return b.indices(c, func(x slot.Ref, n int64, outside bool) bool {
			r := b.space.Bounds(x).Int
			return outside && (r.Hi < 0 || r.Lo >= n) || !outside && r.Lo >= 0 && r.Hi < n
		})
	case rules.CondFact:
		x := b.known(c.L, nil)
		return b.space.Same(x, b.truth(x, b.known))
	case rules.CondSame:
		x, y := b.sides(c)
		return b.space.Same(x, y)
	case rules.CondLiteral, rules.CondNotLiteral:
		literal := some(b.known(c.L, nil), func(v term.View) bool { return v.Op.Sym == ops.SymConst })
		return literal == (c.Kind == rules.CondLiteral)
	case rules.CondSymbol:
		return some(b.term(c.L, nil), func(v term.View) bool { return l.IsSymbol(v.Op) })
	case rules.CondVariable:
		is := false
		b.space.Nodes(b.term(c.L, nil), func(v term.View) bool { // the term itself comes first: right sides bind its name
			is = len(v.Own) > 0
			return false
		})
		return is
	case rules.CondDistinct:
		y := b.term(c.R, nil)
		return some(b.term(c.L, nil), func(v term.View) bool {
			return l.IsAtom(v.Op) && some(y, func(w term.View) bool { return l.IsAtom(w.Op) && l.Differ(v.Op, w.Op) })
		})
	case rules.CondEqual, rules.CondDiffer:
		s := rules.AttrSortOf(c.A, c.B)
		return b.attr(c.A, s).equal(b.attr(c.B, s)) == (c.Kind == rules.CondEqual)
	case rules.CondType:
		return b.typ(c.Type).Equal(b.space.Type(b.term(c.Of, nil)))
	}
	return false
}

// indices reports whether all indices of a condition are inside of axes, or one of them is outside,
// where is decides that for an index and a size.
func (b *builder) indices(c *rules.Cond, is func(x slot.Ref, n int64, outside bool) bool) bool {
	ix, sizes, outside := b.list(c.Ix), b.axes(c.Of, c.Sizes), c.Op == "outside"
	if len(ix) > len(sizes) {
		return false
	}
	for i, x := range ix {
		if n, known := sizes[i].Const(); (known && is(x, n, outside)) == outside {
			return outside
		}
	}
	return !outside
}

// axes is the sizes that indices are compared with.
func (b *builder) axes(of *rules.Pattern, sizes *rules.AttrExpr) []size.Size {
	if of == nil {
		return b.sizes(sizes)
	}
	return b.space.Type(b.term(of, nil)).Shape
}

// inside is the truth value of 0 <= ix < sizes, component by component.
func (b *builder) inside(ix []slot.Ref, sizes []size.Size) slot.Ref {
	if len(ix) > len(sizes) {
		b.fail("more indices than axes")
	}
	var all *slot.Ref
	for i, x := range ix {
		c := b.apply(ops.SymAnd, b.apply(ops.SymLe, b.int(0), x), b.apply(ops.SymLt, x, b.sizeInt(sizes[i])))
		if all != nil {
			c = b.apply(ops.SymAnd, *all, c)
		}
		all = &c
	}
	if all == nil {
		return b.fill(ops.ScalarB(true), nil)
	}
	return *all
}
