package fun

import (
	"cmp"
	"fmt"
	"slices"

	"egad/internal/blocks"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// Domain is what a [Machine] computes with: reals, integers and arrays, and sums of which
// the side is not known. Errors are raised (see package raise).
type Domain interface {
	// Literal is a number of type [Real] or [Int].
	Literal(n numeric.Num, t *Type) Value
	// Op applies an elementwise operator to scalars. Truth values are *[Side]. It does not
	// keep xs.
	Op(op ops.Op, xs []Value) Value
	// Case applies the function for the side of a sum that is no *[Side].
	Case(x Value, left, right func(Value) Value) Value
	// Array is the array of f(0) … f(n-1), of elements of type t. Elements are counted by who
	// calls.
	Array(n Value, t *Type, f func(i Value) Value) Value
	// Length is the length of an array.
	Length(a Value) Value
	// Index is an element of an array of elements of type t; outside it is zero.
	Index(a, i Value, t *Type) Value
	// Reduce combines the elements, of which there must be some, in a balanced tree.
	Reduce(a Value, t *Type, f func(x, y Value) Value) Value
	// Whole applies an operator on whole arrays, which have types of the array language.
	Whole(op ops.Op, x Value, of, t *types.Type) Value
}

// Machine evaluates terms, by value, and counts steps (002, App. B): 1 for each form, 1 for
// each variable that a closure captures, and 1 for each element of an array that is made.
type Machine struct {
	Domain Domain
	Steps  int64
	// Limit is how many steps may be made, 0 for [DefaultSteps].
	Limit int64
	// Ended, if not nil, is asked again and again; its error ends the evaluation.
	Ended func() error
	// State is what the forms of a target language compute with.
	State any
	// Threads, if not nil, evaluate elements of a build and halves of a reduce, of large
	// arrays, beside each other: if State allows it as a [Forker], and Ended can be asked by
	// several goroutines.
	Threads *Threads

	// Keeps says that most pairs and functions that are made are needed to the end, as by a
	// backpropagator: then they are made in blocks.
	Keeps bool

	pairs     blocks.Of[Pairing]
	functions blocks.Of[Function]
	depth     int
	at        *Term   // the innermost one with a place in a text that is being evaluated
	look      int64   // after so many steps there is something to look after
	ops       []Value // operands of operators
	frames    frames
}

// DefaultSteps bounds an evaluation.
const DefaultSteps = 100_000_000

// maxDepth bounds how deep evaluations nest. One takes up to 2 KiB of the stack, which Go lets
// grow to 512 MiB, and half as much of 128 MiB where words are half as long. The derivative of
// 100,000 lets needs 200,000.
const maxDepth = 125_000 << (^uint(0) >> 63)

// StoppedError says that an evaluation, or what it is part of, was ended by a bound: on its
// steps, say.
type StoppedError struct {
	Most int64
	What string
}

func (e *StoppedError) Error() string { return fmt.Sprintf("more than %d %s", e.Most, e.What) }

// Step counts n steps.
func (m *Machine) Step(n int64) {
	if m.Steps += n; m.Steps > m.look {
		m.lookAfter()
	}
}

// lookAfter ends an evaluation by its bounds, and says when to look after them again.
func (m *Machine) lookAfter() {
	most := m.most()
	if m.Steps > most {
		raise.Error(&StoppedError{most, "steps"})
	}
	m.look = most
	if m.Ended != nil {
		m.look = min(most, m.Steps|(1<<12-1))
		if err := m.Ended(); err != nil {
			raise.Error(&endedError{err})
		}
	}
}

// endedError is what [Machine.Ended] has said.
type endedError struct{ err error }

func (e *endedError) Error() string { return e.err.Error() }
func (e *endedError) Unwrap() error { return e.err }

// most is how many steps may be made.
func (m *Machine) most() int64 { return cmp.Or(m.Limit, DefaultSteps) }

// Eval is [Machine.Value], with the error that is raised.
func (m *Machine) Eval(t *Term, env []Value) (_ Value, err error) {
	defer m.Caught(&err)
	return m.Value(t, roomy(env)), nil
}

// Call is [Machine.Apply], with the error that is raised.
func (m *Machine) Call(f, x Value) (_ Value, err error) {
	defer m.Caught(&err)
	return m.Apply(f, x), nil
}

// Run is [Machine.Result], with the error that is raised.
func (m *Machine) Run(t *Term, env []Value) (_ Value, err error) {
	defer m.Caught(&err)
	return m.Result(t, roomy(env)), nil
}

// Caught is deferred where an evaluation begins: the error of it has the place of the innermost
// term that has one.
func (m *Machine) Caught(err *error) {
	if raise.Recovered(recover(), err); *err != nil {
		if m.at != nil {
			*err = m.at.Locate(*err)
		}
		m.at, m.depth, m.ops, m.frames.next = nil, 0, m.ops[:0], mark{}
	}
}

// Value evaluates a term; env has the values of its variables, the innermost last. It may
// write behind env's length. What is evaluated may not keep env. Errors are raised.
func (m *Machine) Value(t *Term, env []Value) Value {
	if t.Form == Var {
		m.Step(1)
		return env[len(env)-1-t.N]
	}
	return m.enter(t, env, false)
}

func (m *Machine) enter(t *Term, env []Value, run bool) Value {
	if m.depth++; m.depth > maxDepth {
		raise.Error(&StoppedError{maxDepth, "evaluations inside each other"})
	}
	before := m.frames.next
	v := m.eval(t, env, run)
	m.frames.next = before
	m.depth--
	return v
}

// eval evaluates a term, and if run is set runs the computation that is its value.
func (m *Machine) eval(t *Term, env []Value, run bool) Value {
	owned := false // whether env is of a function that has been entered here
	for {
		m.Step(1)
		switch t.Form.core {
		case cVar:
			v := env[len(env)-1-t.N]
			if run {
				return v.(*computation).run(m)
			}
			return v
		case cLet:
			x := m.Value(t.Kids[0], env)
			env, t = append(env, x), t.Kids[1]
			continue
		case cLam, cRec:
			m.Step(int64(len(t.Caps)))
			return m.closure(t, env)
		case cApp:
			fv := m.Value(t.Kids[0], env)
			x := m.Value(t.Kids[1], env)
			f := fv.(*Function)
			if f.lam == nil {
				v := f.with.(native)(m, x)
				if run {
					return v.(*computation).run(m)
				}
				return v
			}
			if !owned { // what a frame of this evaluation held is not needed any more
				env, owned = m.frames.take(len(f.lam.Caps)), true
			}
			env, t = f.enter(env[:0], x), f.lam.Kids[0]
			continue
		case cStar:
			return Nothing{}
		case cPair:
			l := m.Value(t.Kids[0], env)
			return m.pair(l, m.Value(t.Kids[1], env))
		case cFst, cSnd:
			x := m.Value(t.Kids[0], env)
			if t.Form == Fst {
				return x.(*Pairing).L
			}
			return x.(*Pairing).R
		case cInl, cInr:
			return &Side{t.Form == Inr, m.Value(t.Kids[0], env)}
		case cCase:
			x := m.Value(t.Kids[0], env)
			s, ok := x.(*Side)
			if !ok {
				return m.either(t, env, x, run)
			}
			t = t.Kids[1+Place(s.Right)]
			env = append(env, s.X)
			continue
		case cDo:
			if !run {
				return &computation{t, slices.Clone(env)}
			}
			x := m.enter(t.Kids[0], env, true)
			env, t = append(env, x), t.Kids[1]
			continue
		}
		switch {
		case t.Form.Run == nil && !run:
			return m.apply(t, env)
		case t.Form.Run == nil:
			return m.apply(t, env).(*computation).run(m)
		case run:
			return t.Form.Run(m, t, env)
		}
		return &computation{t, slices.Clone(env)}
	}
}

// either evaluates a case on a sum of which the domain knows the side, if any does. (It is
// apart from eval, the variables of which would escape.)
func (m *Machine) either(t *Term, env []Value, x Value, run bool) Value {
	branch := func(k int) func(Value) Value {
		return func(y Value) Value { return m.enter(t.Kids[k], append(env, y), run) }
	}
	outer := m.begin(t)
	v := m.Domain.Case(x, branch(1), branch(2))
	m.at = outer
	return v
}

// begin says that t is being evaluated, until what was before it is again.
func (m *Machine) begin(t *Term) (before *Term) {
	before = m.at
	if t.Src != nil {
		m.at = t
	}
	return before
}

// Place is which part of a sum a side is of: the second one if it is the right side.
func Place(right bool) int {
	if right {
		return 1
	}
	return 0
}

// enter makes the environment of a function's body, in the place of another.
func (f *Function) enter(env []Value, x Value) []Value {
	env = f.captured(env)
	if f.lam.Form == Rec {
		env = append(env, f)
	}
	return append(env, x)
}

// Apply applies a function. Errors are raised.
func (m *Machine) Apply(f, x Value) Value {
	fn := f.(*Function)
	if fn.lam == nil {
		return fn.with.(native)(m, x)
	}
	before := m.frames.next
	v := m.Value(fn.lam.Kids[0], fn.enter(m.frames.take(len(fn.lam.Caps)), x))
	m.frames.next = before
	return v
}

// apply evaluates the forms that are no control.
func (m *Machine) apply(t *Term, env []Value) Value {
	outer := m.begin(t)
	v := m.applied(t, env)
	m.at = outer
	return v
}

func (m *Machine) applied(t *Term, env []Value) Value {
	switch t.Form.core {
	case extension:
		return t.Form.Eval(m, t, env)
	case cReduce:
		return m.reduce(t, env, false)
	case cBuild:
		return m.build(t, env, false)
	case cPrim:
		return m.prim(t, env)
	case cList:
		return &Elements{slice.Map(t.Kids, func(kid *Term) Value { return m.Value(kid, env) })}
	}
	x := m.Value(t.Kids[0], env)
	switch t.Form.core {
	case cLit:
		return m.Domain.Literal(t.Num, t.Type)
	case cSign:
		return m.sign(x)
	case cIndex:
		return m.Domain.Index(x, m.Value(t.Kids[1], env), t.Type)
	case cLength:
		return m.Domain.Length(x)
	default:
		return m.Domain.Whole(t.Op, x, t.Arrays.Parts[0], t.Arrays.Parts[1])
	}
}

// build makes an array of what the body gives, or of the results of the computations that it
// gives.
func (m *Machine) build(t *Term, env []Value, run bool) Value {
	n := m.Value(t.Kids[0], env)
	element := func(i Value) Value { return m.element(t, env, i, run) }
	if k, ok := n.(int64); ok && !run {
		if parts := m.PartsOf(k, 1); parts > 1 {
			element = m.elements(t, env, int(k), parts)
		}
	}
	return m.Domain.Array(n, t.Type, element)
}

// element evaluates the body of a build for an index.
func (m *Machine) element(t *Term, env []Value, i Value, run bool) Value {
	m.Step(1)
	return m.enter(t.Kids[1], append(env, i), run)
}

// reduce combines the elements of an array by the body, or by the computations that it gives.
func (m *Machine) reduce(t *Term, env []Value, run bool) Value {
	a := m.Value(t.Kids[1], env)
	if xs, ok := a.(*Elements); ok && !run && m.Threads != nil {
		return m.halves(t, env, xs.X)
	}
	return m.Domain.Reduce(a, t.Type, m.joining(t, env, run))
}

// joining evaluates the body of a reduce for two neighbours.
func (m *Machine) joining(t *Term, env []Value, run bool) func(x, y Value) Value {
	return func(x, y Value) Value {
		return m.enter(t.Kids[0], append(env, &Pairing{x, y}), run)
	}
}

// prim applies an operator to a tuple of operands. One that is written is not made.
func (m *Machine) prim(t *Term, env []Value) Value {
	base := len(m.ops)
	m.operands(t.Kids[0], env, ops.Builtin(t.Op.Sym).Arity)
	v := m.Domain.Op(t.Op, m.ops[base:])
	m.ops = m.ops[:base]
	return v
}

// operands pushes the components of a tuple of n, evaluated from the left.
func (m *Machine) operands(t *Term, env []Value, n int) {
	if n > 1 && t.Form == Pair {
		m.Step(1)
		m.operands(t.Kids[0], env, n-1)
		n, t = 1, t.Kids[1]
	}
	m.push(m.Value(t, env), n)
}

// push pushes the components of a tuple of n that is a value.
func (m *Machine) push(x Value, n int) {
	if n > 1 {
		p := x.(*Pairing)
		m.push(p.L, n-1)
		x = p.R
	}
	m.ops = append(m.ops, x)
}

// sign is inl true of a negative number, inl false of a positive one, and inr () of zero and
// of what is no number (002, App. B).
func (m *Machine) sign(x Value) Value {
	zero := m.Domain.Literal(numeric.Int(0), Real)
	less := func(a, b Value) Value { return m.Domain.Op(ops.Op{Sym: ops.SymLt}, []Value{a, b}) }
	choose := func(c Value, yes, no func(Value) Value) Value {
		if s, ok := c.(*Side); ok {
			if s.Right {
				return no(s.X)
			}
			return yes(s.X)
		}
		return m.Domain.Case(c, yes, no)
	}
	return choose(less(x, zero), func(Value) Value { return &Side{false, True} }, func(Value) Value {
		return choose(less(zero, x), func(Value) Value { return &Side{false, False} },
			func(Value) Value { return &Side{true, Nothing{}} })
	})
}
