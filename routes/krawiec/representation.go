package krawiec

import (
	"egad/fun"
	"egad/internal/slice"
)

// representation is how a transformation represents reals, functions and arrays, and what it
// does with changes: all in which the routes differ.
type representation struct {
	// change is the type of what stands beside a real: D{R} = R * change.
	change *fun.Type
	// monadic says that D{A -> B} = D{A} -> M D{B} (Fig. 9).
	monadic bool
	// apartArrays says that an array with reals is a pair of arrays (Section 10.2).
	apartArrays bool
	// none is the change of what does not change; nil if that is a variable, as it depends on
	// the inputs of the program (Fig. 5).
	none  *fun.Term
	scale func(by, change *fun.Term) *fun.Term
	add   func(a, b *fun.Term) *fun.Term
}

// dual is D on types.
func (r *representation) dual(t *fun.Type) *fun.Type {
	switch {
	case t.Kind == fun.KReal:
		return fun.Prod(fun.Real, r.change)
	case t.Kind == fun.KFun:
		result := r.dual(t.Parts[1])
		if r.monadic {
			result = fun.M(result)
		}
		return fun.Fun(r.dual(t.Parts[0]), result)
	case t.Kind == fun.KArray && r.apartArrays && t.HasReals():
		return fun.Prod(t, fun.Array(r.changes(t.Parts[0])))
	}
	return t.MapParts(r.dual)
}

// changes is the type of the changes of all reals in a value of a first-order type.
func (r *representation) changes(t *fun.Type) *fun.Type {
	switch {
	case t.Kind == fun.KReal:
		return r.change
	case len(t.Parts) == 0 || !t.HasReals() && t.Kind == fun.KArray:
		return fun.Unit
	}
	return t.MapParts(r.changes)
}

// split is a value with reals that are pairs as its primal and its changes.
func (r *representation) split(x fun.Value, t *fun.Type) (primal, changes fun.Value) {
	switch v := x.(type) {
	case *fun.Pairing:
		if t.Kind != fun.KProd { // a real, or an array
			return v.L, v.R
		}
		l, dl := r.split(v.L, t.Parts[0])
		right, dr := r.split(v.R, t.Parts[1])
		return &fun.Pairing{L: l, R: right}, &fun.Pairing{L: dl, R: dr}
	case *fun.Side:
		y, dy := r.split(v.X, t.Parts[fun.Place(v.Right)])
		return &fun.Side{Right: v.Right, X: y}, &fun.Side{Right: v.Right, X: dy}
	}
	return x, fun.Nothing{}
}

// joined is the value of a primal and its changes.
func (r *representation) joined(x, dx fun.Value, t *fun.Type) fun.Value {
	switch t.Kind {
	case fun.KReal:
		return &fun.Pairing{L: x, R: dx}
	case fun.KProd:
		p, d := x.(*fun.Pairing), dx.(*fun.Pairing)
		return &fun.Pairing{L: r.joined(p.L, d.L, t.Parts[0]), R: r.joined(p.R, d.R, t.Parts[1])}
	case fun.KSum:
		s := x.(*fun.Side)
		return &fun.Side{Right: s.Right, X: r.joined(s.X, dx.(*fun.Side).X, t.Parts[fun.Place(s.Right)])}
	case fun.KArray:
		if t.HasReals() {
			return &fun.Pairing{L: x, R: dx}
		}
	}
	return x
}

// together is a value the arrays of which are arrays of pairs, as D{t} has them.
func (r *representation) together(x fun.Value, t *fun.Type) fun.Value {
	if !r.apartArrays || x == nil || t.Kind == fun.KArray && !t.HasReals() {
		return x
	}
	x = fun.MapParts(x, t, r.together)
	if t.Kind == fun.KArray {
		return r.unzipped(x, t.Parts[0])
	}
	return x
}

// apart is a value of D{t} with arrays of pairs.
func (r *representation) apart(x fun.Value, t *fun.Type) fun.Value {
	if !r.apartArrays || t.Kind == fun.KArray && !t.HasReals() {
		return x
	}
	if t.Kind == fun.KArray {
		x = r.zipped(x, t.Parts[0])
	}
	return fun.MapParts(x, t, r.apart)
}

// unzipped is an array of values of D{t} as a pair of arrays.
func (r *representation) unzipped(a fun.Value, t *fun.Type) fun.Value {
	all := a.(*fun.Elements).X
	xs, ds := make([]fun.Value, len(all)), make([]fun.Value, len(all))
	for i, x := range all {
		xs[i], ds[i] = r.split(x, t)
	}
	return &fun.Pairing{L: &fun.Elements{X: xs}, R: &fun.Elements{X: ds}}
}

// zipped is the array of values of D{t} of a pair of arrays.
func (r *representation) zipped(a fun.Value, t *fun.Type) fun.Value {
	p := a.(*fun.Pairing)
	xs, ds := p.L.(*fun.Elements).X, p.R.(*fun.Elements).X
	return &fun.Elements{X: slice.Make(len(xs), func(i int) fun.Value { return r.joined(xs[i], ds[i], t) })}
}

// The operations between an array of values of D{A}, and D{Array A} where that is a pair of
// arrays. Their type is A.
var (
	// unzipOp is D{Array A} of the array.
	unzipOp = &polytypic{"unzip",
		func(r *representation, a *fun.Type) *fun.Type { return fun.Array(r.dual(a)) },
		func(r *representation, a *fun.Type) *fun.Type { return r.dual(fun.Array(a)) },
		func(_ *fun.Machine, r *representation, a *fun.Type, x fun.Value) fun.Value {
			return r.unzipped(x, a)
		}}
	// zipArrayOp is the array of D{Array A}.
	zipArrayOp = &polytypic{"zipArray",
		func(r *representation, a *fun.Type) *fun.Type { return r.dual(fun.Array(a)) },
		func(r *representation, a *fun.Type) *fun.Type { return fun.Array(r.dual(a)) },
		func(_ *fun.Machine, r *representation, a *fun.Type, x fun.Value) fun.Value {
			return r.zipped(x, a)
		}}
	// joinOp is D{A} of a value and its changes.
	joinOp = &polytypic{"join",
		func(r *representation, a *fun.Type) *fun.Type { return fun.Prod(a, r.changes(a)) },
		dual,
		func(_ *fun.Machine, r *representation, a *fun.Type, x fun.Value) fun.Value {
			p := x.(*fun.Pairing)
			return r.joined(p.L, p.R, a)
		}}
)
