package chad

import (
	"fmt"

	"egad/fun"
	"egad/internal/raise"
)

// The formers of types of the target languages (002, Sections 2, 4 and 7): the linear types,
// of cotangents; contexts of them; environment vectors EV Γ; the monad EVM Γ; and the tree
// of a reduce.
var (
	formReal = &fun.TypeForm{Name: "lR"}
	formUnit = &fun.TypeForm{Name: "l1"}
	formProd = &fun.TypeForm{Name: "lpair", Infix: "l*"}
	formSum  = &fun.TypeForm{Name: "lsum", Infix: "l+"}
	formBag  = &fun.TypeForm{Name: "Bag"}
	formNone = &fun.TypeForm{Name: "·"}
	formMore = &fun.TypeForm{Name: "more", Infix: ","}
	formEV   = &fun.TypeForm{Name: "EV"}
	formEVM  = &fun.TypeForm{Name: "EVM"}
	formTree = &fun.TypeForm{Name: "Tree"}

	// Of functions: logs of calls (Section 9); closed functions, and closures Σα. α * (α * t
	// -[]-> s) in the source (Appendix C), their primals and cotangents.
	formCalls  = &fun.TypeForm{Name: "Calls"}
	formClosed = &fun.TypeForm{Name: "closed", Infix: "-[]->"}
	formSome   = &fun.TypeForm{Name: "Some"}
	formSome1  = &fun.TypeForm{Name: "Some1"}
	formSome2  = &fun.TypeForm{Name: "Some2"}
	formAlpha  = &fun.TypeForm{Name: "l"}
)

var (
	lreal = formReal.Of()
	lunit = formUnit.Of()
	none  = formNone.Of()
)

// cotangent is D[t]₂, the linear type of the cotangents of values of a first-order type t
// (002, Section 2; of integers Section 6.2; of arrays Section 7).
func cotangent(t *fun.Type) *fun.Type {
	switch t.Kind {
	case fun.KReal:
		return lreal
	case fun.KInt, fun.KUnit:
		return lunit
	case fun.KProd:
		return formProd.Of(cotangent(t.Parts[0]), cotangent(t.Parts[1]))
	case fun.KSum:
		return formSum.Of(cotangent(t.Parts[0]), cotangent(t.Parts[1]))
	case fun.KArray:
		return formBag.Of(cotangent(t.Parts[0]))
	case fun.KFun:
		return formCalls.Of(Primal(t.Parts[0]), cotangent(t.Parts[1]))
	case fun.KVar:
		return formAlpha.Of(t)
	}
	switch t.Form {
	case formClosed:
		return lunit
	case formSome:
		return formSome2.Of(t.Parts...)
	}
	raise.Error(fmt.Errorf("values of type %s have no cotangents here", t))
	return nil
}

// Primal is D[t]₁, the type of the primals of values of type t, which is t where there are no
// functions in it (002, Section 9; of closures Appendix C).
func Primal(t *fun.Type) *fun.Type {
	switch {
	case t.Kind == fun.KProd, t.Kind == fun.KSum:
		return t.MapParts(Primal)
	case t.Kind == fun.KFun || t.Form == formClosed:
		l := cotangent(t.Parts[0])
		back := func(to *fun.Type) *fun.Type {
			return fun.Prod(Primal(t.Parts[1]), fun.Fun(cotangent(t.Parts[1]), to))
		}
		if t.Form == formClosed {
			return formClosed.Of(Primal(t.Parts[0]), back(formEVM.Of(formMore.Of(none, l), fun.Unit)))
		}
		return fun.Fun(Primal(t.Parts[0]), back(l))
	case t.Form == formSome:
		return formSome1.Of(t.Parts...)
	}
	return t
}

// vector is the type of a tuple of all in a linear context, the innermost first, which is
// what a computation is run on.
func vector(ctx *fun.Type) *fun.Type {
	if ctx.Form != formMore {
		return fun.Unit
	}
	return fun.Prod(ctx.Parts[1], vector(ctx.Parts[0]))
}
