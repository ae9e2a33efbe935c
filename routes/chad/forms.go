package chad

import (
	"fmt"

	"egad/fun"
)

// The forms on linear types, which both target languages have (002, Fig. 3; their costs are
// those of Appendix B).
var (
	lUnit  = form("lunit", lunit, func(*fun.Machine, *fun.Term, []fun.Value) fun.Value { return fun.Nothing{} })
	lZero  = form("lzero", lreal, after(func(fun.Value) fun.Value { return 0.0 }), lunit) // of lR, as an operator on lunit
	lAdd   = form("ladd", lreal, binary(func(x, y float64) float64 { return x + y }), fun.Prod(lreal, lreal))
	lScale = form("lscale", lreal, binary(func(x, y float64) float64 { return x * y }), fun.Prod(lreal, fun.Real))
	lNeg   = form("lneg", lreal, after(func(x fun.Value) fun.Value { return -x.(float64) }), lreal)
	lPair  = form("lpair", formProd.Of(typA, typB), withOperands(func(m *fun.Machine, _ *fun.Term, l, r fun.Value) fun.Value {
		return stateOf(m).pair(l, r)
	}), typA, typB)
	lFst   = form("lfst", typOwn, half(false), formProd.Of(typOwn, typA))
	lSnd   = form("lsnd", typOwn, half(true), formProd.Of(typA, typOwn))
	lInl   = formAt(formSum.Of(typA, typB), "linl", formSum.Of(typA, typB), after(func(x fun.Value) fun.Value { return &lside{x: x} }), typA)
	lInr   = formAt(formSum.Of(typA, typB), "linr", formSum.Of(typA, typB), after(func(x fun.Value) fun.Value { return &lside{right: true, x: x} }), typB)
	lCastl = form("lcastl", typOwn, cast(false), formSum.Of(typOwn, typA))
	lCastr = form("lcastr", typOwn, cast(true), formSum.Of(typA, typOwn))
	// lNone is the zero of products, sums and bags.
	lNone = form("lnone", typOwn, func(m *fun.Machine, t *fun.Term, _ []fun.Value) fun.Value {
		v, c := stateOf(m).linear.zero(t.Type)
		m.Step(c - 1)
		return v
	})
)

// half is the evaluation of what takes a cotangent of a product apart.
func half(right bool) evaluation {
	return func(m *fun.Machine, t *fun.Term, env []fun.Value) fun.Value {
		s, before := stateOf(m), m.Steps
		x := m.Value(t.Kids[0], env)
		v, absent, c := s.half(x, right, t.Type)
		if !absent {
			return v
		}
		if !s.charge { // as in the paper's Agda: the operand's cost is dropped
			m.Steps = before
			c--
		}
		m.Step(c)
		return v
	}
}

// cast is the evaluation of what takes one of a sum apart.
func cast(right bool) evaluation {
	return withOperand(func(m *fun.Machine, t *fun.Term, x fun.Value) fun.Value {
		v, c := stateOf(m).cast(x, right, t.Type)
		m.Step(c)
		return v
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
type evaluation = func(m *fun.Machine, t *fun.Term, env []fun.Value) fun.Value

// withOperand evaluates the operand and calls f with it.
func withOperand(f func(m *fun.Machine, t *fun.Term, x fun.Value) fun.Value) evaluation {
	return func(m *fun.Machine, t *fun.Term, env []fun.Value) fun.Value {
		return f(m, t, m.Value(t.Kids[0], env))
	}
}

// withOperands evaluates two operands and calls f with them.
func withOperands(f func(m *fun.Machine, t *fun.Term, x, y fun.Value) fun.Value) evaluation {
	return func(m *fun.Machine, t *fun.Term, env []fun.Value) fun.Value {
		x := m.Value(t.Kids[0], env)
		return f(m, t, x, m.Value(t.Kids[1], env))
	}
}

// after evaluates the operand and applies f.
func after(f func(fun.Value) fun.Value) evaluation {
	return withOperand(func(_ *fun.Machine, _ *fun.Term, x fun.Value) fun.Value { return f(x) })
}

// binary evaluates a pair of reals, which is not made if it is written, and applies f.
func binary(f func(x, y float64) float64) evaluation {
	return func(m *fun.Machine, t *fun.Term, env []fun.Value) fun.Value {
		kid := t.Kids[0]
		if kid.Form != fun.Pair {
			x := m.Value(kid, env)
			p := x.(*fun.Pairing)
			return f(p.L.(float64), p.R.(float64))
		}
		m.Step(1)
		l := m.Value(kid.Kids[0], env)
		return f(l.(float64), m.Value(kid.Kids[1], env).(float64))
	}
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
