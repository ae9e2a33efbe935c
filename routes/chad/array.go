package chad

import (
	"slices"

	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
)

// arrays is the derivative of a form on arrays (002, Fig. 9).
func (t *transformer) arrays(s *fun.Term) (*fun.Term, *fun.Type) {
	if _, ok := t.calculus.(monadic); !ok {
		if x := refused(s); x != nil {
			raise.Error(x.Locate(&UnsupportedError{x.Called()}))
		}
		raise.Error(&UnsupportedError{"arrays without the monad"})
	}
	switch s.Form {
	case fun.Build:
		return t.build(s)
	case fun.Index:
		return t.index(s)
	case fun.List:
		return t.list(s)
	case fun.Reduce:
		return t.reduce(s)
	}
	a, of := t.term(s.Kids[0])
	x, typ := t.leaf(fun.Length.Make(primal(v(0))), result(s, of))
	return fun.LetIn(a, x), typ
}

// refused is a part of a term that no way of CHAD takes, nil if there is none.
func refused(s *fun.Term) *fun.Term {
	if s.Form == fun.Whole || s.Form == fun.Rec || slices.Contains(fun.Loops, s.Form) {
		return s
	}
	for _, k := range s.Kids {
		if x := refused(k); x != nil {
			return x
		}
	}
	return nil
}

// index is D[a[i]]: an index has no cotangent.
func (t *transformer) index(s *fun.Term) (*fun.Term, *fun.Type) {
	both, _, _ := t.operands(s)
	back := backprop(s.Type, backward(fun.Fst.Make(v(1)), bOne.Make(pair(primal(fun.Snd.Make(v(1))), v(0)))), 0)
	at := fun.Index.Typed(s.Type, primal(fun.Fst.Make(v(0))), primal(fun.Snd.Make(v(0))))
	return fun.LetIn(both, pair(at, back)), s.Type
}

// list is the derivative of [x, y, …].
func (t *transformer) list(s *fun.Term) (*fun.Term, *fun.Type) {
	kids := slice.Map(s.Kids, func(k *fun.Term) *fun.Term {
		d, _ := t.term(k)
		return d
	})
	each := fun.List.Typed(t.derivative(s.Type, t.here()), kids...)
	return t.elements(s.Type, t.here(), each, contributions{
		result: fun.Unit,
		run:    func(back *fun.Term) *fun.Term { return back },
		last:   func() *fun.Term { return evmPure.Typed(t.here(), fun.Star.Make()) },
	}), fun.Array(s.Type)
}

// derivative is the type of D[s], of an s of type typ.
func (t *transformer) derivative(typ, ctx *fun.Type) *fun.Type {
	return fun.Prod(typ, fun.Fun(cotangent(typ), t.typ(ctx)))
}

// contributions are those of the elements of an array: computations in the context of the
// array, with results of type result, made by run of the backpropagators' own; and last, a
// computation of the array of the results (0) and of kept variables around the array (1 and
// on, the innermost first).
type contributions struct {
	result *fun.Type
	run    func(back *fun.Term) *fun.Term
	kept   int
	last   func() *fun.Term
}

// elements is the derivative of an array of which the elements' derivatives are each, with
// backpropagators in the context ctx.
func (t *transformer) elements(of, ctx *fun.Type, each *fun.Term, c contributions) *fun.Term {
	l := cotangent(of)
	f := fun.Fun(l, t.typ(ctx))
	n := func(u int) *fun.Term { return fun.Length.Make(fun.Snd.Make(v(u))) }
	// In the order of what is bound: what is kept, u, and d, pairs, sums, i.
	one := c.run(fun.App.Make(fun.Index.Typed(f, fun.Snd.Make(v(4)), v(0)), fun.Index.Typed(l, v(1), v(0))))
	all := aSeq.Make(fun.Build.Typed(formEVM.Of(t.here(), c.result), n(3), one).Named("i"))
	captured, kept := []int{0}, []int(nil)
	for k := range c.kept {
		captured, kept = append(captured, 2+k), append(kept, 4+k)
	}
	body := fun.LetIn(bCollect.Make(v(0)), fun.LetIn(aScatter.Make(fun.Build.Typed(l, n(2), zeroOf(l)), v(0)),
		evmBind.Make(all, fun.Capturing(fun.Array(c.result), c.last(), kept...))).Named("sums")).Named("pairs")
	back := backprop(fun.Array(of), body, captured...)
	return fun.LetIn(each, fun.LetIn(aUnzip.Make(v(0)), pair(fun.Fst.Make(v(0)), back)).Named("parts"))
}

// reduce is the derivative of reduce (p. body) a: the way it went is kept as a tree.
func (t *transformer) reduce(s *fun.Term) (*fun.Term, *fun.Type) {
	of := s.Type
	a, _ := t.term(s.Kids[1])
	t.bind(fun.Prod(of, of), t.depth+2)
	body, _ := t.under(3, s.Kids[0])
	inside := t.here()
	t.leave()
	l := cotangent(of)
	two := inside.Parts[1]
	f := fun.Fun(l, t.typ(inside))
	trees := formTree.Of(of, f)
	// p' is a pair of trees, p of what they come to.
	join := fun.LetIn(pair(tGetA.Make(fun.Fst.Make(v(0))), tGetA.Make(fun.Snd.Make(v(0)))),
		tNode.Make(fun.Fst.Make(v(1)), body, fun.Snd.Make(v(1)))).Named(append([]string(nil), s.Name...)...)
	leaves := fun.Build.Typed(trees, fun.Length.Make(primal(v(0))),
		tLeaf.Typed(trees, fun.Index.Typed(of, primal(v(1)), v(0))))
	g := fun.Capturing(fun.Prod(l, f), evmBind.Make(
		evmScope.Make(zeroOf(two), fun.App.Make(fun.Snd.Make(v(0)), fun.Fst.Make(v(0)))),
		fun.Capturing(fun.Prod(two, fun.Unit), evmPure.Typed(t.here(), pair(lFst.Typed(l, fun.Fst.Make(v(0))), lSnd.Typed(l, fun.Fst.Make(v(0))))))))
	back := backprop(of, evmBind.Make(tUnTree.Typed(t.here(), g, v(0), v(1)),
		fun.Capturing(fun.Array(l), backward(v(1), bWhole.Make(v(0))), 2)), 0, 1)
	return fun.LetIn(a, fun.LetIn(fun.Reduce.Typed(trees, join, leaves), pair(tGetA.Make(v(0)), back)).Named("tree")), of
}
