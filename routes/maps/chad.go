package maps

import (
	"errors"
	"fmt"

	"egad/ad"
	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/rules"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// combinator makes C[t].
type combinator struct {
	maker
	lib   *rules.Library
	m     *fun.Machine
	names map[uint32]term.Hint // of primal values, by the lets that name them
}

// known is a term of the core that has been read: its value, and C of it.
type known struct {
	v fun.Value
	c *term.Term // T[A] -o Γ*, of a term of type A
}

// scoped is a variable of the core.
type scoped struct {
	variable
	v fun.Value
}

// UnsupportedError says that C[t] is not defined for a program.
type UnsupportedError struct{ What string }

func (e *UnsupportedError) Error() string { return "C[t] is not there of " + e.What }

// term is C[t] (002, Fig. 2, as a map), with the value of t.
func (c *combinator) term(t *fun.Typed, g *environment, env []scoped) known {
	switch t.Form {
	case fun.Var:
		x := env[len(env)-1-t.N]
		return known{x.v, c.into(x.variable, g)}
	case fun.Let:
		a := c.term(t.Parts[0], g, env)
		if x, ok := a.v.(term.Term); ok && len(t.Name) > 0 && t.Name[0] != "" {
			if _, ok := c.names[x.ID]; !ok && c.s.Op(x).Sym != ops.SymVar && c.s.Op(x).Const == nil {
				c.names[x.ID] = term.NewHint(t.Name[0], len(c.names))
			}
		}
		return c.bound(t.Parts[1], g, env, a.v, t.Parts[0].Of, a.c)
	case fun.Case:
		return c.cases(t, g, env)
	case fun.Build:
		return c.build(t, g, env)
	case fun.Star, fun.Pair, fun.Fst, fun.Snd, fun.Inl, fun.Inr, fun.Lit, fun.Prim, fun.Sign, fun.Index, fun.Length, fun.List:
		return c.strict(t, g, env)
	case fun.Lam, fun.Rec, fun.App:
		raise.Error(&UnsupportedError{"functions as values, as the transformation is of first order"})
	}
	raise.Error(t.Locate(&UnsupportedError{t.Called()}))
	return known{}
}

// bound is C of a body in which a variable of a value is bound; of is the map from the changes
// of the variable to Γ*: (1 ⋈ of) ∘ C[body].
func (c *combinator) bound(body *fun.Typed, g *environment, env []scoped, v fun.Value, typ *fun.Type, of *term.Term) known {
	t := c.changes(v, typ)
	in := g.bind(t)
	out := c.term(body, in, append(env[:len(env):len(env)], scoped{variable{at: in}, v}))
	if t != nil {
		out.c = c.after(c.drop(of, in), out.c)
	}
	return out
}

// cases is C of a case: that of its branch, or of either by a condition where the side is not
// known.
func (c *combinator) cases(t *fun.Typed, g *environment, env []scoped) (out known) {
	a, sides := c.term(t.Parts[0], g, env), t.Parts[0].Of.Parts
	l, r, on := c.d.Sides(a.v)
	parts := []*types.Type{c.changes(l, sides[0]), c.changes(r, sides[1])}
	var maps [2]*term.Term
	branch := func(i int) func(fun.Value) fun.Value {
		return func(v fun.Value) fun.Value {
			of := c.after(a.c, c.part(ops.SymLinj, i, parts...))
			b := c.bound(t.Parts[1+i], g, env, v, sides[i], of)
			maps[i] = b.c
			return b.v
		}
	}
	switch {
	case r == nil:
		out.v = branch(0)(l)
	case l == nil:
		out.v = branch(1)(r)
	default:
		out.v = c.d.Case(a.v, branch(0), branch(1))
	}
	if on == nil {
		out.c = c.add(maps[0], maps[1]) // there is one
		return out
	}
	to := c.changes(out.v, t.Of)
	out.c = c.add(c.after(maps[0], c.when(on[0], to)), c.after(maps[1], c.when(on[1], to)))
	return out
}

// strict is C of a form that binds nothing.
func (c *combinator) strict(t *fun.Typed, g *environment, env []scoped) (out known) {
	kids := slice.Map(t.Parts, func(k *fun.Typed) known { return c.term(k, g, env) })
	out.v = raise.Must(c.m.Eval(t.OnVariables(), slice.Map(kids, func(k known) fun.Value { return k.v })))
	to := c.changes(out.v, t.Of)
	if to == nil || g.all == nil {
		return out
	}
	of := slice.Make(len(kids), func(i int) *types.Type { return c.changes(kids[i].v, t.Parts[i].Of) })
	if out.c = c.form(t, kids, of, out, to); out.c == nil {
		out.c = c.zero(to, g.all)
	}
	return out
}

// form is C of a form of given operands, of the changes of; to are those of the result. Nil
// stands for 0.
func (c *combinator) form(t *fun.Typed, kids []known, of []*types.Type, result known, to *types.Type) *term.Term {
	switch t.Form {
	case fun.Pair:
		return c.join(kids[0].c, kids[1].c)
	case fun.Fst, fun.Snd:
		l, r := c.halfChanges(kids[0].v, t.Parts[0].Of)
		return c.after(kids[0].c, c.part(ops.SymLinj, fun.Place(t.Form == fun.Snd), l, r))
	case fun.Inl, fun.Inr:
		l, r := c.halfChanges(result.v, t.Of)
		return c.after(kids[0].c, c.part(ops.SymLproj, fun.Place(t.Form == fun.Inr), l, r))
	case fun.Prim:
		if of[0] == nil {
			return nil
		}
		return c.after(kids[0].c, c.operator(t.Op, kids[0], of[0]))
	case fun.Index:
		n := c.d.Length(kids[0].v).(int64)
		if of[0] == nil || !stacked(n, to).Equal(of[0]) {
			return nil // outside, where the arrays in an element are empty
		}
		return c.after(kids[0].c, c.place(n, c.d.Scalar(kids[1].v), to, false))
	case fun.List:
		var sum *term.Term
		for i, k := range kids {
			sum = c.add(sum, c.after(k.c, c.place(int64(len(kids)), c.s.LitInt(int64(i)), of[i], true)))
		}
		return sum
	}
	return nil // of literals and sign
}

// operator is the map from a change of the result of an operator to that of its operands, which
// are a tuple: its local maps, transposed (Dopᵗ), as the rules of nabla have them.
func (c *combinator) operator(op ops.Op, x known, of *types.Type) *term.Term {
	n := ops.Builtin(op.Sym).Arity
	operands := slice.Map(fun.Untuple(x.v, n), c.d.Scalar)
	result := c.s.MustMake(op, nil, nil, operands)
	maps := raise.Must(ad.LocalMaps(c.lib, c.s, result))
	real := c.s.Type(result)
	var out *term.Term
	for i, x := range operands {
		if !c.s.Type(x).Differentiable() {
			continue
		}
		m := c.zero(real, real)
		if local, ok := maps[i]; ok {
			m = c.transposed(local)
		}
		out = c.pair(out, m)
	}
	if out == nil || !c.s.Type(*out).Parts[1].Equal(of) {
		raise.Error(fmt.Errorf("the local maps of %s are not those of its operands", ops.Builtin(op.Sym).Text()))
	}
	return out
}

// transposed is mᵀ, which of a diagonal map is the map.
func (c *combinator) transposed(m term.Term) *term.Term {
	switch c.s.Op(m).Sym {
	case ops.SymLone, ops.SymLzero, ops.SymLscale, ops.SymLmask, ops.SymLcond:
		return &m
	}
	return c.make(ops.Op{Sym: ops.SymLtranspose}, m)
}

// build is B' of C of the elements, one for each real in an element.
func (c *combinator) build(t *fun.Typed, g *environment, env []scoped) (out known) {
	n, ok := c.term(t.Parts[0], g, env).v.(int64)
	if !ok {
		raise.Error(errors.New("the length of an array is not known until the program runs"))
	}
	var elem known
	var at term.Term
	out.v = c.d.Array(n, t.Type, func(i fun.Value) fun.Value {
		at = i.(term.Term)
		elem = c.bound(t.Parts[1], g, env, i, fun.Int, nil)
		return elem.v
	})
	if elem.c != nil {
		out.c = c.elements(n, at, elem.c, c.changes(elem.v, t.Type))
	}
	return out
}

func (c *combinator) elements(n int64, i term.Term, m *term.Term, elem *types.Type) *term.Term {
	if elem.Kind == types.KTuple {
		var out *term.Term
		for k, p := range elem.Parts {
			part := c.elements(n, i, c.after(m, c.part(ops.SymLinj, k, elem.Parts...)), p)
			out = c.join(out, part)
		}
		return out
	}
	b := c.s.MustMake(ops.Op{Sym: ops.SymLbuildT, Sizes: []size.Size{size.Const(n)}}, nil, i.Args[:1], []term.Term{*m})
	return &b
}
