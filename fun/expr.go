package fun

import (
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/term/ast"
	"egad/term/module"
	"egad/term/ops"
	"egad/term/types"
)

// expr types an expression. Want is what its type must become, as far as that is known; who
// calls unifies the two.
func (in *inference) expr(e ast.Expr, s *scope, want *Type) (*Term, *Type) {
	x, t := in.form(e, s, want)
	return x.placed(in.src, e.At()), t
}

func (in *inference) form(e ast.Expr, s *scope, want *Type) (*Term, *Type) {
	switch e := e.(type) {
	case *ast.Number:
		t := Real
		if _, whole := e.Num.Int64(); whole && !e.Real {
			t = in.one(number)
			in.lits = append(in.lits, t)
		}
		return Literal(e.Num, t), t
	case *ast.Bool:
		return TruthOf(e.Value), Bool
	case *ast.Ident:
		return in.name(e, s)
	case *ast.TupleLit:
		return in.tuple(e, s, want)
	case *ast.ListLit:
		elem := in.fresh()
		kids := slice.Map(e.Elems, func(x ast.Expr) *Term { return in.check(x, s, elem, "an element of a list") })
		return List.Typed(elem, kids...), Array(elem)
	case *ast.Call:
		return in.call(e, s, want)
	case *ast.Operation:
		return in.operation(e)
	case *ast.Binary:
		return in.binary(e, s)
	case *ast.Unary:
		x, t := in.expr(e.X, s, want)
		return in.lifted(e.At(), ops.Op{Sym: ops.SymNeg}, []*Term{x}, []*Type{t}, s.depth())
	case *ast.IndexExpr:
		return in.index(e, s)
	case *ast.Component:
		x, t := in.expr(e.X, s, in.fresh())
		t = in.head(t)
		switch {
		case t.Kind == KVar:
			return in.fail(e.At(), "the type of this tuple must be known here; say it where the variable is bound, as in \\(p: (R, R)) -> p.0")
		case t.Kind != KProd:
			return in.fail(e.At(), "a component of %s, which is no tuple", in.whole(t))
		case e.N >= len(t.Parts):
			return in.fail(e.At(), "a tuple of %d components has no component %d (they are numbered from 0)", len(t.Parts), e.N)
		}
		return Component(x, e.N, len(t.Parts)), t.Parts[e.N]
	case *ast.Lambda:
		return in.lambda(e.Params, e.Body, s, want)
	case *ast.Rec:
		a, b := in.fresh(), in.typeOf(e.Result)
		self := s.bind(e.Name, Fun(a, b))
		inner, lets := in.pattern(e.Param, a, self)
		body := in.check(e.Body, inner, b, "the body of "+e.Name)
		return openRec.Typed(Fun(a, b), within(lets, body)).Named(e.Name, e.Param.Name), Fun(a, b)
	case *ast.Let:
		return in.lets(e, s, want)
	case *ast.If:
		c := in.check(e.Cond, s, Bool, "the condition")
		yes, t := in.expr(e.Then, s, want)
		no := in.check(e.Else, s, t, "the second branch")
		return Case.Make(c, yes.Shift(1, 0), no.Shift(1, 0)), t
	case *ast.Case:
		l, r := in.fresh(), in.fresh()
		x := in.check(e.X, s, Sum(l, r), "what case looks at")
		inL, letsL := in.pattern(e.Left, l, s)
		left, t := in.expr(e.OnLeft, inL, want)
		inR, letsR := in.pattern(e.Right, r, s)
		right := in.check(e.OnRight, inR, t, "the side inr")
		return Case.Make(x, within(letsL, left), within(letsR, right)).Named(e.Left.Name, e.Right.Name), t
	}
	return in.fail(e.At(), "this form is not part of functional programs")
}

// check types an expression that must be of a type.
func (in *inference) check(e ast.Expr, s *scope, want *Type, what string) *Term {
	x, t := in.expr(e, s, want)
	in.must(e.At(), t, want, what)
	return x
}

func (in *inference) tuple(e *ast.TupleLit, s *scope, want *Type) (*Term, *Type) {
	parts := make([]*Type, len(e.Elems))
	kids := make([]*Term, len(e.Elems))
	want = in.head(want)
	for i, x := range e.Elems {
		w := in.fresh()
		if want.Kind == KProd && len(want.Parts) == len(e.Elems) {
			w = want.Parts[i]
		}
		kids[i], parts[i] = in.expr(x, s, w)
	}
	return TupleOf(kids...), product(parts)
}

// lets types a chain of lets in a loop.
func (in *inference) lets(e *ast.Let, s *scope, want *Type) (*Term, *Type) {
	var chain []*Term
	body := ast.Expr(e)
	for {
		l, ok := body.(*ast.Let)
		if !ok {
			break
		}
		x, t := in.expr(l.Bound, s, in.fresh())
		chain = append(chain, LetIn(x, nil).Named(l.Pat.Name))
		var lets []*Term
		s, lets = in.pattern(l.Pat, t, s)
		chain = append(chain, lets...)
		body = l.Body
	}
	out, t := in.expr(body, s, want)
	return within(chain, out), t
}

// lambda is a function of one parameter after the other.
func (in *inference) lambda(params []ast.Pattern, body ast.Expr, s *scope, want *Type) (*Term, *Type) {
	if len(params) == 0 {
		return in.expr(body, s, want)
	}
	a, b := in.fresh(), in.fresh()
	if want = in.head(want); want.Kind == KFun {
		a, b = want.Parts[0], want.Parts[1]
	}
	inner, lets := in.pattern(params[0], a, s)
	x, t := in.lambda(params[1:], body, inner, b)
	return open.Typed(a, within(lets, x)).Named(params[0].Name), Fun(a, t)
}

// name is a variable, a definition, a number that has a name, or an operator as a function.
func (in *inference) name(e *ast.Ident, s *scope) (*Term, *Type) {
	if v := s.find(e.Name); v != nil {
		return V(s.depth() - 1 - v.level), v.typ
	}
	if d := in.defs.mod.Find(e.Name, in.def); d != nil {
		t := in.defs.declared(d).typ
		if t == nil {
			return in.fail(e.At(), "%s", in.defs.refusal(d))
		}
		in.calls = slice.With(in.calls, d)
		return &Term{Form: global, Name: []string{key(d)}, Type: t}, t
	}
	if n, ok := module.Constant(e.Name); ok {
		return Literal(n, Real), Real
	}
	if b, ok := builtins[e.Name]; ok {
		return b.value(in)
	}
	if o := in.defs.operator(e.Name); o != nil {
		return in.operator(ops.Op{Sym: o.Sym}, o)
	}
	if in.defs.ofArrays(e.Name) {
		return in.fail(e.At(), "%s is for array programs, and this is a functional one: it has sums, recursion or functions as values, or calls what has", e.Name)
	}
	return in.fail(e.At(), "unknown name %s%s", e.Name, diag.DidYouMean(e.Name, in.defs.names(s)))
}

// operator is an elementwise operator as a function of one operand after the other.
func (in *inference) operator(op ops.Op, o *ops.Operator) (*Term, *Type) {
	if o.Arity > 2 || o.Name == "polygamma" {
		return Star.Make(), in.fresh()
	}
	elem, result := in.elements(o)
	operands := slice.Make(o.Arity, func(i int) *Term { return V(o.Arity - 1 - i) })
	out, t := Operator(op, operands...), result
	for range operands {
		out, t = open.Typed(elem, out), Fun(elem, t)
	}
	return out, t
}

// elements are the types of the operands of an elementwise operator, and of its result.
func (in *inference) elements(o *ops.Operator) (operand, result *Type) {
	ok := slice.Filter([]types.Elem{types.R, types.I, types.B}, func(e types.Elem) bool {
		_, takes := o.OnElements(slices.Repeat([]types.Elem{e}, o.Arity)...)
		return takes
	})
	switch {
	case len(ok) == 1:
		operand = OfElem(ok[0])
	case len(ok) == 2:
		operand = in.one(number)
	default:
		operand = in.one(scalar)
	}
	r, _ := o.OnElements(slices.Repeat([]types.Elem{ok[0]}, o.Arity)...)
	if result = OfElem(r); len(ok) > 1 && r == ok[0] {
		result = operand
	}
	return operand, result
}

// infix is an operator on scalars: with its operands changed over, or its opposite.
type infix struct {
	sym         ops.Sym
	swapped, no bool
}

// infixOf is the operator that stands between operands; ok is false if programs have none such.
func infixOf(text string) (i infix, ok bool) {
	i.sym, i.swapped, i.no, ok = ops.InfixSym(text)
	return i, ok
}

// operation is an infix operator as a function of one operand after the other.
func (in *inference) operation(e *ast.Operation) (*Term, *Type) {
	i, _ := infixOf(e.Op)
	elem, result := in.elements(ops.Builtin(i.sym))
	x, y := V(1), V(0)
	if i.swapped {
		x, y = y, x
	}
	out := Operator(ops.Op{Sym: i.sym}, x, y)
	if i.no {
		out = Operator(ops.Op{Sym: ops.SymNot}, out)
	}
	return open.Typed(elem, open.Typed(elem, out)), Fun(elem, Fun(elem, result))
}

func (in *inference) binary(e *ast.Binary, s *scope) (*Term, *Type) {
	i, ok := infixOf(e.Op)
	if !ok {
		return in.fail(e.OpAt, "%s is not part of functional programs", e.Op)
	}
	x, t := in.expr(e.L, s, in.fresh())
	y, u := in.expr(e.R, s, t)
	if i.swapped {
		x, y, t, u = y, x, u, t
	}
	out, r := in.lifted(e.OpAt, ops.Op{Sym: i.sym}, []*Term{x, y}, []*Type{t, u}, s.depth())
	if i.no {
		return in.lifted(e.OpAt, ops.Op{Sym: ops.SymNot}, []*Term{out}, []*Type{r}, s.depth())
	}
	return out, r
}

// lifted applies an elementwise operator to operands, each a scalar or, as far as is known
// here, an array: then it is a build.
func (in *inference) lifted(at diag.Pos, op ops.Op, xs []*Term, ts []*Type, depth int) (*Term, *Type) {
	first := slices.IndexFunc(ts, func(t *Type) bool { return in.head(t).Kind == KArray })
	if first < 0 {
		return Operator(op, xs...), in.scalars(at, op, ts)
	}
	// let x = … in let y = … in build (length x) (\i -> op x[i] y[i])
	n := len(xs)
	inner, types := make([]*Term, n), make([]*Type, n)
	for k := range xs {
		v := V(n - k) // under the index as well
		if t := in.head(ts[k]); t.Kind == KArray {
			inner[k], types[k] = Index.Typed(t.Parts[0], v, V(0)), t.Parts[0]
		} else {
			inner[k], types[k] = v, t
		}
	}
	body, elem := in.lifted(at, op, inner, types, depth+n+1)
	out := Build.Typed(elem, Length.Make(V(n-1-first)), body)
	for k := n - 1; k >= 0; k-- {
		out = LetIn(xs[k].Shift(k, 0), out)
	}
	return out, Array(elem)
}

// scalars is the type of an elementwise operator on operands that must be scalars.
func (in *inference) scalars(at diag.Pos, op ops.Op, ts []*Type) *Type {
	if op.Sym == ops.SymWhere {
		in.must(at, ts[0], Bool, "the condition")
		in.must(at, ts[1], in.one(scalar), "the second operand of where")
		in.must(at, ts[2], ts[1], "the third operand of where")
		return ts[1]
	}
	o := ops.Builtin(op.Sym)
	operand, result := in.elements(o)
	for _, t := range ts {
		in.must(at, t, operand, "an operand of "+o.Text())
	}
	return result
}

func (in *inference) index(e *ast.IndexExpr, s *scope) (*Term, *Type) {
	x, t := in.expr(e.Array, s, in.fresh())
	for _, ix := range e.Ix {
		if _, slice := ix.(*ast.Slice); slice {
			return in.fail(ix.At(), "functional programs have no slices; write build with a function of the index")
		}
		elem := in.fresh()
		in.must(e.Array.At(), t, Array(elem), "what is read at an index")
		x, t = Index.Typed(elem, x, in.check(ix, s, Int, "an index")), elem
	}
	return x, t
}

// call applies a function to its arguments, or an operator that has a form of its own.
func (in *inference) call(e *ast.Call, s *scope, want *Type) (*Term, *Type) {
	if len(e.Args) == 0 { // f ()
		unit := *e
		unit.Args = []ast.Expr{&ast.TupleLit{}}
		e = &unit
	}
	if id, ok := e.Fn.(*ast.Ident); ok && s.find(id.Name) == nil && in.defs.mod.Find(id.Name, in.def) == nil {
		if b, ok := builtins[id.Name]; ok {
			n := b.arity
			if len(e.Args) < n {
				return in.fail(e.At(), "%s takes %s, and here are %d", id.Name, diag.Count(n, "argument"), len(e.Args))
			}
			if _, ok := e.Args[0].(*ast.TypeArg); ok && len(e.Args) > n {
				n++ // a type before the arguments
			}
			x, t := b.call(in, e, e.Args[:n], s, want)
			return in.apply(e, x, t, e.Args[n:], s)
		}
		if o := in.defs.operator(id.Name); o != nil && len(e.Args) == o.Arity && o.Name != "polygamma" {
			xs, ts := make([]*Term, o.Arity), make([]*Type, o.Arity)
			for k, a := range e.Args {
				xs[k], ts[k] = in.expr(a, s, in.fresh())
			}
			return in.lifted(e.At(), ops.Op{Sym: o.Sym}, xs, ts, s.depth())
		}
	}
	if op := in.ofSeveral(e.Fn, s); op != nil && len(e.Args) == 1 {
		x, t := in.expr(e.Args[0], s, in.fresh())
		if parts := in.components(t, ops.Builtin(op.sym).Arity); parts != nil {
			return in.onTuple(e, *op, x, parts)
		}
		f, of := in.expr(e.Fn, s, in.fresh())
		in.must(e.Args[0].At(), t, of.Parts[0], "an argument")
		return App.Make(f, x), of.Parts[1]
	}
	if l, ok := e.Fn.(*ast.Lambda); ok {
		args := e.Args
		if p := l.Params[0]; len(l.Params) == 1 && p.Kind == ast.PatTuple && len(args) == len(p.Subs) && len(args) > 1 {
			args = []ast.Expr{&ast.TupleLit{Elems: args}}
		}
		if len(args) <= len(l.Params) {
			return in.applied(l, args, s, want)
		}
	}
	f, t := in.expr(e.Fn, s, in.fresh())
	return in.apply(e, f, t, e.Args, s)
}

// applied types a function that is applied where it is written, as a let: first the arguments,
// whose types are then known in the body.
func (in *inference) applied(l *ast.Lambda, args []ast.Expr, s *scope, want *Type) (*Term, *Type) {
	xs, types := make([]*Term, len(args)), make([]*Type, len(args))
	for k, a := range args {
		types[k] = in.fresh()
		if p := l.Params[k]; p.Type != nil {
			types[k] = in.typeOf(*p.Type)
		}
		xs[k] = in.check(a, s, types[k], "an argument")
	}
	for _, a := range slices.Backward(types) {
		want = Fun(a, want)
	}
	f, t := in.expr(l, s, want)
	for _, x := range xs {
		f, t = App.Make(f, x), t.Parts[1]
	}
	return f, t
}

// ofSeveral is the operator on scalars of several operands that an expression names, nil if it
// names none.
func (in *inference) ofSeveral(e ast.Expr, s *scope) *infix {
	switch e := e.(type) {
	case *ast.Operation:
		i, _ := infixOf(e.Op)
		return &i
	case *ast.Ident:
		if s.find(e.Name) == nil && in.defs.mod.Find(e.Name, in.def) == nil {
			if o := in.defs.operator(e.Name); o != nil && o.Arity > 1 {
				return &infix{sym: o.Sym}
			}
		}
	}
	return nil
}

// components are the types of the components of a tuple of n, which may also be pairs nested
// to the left; nil if t is no such type, as far as it is known.
func (in *inference) components(t *Type, n int) []*Type {
	t = in.head(t)
	switch {
	case n == 1:
		return []*Type{t}
	case t.Kind != KProd:
		return nil
	case len(t.Parts) == n:
		return t.Parts
	case len(t.Parts) > 2:
		return nil
	}
	first := in.components(t.Parts[0], n-1)
	if first == nil {
		return nil
	}
	return append(slices.Clip(first), t.Parts[1])
}

// onTuple applies an operator to the components of a tuple, of the given types.
func (in *inference) onTuple(e *ast.Call, i infix, x *Term, parts []*Type) (*Term, *Type) {
	op := ops.Op{Sym: i.sym}
	result := in.scalars(e.Args[0].At(), op, parts)
	if i.swapped { // let p = x in (snd p, fst p)
		x = LetIn(x, Pair.Make(Snd.Make(V(0)), Fst.Make(V(0))))
	}
	out := &Term{Form: Prim, Op: op, Kids: []*Term{x}}
	if i.no {
		out = Operator(ops.Op{Sym: ops.SymNot}, out)
	}
	return out, result
}

// apply applies a function to one argument after the other. Where it takes a tuple, f (a, b)
// is f ((a, b)).
func (in *inference) apply(e *ast.Call, f *Term, t *Type, args []ast.Expr, s *scope) (*Term, *Type) {
	for k := 0; k < len(args); k++ {
		a, b := in.fresh(), in.fresh()
		if h := in.head(t); h.Kind == KFun {
			a, b = h.Parts[0], h.Parts[1]
		} else {
			in.must(e.Fn.At(), t, Fun(a, b), "what is applied")
		}
		p, r := in.head(a), in.head(b)
		if k == 0 && p.Kind == KVar && len(args) > 1 && r.Kind != KVar && r.Kind != KFun {
			parts := slice.Make(len(args), func(int) *Type { return in.fresh() })
			if in.unify(p, product(parts)) {
				p = in.head(p)
			}
		}
		if k == 0 && p.Kind == KProd && len(args) == len(p.Parts) && len(args) > 1 && r.Kind != KFun {
			kids := slice.Make(len(args), func(i int) *Term { return in.check(args[i], s, p.Parts[i], "an argument") })
			return App.Make(f, TupleOf(kids...)), b
		}
		x := in.check(args[k], s, a, "an argument")
		f, t = App.Make(f, x), b
	}
	return f, t
}
