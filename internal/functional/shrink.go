package functional

import (
	"slices"

	"egad/fun"
	"egad/internal/slice"
	"egad/internal/values"
	"egad/props"
	"egad/term/numeric"

	"github.com/leanovate/gopter"
)

// shrink tries to replace each part of a program by a constant, a variable or a
// part of its own of the same type, takes inputs away that are not used, and makes values
// simpler.
func shrink(c props.FunctionalCase) gopter.Shrink {
	var out []props.FunctionalCase
	p := c.Program
	whole, err := fun.Annotate(p.Body, p.Context)
	if err != nil {
		panic(err)
	}
	for _, body := range smallerTerms(whole, p.Context) {
		q := *p
		q.Body = body
		out = append(out, props.FunctionalCase{Program: &q, Inputs: c.Inputs, Length: c.Length})
	}
	free := p.Body.Free()
	for i := range p.Context {
		if v := len(p.Context) - 1 - i; !slices.Contains(free, v) {
			out = append(out, props.FunctionalCase{Program: &fun.Program{
				Names:   slices.Delete(slices.Clone(p.Names), i, i+1),
				Context: slices.Delete(slices.Clone(p.Context), i, i+1),
				Body:    p.Body.Shift(-1, v),
				Result:  p.Result,
			}, Inputs: slices.Delete(slices.Clone(c.Inputs), i, i+1), Length: c.Length})
		}
	}
	for i, x := range c.Inputs {
		for _, y := range simplerValues(x, p.Context[i]) {
			inputs := slices.Clone(c.Inputs)
			inputs[i] = y
			out = append(out, props.FunctionalCase{Program: p, Inputs: inputs, Length: c.Length})
		}
	}
	return slice.Each(out)
}

// weight orders terms of one type: what replaces a term weighs less.
func weight(t *fun.Term) int {
	switch t.Form {
	case fun.Lit:
		if t.Num.Float64() == 0 {
			return 1
		}
		return 2
	case fun.Star:
		return 1
	case fun.Var:
		return 3
	}
	return 3 + slice.Sum(t.Kids, weight)
}

// smallerTerms are t with one part made smaller.
func smallerTerms(t *fun.Typed, context []*fun.Type) []*fun.Term {
	var out []*fun.Term
	add := func(u *fun.Term) {
		if weight(u) < weight(t.Term) {
			out = append(out, u)
		}
	}
	add(simplest(t.Of))
	for i, v := range context {
		if v.Equal(t.Of) {
			add(fun.V(len(context) - 1 - i))
		}
	}
	for _, u := range subterms(t, context, t.Of) {
		add(u)
	}
	if t.Form == fun.List && len(t.Kids) > 1 {
		for k := range t.Kids {
			add(fun.List.Typed(t.Type, slices.Delete(slices.Clone(t.Kids), k, k+1)...))
		}
	}
	if t.Form == fun.Lit || t.Form == fun.Var {
		return out
	}
	eachOperand(t, context, func(k int, kid *fun.Typed, scope []*fun.Type) {
		for _, u := range smallerTerms(kid, scope) {
			v := *t.Term
			v.Kids = slices.Clone(t.Kids)
			v.Kids[k] = u
			out = append(out, &v)
		}
	})
	return out
}

// eachOperand calls f with the operands of a term and their contexts.
func eachOperand(t *fun.Typed, context []*fun.Type, f func(k int, kid *fun.Typed, scope []*fun.Type)) {
	types := slice.Map(t.Parts, func(kid *fun.Typed) *fun.Type { return kid.Of })
	for k, kid := range t.Parts {
		scope, err := t.Scope(context, types[:k], k)
		if err != nil {
			panic(err)
		}
		f(k, kid, scope)
	}
}

// subterms are the parts of t that have a type, taken out of it: what is bound around them is
// bound to something simple.
func subterms(t *fun.Typed, context []*fun.Type, typ *fun.Type) []*fun.Term {
	var out []*fun.Term
	eachOperand(t, context, func(k int, kid *fun.Typed, scope []*fun.Type) {
		parts := subterms(kid, scope, typ)
		if kid.Of.Equal(typ) {
			parts = append([]*fun.Term{kid.Term}, parts...)
		}
		own := len(scope) - len(context)
		closed := t.Form.Closed && k == len(t.Kids)-1
		if closed {
			own = len(scope) - len(t.Caps)
		}
		for _, part := range parts {
			lets := 0
			for _, v := range part.Free() {
				if v < own {
					lets = own
				}
			}
			part = part.Rename(func(v int) int {
				switch {
				case v < own:
					return v
				case closed:
					return t.Caps[v-own] + lets
				}
				return v - own + lets
			})
			for i := range lets {
				part = fun.LetIn(simplest(scope[len(scope)-1-i]), part)
			}
			out = append(out, part)
		}
	})
	return out
}

// simplest is a constant of type t.
func simplest(t *fun.Type) *fun.Term {
	switch t.Kind {
	case fun.KReal, fun.KInt:
		return fun.Literal(numeric.Int(0), t)
	case fun.KProd:
		return fun.Pair.Make(simplest(t.Parts[0]), simplest(t.Parts[1]))
	case fun.KSum:
		return fun.Inl.Typed(t, simplest(t.Parts[0]))
	case fun.KFun:
		return fun.Closure(t.Parts[0], simplest(t.Parts[1]))
	case fun.KArray:
		return fun.List.Typed(t.Parts[0], simplest(t.Parts[0]))
	}
	return fun.Star.Make()
}

// simplerValues are values to try for x.
func simplerValues(x fun.Value, t *fun.Type) []fun.Value {
	// with is what make makes of values to try for a part.
	with := func(x fun.Value, part int, make func(y fun.Value) fun.Value) []fun.Value {
		return slice.Map(simplerValues(x, t.Parts[part]), make)
	}
	switch t.Kind {
	case fun.KReal:
		return slice.Map(values.SimplerReals(x.(float64)), func(y float64) fun.Value { return y })
	case fun.KInt:
		return slice.Map(values.SimplerWholes(x.(int64)), func(y int64) fun.Value { return y })
	case fun.KProd:
		p := x.(*fun.Pairing)
		return append(with(p.L, 0, func(l fun.Value) fun.Value { return &fun.Pairing{L: l, R: p.R} }),
			with(p.R, 1, func(r fun.Value) fun.Value { return &fun.Pairing{L: p.L, R: r} })...)
	case fun.KSum:
		s := x.(*fun.Side)
		return with(s.X, fun.Place(s.Right), func(y fun.Value) fun.Value { return &fun.Side{Right: s.Right, X: y} })
	case fun.KArray:
		var out []fun.Value
		xs := x.(*fun.Elements).X
		for i := range xs {
			if len(xs) > 1 {
				out = append(out, &fun.Elements{X: slices.Delete(slices.Clone(xs), i, i+1)})
			}
			out = append(out, with(xs[i], 0, func(y fun.Value) fun.Value {
				return &fun.Elements{X: slices.Replace(slices.Clone(xs), i, i+1, y)}
			})...)
		}
		return out
	}
	return nil
}
