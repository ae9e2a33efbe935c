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
	}
	return nil, fmt.Errorf("values of type %s have no cotangents here", t)
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
