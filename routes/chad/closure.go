package chad

import (
	"fmt"
	"strconv"

	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
)

// Closure conversion (002, Appendix C). A function is a closure: a tuple of what it captures,
// with a function that captures nothing, of a type that hides that of the tuple.
var (
	fClosed = form("closed", formClosed.Of(typOwn, typA), func(_ *fun.Machine, t *fun.Term, _ []fun.Value) fun.Value {
		return fun.FunctionOf(func(m *fun.Machine, x fun.Value) fun.Value {
			return m.Value(t.Kids[0], []fun.Value{x})
		})
	}, typA).Binding(1)
	fCall = form("call", typB, withOperands(func(m *fun.Machine, _ *fun.Term, f, x fun.Value) fun.Value {
		return m.Apply(f, x)
	}), formClosed.Of(typA, typB), typA)
	// The type of a pack is Some env a b; of its derivative the N is 1.
	fPack = &fun.Form{
		Name: "pack", Arity: 1,
		Result: func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) {
			p := t.Type.Parts
			want, out := opened(p[0], p[1], p[2]), formSome.Of(p[1:]...)
			if t.N == 1 {
				want, out = Primal(want), Primal(out)
			}
			return out, must(kids[0], want, "what is packed")
		},
		Eval: withOperand(func(_ *fun.Machine, t *fun.Term, x fun.Value) fun.Value {
			return &packed{t.Type.Parts[0], x}
		}),
	}
	fUnpack = (&fun.Form{
		Name: "unpack", Arity: 2,
		Bound: func(t *fun.Term, kids []*fun.Type, k int) []*fun.Type {
			if k == 0 || len(kids[0].Parts) != 2 {
				return nil
			}
			out := opened(alpha(t.N), kids[0].Parts[0], kids[0].Parts[1])
			if kids[0].Form == formSome1 {
				out = Primal(out)
			}
			return []*fun.Type{out}
		},
		Result: func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
			if kids[0].Form != formSome && kids[0].Form != formSome1 {
				return nil, fmt.Errorf("unpack of %s", kids[0])
			}
			return kids[1], nil
		},
		Eval: func(m *fun.Machine, t *fun.Term, env []fun.Value) fun.Value {
			x := m.Value(t.Kids[0], env)
			return m.Value(t.Kids[1], append(env, x.(*packed).x))
		},
		Print: func(p *fun.Printer, t *fun.Term, prec int) {
			p.Paren(prec, fun.PrecExpr, func() {
				name := p.Fresh(t, 0)
				p.Text("case ")
				p.Term(t.Kids[0], fun.PrecExpr+1)
				p.Text(" of pack " + name + " -> ")
				p.Under([]string{name}, func() { p.Term(t.Kids[1], fun.PrecExpr) })
			})
		},
	}).Binding(0, 1)
	// The cotangent of a closure as that of what is in it: an error if it is of another.
	lCast = &fun.Form{
		Name: "lcast", Arity: 1,
		Result: func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) {
			p := t.Type.Parts
			return cotangent(opened(p[0], p[1], p[2])), must(kids[0], formSome2.Of(p[1:]...), "what is cast")
		},
		Eval: withOperand(func(m *fun.Machine, t *fun.Term, x fun.Value) fun.Value {
			if x == nil {
				return nil
			}
			p := x.(*packed)
			if !p.tag.Equal(t.Type.Parts[0]) {
				raise.Error(&SideError{"a cast"})
			}
			m.Step(1)
			return p.x
		}),
	}
	// lpack c x is a cotangent of the closure c.
	lPackAs = form("lpack", formSome2.Of(typA, typB), withOperands(func(_ *fun.Machine, _ *fun.Term, c, x fun.Value) fun.Value {
		if x == nil {
			return nil
		}
		return &packed{c.(*packed).tag, x}
	}), formSome1.Of(typA, typB), typCtx)
	// local x m is what a computation with one variable, x at the beginning, leaves in it.
	evLocal = form("local", formEVM.Of(typOwn, fun.Prod(typA, fun.Unit)), evmScope.Eval, typA, formEVM.Of(formMore.Of(none, typA), fun.Unit))
)

func init() {
	fClosed.Closed = true
	fClosed.Bound = func(t *fun.Term, _ []*fun.Type, _ int) []*fun.Type { return []*fun.Type{t.Type} }
	fClosed.Print = fun.Lam.Print
}

// packed is a closure, or a cotangent of one, with the type of what it captures as its tag.
type packed struct {
	tag *fun.Type
	x   fun.Value
}

// opened is the type of what is in a closure from a to b that captures a tuple of type env.
func opened(env, a, b *fun.Type) *fun.Type {
	return fun.Prod(env, formClosed.Of(fun.Prod(env, a), b))
}

// alpha is the type that the n-th unpack makes known.
func alpha(n int) *fun.Type { return variableType("α" + strconv.Itoa(n)) }

// convert makes closures of the functions of a program.
func convert(p *fun.Program) (_ *fun.Program, err error) {
	defer raise.Caught(&err)
	levels := slice.Make(len(p.Context), func(i int) int { return i })
	c := &converter{types: p.Context, levels: levels, depth: len(p.Context), fresh: new(int)}
	body, _ := c.term(p.Body)
	return &fun.Program{Names: p.Names, Context: p.Context, Body: body, Result: p.Result}, nil
}

// converted is a type of functions as closures.
func converted(t *fun.Type) *fun.Type {
	switch t.Kind {
	case fun.KProd, fun.KSum:
		return t.MapParts(converted)
	case fun.KFun:
		return formSome.Of(converted(t.Parts[0]), converted(t.Parts[1]))
	}
	return t
}

// converter makes closures; it knows the types of variables and which of the target they are.
type converter struct {
	types  []*fun.Type
	levels []int
	depth  int
	fresh  *int
}

func (c *converter) term(t *fun.Term) (*fun.Term, *fun.Type) {
	switch t.Form {
	case fun.Var:
		at := len(c.levels) - 1 - t.N
		return v(c.depth - 1 - c.levels[at]), c.types[at]
	case fun.Lam:
		return c.closure(t)
	case fun.App:
		return c.call(t)
	case fun.Rec:
		raise.Error(t.Locate(&UnsupportedError{t.Called()}))
	}
	out, kids := *t, make([]*fun.Type, len(t.Kids))
	out.Kids = make([]*fun.Term, len(t.Kids))
	if t.Type != nil {
		out.Type = converted(t.Type)
	}
	for k, kid := range t.Kids {
		n, depth := len(c.types), c.depth
		if t.Form.Bound != nil {
			for _, b := range t.Form.Bound(&out, kids[:k], k) {
				c.types, c.levels = append(c.types[:len(c.types):len(c.types)], b), append(c.levels, c.depth)
				c.depth++
			}
		}
		out.Kids[k], kids[k] = c.term(kid)
		c.types, c.levels, c.depth = c.types[:n], c.levels[:n], depth
	}
	return &out, result(&out, kids...)
}

// closure is pack ⟨what is captured, \p -> body⟩, where the body's variables are taken out of
// p one after another.
func (c *converter) closure(t *fun.Term) (*fun.Term, *fun.Type) {
	arg, n := converted(t.Type), len(t.Caps)
	inner := &converter{depth: 2*n + 2, fresh: c.fresh}
	env, envType := fun.Star.Make(), fun.Unit
	for j := n; j >= 1; j-- {
		at := len(c.levels) - 1 - t.Caps[j-1]
		env, envType = pair(v(c.depth-1-c.levels[at]), env), fun.Prod(c.types[at], envType)
		inner.types, inner.levels = append(inner.types, c.types[at]), append(inner.levels, 2*j)
	}
	inner.types, inner.levels = append(inner.types, arg), append(inner.levels, 2*n+1)
	body, to := inner.term(t.Kids[0])
	body = fun.LetIn(fun.Snd.Make(v(2*n)), body)
	for j := n; j >= 1; j-- {
		body = fun.LetIn(fun.Fst.Make(v(0)), body)
		rest := fun.Fst.Make(v(0)) // of p
		if j > 1 {
			rest = fun.Snd.Make(v(1)) // of what was left
		}
		body = fun.LetIn(rest, body)
	}
	code := fClosed.Typed(fun.Prod(envType, arg), body)
	return fPack.Typed(formSome.Of(envType, arg, to), pair(env, code)), formSome.Of(arg, to)
}

func (c *converter) call(t *fun.Term) (*fun.Term, *fun.Type) {
	f, typ := c.term(t.Kids[0])
	c.depth++
	a, _ := c.term(t.Kids[1])
	c.depth--
	*c.fresh++
	out := fUnpack.Make(f, fCall.Make(fun.Snd.Make(v(0)), pair(fun.Fst.Make(v(0)), a)))
	out.N = *c.fresh
	return out, typ.Parts[1]
}

// closures is the derivative of a form of closure conversion.
func (t *transformer) closures(s *fun.Term) (*fun.Term, *fun.Type) {
	switch s.Form {
	case fClosed:
		body, to := t.inside([]*fun.Type{s.Type}).term(s.Kids[0])
		return t.leaf(fClosed.Typed(Primal(s.Type), body), formClosed.Of(s.Type, to))
	case fCall:
		return t.call(s)
	}
	a, of := t.term(s.Kids[0])
	if s.Form == fPack {
		typ := result(s, of)
		x := fPack.Typed(s.Type, primal(v(0)))
		x.N = 1
		back := backprop(typ, through(lCast.Typed(s.Type, v(0))), 0)
		return fun.LetIn(a, pair(x, back)), typ
	}
	body, typ := t.bound(opened(alpha(s.N), of.Parts[0], of.Parts[1]), s.Kids[1], func(x, of *fun.Term) *fun.Term {
		return lPackAs.Make(primal(of), x)
	})
	out := fUnpack.Make(primal(v(0)), body)
	out.N = s.N
	return fun.LetIn(a, out), typ
}

// call is the derivative of a call of a closed function: its backpropagator works on a
// context of its own, of the argument.
func (t *transformer) call(s *fun.Term) (*fun.Term, *fun.Type) {
	both, typ, of := t.operands(s)
	l, out := cotangent(of), typ.Parts[1]
	local := evLocal.Typed(t.here(), zeroOf(l), through(v(0)))
	next := fun.Capturing(fun.Prod(l, fun.Unit), backward(fun.Snd.Make(v(1)), fun.Fst.Make(v(0))), 2)
	back := backprop(out, evmBind.Make(local, next), 0, 1)
	return called(both, fCall, back), out
}
