package chad

import (
	"fmt"
	"slices"

	"egad/fun"
)

// calculus is what the basic transformation (002, Fig. 2) and the monadic one (Fig. 7) do not
// have in common: how the contributions of backpropagators are put together.
type calculus interface {
	// typ is the type of what backpropagators give, of a linear context.
	typ(ctx *fun.Type) *fun.Type
	// nothing contributes nothing.
	nothing(ctx *fun.Type) *fun.Term
	// one contributes x to the variable n, outside of which there are key.
	one(ctx *fun.Type, n, key int, x *fun.Term) *fun.Term
	// both contributes a and b.
	both(a, b *fun.Term) *fun.Term
	// inner is the body of a closure with the argument d, the cotangent of a term in which a
	// variable of the linear type x is bound, that captures the derivatives of it (1) and of
	// what is bound (2): side is put around the variable's cotangent.
	inner(ctx, x *fun.Type, key int, side around) *fun.Term
}

// transformer makes D[t] (002, Figs. 2 and 7, in the form of Appendix B).
type transformer struct {
	calculus
	*Derivatives
	// Of the variables of the source, the outermost first: their types, and which variable
	// of the target they are, from the outside; and the linear contexts of the first of them.
	types  []*fun.Type
	levels []int
	ctx    []*fun.Type
	depth  int // how many variables the target has in scope
	// derived, if not nil, is told D[s] of each part s.
	derived func(s, d *fun.Term)
	naive   bool // functions are taken, by Section 9
	gathers bool // elements that a build gathers are told together, by Section 8.1
}

// UnsupportedError says that a transformation does not take a program.
type UnsupportedError struct{ What string }

func (e *UnsupportedError) Error() string { return "CHAD does not take " + e.What }

// newTransformer is a transformer of terms in a context.
func newTransformer(c calculus, d *Derivatives, context []*fun.Type) (*transformer, error) {
	t := &transformer{calculus: c, Derivatives: d, ctx: []*fun.Type{none}}
	for i, typ := range context {
		if err := t.bind(typ, i); err != nil {
			return nil, err
		}
	}
	t.depth = len(context)
	return t, nil
}

// bind takes a variable of the source into scope, which is at a level of the target.
func (t *transformer) bind(typ *fun.Type, level int) error {
	l, err := Cotangent(typ)
	if err != nil {
		return err
	}
	t.types, t.levels = append(t.types, typ), append(t.levels, level)
	t.ctx = append(t.ctx, formMore.Of(t.here(), l))
	return nil
}

func (t *transformer) leave() {
	n := len(t.types) - 1
	t.types, t.levels, t.ctx = t.types[:n], t.levels[:n], t.ctx[:n+1]
}

// here is the linear context of the variables in scope.
func (t *transformer) here() *fun.Type { return t.ctx[len(t.ctx)-1] }

// under is D[s] where the target has n more variables.
func (t *transformer) under(n int, s *fun.Term) (*fun.Term, *fun.Type, error) {
	t.depth += n
	out, typ, err := t.term(s)
	t.depth -= n
	return out, typ, err
}

// The parts of a derivative: a pair of a primal and a backpropagator.
func primal(x *fun.Term) *fun.Term             { return fun.Fst.Make(x) }
func backward(x, d *fun.Term) *fun.Term        { return fun.App.Make(fun.Snd.Make(x), d) }
func pair(x, y *fun.Term) *fun.Term            { return fun.Pair.Make(x, y) }
func v(n int) *fun.Term                        { return fun.V(n) }
func through(d *fun.Term) (back *fun.Term)     { return backward(v(1), d) }
func named(t *fun.Term, n ...string) *fun.Term { return t.Named(n...) }

// backprop is a backpropagator, for values of type typ: a closure of which the argument is
// called d.
func backprop(typ *fun.Type, body *fun.Term, caps ...int) (*fun.Term, error) {
	l, err := Cotangent(typ)
	return fun.Capturing(l, body, caps...).Named("d"), err
}

// term is D[s], with the type of s. What is captured by closures is as in Appendix B, where
// the costs are proved.
func (t *transformer) term(s *fun.Term) (*fun.Term, *fun.Type, error) {
	d, typ, err := t.form(s)
	if err != nil {
		return nil, nil, s.Locate(err)
	}
	if t.derived != nil {
		t.derived(s, d)
	}
	return d, typ, nil
}

func (t *transformer) form(s *fun.Term) (*fun.Term, *fun.Type, error) {
	switch s.Form {
	case fun.Var:
		return t.variable(s.N)
	case fun.Let:
		return t.let(s)
	case fun.Star:
		return t.leaf(fun.Star.Make(), fun.Unit)
	case fun.Case:
		return t.cases(s)
	case fun.Pair:
		return t.pair(s)
	case fun.Build, fun.Index, fun.Length, fun.List, fun.Reduce:
		return t.arrays(s)
	case fun.Lam, fun.App:
		return t.functions(s)
	case fClosed, fCall, fPack, fUnpack:
		return t.closures(s)
	case fun.Lit, fun.Prim, fun.Sign, fun.Fst, fun.Snd, fun.Inl, fun.Inr:
		return t.unary(s)
	}
	return nil, nil, &UnsupportedError{s.Called()}
}

// leaf is the derivative of what depends on nothing.
func (t *transformer) leaf(s *fun.Term, typ *fun.Type) (*fun.Term, *fun.Type, error) {
	b, err := backprop(typ, t.nothing(t.here()))
	return pair(s, b), typ, err
}

func (t *transformer) variable(n int) (*fun.Term, *fun.Type, error) {
	key := len(t.types) - 1 - n
	if key < 0 {
		return nil, nil, fmt.Errorf("variable %d is not bound", n)
	}
	b, err := backprop(t.types[key], t.one(t.here(), n, key, v(0)))
	return pair(v(t.depth-1-t.levels[key]), b), t.types[key], err
}

func (t *transformer) let(s *fun.Term) (*fun.Term, *fun.Type, error) {
	a, of, err := t.term(s.Kids[0])
	if err != nil {
		return nil, nil, err
	}
	b, typ, err := t.bound(of, s.Kids[1], func(x, _ *fun.Term) *fun.Term { return x })
	if err != nil {
		return nil, nil, err
	}
	name := append(slices.Clone(s.Name), "x")[0]
	return named(fun.LetIn(a, named(fun.LetIn(primal(v(0)), b), name)), name+"'"), typ, nil
}

// bound is the derivative of a body with a variable of type of, which is innermost in the
// target, under the derivative of what is bound.
func (t *transformer) bound(of *fun.Type, body *fun.Term, side around) (*fun.Term, *fun.Type, error) {
	if err := t.bind(of, t.depth+1); err != nil {
		return nil, nil, err
	}
	b, typ, err := t.under(2, body)
	ctx, key := t.here().Parts, len(t.types)-1
	t.leave()
	if err != nil {
		return nil, nil, err
	}
	back, err := backprop(typ, t.inner(ctx[0], ctx[1], key, side), 0, 2)
	return fun.LetIn(b, pair(primal(v(0)), back)), typ, err
}

// around makes the cotangent of what is bound of that of the variable, x; of is the derivative
// of what is bound.
type around func(x, of *fun.Term) *fun.Term

// on puts a cotangent on a side of a sum.
func on(side *fun.Form, sum *fun.Type) around {
	return func(x, _ *fun.Term) *fun.Term { return side.Typed(sum, x) }
}

func (t *transformer) cases(s *fun.Term) (*fun.Term, *fun.Type, error) {
	a, of, err := t.term(s.Kids[0])
	if err != nil {
		return nil, nil, err
	}
	if of.Kind != fun.KSum {
		return nil, nil, fmt.Errorf("case of %s, which is no sum", of)
	}
	sum, err := Cotangent(of)
	if err != nil {
		return nil, nil, err
	}
	l, typ, err := t.bound(of.Parts[0], s.Kids[1], on(lInl, sum))
	if err != nil {
		return nil, nil, err
	}
	r, _, err := t.bound(of.Parts[1], s.Kids[2], on(lInr, sum))
	if err != nil {
		return nil, nil, err
	}
	c := fun.Case.Make(primal(v(0)), l, r)
	c.Name = s.Name
	return fun.LetIn(a, c), typ, nil
}

// operands are the derivatives of two operands, as a pair, with the types of the operands.
func (t *transformer) operands(s *fun.Term) (both *fun.Term, x, y *fun.Type, err error) {
	a, x, err := t.term(s.Kids[0])
	if err != nil {
		return nil, nil, nil, err
	}
	b, y, err := t.term(s.Kids[1])
	return pair(a, b), x, y, err
}

// called is the derivative of a call by a form: both are the derivatives of the function and
// of its argument, and back is the backpropagator where these (1) and the call (0) are bound.
func called(both *fun.Term, by *fun.Form, back *fun.Term) *fun.Term {
	result := by.Make(primal(fun.Fst.Make(v(0))), primal(fun.Snd.Make(v(0))))
	return fun.LetIn(both, fun.LetIn(result, pair(primal(v(0)), back)))
}

func (t *transformer) pair(s *fun.Term) (*fun.Term, *fun.Type, error) {
	both, x, y, err := t.operands(s)
	if err != nil {
		return nil, nil, err
	}
	lx, err := Cotangent(x)
	if err != nil {
		return nil, nil, err
	}
	ly, err := Cotangent(y)
	if err != nil {
		return nil, nil, err
	}
	l, r := fun.Fst.Make(v(1)), fun.Snd.Make(v(1))
	typ := fun.Prod(x, y)
	back, err := backprop(typ, t.both(backward(l, lFst.Typed(lx, v(0))), backward(r, lSnd.Typed(ly, v(0)))), 0)
	return fun.LetIn(both, pair(pair(primal(fun.Fst.Make(v(0))), primal(fun.Snd.Make(v(0)))), back)), typ, err
}

// unary is the derivative of a form with one operand.
func (t *transformer) unary(s *fun.Term) (*fun.Term, *fun.Type, error) {
	a, of, err := t.term(s.Kids[0])
	if err != nil {
		return nil, nil, err
	}
	typ, err := s.Form.Result(s, []*fun.Type{of})
	if err != nil {
		return nil, nil, err
	}
	d, err := t.operand(s, of, typ)
	if err != nil {
		return nil, nil, err
	}
	back, err := backprop(typ, through(d), 0)
	again := *s
	again.Kids = []*fun.Term{primal(v(0))}
	if s.Type != nil {
		again.Type = Primal(s.Type)
	}
	return fun.LetIn(a, pair(&again, back)), typ, err
}

// operand is the cotangent of the operand of a form, of type of; the variable 0 is that of
// the result and 1 the derivative of the operand.
func (t *transformer) operand(s *fun.Term, of, typ *fun.Type) (*fun.Term, error) {
	l, err := Cotangent(of)
	if err != nil {
		return nil, err
	}
	switch s.Form {
	case fun.Fst:
		return lPair.Make(v(0), zeroOf(l.Parts[1])), nil
	case fun.Snd:
		return lPair.Make(zeroOf(l.Parts[0]), v(0)), nil
	case fun.Inl:
		return lCastl.Typed(l, v(0)), nil
	case fun.Inr:
		return lCastr.Typed(l, v(0)), nil
	}
	x := zeroOf(l) // of literals and sign
	if s.Form == fun.Prim {
		if x, err = t.transposed(s, of, typ); err != nil {
			return nil, err
		}
	}
	return fun.LetIn(primal(v(1)), fun.LetIn(v(1), x)), nil
}
