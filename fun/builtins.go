package fun

import (
	"maps"

	"egad/term/ast"
)

// builtin is a function that every functional program has. Its type is made anew for each
// use.
type builtin struct {
	arity int
	call  call
	// value is the function as a value.
	value func(in *inference) (*Term, *Type)
}

// builtins are found by their names where the program gives these no other meaning.
var builtins = make(map[string]builtin)

func init() {
	maps.Copy(builtins, map[string]builtin{
		"fst": unary(func(in *inference) (*Type, *Type, *Term) {
			a, b := in.fresh(), in.fresh()
			return Prod(a, b), a, Fst.Make(V(0))
		}),
		"snd": unary(func(in *inference) (*Type, *Type, *Term) {
			a, b := in.fresh(), in.fresh()
			return Prod(a, b), b, Snd.Make(V(0))
		}),
		"length": unary(func(in *inference) (*Type, *Type, *Term) { return Array(in.fresh()), Int, Length.Make(V(0)) }),
		"sign": unary(func(in *inference) (*Type, *Type, *Term) {
			t := in.one(signValue)
			return Real, t, signOr.Typed(t, V(0))
		}),
		"inl":    side(Inl, 0),
		"inr":    side(Inr, 1),
		"build":  applied("build", 2, buildCall),
		"map":    applied("map", 2, mapCall),
		"reduce": applied("reduce", 2, reduceCall),
	})
}

// call makes a builtin's term of its arguments.
type call func(in *inference, e *ast.Call, args []ast.Expr, s *scope, want *Type) (*Term, *Type)

// applied is a builtin that is no value.
func applied(name string, arity int, f call) builtin {
	return builtin{arity, f, func(in *inference) (*Term, *Type) {
		return in.fail(in.def.Pos, "%s stands only with its %d arguments", name, arity)
	}}
}

// unary is a builtin of one operand: make gives the types of the operand and the result, and
// the term, in which the operand is the variable 0.
func unary(make func(in *inference) (operand, result *Type, body *Term)) builtin {
	return builtin{arity: 1,
		call: func(in *inference, e *ast.Call, args []ast.Expr, s *scope, _ *Type) (*Term, *Type) {
			operand, result, body := make(in)
			x := in.check(args[0], s, operand, "the operand of "+e.Fn.(*ast.Ident).Name)
			body.Kids = []*Term{x}
			return body, result
		},
		value: func(in *inference) (*Term, *Type) {
			operand, result, body := make(in)
			return open.Typed(operand, body), Fun(operand, result)
		}}
}

// side is inl or inr, of which the other side may be given: inl @(A + B) e.
func side(f *Form, k int) builtin {
	return builtin{arity: 1,
		call: func(in *inference, e *ast.Call, args []ast.Expr, s *scope, want *Type) (*Term, *Type) {
			t := Sum(in.fresh(), in.fresh())
			if at, ok := args[0].(*ast.TypeArg); ok {
				in.must(at.At(), in.typeOf(at.Type), t, "what is written after "+f.Name)
				if len(args) == 1 {
					return open.Typed(t.Parts[k], f.Typed(t, V(0))), Fun(t.Parts[k], t)
				}
				return f.Typed(t, in.check(args[1], s, t.Parts[k], "the operand of "+f.Name)), t
			}
			if h := in.head(want); h.Kind == KSum {
				in.unify(t, h)
			}
			in.pend(e.At(), t, f.Name)
			return f.Typed(t, in.check(args[0], s, t.Parts[k], "the operand of "+f.Name)), t
		},
		value: func(in *inference) (*Term, *Type) {
			t := Sum(in.fresh(), in.fresh())
			in.pend(in.def.Pos, t, f.Name)
			return open.Typed(t.Parts[k], f.Typed(t, V(0))), Fun(t.Parts[k], t)
		}}
}

// under is the body of a function, with its argument as the innermost variable.
func under(f *Term) *Term {
	if f.Form == open {
		return f.Kids[0]
	}
	return App.Make(f.Shift(1, 0), V(0))
}

// buildCall is build n f, or build [m, n] f with a function of as many indices.
func buildCall(in *inference, e *ast.Call, args []ast.Expr, s *scope, _ *Type) (*Term, *Type) {
	sizes := []ast.Expr{args[0]}
	if l, ok := args[0].(*ast.ListLit); ok {
		sizes = l.Elems
	}
	f, ok := args[1].(*ast.Lambda)
	var indices []ast.Pattern
	switch {
	case ok && len(f.Params) == 1 && f.Params[0].Kind == ast.PatList:
		indices = f.Params[0].Subs
	case ok && len(sizes) > 1:
		indices = f.Params
	}
	if indices != nil {
		if len(indices) != len(sizes) {
			return in.fail(f.At(), "a build of %d sizes takes a function of as many indices", len(sizes))
		}
		var make func(k int, s *scope) (*Term, *Type)
		make = func(k int, s *scope) (*Term, *Type) {
			if k == len(sizes) {
				return in.expr(f.Body, s, in.fresh())
			}
			n := in.check(sizes[k], s, Int, "a size")
			inner, lets := in.pattern(indices[k], Int, s)
			body, t := make(k+1, inner)
			return Build.Typed(t, n, within(lets, body)).Named(indices[k].Name), Array(t)
		}
		return make(0, s)
	}
	if len(sizes) != 1 {
		return in.fail(e.At(), "build of %d sizes takes a function \\i j -> … of as many indices", len(sizes))
	}
	n := in.check(sizes[0], s, Int, "a size")
	elem := in.fresh()
	g := in.check(args[1], s, Fun(Int, elem), "the function of build")
	return Build.Typed(elem, n, under(g)).Named(g.Name...), Array(elem)
}

// mapCall is map f a.
func mapCall(in *inference, e *ast.Call, args []ast.Expr, s *scope, _ *Type) (*Term, *Type) {
	a, b := in.fresh(), in.fresh()
	x := in.check(args[1], s, Array(a), "what map is applied to")
	f := in.check(args[0], s, Fun(a, b), "the function of map")
	// let x = … in build (length x) (\i -> f x[i])
	at := Index.Typed(a, V(1), V(0))
	return LetIn(x, Build.Typed(b, Length.Make(V(0)), App.Make(f.Shift(2, 0), at))), Array(b)
}

// reduceCall is reduce f a, with f of two elements or of a pair of them.
func reduceCall(in *inference, e *ast.Call, args []ast.Expr, s *scope, _ *Type) (*Term, *Type) {
	a := in.fresh()
	x := in.check(args[1], s, Array(a), "what reduce is applied to")
	want := Fun(a, Fun(a, a))
	if l, ok := args[0].(*ast.Lambda); ok && len(l.Params) == 1 {
		want = Fun(Prod(a, a), a)
	}
	f, t := in.expr(args[0], s, want)
	if h := in.head(t); h.Kind == KFun && in.head(h.Parts[0]).Kind == KProd && in.head(h.Parts[1]).Kind != KFun {
		want = Fun(Prod(a, a), a)
	}
	in.must(args[0].At(), t, want, "the function of reduce")
	body := under(f)
	if len(want.Parts) == 2 && want.Parts[1].Kind == KFun { // of one element after the other
		body = App.Make(App.Make(f.Shift(1, 0), Fst.Make(V(0))), Snd.Make(V(0)))
		if f.Form == open && f.Kids[0].Form == open {
			// let x = fst p in let y = snd p in …
			inner := f.Kids[0].Kids[0].Shift(1, 2)
			body = LetIn(Fst.Make(V(0)), LetIn(Snd.Make(V(1)), inner).Named(f.Kids[0].Name...)).Named(f.Name...)
		}
	}
	return Reduce.Typed(a, body, x), a
}
