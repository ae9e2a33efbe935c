package chad

import (
	"fmt"

	"egad/fun"
)

// The forms on linear types, which both target languages have (002, Fig. 3; their costs are
// those of Appendix B).
var (
	lUnit  = &fun.Form{Name: "lunit"}
	lZero  = &fun.Form{Name: "lzero", Arity: 1} // of lR, as an operator on lunit
	lAdd   = &fun.Form{Name: "ladd", Arity: 1}
	lScale = &fun.Form{Name: "lscale", Arity: 1}
	lNeg   = &fun.Form{Name: "lneg", Arity: 1}
	lPair  = &fun.Form{Name: "lpair", Arity: 2}
	lFst   = &fun.Form{Name: "lfst", Arity: 1}
	lSnd   = &fun.Form{Name: "lsnd", Arity: 1}
	lInl   = &fun.Form{Name: "linl", Arity: 1}
	lInr   = &fun.Form{Name: "linr", Arity: 1}
	lCastl = &fun.Form{Name: "lcastl", Arity: 1}
	lCastr = &fun.Form{Name: "lcastr", Arity: 1}
	lNone  = &fun.Form{Name: "lnone"} // the zero of products, sums and bags
)

// must is an error if a type is not the one that must be.
func must(got, want *fun.Type, what string) error {
	if !got.Equal(want) {
		return fmt.Errorf("%s is of type %s, where %s must be", what, got, want)
	}
	return nil
}

// constant is the typing rule of a form of a given type, of an operand of a given type.
func constant(out, of *fun.Type) func(*fun.Term, []*fun.Type) (*fun.Type, error) {
	return func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		return out, must(kids[0], of, "an operand")
	}
}

func init() {
	lUnit.Result = func(*fun.Term, []*fun.Type) (*fun.Type, error) { return lunit, nil }
	lUnit.Eval = func(*fun.Machine, *fun.Term, []fun.Value) (fun.Value, error) { return fun.Nothing{}, nil }
	lZero.Result = constant(lreal, lunit)
	lZero.Eval = after(func(fun.Value) fun.Value { return 0.0 })
	lNeg.Result = constant(lreal, lreal)
	lNeg.Eval = after(func(x fun.Value) fun.Value { return -x.(float64) })
	lAdd.Result = constant(lreal, fun.Prod(lreal, lreal))
	lAdd.Eval = binary(func(x, y float64) float64 { return x + y })
	lScale.Result = constant(lreal, fun.Prod(lreal, fun.Real))
	lScale.Eval = binary(func(x, y float64) float64 { return x * y })
	lPair.Result = func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		return formProd.Of(kids[0], kids[1]), nil
	}
	lPair.Eval = withOperands(func(m *fun.Machine, _ *fun.Term, l, r fun.Value) (fun.Value, error) {
		return stateOf(m).pair(l, r), nil
	})
	lNone.Result = func(t *fun.Term, _ []*fun.Type) (*fun.Type, error) { return t.Type, nil }
	lNone.Eval = func(m *fun.Machine, t *fun.Term, _ []fun.Value) (fun.Value, error) {
		v, c := stateOf(m).linear.zero(t.Type)
		return v, m.Step(c - 1)
	}
	for k, f := range []*fun.Form{lFst, lSnd} {
		f.Result = part(formProd, k)
		f.Eval = func(m *fun.Machine, t *fun.Term, env []fun.Value) (fun.Value, error) {
			s, before := stateOf(m), m.Steps
			x, err := m.Eval(t.Kids[0], env)
			if err != nil {
				return nil, err
			}
			v, absent, c, err := s.half(x, k == 1, t.Type)
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
	for k, f := range []*fun.Form{lCastl, lCastr} {
		f.Result = part(formSum, k)
		f.Eval = withOperand(func(m *fun.Machine, t *fun.Term, x fun.Value) (fun.Value, error) {
			v, c, err := stateOf(m).cast(x, k == 1, t.Type)
			if err != nil {
				return nil, err
			}
			return v, m.Step(c)
		})
	}
	for k, f := range []*fun.Form{lInl, lInr} {
		f.Result = func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) {
			return t.Type, must(kids[0], t.Type.Parts[k], "what is injected")
		}
		f.Eval = after(func(x fun.Value) fun.Value { return &lside{right: k == 1, x: x} })
	}
}

// part is the typing rule of what takes a cotangent of a product or a sum apart.
func part(of *fun.TypeForm, k int) func(*fun.Term, []*fun.Type) (*fun.Type, error) {
	return func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		if kids[0].Form != of {
			return nil, fmt.Errorf("%s is applied to %s", t.Form.Name, kids[0])
		}
		return t.Type, must(kids[0].Parts[k], t.Type, "a component")
	}
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
