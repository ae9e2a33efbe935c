package fun

import (
	"fmt"
	"slices"

	"egad/internal/blocks"
	"egad/term"
)

// Domain is what a [Machine] computes with: reals, integers and arrays, and sums of which
// the side is not known.
type Domain interface {
	// Literal is a number of type [Real] or [Int].
	Literal(n term.Num, t *Type) (Value, error)
	// Op applies an elementwise operator to scalars. Truth values are *[Side]. It does not
	// keep xs.
	Op(op term.Op, xs []Value) (Value, error)
	// Case applies the function for the side of a sum that is no *[Side].
	Case(x Value, left, right func(Value) (Value, error)) (Value, error)
	// Array is the array of f(0) … f(n-1), of elements of type t. Elements are counted by who
	// calls.
	Array(n Value, t *Type, f func(i Value) (Value, error)) (Value, error)
	// Length is the length of an array.
	Length(a Value) (Value, error)
	// Index is an element of an array of elements of type t; outside it is zero.
	Index(a, i Value, t *Type) (Value, error)
	// Reduce combines the elements, of which there must be some, in a balanced tree.
	Reduce(a Value, t *Type, f func(x, y Value) (Value, error)) (Value, error)
	// Whole applies an operator on whole arrays, which have types of the array language.
	Whole(op term.Op, x Value, of, t *term.Type) (Value, error)
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
func (m *Machine) Step(n int64) error {
	if m.Steps += n; m.Steps > m.look {
		return m.lookAfter()
	}
	return nil
}

// lookAfter ends an evaluation by its bounds, and says when to look after them again.
func (m *Machine) lookAfter() error {
	most := m.most()
	if m.Steps > most {
		return &StoppedError{most, "steps"}
	}
	m.look = most
	if m.Ended != nil {
		m.look = min(most, m.Steps|(1<<12-1))
		if err := m.Ended(); err != nil {
			return &endedError{err}
		}
	}
	return nil
}

// endedError is what [Machine.Ended] has said.
type endedError struct{ err error }

func (e *endedError) Error() string { return e.err.Error() }
func (e *endedError) Unwrap() error { return e.err }

// most is how many steps may be made.
func (m *Machine) most() int64 {
	if m.Limit == 0 {
		return DefaultSteps
	}
	return m.Limit
}

// Eval evaluates a term; env has the values of its variables, the innermost last. It may
// write behind env's length. What is evaluated may not keep env.
func (m *Machine) Eval(t *Term, env []Value) (Value, error) {
	if t.Form == Var {
		return env[len(env)-1-t.N], m.Step(1)
	}
	return m.enter(t, env, false)
}

func (m *Machine) enter(t *Term, env []Value, run bool) (Value, error) {
	if m.depth++; m.depth > maxDepth {
		m.depth--
		return nil, &StoppedError{maxDepth, "evaluations inside each other"}
	}
	before := m.frames.next
	v, err := m.eval(t, env, run)
	m.frames.next = before
	m.depth--
	return v, err
}

// eval evaluates a term, and if run is set runs the computation that is its value.
func (m *Machine) eval(t *Term, env []Value, run bool) (Value, error) {
	owned := false // whether env is of a function that has been entered here
	for {
		if err := m.Step(1); err != nil {
			return nil, err
		}
		switch t.Form.core {
		case cVar:
			v := env[len(env)-1-t.N]
			if run {
				return v.(*computation).run(m)
			}
			return v, nil
		case cLet:
			x, err := m.Eval(t.Kids[0], env)
			if err != nil {
				return nil, err
			}
			env, t = append(env, x), t.Kids[1]
			continue
		case cLam, cRec:
			if err := m.Step(int64(len(t.Caps))); err != nil {
				return nil, err
			}
			return m.closure(t, env), nil
		case cApp:
			fv, err := m.Eval(t.Kids[0], env)
			if err != nil {
				return nil, err
			}
			x, err := m.Eval(t.Kids[1], env)
			if err != nil {
				return nil, err
			}
			f := fv.(*Function)
			if f.lam == nil {
				v, err := f.with.(native)(m, x)
				if run && err == nil {
					return v.(*computation).run(m)
				}
				return v, err
			}
			if !owned { // what a frame of this evaluation held is not needed any more
				env, owned = m.frames.take(len(f.lam.Caps)), true
			}
			env, t = f.enter(env[:0], x), f.lam.Kids[0]
			continue
		case cStar:
			return Nothing{}, nil
		case cPair:
			l, err := m.Eval(t.Kids[0], env)
			if err != nil {
				return nil, err
			}
			r, err := m.Eval(t.Kids[1], env)
			if err != nil {
				return nil, err
			}
			return m.pair(l, r), nil
		case cFst, cSnd:
			x, err := m.Eval(t.Kids[0], env)
			if err != nil {
				return nil, err
			}
			if t.Form == Fst {
				return x.(*Pairing).L, nil
			}
			return x.(*Pairing).R, nil
		case cInl, cInr:
			x, err := m.Eval(t.Kids[0], env)
			if err != nil {
				return nil, err
			}
			return &Side{t.Form == Inr, x}, nil
		case cCase:
			x, err := m.Eval(t.Kids[0], env)
			if err != nil {
				return nil, err
			}
			s, ok := x.(*Side)
			if !ok {
				return m.either(t, env, x, run)
			}
			t = t.Kids[1+Place(s.Right)]
			env = append(env, s.X)
			continue
		case cDo:
			if !run {
				return &computation{t, slices.Clone(env)}, nil
			}
			x, err := m.enter(t.Kids[0], env, true)
			if err != nil {
				return nil, err
			}
			env, t = append(env, x), t.Kids[1]
			continue
		}
		switch {
		case t.Form.Run == nil && !run:
			return m.apply(t, env)
		case t.Form.Run == nil:
			v, err := m.apply(t, env)
			if err != nil {
				return nil, err
			}
			return v.(*computation).run(m)
		case run:
			return t.Form.Run(m, t, env)
		}
		return &computation{t, slices.Clone(env)}, nil
	}
}

// either evaluates a case on a sum of which the domain knows the side, if any does. (It is
// apart from eval, the variables of which would escape.)
func (m *Machine) either(t *Term, env []Value, x Value, run bool) (v Value, err error) {
	branch := func(k int) func(Value) (Value, error) {
		return func(y Value) (Value, error) { return m.enter(t.Kids[k], append(env, y), run) }
	}
	if v, err = m.Domain.Case(x, branch(1), branch(2)); err != nil {
		err = t.Locate(err)
	}
	return v, err
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

// Call applies a function.
func (m *Machine) Call(f, x Value) (Value, error) {
	fn := f.(*Function)
	if fn.lam == nil {
		return fn.with.(native)(m, x)
	}
	before := m.frames.next
	v, err := m.Eval(fn.lam.Kids[0], fn.enter(m.frames.take(len(fn.lam.Caps)), x))
	m.frames.next = before
	return v, err
}

// apply evaluates the forms that are no control.
func (m *Machine) apply(t *Term, env []Value) (Value, error) {
	v, err := m.applied(t, env)
	if err != nil {
		err = t.Locate(err)
	}
	return v, err
}

func (m *Machine) applied(t *Term, env []Value) (Value, error) {
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
		out := make([]Value, len(t.Kids))
		for k, kid := range t.Kids {
			x, err := m.Eval(kid, env)
			if err != nil {
				return nil, err
			}
			out[k] = x
		}
		return &Elements{out}, nil
	}
	x, err := m.Eval(t.Kids[0], env)
	if err != nil {
		return nil, err
	}
	switch t.Form.core {
	case cLit:
		return m.Domain.Literal(t.Num, t.Type)
	case cSign:
		return m.sign(x)
	case cIndex:
		i, err := m.Eval(t.Kids[1], env)
		if err != nil {
			return nil, err
		}
		return m.Domain.Index(x, i, t.Type)
	case cLength:
		return m.Domain.Length(x)
	default:
		return m.Domain.Whole(t.Op, x, t.Arrays.Parts[0], t.Arrays.Parts[1])
	}
}

// build makes an array of what the body gives, or of the results of the computations that it
// gives.
func (m *Machine) build(t *Term, env []Value, run bool) (Value, error) {
	n, err := m.Eval(t.Kids[0], env)
	if err != nil {
		return nil, err
	}
	element := func(i Value) (Value, error) { return m.element(t, env, i, run) }
	if k, ok := n.(int64); ok && !run {
		if parts := m.PartsOf(k, 1); parts > 1 {
			element = m.elements(t, env, int(k), parts)
		}
	}
	return m.Domain.Array(n, t.Type, element)
}

// element evaluates the body of a build for an index.
func (m *Machine) element(t *Term, env []Value, i Value, run bool) (Value, error) {
	if err := m.Step(1); err != nil {
		return nil, err
	}
	return m.enter(t.Kids[1], append(env, i), run)
}

// reduce combines the elements of an array by the body, or by the computations that it gives.
func (m *Machine) reduce(t *Term, env []Value, run bool) (Value, error) {
	a, err := m.Eval(t.Kids[1], env)
	if err != nil {
		return nil, err
	}
	if xs, ok := a.(*Elements); ok && !run && m.Threads != nil {
		return m.halves(t, env, xs.X)
	}
	return m.Domain.Reduce(a, t.Type, m.joining(t, env, run))
}

// joining evaluates the body of a reduce for two neighbours.
func (m *Machine) joining(t *Term, env []Value, run bool) func(x, y Value) (Value, error) {
	return func(x, y Value) (Value, error) {
		return m.enter(t.Kids[0], append(env, &Pairing{x, y}), run)
	}
}

// prim applies an operator to a tuple of operands. One that is written is not made.
func (m *Machine) prim(t *Term, env []Value) (Value, error) {
	base := len(m.ops)
	defer func() { m.ops = m.ops[:base] }()
	n := term.Builtin(t.Op.Sym).Arity
	rest := t.Kids[0]
	for k := n - 1; k > 0 && rest.Form == Pair; k-- {
		if err := m.Step(1); err != nil {
			return nil, err
		}
		rest = rest.Kids[0]
	}
	if err := m.operands(t.Kids[0], env, n); err != nil {
		return nil, err
	}
	return m.Domain.Op(t.Op, m.ops[base:])
}

// operands pushes the components of a tuple of n, evaluated from the left.
func (m *Machine) operands(t *Term, env []Value, n int) error {
	if n > 1 && t.Form == Pair {
		if err := m.operands(t.Kids[0], env, n-1); err != nil {
			return err
		}
		n, t = 1, t.Kids[1]
	}
	x, err := m.Eval(t, env)
	if err != nil {
		return err
	}
	m.push(x, n)
	return nil
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
func (m *Machine) sign(x Value) (Value, error) {
	zero, err := m.Domain.Literal(term.NumInt(0), Real)
	if err != nil {
		return nil, err
	}
	less := func(a, b Value) (Value, error) { return m.Domain.Op(term.Op{Sym: term.SymLt}, []Value{a, b}) }
	choose := func(c Value, yes, no func(Value) (Value, error)) (Value, error) {
		if s, ok := c.(*Side); ok {
			if s.Right {
				return no(s.X)
			}
			return yes(s.X)
		}
		return m.Domain.Case(c, yes, no)
	}
	negative, err := less(x, zero)
	if err != nil {
		return nil, err
	}
	return choose(negative, func(Value) (Value, error) { return &Side{false, True}, nil }, func(Value) (Value, error) {
		positive, err := less(zero, x)
		if err != nil {
			return nil, err
		}
		return choose(positive, func(Value) (Value, error) { return &Side{false, False}, nil },
			func(Value) (Value, error) { return &Side{true, Nothing{}}, nil })
	})
}
