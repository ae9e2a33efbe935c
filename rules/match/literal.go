package match

import (
	"slices"

	"egad/internal/slice"
	"egad/rules"
	"egad/slot"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// total adds arrays, linear maps, or tuples component by component, from the
// left.
func (b *builder) total(ts []slot.Ref) slot.Ref {
	if len(ts) == 0 {
		b.fail("the total of nothing")
	}
	t := b.space.Type(ts[0])
	if t.Kind != types.KTuple {
		r, plus := ts[0], ops.SymAdd
		if t.Kind == types.KLin {
			plus = ops.SymLadd
		}
		for _, x := range ts[1:] {
			r = b.apply(plus, r, x)
		}
		return r
	}
	parts := make([]slot.Ref, len(t.Parts))
	for i := range parts {
		parts[i] = b.total(slice.Map(ts, func(x slot.Ref) slot.Ref {
			return b.make(ops.Op{Sym: ops.SymProj, N: i}, nil, nil, []slot.Ref{x})
		}))
	}
	return b.apply(ops.SymTuple, parts...)
}

// inject is the tuple of type t that is x at component n and zero elsewhere.
func (b *builder) inject(n int, t *types.Type, x slot.Ref) slot.Ref {
	if t.Kind != types.KTuple || n >= len(t.Parts) {
		b.fail("no component %d in %s", n, t)
	}
	parts := make([]slot.Ref, len(t.Parts))
	for i, p := range t.Parts {
		if i == n {
			parts[i] = x
		} else {
			parts[i] = b.zeros(p)
		}
	}
	return b.apply(ops.SymTuple, parts...)
}

// maxPlaces bounds the array literals that place makes.
const maxPlaces = 8

// placed is the array literal of k elements that is x at u and zero elsewhere. It has no value where k or u is not
// known, or k is large.
func (b *builder) placed(k size.Size, u, x slot.Ref) slot.Ref {
	n, known := k.Const()
	at := b.space.Bounds(u).Int
	if !known || n > maxPlaces || at.Lo != at.Hi || at.Lo < 0 || at.Lo >= n {
		b.noValue("no small array, or no number of an element")
	}
	parts := slices.Repeat([]slot.Ref{b.zeros(b.space.Type(x))}, int(n))
	parts[at.Lo] = x
	return b.apply(ops.SymStack, parts...)
}

func (b *builder) int(n int64) slot.Ref { return b.fill(ops.ScalarI(n), nil) }

func (b *builder) fill(c ops.Scalar, shape []size.Size) slot.Ref {
	return b.make(ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(c), Type: types.ArrayOf(c.Elem, shape...)}, nil, nil, nil)
}

func (b *builder) literal(p *rules.Pattern, t *types.Type) slot.Ref {
	if p.Sort != nil {
		n := p.Value
		if p.Kind == rules.PLit {
			n = b.attr(p.Lit, rules.SortLit).lit.Num
		}
		return b.number(n, p.Sort)
	}
	t = b.literalType(p, t)
	v := attrValue{number: true}
	if p.Kind == rules.PLit {
		v = b.attr(p.Lit, rules.SortLit)
	}
	switch {
	case t == nil && v.number:
		b.fail("the type of a literal cannot be told from its context")
	case t == nil:
		return b.fill(v.lit, nil)
	case p.Kind == rules.PZero:
		return b.zeros(t)
	case t.Kind != types.KArray:
		b.fail("a literal is not a %s", t)
	case p.Kind == rules.PLit:
		if p.LitFor != nil && v.lit.Elem == types.I && t.Elem == types.R {
			v.lit = ops.ScalarR(numeric.Int(v.lit.Int))
		}
		return b.fill(b.literalOf(v, t.Elem), t.Shape)
	case p.Kind == rules.PTruth:
		return b.fill(ops.ScalarB(p.Truth), t.Shape)
	case t.Elem == types.R:
		return b.fill(ops.ScalarR(p.Value), t.Shape)
	}
	r := p.Value.Rat()
	if t.Elem != types.I || r == nil || !r.IsInt() || !r.Num().IsInt64() {
		b.fail("%s is not of type %s", p.Value, t)
	}
	return b.fill(ops.ScalarI(r.Num().Int64()), t.Shape)
}

// literalType is the type that a literal has on the left side, or says itself, or else t.
func (b *builder) literalType(p *rules.Pattern, t *types.Type) *types.Type {
	switch {
	case b.left != nil && b.left.Types[p] != nil:
		return b.left.Types[p]
	case p.LitFor != nil:
		return b.typ(p.LitFor)
	}
	return t
}

// zeros is the zero of a type: an array of zeros, or a tuple of them.
func (b *builder) zeros(t *types.Type) slot.Ref {
	switch t.Kind {
	case types.KArray:
		return b.fill(ops.ScalarZero(t.Elem), t.Shape)
	case types.KTuple:
		return b.apply(ops.SymTuple, slice.Map(t.Parts, b.zeros)...)
	case types.KLin:
		return b.make(ops.Op{Sym: ops.SymLzero, Type: t.Parts[0], Type2: t.Parts[1]}, nil, nil, nil)
	}
	b.fail("there is no zero of type %s", t)
	return slot.Ref{}
}

// number is a number of a language.
func (b *builder) number(n numeric.Num, sort *types.Type) slot.Ref {
	return b.make(ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(ops.ScalarR(n)), Type: sort}, nil, nil, nil)
}

// sizeValue is a size as an integer, or as an array of the type of a term.
func (b *builder) sizeValue(p *rules.Pattern) slot.Ref {
	if p.Sort != nil {
		return b.number(numOf(b.sizeLiteral(p.Lit)), p.Sort)
	}
	size, t := b.integer(p.Lit), b.literalType(p, types.ArrayOf(types.I))
	if t.Kind != types.KArray || t.Elem == types.B {
		b.fail("a size is not a %s", t)
	}
	return b.sizeAs(size, t)
}

// sizeAs is a size as an array of integers or reals. A symbolic size, of a rule under test, is
// a named input.
func (b *builder) sizeAs(s size.Size, t *types.Type) slot.Ref {
	n, ok := s.Const()
	switch {
	case !ok:
		return b.make(ops.Op{Sym: ops.SymVar, Name: "size " + s.Key(), Type: t}, nil, nil, nil)
	case t.Elem == types.R:
		return b.fill(ops.ScalarR(numeric.Int(n)), t.Shape)
	}
	return b.fill(ops.ScalarI(n), t.Shape)
}

// sizeInt is a size as an integer.
func (b *builder) sizeInt(s size.Size) slot.Ref { return b.sizeAs(s, types.ArrayOf(types.I)) }

// solveLiteral gives a literal that an equation asks for its value, among the
// attributes of an instance: c = 3, c = n + 1, c = d. It is false if there is no
// such literal of its type. What is not known yet is left.
func (b *builder) solveLiteral(c *rules.Cond, attrs []Variable) bool {
	if c.Kind != rules.CondEqual || rules.AttrSortOf(c.A, c.B) != rules.SortLit {
		return true
	}
	x, e := c.A, c.B
	if x.Kind != rules.AVar {
		x, e = e, x
	}
	if x.Kind != rules.AVar {
		return true
	}
	var v attrValue
	if ok, err := b.guard(func() { v = b.attr(e, rules.SortLit) }); !ok || err != nil {
		return true
	}
	for i := range attrs {
		a := &attrs[i]
		if a.Name != x.Name {
			continue
		}
		if a.Lit.Elem == types.B && v.number || !v.number && a.Lit.Elem != v.lit.Elem {
			return false
		}
		ok, _ := b.guard(func() { a.Lit = b.literalOf(v, a.Lit.Elem) })
		if known := b.m.Get(a.Name); known != nil {
			known.Lit = a.Lit
		}
		return ok
	}
	return true
}

// SolveLiterals gives literals among the attributes of an instance the values that equations of
// the rule ask for. It is false if there are none.
func (m *Match) SolveLiterals(sig *term.Signature, attrs []Variable) bool {
	b := &builder{space: Terms{Store: term.NewStore(sig)}, m: m}
	return !slices.ContainsFunc(m.Rule.Conds, func(c rules.Cond) bool { return !b.solveLiteral(&c, attrs) })
}
