package chad

import (
	"fmt"

	"egad/fun"
	"egad/term"
)

// The forms on logs of calls (002, Section 9): a log is a bag, not a list, so that putting two
// together takes a constant number of steps.
var (
	cOne = &fun.Form{Name: "called", Arity: 1}
	cSum = &fun.Form{Name: "sum", Arity: 2}
)

func init() {
	cOne.Result = func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		if kids[0].Kind != fun.KProd {
			return nil, fmt.Errorf("a call of %s", kids[0])
		}
		return formCalls.Of(kids[0].Parts...), nil
	}
	cOne.Eval = after(func(x fun.Value) fun.Value { return &bag{x: x} })
	// sum calls f is the sum of the vectors that f makes of the calls.
	cSum.Result = func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		if kids[0].Form != formCalls {
			return nil, fmt.Errorf("a sum over %s", kids[0])
		}
		out := formEV.Of(t.Type)
		return out, must(kids[1], fun.Fun(fun.Prod(kids[0].Parts[0], kids[0].Parts[1]), out), "the function of a sum")
	}
	cSum.Eval = withOperands(func(m *fun.Machine, t *fun.Term, calls, f fun.Value) (fun.Value, error) {
		s := stateOf(m)
		out, c := s.vector.zero(s, t.Type)
		if err := m.Step(c); err != nil {
			return nil, err
		}
		n, err := bagOf(calls).collect(func(_ int64, call fun.Value) error {
			x, err := m.Call(f, call)
			if err != nil {
				return err
			}
			var c int64
			if out, c, err = s.vector.plus(s, out, x); err != nil {
				return err
			}
			return m.Step(c)
		})
		if err != nil {
			return nil, err
		}
		return out, m.Step(n)
	})
}

// functions is the naive derivative of a function or a call of one (002, Section 9).
func (t *transformer) functions(s *fun.Term) (*fun.Term, *fun.Type, error) {
	if !t.naive {
		return nil, nil, &UnsupportedError{"functions"}
	}
	if s.Form == fun.Lam {
		return t.lambda(s)
	}
	both, typ, _, err := t.operands(s)
	if err != nil {
		return nil, nil, err
	}
	// Captured are the derivatives of the call (1), and of the function and the argument (2).
	out := typ.Parts[1]
	arg, fn := fun.Snd.Make(v(2)), fun.Fst.Make(v(2))
	back, err := backprop(out, t.both(backward(arg, through(v(0))), backward(fn, cOne.Make(pair(primal(arg), v(0))))), 0, 1)
	return called(both, fun.App, back), out, err
}

// lambda is the derivative of a function, which has that of the body twice: for the argument
// in the primal, and for what is captured in the backpropagator.
func (t *transformer) lambda(s *fun.Term) (*fun.Term, *fun.Type, error) {
	n := len(s.Caps)
	var context []*fun.Type
	caps, all := make([]int, n), make([]int, n)
	for j := n - 1; j >= 0; j-- {
		key := len(t.types) - 1 - s.Caps[j]
		context = append(context, t.types[key])
		caps[j], all[j] = t.depth-1-t.levels[key], j+1
	}
	in, err := newTransformer(t.calculus, t.Derivatives, append(context, s.Type))
	if err != nil {
		return nil, nil, err
	}
	in.derived, in.naive = t.derived, true
	body, to, err := in.term(s.Kids[0])
	if err != nil {
		return nil, nil, err
	}
	typ := fun.Fun(s.Type, to)
	arg := Primal(s.Type)
	split := func(k int, x *fun.Term) *fun.Term { // off the variable outside of which there are k
		return &fun.Term{Form: evSplit, Type: in.ctx[k+1], N: k, Kids: []*fun.Term{x}}
	}
	last, err := backprop(to, fun.Snd.Make(split(n, through(v(0)))), 0)
	if err != nil {
		return nil, nil, err
	}
	function := fun.Capturing(arg, fun.LetIn(body, pair(primal(v(0)), last)), caps...)
	// For a call z: the contributions to what is captured, under their names here.
	sum := t.nothing(t.here())
	for j := range n {
		sum = t.both(&fun.Term{Form: evOne, Type: t.here(), N: s.Caps[j], Op: term.Op{N: len(t.types) - 1 - s.Caps[j]},
			Kids: []*fun.Term{fun.Snd.Make(v(n - 1 - j))}}, sum)
	}
	for j := n - 1; j >= 0; j-- {
		sum = fun.LetIn(split(n-1-j, fun.Fst.Make(v(0))), sum)
	}
	again := fun.App.Make(fun.Capturing(arg, body, all...), fun.Fst.Make(v(0)))
	l, err := Cotangent(to)
	if err != nil {
		return nil, nil, err
	}
	each := fun.LetIn(again, fun.LetIn(split(n, backward(v(0), fun.Snd.Make(v(1)))), sum))
	back, err := backprop(typ, cSum.Typed(t.here(), v(0), fun.Capturing(fun.Prod(arg, l), each, all...)), caps...)
	return pair(function, back), typ, err
}
