package chad

import (
	"fmt"

	"egad/fun"
)

// The forms on linear types, which both target languages have (002, Fig. 3; their costs are
// those of Appendix B).
var (
	lUnit  = form("lunit", lunit, func(*fun.Machine, *fun.Term, []fun.Value) (fun.Value, error) { return fun.Nothing{}, nil })
	lZero  = form("lzero", lreal, after(func(fun.Value) fun.Value { return 0.0 }), lunit) // of lR, as an operator on lunit
	lAdd   = form("ladd", lreal, binary(func(x, y float64) float64 { return x + y }), fun.Prod(lreal, lreal))
	lScale = form("lscale", lreal, binary(func(x, y float64) float64 { return x * y }), fun.Prod(lreal, fun.Real))
	lNeg   = form("lneg", lreal, after(func(x fun.Value) fun.Value { return -x.(float64) }), lreal)
	lPair  = form("lpair", formProd.Of(typA, typB), withOperands(func(m *fun.Machine, _ *fun.Term, l, r fun.Value) (fun.Value, error) {
		return stateOf(m).pair(l, r), nil
	}), typA, typB)
	lFst   = form("lfst", typOwn, half(false), formProd.Of(typOwn, typA))
	lSnd   = form("lsnd", typOwn, half(true), formProd.Of(typA, typOwn))
	lInl   = formAt(formSum.Of(typA, typB), "linl", formSum.Of(typA, typB), after(func(x fun.Value) fun.Value { return &lside{x: x} }), typA)
	lInr   = formAt(formSum.Of(typA, typB), "linr", formSum.Of(typA, typB), after(func(x fun.Value) fun.Value { return &lside{right: true, x: x} }), typB)
	lCastl = form("lcastl", typOwn, cast(false), formSum.Of(typOwn, typA))
	lCastr = form("lcastr", typOwn, cast(true), formSum.Of(typA, typOwn))
	// lNone is the zero of products, sums and bags.
	lNone = form("lnone", typOwn, func(m *fun.Machine, t *fun.Term, _ []fun.Value) (fun.Value, error) {
		v, c := stateOf(m).linear.zero(t.Type)
		return v, m.Step(c - 1)
	})
)

// half is the evaluation of what takes a cotangent of a product apart.
func half(right bool) evaluation {
	return func(m *fun.Machine, t *fun.Term, env []fun.Value) (fun.Value, error) {
		s, before := stateOf(m), m.Steps
		x, err := m.Eval(t.Kids[0], env)
		if err != nil {
			return nil, err
		}
		v, absent, c, err := s.half(x, right, t.Type)
		if err != nil || !absent {
			return v, err
		}
		if !s.charge { // as in the paper's Agda: the operand's cost is dropped
			m.Steps = before
			c--
		}
		return v, m.Step(c)
	}
}

// cast is the evaluation of what takes one of a sum apart.
func cast(right bool) evaluation {
	return withOperand(func(m *fun.Machine, t *fun.Term, x fun.Value) (fun.Value, error) {
		v, c, err := stateOf(m).cast(x, right, t.Type)
		if err != nil {
			return nil, err
		}
		return v, m.Step(c)
	})
}

// must is an error if a type is not the one that must be.
func must(got, want *fun.Type, what string) error {
	if !got.Equal(want) {
		return fmt.Errorf("%s is of type %s, where %s must be", what, got, want)
	}
	return nil
}

// evaluation is how a form is evaluated.
type evaluation = func(m *fun.Machine, t *fun.Term, env []fun.Value) (fun.Value, error)

// withOperand evaluates the operand and calls f with it.
func withOperand(f func(m *fun.Machine, t *fun.Term, x fun.Value) (fun.Value, error)) evaluation {
	return func(m *fun.Machine, t *fun.Term, env []fun.Value) (fun.Value, error) {
		x, err := m.Eval(t.Kids[0], env)
		if err != nil {
			return nil, err
		}
		return f(m, t, x)
	}
}

// withOperands evaluates two operands and calls f with them.
func withOperands(f func(m *fun.Machine, t *fun.Term, x, y fun.Value) (fun.Value, error)) evaluation {
	return func(m *fun.Machine, t *fun.Term, env []fun.Value) (fun.Value, error) {
		x, y, err := two(m, t, env)
		if err != nil {
			return nil, err
		}
		return f(m, t, x, y)
	}
}

// after evaluates the operand and applies f.
func after(f func(fun.Value) fun.Value) evaluation {
	return withOperand(func(_ *fun.Machine, _ *fun.Term, x fun.Value) (fun.Value, error) { return f(x), nil })
}

// binary evaluates a pair of reals, which is not made if it is written, and applies f.
func binary(f func(x, y float64) float64) evaluation {
	return func(m *fun.Machine, t *fun.Term, env []fun.Value) (fun.Value, error) {
		kid := t.Kids[0]
		if kid.Form != fun.Pair {
			x, err := m.Eval(kid, env)
			if err != nil {
				return nil, err
			}
			p := x.(*fun.Pairing)
			return f(p.L.(float64), p.R.(float64)), nil
		}
		if err := m.Step(1); err != nil {
			return nil, err
		}
		l, r, err := two(m, kid, env)
		if err != nil {
			return nil, err
		}
		return f(l.(float64), r.(float64)), nil
	}
}

// two evaluates two operands.
func two(m *fun.Machine, t *fun.Term, env []fun.Value) (a, b fun.Value, err error) {
	if a, err = m.Eval(t.Kids[0], env); err != nil {
		return nil, nil, err
	}
	b, err = m.Eval(t.Kids[1], env)
	return a, b, err
}

// zeroOf is a term for the zero of a linear type (002, Appendix B: zerot).
func zeroOf(t *fun.Type) *fun.Term {
	switch t.Form {
	case formReal:
		return lZero.Make(lUnit.Make())
	case formUnit:
		return lUnit.Make()
	}
	return lNone.Typed(t)
}
