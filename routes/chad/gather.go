package chad

import (
	"slices"

	"egad/fun"
)

// gathered is an element a[t] that every run of the body of a build takes of an array from
// outside (002, Section 8.1): the array in the context of the build, and the index in that of
// the body. It becomes a variable of the body, and all its cotangents one constructor BArray
// of the array's bag, where each would be a BOne, with a BPlus between two.
type gathered struct {
	array, index *fun.Term
	of           *fun.Type // of the element
}

// gather takes such elements out of a body: in what it gives they are variables inside the
// build's own, the last one innermost.
func gather(body *fun.Term) (*fun.Term, []gathered) {
	var found []gathered
	out := take(body, 0, &found)
	if found == nil {
		return body, nil
	}
	return place(out.Shift(len(found), 0), 0, len(found)), found
}

// take puts the variable -1 - k where the element k was found, in what is evaluated in each
// run of the body.
func take(t *fun.Term, depth int, found *[]gathered) *fun.Term {
	if t.Form == fun.Index && path(t.Kids[0]) && outside(t.Kids[0], depth+1) && outside(t.Kids[1], depth) {
		lower := func(n int) func(int) int { return func(v int) int { return v - n } }
		*found = append(*found, gathered{t.Kids[0].Rename(lower(depth + 1)), t.Kids[1].Rename(lower(depth)), t.Type})
		return v(-len(*found))
	}
	return eachRun(t, depth, func(kid *fun.Term, depth int) *fun.Term { return take(kid, depth, found) })
}

// eachRun is a term, under so many variables, with what f makes of the operands that are
// evaluated whenever it is.
func eachRun(t *fun.Term, depth int, f func(kid *fun.Term, depth int) *fun.Term) *fun.Term {
	out := *t
	out.Kids = slices.Clone(t.Kids)
	for k, kid := range t.Kids {
		if always(t.Form, k) {
			inner := depth
			if k > 0 && t.Form == fun.Let {
				inner++
			}
			out.Kids[k] = f(kid, inner)
		}
	}
	return &out
}

// always reports whether operand k of a form is evaluated in each evaluation of the form,
// once, and has a cotangent.
func always(f *fun.Form, k int) bool {
	switch f {
	case fun.Let, fun.Pair, fun.Fst, fun.Snd, fun.Inl, fun.Inr, fun.Prim, fun.List, fun.App, fCall, fPack:
		return true
	case fun.Case, fUnpack, fun.Index:
		return k == 0
	case fun.Reduce:
		return k == 1
	}
	return false
}

// path reports whether a term is a variable or a part of one, which costs little and cannot
// fail, so that it may be evaluated for no element, too.
func path(t *fun.Term) bool {
	switch t.Form {
	case fun.Var, fun.Lit:
		return true
	case fun.Fst, fun.Snd:
		return path(t.Kids[0])
	case fun.Index:
		return path(t.Kids[0]) && path(t.Kids[1])
	}
	return false
}

// outside reports whether a term has none of the n innermost variables.
func outside(t *fun.Term, n int) bool {
	free := t.Free()
	return len(free) == 0 || free[0] >= n
}

// place numbers the variables of n elements, in a body that has made place for them.
func place(t *fun.Term, depth, n int) *fun.Term {
	if t.Form == fun.Var {
		if t.N < 0 {
			return v(depth + n + t.N)
		}
		return t
	}
	return eachRun(t, depth, func(kid *fun.Term, depth int) *fun.Term { return place(kid, depth, n) })
}

// build is the derivative of build n (\i -> body). What it binds, in this order: that of n,
// those of the arrays of which elements are gathered, and their indices.
func (t *transformer) build(s *fun.Term) (*fun.Term, *fun.Type) {
	n, _ := t.term(s.Kids[0])
	source, found := s.Kids[1], []gathered(nil)
	if t.gathers {
		source, found = gather(source)
	}
	k := len(found)
	arrays, indices, cotangents := make([]*fun.Term, k), make([]*fun.Term, k), make([]*fun.Type, k)
	for j, g := range found {
		arrays[j], _ = t.under(1+j, g.array)
		cotangents[j] = cotangent(g.of)
		t.bind(fun.Int, t.depth+1+k+j)
		index, _ := t.under(2+k+j, g.index)
		t.leave()
		indices[j] = fun.Build.Typed(fun.Int, primal(v(k+j)), primal(index)).Named(s.Name...)
	}
	t.bind(fun.Int, t.depth+1+2*k)
	for j, g := range found {
		t.bind(g.of, t.depth+2+2*k+j)
	}
	body, of := t.under(2+3*k, source)
	inside := t.here()
	for range k + 1 {
		t.leave()
	}
	for j := k - 1; j >= 0; j-- {
		at := fun.Index.Typed(fun.Int, v(k), v(j))
		body = fun.LetIn(fun.Index.Typed(Primal(found[j].of), primal(v(2*k)), at), body)
	}
	each := fun.Build.Typed(t.derivative(of, inside), primal(v(2*k)), body).Named(s.Name...)
	out := t.elements(of, inside, each, t.scattered(cotangents))
	for _, x := range slices.Backward(indices) {
		out = fun.LetIn(x, out)
	}
	for _, x := range slices.Backward(arrays) {
		out = fun.LetIn(x, out)
	}
	return fun.LetIn(n, out), fun.Array(of)
}

// scattered says that the backpropagators of elements bind an index, of which the cotangent
// is popped, and gathered elements with cotangents of the given types, which go to the arrays
// that they are of.
func (t *transformer) scattered(of []*fun.Type) contributions {
	result := fun.Unit
	for _, l := range slices.Backward(of) {
		result = fun.Prod(l, result)
	}
	result = fun.Prod(lunit, result)
	return contributions{
		result: result, kept: 2 * len(of),
		run: func(back *fun.Term) *fun.Term {
			for _, l := range slices.Backward(of) {
				back = evmScope.Make(zeroOf(l), back)
			}
			return evmScope.Make(lUnit.Make(), back)
		},
		// The variables are the results, the indices, and the arrays' derivatives, the last
		// ones first.
		last: func() *fun.Term {
			var out *fun.Term
			k := len(of)
			for j, l := range slices.Backward(of) {
				x := fun.Index.Typed(result, v(1), v(0))
				for range j + 1 {
					x = fun.Snd.Make(x)
				}
				one := pair(fun.Index.Typed(fun.Int, v(1+k-j), v(0)), fun.Fst.Make(x))
				all := bArray.Make(fun.Build.Typed(fun.Prod(fun.Int, l), fun.Length.Make(v(0)), one).Named("i"))
				add := backward(v(2*k-j), all)
				if out == nil {
					out = add
				} else {
					out = t.both(add, out)
				}
			}
			if out == nil {
				out = evmPure.Typed(t.here(), fun.Star.Make())
			}
			return out
		},
	}
}
