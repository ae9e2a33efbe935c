package chad

import (
	"fmt"
	"strconv"

	"egad/fun"
	"egad/internal/slice"
)

// Closure conversion (002, Appendix C). A function is a closure: a tuple of what it captures,
// with a function that captures nothing, of a type that hides that of the tuple.
var (
	fClosed = (&fun.Form{Name: "closed", Arity: 1, Closed: true}).Binding(1)
	fCall   = &fun.Form{Name: "call", Arity: 2}
	fPack   = &fun.Form{Name: "pack", Arity: 1}
	fUnpack = (&fun.Form{Name: "unpack", Arity: 2}).Binding(0, 1)
	lCast   = &fun.Form{Name: "lcast", Arity: 1}
	lPackAs = &fun.Form{Name: "lpack", Arity: 2}
	evLocal = &fun.Form{Name: "local", Arity: 2}
)

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
func alpha(n int) *fun.Type { return &fun.Type{Kind: fun.KVar, Name: "α" + strconv.Itoa(n)} }

func init() {
	fClosed.Bound = func(t *fun.Term, _ []*fun.Type, _ int) []*fun.Type { return []*fun.Type{t.Type} }
	fClosed.Result = func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) { return formClosed.Of(t.Type, kids[0]), nil }
	fClosed.Eval = func(_ *fun.Machine, t *fun.Term, _ []fun.Value) (fun.Value, error) {
		return fun.FunctionOf(func(m *fun.Machine, x fun.Value) (fun.Value, error) {
			return m.Eval(t.Kids[0], []fun.Value{x})
		}), nil
	}
	fClosed.Print = fun.Lam.Print
	fCall.Result = func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		if kids[0].Form != formClosed {
			return nil, fmt.Errorf("a %s is called", kids[0])
		}
		return kids[0].Parts[1], must(kids[1], kids[0].Parts[0], "an argument")
	}
	fCall.Eval = withOperands(func(m *fun.Machine, t *fun.Term, f, x fun.Value) (fun.Value, error) {
		return m.Call(f, x)
	})
	// The type of a pack is Some env a b; of its derivative the N is 1.
	fPack.Result = func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		p := t.Type.Parts
		want, out := opened(p[0], p[1], p[2]), formSome.Of(p[1:]...)
		if t.N == 1 {
			want, out = Primal(want), Primal(out)
		}
		return out, must(kids[0], want, "what is packed")
	}
	fPack.Eval = withOperand(func(_ *fun.Machine, t *fun.Term, x fun.Value) (fun.Value, error) {
		return &packed{t.Type.Parts[0], x}, nil
	})
	fUnpack.Bound = func(t *fun.Term, kids []*fun.Type, k int) []*fun.Type {
		if k == 0 || len(kids[0].Parts) != 2 {
			return nil
		}
		out := opened(alpha(t.N), kids[0].Parts[0], kids[0].Parts[1])
		if kids[0].Form == formSome1 {
			out = Primal(out)
		}
		return []*fun.Type{out}
	}
	fUnpack.Result = func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		if kids[0].Form != formSome && kids[0].Form != formSome1 {
			return nil, fmt.Errorf("unpack of %s", kids[0])
		}
		return kids[1], nil
	}
	fUnpack.Eval = func(m *fun.Machine, t *fun.Term, env []fun.Value) (fun.Value, error) {
		x, err := m.Eval(t.Kids[0], env)
		if err != nil {
			return nil, err
		}
		return m.Eval(t.Kids[1], append(env, x.(*packed).x))
	}
	fUnpack.Print = func(p *fun.Printer, t *fun.Term, prec int) {
		p.Paren(prec, fun.PrecExpr, func() {
			name := p.Fresh(t, 0)
			p.Text("case ")
			p.Term(t.Kids[0], fun.PrecExpr+1)
			p.Text(" of pack " + name + " -> ")
			p.Under([]string{name}, func() { p.Term(t.Kids[1], fun.PrecExpr) })
		})
	}
	// The cotangent of a closure as that of what is in it: an error if it is of another.
	lCast.Result = func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		l, err := Cotangent(opened(t.Type.Parts[0], t.Type.Parts[1], t.Type.Parts[2]))
		if err != nil {
			return nil, err
		}
		return l, must(kids[0], formSome2.Of(t.Type.Parts[1:]...), "what is cast")
	}
	lCast.Eval = withOperand(func(m *fun.Machine, t *fun.Term, x fun.Value) (fun.Value, error) {
		if x == nil {
			return nil, nil
		}
		if p := x.(*packed); p.tag.Equal(t.Type.Parts[0]) {
			return p.x, m.Step(1)
		}
		return nil, &SideError{"a cast"}
	})
	// lpack c x is a cotangent of the closure c.
	lPackAs.Result = func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		if kids[0].Form != formSome1 {
			return nil, fmt.Errorf("a cotangent of %s", kids[0])
		}
		return formSome2.Of(kids[0].Parts...), nil
	}
	lPackAs.Eval = withOperands(func(_ *fun.Machine, _ *fun.Term, c, x fun.Value) (fun.Value, error) {
		if x == nil {
			return nil, nil
		}
		return &packed{c.(*packed).tag, x}, nil
	})
	// local x m is what a computation with one variable, x at the beginning, leaves in it.
	evLocal.Result = func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		want := formEVM.Of(formMore.Of(none, kids[0]), fun.Unit)
		return formEVM.Of(t.Type, fun.Prod(kids[0], fun.Unit)), must(kids[1], want, "a computation of its own")
	}
	evLocal.Eval = func(m *fun.Machine, t *fun.Term, env []fun.Value) (fun.Value, error) { return evmScope.Eval(m, t, env) }
}

// Convert makes closures of the functions of a program.
func Convert(p *fun.Program) (*fun.Program, error) {
	levels := slice.Make(len(p.Context), func(i int) int { return i })
	c := &converter{types: p.Context, levels: levels, depth: len(p.Context), fresh: new(int)}
	body, _, err := c.term(p.Body)
	return &fun.Program{Names: p.Names, Context: p.Context, Body: body, Result: p.Result}, err
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

func (c *converter) term(t *fun.Term) (*fun.Term, *fun.Type, error) {
	switch t.Form {
	case fun.Var:
		at := len(c.levels) - 1 - t.N
		return v(c.depth - 1 - c.levels[at]), c.types[at], nil
	case fun.Lam:
		return c.closure(t)
	case fun.App:
		return c.call(t)
	case fun.Rec:
		return nil, nil, t.Locate(&UnsupportedError{t.Called()})
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
		var err error
		if out.Kids[k], kids[k], err = c.term(kid); err != nil {
			return nil, nil, err
		}
		c.types, c.levels, c.depth = c.types[:n], c.levels[:n], depth
	}
	typ, err := out.Form.Result(&out, kids)
	return &out, typ, err
}

// closure is pack ⟨what is captured, \p -> body⟩, where the body's variables are taken out of
// p one after another.
func (c *converter) closure(t *fun.Term) (*fun.Term, *fun.Type, error) {
	arg, n := converted(t.Type), len(t.Caps)
	inner := &converter{depth: 2*n + 2, fresh: c.fresh}
	env, envType := fun.Star.Make(), fun.Unit
	for j := n; j >= 1; j-- {
		at := len(c.levels) - 1 - t.Caps[j-1]
		env, envType = pair(v(c.depth-1-c.levels[at]), env), fun.Prod(c.types[at], envType)
		inner.types, inner.levels = append(inner.types, c.types[at]), append(inner.levels, 2*j)
	}
	inner.types, inner.levels = append(inner.types, arg), append(inner.levels, 2*n+1)
	body, to, err := inner.term(t.Kids[0])
	if err != nil {
		return nil, nil, err
	}
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
	return fPack.Typed(formSome.Of(envType, arg, to), pair(env, code)), formSome.Of(arg, to), nil
}

func (c *converter) call(t *fun.Term) (*fun.Term, *fun.Type, error) {
	f, typ, err := c.term(t.Kids[0])
	if err != nil {
		return nil, nil, err
	}
	c.depth++
	a, _, err := c.term(t.Kids[1])
	c.depth--
	if err != nil {
		return nil, nil, err
	}
	*c.fresh++
	out := fUnpack.Make(f, fCall.Make(fun.Snd.Make(v(0)), pair(fun.Fst.Make(v(0)), a)))
	out.N = *c.fresh
	return out, typ.Parts[1], nil
}

// closures is the derivative of a form of closure conversion.
func (t *transformer) closures(s *fun.Term) (*fun.Term, *fun.Type, error) {
	switch s.Form {
	case fClosed:
		in, err := newTransformer(t.calculus, t.Derivatives, []*fun.Type{s.Type})
		if err != nil {
			return nil, nil, err
		}
		in.derived, in.gathers = t.derived, t.gathers
		body, to, err := in.term(s.Kids[0])
		if err != nil {
			return nil, nil, err
		}
		return t.leaf(fClosed.Typed(Primal(s.Type), body), formClosed.Of(s.Type, to))
	case fCall:
		return t.call(s)
	}
	a, of, err := t.term(s.Kids[0])
	if err != nil {
		return nil, nil, err
	}
	if s.Form == fPack {
		typ, err := s.Form.Result(s, []*fun.Type{of})
		if err != nil {
			return nil, nil, err
		}
		x := fPack.Typed(s.Type, primal(v(0)))
		x.N = 1
		back, err := backprop(typ, through(lCast.Typed(s.Type, v(0))), 0)
		return fun.LetIn(a, pair(x, back)), typ, err
	}
	body, typ, err := t.bound(opened(alpha(s.N), of.Parts[0], of.Parts[1]), s.Kids[1], func(x, of *fun.Term) *fun.Term {
		return lPackAs.Make(primal(of), x)
	})
	out := fUnpack.Make(primal(v(0)), body)
	out.N = s.N
	return fun.LetIn(a, out), typ, err
}

// call is the derivative of a call of a closed function: its backpropagator works on a
// context of its own, of the argument.
func (t *transformer) call(s *fun.Term) (*fun.Term, *fun.Type, error) {
	both, typ, of, err := t.operands(s)
	if err != nil {
		return nil, nil, err
	}
	l, err := Cotangent(of)
	if err != nil {
		return nil, nil, err
	}
	out := typ.Parts[1]
	local := evLocal.Typed(t.here(), zeroOf(l), through(v(0)))
	next := fun.Capturing(fun.Prod(l, fun.Unit), backward(fun.Snd.Make(v(1)), fun.Fst.Make(v(0))), 2)
	back, err := backprop(out, evmBind.Make(local, next), 0, 1)
	return called(both, fCall, back), out, err
}
