package chad

import (
	"fmt"

	"egad/fun"
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

// Cotangent is D[t]₂, the linear type of the cotangents of values of a first-order type t
// (002, Section 2; of integers Section 6.2; of arrays Section 7).
func Cotangent(t *fun.Type) (*fun.Type, error) {
	switch t.Kind {
	case fun.KReal:
		return lreal, nil
	case fun.KInt, fun.KUnit:
		return lunit, nil
	case fun.KProd, fun.KSum:
		l, err := Cotangent(t.Parts[0])
		if err != nil {
			return nil, err
		}
		r, err := Cotangent(t.Parts[1])
		if err != nil {
			return nil, err
		}
		if t.Kind == fun.KProd {
			return formProd.Of(l, r), nil
		}
		return formSum.Of(l, r), nil
	case fun.KArray:
		x, err := Cotangent(t.Parts[0])
		if err != nil {
			return nil, err
		}
		return formBag.Of(x), nil
	case fun.KFun:
		x, err := Cotangent(t.Parts[1])
		return formCalls.Of(Primal(t.Parts[0]), x), err
	case fun.KVar:
		return formAlpha.Of(t), nil
	}
	switch t.Form {
	case formClosed:
		return lunit, nil
	case formSome:
		return formSome2.Of(t.Parts...), nil
	}
	return nil, fmt.Errorf("values of type %s have no cotangents here", t)
}

// Primal is D[t]₁, the type of the primals of values of type t, which is t where there are no
// functions in it (002, Section 9; of closures Appendix C).
func Primal(t *fun.Type) *fun.Type {
	back := func(to *fun.Type) *fun.Type {
		l, err := Cotangent(t.Parts[1])
		if err != nil {
			return t // what has no cotangent is refused elsewhere
		}
		return fun.Prod(Primal(t.Parts[1]), fun.Fun(l, to))
	}
	switch {
	case t.Kind == fun.KProd, t.Kind == fun.KSum:
		return t.MapParts(Primal)
	case t.Kind == fun.KFun || t.Form == formClosed:
		l, err := Cotangent(t.Parts[0])
		if err != nil {
			return t
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
	var all []*fun.Type
	for ; ctx.Form == formMore; ctx = ctx.Parts[0] {
		all = append(all, ctx.Parts[1])
	}
	out := fun.Unit
	for i := len(all) - 1; i >= 0; i-- {
		out = fun.Prod(all[i], out)
	}
	return out
}
