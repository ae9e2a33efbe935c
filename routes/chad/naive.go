package chad

import (
	"egad/fun"
	"egad/internal/raise"
)

// The forms on logs of calls (002, Section 9): a log is a bag, not a list, so that putting two
// together takes a constant number of steps.
var (
	cOne = form("called", formCalls.Of(typA, typB), after(func(x fun.Value) fun.Value { return &bag{x: x} }), fun.Prod(typA, typB))
	// sum calls f is the sum of the vectors that f makes of the calls.
	cSum = form("sum", formEV.Of(typOwn), withOperands(func(m *fun.Machine, t *fun.Term, calls, f fun.Value) fun.Value {
		s := stateOf(m)
		out, c := s.vector.zero(s, t.Type)
		m.Step(c)
		n := bagOf(calls).collect(func(_ int64, call fun.Value) {
			var c int64
			out, c = s.vector.plus(s, out, m.Apply(f, call))
			m.Step(c)
		})
		m.Step(n)
		return out
	}), formCalls.Of(typA, typB), fun.Fun(fun.Prod(typA, typB), formEV.Of(typOwn)))
)

// functions is the naive derivative of a function or a call of one (002, Section 9).
func (t *transformer) functions(s *fun.Term) (*fun.Term, *fun.Type) {
	if !t.naive {
		raise.Error(&UnsupportedError{"functions"})
	}
	if s.Form == fun.Lam {
		return t.lambda(s)
	}
	both, typ, _ := t.operands(s)
	// Captured are the derivatives of the call (1), and of the function and the argument (2).
	out := typ.Parts[1]
	arg, fn := fun.Snd.Make(v(2)), fun.Fst.Make(v(2))
	back := backprop(out, t.both(backward(arg, through(v(0))), backward(fn, cOne.Make(pair(primal(arg), v(0))))), 0, 1)
	return called(both, fun.App, back), out
}

// lambda is the derivative of a function, which has that of the body twice: for the argument
// in the primal, and for what is captured in the backpropagator.
func (t *transformer) lambda(s *fun.Term) (*fun.Term, *fun.Type) {
	n := len(s.Caps)
	var context []*fun.Type
	caps, all := make([]int, n), make([]int, n)
	for j := n - 1; j >= 0; j-- {
		key := len(t.types) - 1 - s.Caps[j]
		context = append(context, t.types[key])
		caps[j], all[j] = t.depth-1-t.levels[key], j+1
	}
	in := t.inside(append(context, s.Type))
	body, to := in.term(s.Kids[0])
	typ := fun.Fun(s.Type, to)
	arg := Primal(s.Type)
	split := func(k int, x *fun.Term) *fun.Term { // off the variable outside of which there are k
		return &fun.Term{Form: evSplit, Type: in.ctx[k+1], N: k, Kids: []*fun.Term{x}}
	}
	last := backprop(to, fun.Snd.Make(split(n, through(v(0)))), 0)
	function := fun.Capturing(arg, fun.LetIn(body, pair(primal(v(0)), last)), caps...)
	// For a call z: the contributions to what is captured, under their names here.
	sum := t.nothing(t.here())
	for j := range n {
		sum = t.both(t.one(t.here(), s.Caps[j], len(t.types)-1-s.Caps[j], fun.Snd.Make(v(n-1-j))), sum)
	}
	for j := n - 1; j >= 0; j-- {
		sum = fun.LetIn(split(n-1-j, fun.Fst.Make(v(0))), sum)
	}
	again := fun.App.Make(fun.Capturing(arg, body, all...), fun.Fst.Make(v(0)))
	each := fun.LetIn(again, fun.LetIn(split(n, backward(v(0), fun.Snd.Make(v(1)))), sum))
	back := backprop(typ, cSum.Typed(t.here(), v(0), fun.Capturing(fun.Prod(arg, cotangent(to)), each, all...)), caps...)
	return pair(function, back), typ
}
