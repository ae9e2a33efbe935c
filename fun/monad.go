package fun

import (
	"cmp"
	"fmt"

	"egad/internal/slice"
	"egad/term"
)

// MonadForm is the former of types of computations: M A is that of computations with a
// result of type A (003, Fig. 1). What state they have is with the [Machine] that runs them.
var MonadForm = &TypeForm{Name: "M"}

// M is the type of computations with a result of type a.
func M(a *Type) *Type { return MonadForm.Of(a) }

// The forms of computations.
var (
	Pure = &Form{Name: "pure", Arity: 1}
	Do   = &Form{Name: "do", Arity: 2, core: cDo}
	// Sequence runs the computations of an array, from the first to the last.
	Sequence = &Form{Name: "sequence", Arity: 1}
	// ReduceM is reduce by a computation: of neighbours, those on the left first.
	ReduceM = &Form{Name: "reduceM", Arity: 2}
)

// result is the type of the result of a computation.
func (t *Type) result() (*Type, error) {
	if t.Form != MonadForm {
		return nil, fmt.Errorf("%s is no type of computations", t)
	}
	return t.Parts[0], nil
}

func init() {
	Do.Binding(0, 1)
	ReduceM.Binding(1, 0)
	Pure.Result = func(_ *Term, kids []*Type) (*Type, error) { return M(kids[0]), nil }
	Pure.Run = func(m *Machine, t *Term, env []Value) Value { return m.Value(t.Kids[0], env) }
	Do.Bound = func(_ *Term, kids []*Type, k int) []*Type {
		if k == 0 || kids[0].Form != MonadForm {
			return nil
		}
		return kids[0].Parts
	}
	Do.Result = func(_ *Term, kids []*Type) (*Type, error) {
		if _, err := kids[0].result(); err != nil {
			return nil, err
		}
		_, err := kids[1].result()
		return kids[1], err
	}
	Do.Print = func(p *Printer, t *Term, _ int) {
		p.Text("do { ")
		p.Indented(func() { p.chain(t, "", " <- ", ";") })
		p.Text(" }")
	}
	Sequence.Result = func(_ *Term, kids []*Type) (*Type, error) {
		if kids[0].Kind != KArray {
			return nil, fmt.Errorf("a sequence of %s, which is no array", kids[0])
		}
		r, err := kids[0].Parts[0].result()
		return M(Array(r)), err
	}
	// The computations of a build are run where they would be made.
	Sequence.Run = func(m *Machine, t *Term, env []Value) Value {
		if b := t.Kids[0]; b.Form == Build {
			m.Step(1)
			return m.build(b, env, true)
		}
		a := m.Value(t.Kids[0], env)
		return &Elements{slice.Map(a.(*Elements).X, func(c Value) Value { return c.(*computation).run(m) })}
	}
	ReduceM.Bound = Reduce.Bound
	ReduceM.Result = func(t *Term, kids []*Type) (*Type, error) {
		return M(t.Type), cmp.Or(same(kids[1], Array(t.Type), "what is reduced"), same(kids[0], M(t.Type), "what reduces"))
	}
	ReduceM.Run = func(m *Machine, t *Term, env []Value) Value { return m.reduce(t, env, true) }
}

// computation is a computation that has not been run.
type computation struct {
	t   *Term
	env []Value
}

func (c *computation) run(m *Machine) Value {
	return m.enter(c.t, c.env[:len(c.env):len(c.env)], true)
}

// Choose is what functions give of which is called that is not known until the program runs: a
// computation that runs both.
func (c *computation) Choose(on term.Term, other Value) Value {
	return &computation{oneOfTwo, []Value{c, other, on}}
}

// oneOfTwo runs one of two computations, by a truth value.
var oneOfTwo = Case.Make(V(0), V(3), V(2))

// Result evaluates a term of a type of computations, and runs the computation. Errors are raised.
func (m *Machine) Result(t *Term, env []Value) Value { return m.enter(t, env, true) }
