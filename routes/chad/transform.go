package chad

import (
	"fmt"
	"slices"

	"egad/fun"
	"egad/internal/raise"
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
	naive   bool         // functions are taken, by Section 9
	gathers bool         // elements that a build gathers are told together, by Section 8.1
	open    *[]*fun.Term // the parts that are being transformed, the innermost last
}

// UnsupportedError says that a transformation does not take a program.
type UnsupportedError struct{ What string }

func (e *UnsupportedError) Error() string { return "CHAD does not take " + e.What }

// newTransformer is a transformer of terms in a context.
func newTransformer(c calculus, d *Derivatives, context []*fun.Type) *transformer {
	t := &transformer{calculus: c, Derivatives: d, ctx: []*fun.Type{none}, open: new([]*fun.Term)}
	for i, typ := range context {
		t.bind(typ, i)
	}
	t.depth = len(context)
	return t
}

// inside is a transformer of the body of a function, which has a context of its own.
func (t *transformer) inside(context []*fun.Type) *transformer {
	in := newTransformer(t.calculus, t.Derivatives, context)
	in.derived, in.naive, in.gathers, in.open = t.derived, t.naive, t.gathers, t.open
	return in
}

// transformed is D[s]. An error has the place of the innermost part that it is about and that
// has one.
func (t *transformer) transformed(s *fun.Term) (d *fun.Term, err error) {
	defer func() {
		for _, part := range slices.Backward(*t.open) {
			err = part.Locate(err)
		}
	}()
	defer raise.Caught(&err)
	d, _ = t.term(s)
	return d, nil
}

// bind takes a variable of the source into scope, which is at a level of the target.
func (t *transformer) bind(typ *fun.Type, level int) {
	t.types, t.levels = append(t.types, typ), append(t.levels, level)
	t.ctx = append(t.ctx, formMore.Of(t.here(), cotangent(typ)))
}

func (t *transformer) leave() {
	n := len(t.types) - 1
	t.types, t.levels, t.ctx = t.types[:n], t.levels[:n], t.ctx[:n+1]
}

// here is the linear context of the variables in scope.
func (t *transformer) here() *fun.Type { return t.ctx[len(t.ctx)-1] }

// under is D[s] where the target has n more variables.
func (t *transformer) under(n int, s *fun.Term) (*fun.Term, *fun.Type) {
	t.depth += n
	out, typ := t.term(s)
	t.depth -= n
	return out, typ
}

// The parts of a derivative: a pair of a primal and a backpropagator.
func primal(x *fun.Term) *fun.Term         { return fun.Fst.Make(x) }
func backward(x, d *fun.Term) *fun.Term    { return fun.App.Make(fun.Snd.Make(x), d) }
func pair(x, y *fun.Term) *fun.Term        { return fun.Pair.Make(x, y) }
func v(n int) *fun.Term                    { return fun.V(n) }
func through(d *fun.Term) (back *fun.Term) { return backward(v(1), d) }

// backprop is a backpropagator, for values of type typ: a closure of which the argument is
// called d.
func backprop(typ *fun.Type, body *fun.Term, caps ...int) *fun.Term {
	return fun.Capturing(cotangent(typ), body, caps...).Named("d")
}

// term is D[s], with the type of s. What is captured by closures is as in Appendix B, where
// the costs are proved.
func (t *transformer) term(s *fun.Term) (*fun.Term, *fun.Type) {
	*t.open = append(*t.open, s)
	d, typ := t.form(s)
	*t.open = (*t.open)[:len(*t.open)-1]
	if t.derived != nil {
		t.derived(s, d)
	}
	return d, typ
}

func (t *transformer) form(s *fun.Term) (*fun.Term, *fun.Type) {
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
	raise.Error(&UnsupportedError{s.Called()})
	return nil, nil
}

// leaf is the derivative of what depends on nothing.
func (t *transformer) leaf(s *fun.Term, typ *fun.Type) (*fun.Term, *fun.Type) {
	return pair(s, backprop(typ, t.nothing(t.here()))), typ
}

func (t *transformer) variable(n int) (*fun.Term, *fun.Type) {
	key := len(t.types) - 1 - n
	if key < 0 {
		raise.Error(fmt.Errorf("variable %d is not bound", n))
	}
	b := backprop(t.types[key], t.one(t.here(), n, key, v(0)))
	return pair(v(t.depth-1-t.levels[key]), b), t.types[key]
}

func (t *transformer) let(s *fun.Term) (*fun.Term, *fun.Type) {
	a, of := t.term(s.Kids[0])
	b, typ := t.bound(of, s.Kids[1], func(x, _ *fun.Term) *fun.Term { return x })
	name := append(slices.Clone(s.Name), "x")[0]
	return fun.LetIn(a, fun.LetIn(primal(v(0)), b).Named(name)).Named(name + "'"), typ
}

// bound is the derivative of a body with a variable of type of, which is innermost in the
// target, under the derivative of what is bound.
func (t *transformer) bound(of *fun.Type, body *fun.Term, side around) (*fun.Term, *fun.Type) {
	t.bind(of, t.depth+1)
	b, typ := t.under(2, body)
	ctx, key := t.here().Parts, len(t.types)-1
	t.leave()
	back := backprop(typ, t.inner(ctx[0], ctx[1], key, side), 0, 2)
	return fun.LetIn(b, pair(primal(v(0)), back)), typ
}

// around makes the cotangent of what is bound of that of the variable, x; of is the derivative
// of what is bound.
type around func(x, of *fun.Term) *fun.Term

// on puts a cotangent on a side of a sum.
func on(side *fun.Form, sum *fun.Type) around {
	return func(x, _ *fun.Term) *fun.Term { return side.Typed(sum, x) }
}

func (t *transformer) cases(s *fun.Term) (*fun.Term, *fun.Type) {
	a, of := t.term(s.Kids[0])
	if of.Kind != fun.KSum {
		raise.Error(fmt.Errorf("case of %s, which is no sum", of))
	}
	sum := cotangent(of)
	l, typ := t.bound(of.Parts[0], s.Kids[1], on(lInl, sum))
	r, _ := t.bound(of.Parts[1], s.Kids[2], on(lInr, sum))
	c := fun.Case.Make(primal(v(0)), l, r)
	c.Name = s.Name
	return fun.LetIn(a, c), typ
}

// operands are the derivatives of two operands, as a pair, with the types of the operands.
func (t *transformer) operands(s *fun.Term) (both *fun.Term, x, y *fun.Type) {
	a, x := t.term(s.Kids[0])
	b, y := t.term(s.Kids[1])
	return pair(a, b), x, y
}

// called is the derivative of a call by a form: both are the derivatives of the function and
// of its argument, and back is the backpropagator where these (1) and the call (0) are bound.
func called(both *fun.Term, by *fun.Form, back *fun.Term) *fun.Term {
	result := by.Make(primal(fun.Fst.Make(v(0))), primal(fun.Snd.Make(v(0))))
	return fun.LetIn(both, fun.LetIn(result, pair(primal(v(0)), back)))
}

func (t *transformer) pair(s *fun.Term) (*fun.Term, *fun.Type) {
	both, x, y := t.operands(s)
	l, r := fun.Fst.Make(v(1)), fun.Snd.Make(v(1))
	typ := fun.Prod(x, y)
	back := backprop(typ, t.both(backward(l, lFst.Typed(cotangent(x), v(0))), backward(r, lSnd.Typed(cotangent(y), v(0)))), 0)
	return fun.LetIn(both, pair(pair(primal(fun.Fst.Make(v(0))), primal(fun.Snd.Make(v(0)))), back)), typ
}

// unary is the derivative of a form with one operand.
func (t *transformer) unary(s *fun.Term) (*fun.Term, *fun.Type) {
	a, of := t.term(s.Kids[0])
	typ := result(s, of)
	back := backprop(typ, through(t.operand(s, of, typ)), 0)
	again := *s
	again.Kids = []*fun.Term{primal(v(0))}
	if s.Type != nil {
		again.Type = Primal(s.Type)
	}
	return fun.LetIn(a, pair(&again, back)), typ
}

// result is the type of a term by those of its operands.
func result(s *fun.Term, kids ...*fun.Type) *fun.Type { return raise.Must(s.Form.Result(s, kids)) }

// operand is the cotangent of the operand of a form, of type of; the variable 0 is that of
// the result and 1 the derivative of the operand.
func (t *transformer) operand(s *fun.Term, of, typ *fun.Type) *fun.Term {
	l := cotangent(of)
	switch s.Form {
	case fun.Fst:
		return lPair.Make(v(0), zeroOf(l.Parts[1]))
	case fun.Snd:
		return lPair.Make(zeroOf(l.Parts[0]), v(0))
	case fun.Inl:
		return lCastl.Typed(l, v(0))
	case fun.Inr:
		return lCastr.Typed(l, v(0))
	}
	x := zeroOf(l) // of literals and sign
	if s.Form == fun.Prim {
		x = t.transposed(s, of, typ)
	}
	return fun.LetIn(primal(v(1)), fun.LetIn(v(1), x))
}
