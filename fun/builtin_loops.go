package fun

import (
	"egad/term"
	"egad/term/ast"
	"egad/term/numeric"
	"egad/term/ops"
)

func init() {
	for _, o := range term.NewSignature().All() {
		if o.Fold != ops.SymNone {
			builtins[o.Name] = reduction(o)
		}
	}
	builtins["fold"] = applied("fold", 3, func(in *inference, e *ast.Call, args []ast.Expr, s *scope, _ *Type) (*Term, *Type) {
		n, states, t := in.statesOf(args, s)
		// let a = … in (states (length a) …)[length a]
		return LetIn(n, Index.Typed(t, states, Length.Make(V(0)))), t
	})
	builtins["scan"] = applied("scan", 3, func(in *inference, e *ast.Call, args []ast.Expr, s *scope, _ *Type) (*Term, *Type) {
		n, states, t := in.statesOf(args, s)
		next := Operator(ops.Op{Sym: ops.SymAdd}, V(0), Literal(numeric.Int(1), Int))
		return LetIn(n, LetIn(states, Build.Typed(t, Length.Make(V(1)), Index.Typed(t, V(1), next)))), Array(t)
	})
	builtins["iterate"] = applied("iterate", 3, func(in *inference, e *ast.Call, args []ast.Expr, s *scope, want *Type) (*Term, *Type) {
		n := in.check(args[0], s, Int, "the number of steps")
		z, t := in.expr(args[2], s, want)
		f := in.check(args[1], s, Fun(t, t), "the function of iterate")
		// let n = … in (states n z n (\i s -> f s))[n]
		z, f = z.Shift(1, 0), f.Shift(3, 0)
		return LetIn(n, Index.Typed(t, States.Typed(t, V(0), z, V(0), App.Make(f, V(0))), V(0))), t
	})
	builtins["states"] = applied("states", 4, func(in *inference, e *ast.Call, args []ast.Expr, s *scope, want *Type) (*Term, *Type) {
		n := in.check(args[0], s, Int, "the number of states")
		z, t := in.expr(args[1], s, in.fresh())
		k := in.check(args[2], s, Int, "the number of steps")
		f := in.check(args[3], s, Fun(Int, Fun(t, t)), "the function of states")
		return States.Typed(t, n, z, k, under2(f)), Array(t)
	})
	builtins["scatter"] = applied("scatter", 2, func(in *inference, e *ast.Call, args []ast.Expr, s *scope, want *Type) (*Term, *Type) {
		t := in.one(number)
		n := in.check(args[0], s, Int, "the length of a scatter")
		a := in.check(args[1], s, Array(Prod(Int, t)), "what is scattered")
		return Scatter.Typed(t, n, a), Array(t)
	})
}

// under2 is the body of a function of two arguments, with these as the innermost variables.
func under2(f *Term) *Term {
	if f.Form == open && f.Kids[0].Form == open {
		return f.Kids[0].Kids[0]
	}
	return App.Make(App.Make(f.Shift(2, 0), V(1)), V(0))
}

// statesOf is what fold f z a steps over, and the states, in which that is the variable 0.
func (in *inference) statesOf(args []ast.Expr, s *scope) (a, states *Term, t *Type) {
	elem := in.fresh()
	a = in.check(args[2], s, Array(elem), "what is folded")
	z, t := in.expr(args[1], s, in.fresh())
	f := in.check(args[0], s, Fun(t, Fun(elem, t)), "the function of a fold")
	// states (length a) z (length a) (\i s -> f s a[i])
	at := Index.Typed(elem, V(2), V(1))
	step := App.Make(App.Make(f.Shift(3, 0), V(0)), at)
	return a, States.Typed(t, Length.Make(V(0)), z.Shift(1, 0), Length.Make(V(0)), step), t
}

// reduction is an operator that takes away the first axis of an array.
func reduction(o *ops.Operator) builtin {
	return builtin{arity: 1,
		call: func(in *inference, e *ast.Call, args []ast.Expr, s *scope, _ *Type) (*Term, *Type) {
			elem := in.fresh()
			x := in.check(args[0], s, Array(elem), "the operand of "+o.Name)
			return in.reduce(e, o, x, elem)
		},
		value: func(in *inference) (*Term, *Type) {
			elem, _ := in.elements(ops.Builtin(o.Fold))
			return open.Typed(Array(elem), foldOf(o, elem, V(0))), Fun(Array(elem), elem)
		}}
}

func foldOf(o *ops.Operator, elem *Type, x *Term) *Term {
	t := Fold.Typed(elem, x)
	t.Op = ops.Op{Sym: o.Sym}
	return t
}

// reduce reduces an array of scalars, or of arrays: then it is a build of what each place has
// in all of them.
func (in *inference) reduce(e *ast.Call, o *ops.Operator, x *Term, elem *Type) (*Term, *Type) {
	inner := in.head(elem)
	if inner.Kind != KArray {
		scalars, _ := in.elements(ops.Builtin(o.Fold))
		in.must(e.At(), elem, scalars, "an element of what "+o.Name+" reduces")
		return foldOf(o, elem, x), elem
	}
	// let x = … in build (length x[0]) (\j -> sum (build (length x) (\i -> x[i][j])))
	part := inner.Parts[0]
	column := Build.Typed(part, Length.Make(V(1)), Index.Typed(part, Index.Typed(inner, V(2), V(0)), V(1)))
	body, t := in.reduce(e, o, column, part)
	first := Index.Typed(inner, V(0), Literal(numeric.Int(0), Int))
	return LetIn(x, Build.Typed(t, Length.Make(first), body)), Array(t)
}
