package fun

import (
	"cmp"
	"errors"
	"fmt"

	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// The forms of array programs that are none of the papers: what is done in an order, from
// the left.
var (
	// Fold is a reduction by an operator of the array language, as "sum": of an array of
	// scalars, from its value of nothing.
	Fold = &Form{Name: "fold", Arity: 1}
	// Scatter n a adds up numbers: an array of n, into which each pair (i, x) of a adds x at
	// i, in order. What is outside is left out.
	Scatter = &Form{Name: "scatter", Arity: 2}
	// States n z k (i s. t) is the array of z and the n states that follow: t is the state
	// after s in step i. From step k on the state stays as it is.
	States = &Form{Name: "states", Arity: 4}
)

// Loops lists the forms that are no part of the core of the papers.
var Loops = []*Form{Fold, Scatter, States}

// Looping is a domain that has the forms of [Loops].
type Looping interface {
	Domain
	// Fold reduces an array by an operator, as [ops.SymSum].
	Fold(op ops.Op, a Value, t *Type) Value
	// Scatter makes an array of n numbers of type t of pairs.
	Scatter(n, pairs Value, t *Type) Value
	// States makes the array of n+1 states of type t.
	States(n, z, k Value, t *Type, step func(i, s Value) Value) Value
}

// looping evaluates the first n operands of a form and calls f with them, if the domain of
// the machine has loops.
func looping(n int, f func(m *Machine, d Looping, t *Term, env, xs []Value) Value) func(m *Machine, t *Term, env []Value) Value {
	return func(m *Machine, t *Term, env []Value) Value {
		d, ok := m.Domain.(Looping)
		if !ok {
			raise.Error(fmt.Errorf("%s is not taken here", t.Form.Name))
		}
		xs := slice.Map(t.Kids[:n], func(kid *Term) Value { return m.Value(kid, env) })
		return f(m, d, t, env, xs)
	}
}

func init() {
	Fold.Result = func(t *Term, kids []*Type) (*Type, error) {
		o := ops.Builtin(t.Op.Sym)
		if o == nil || o.Fold == ops.SymNone {
			return nil, fmt.Errorf("%s folds no array", t.Op.Key())
		}
		e, ok := t.Type.Elem()
		if ok {
			_, ok = ops.Builtin(o.Fold).OnElements(e, e)
		}
		if !ok {
			return nil, fmt.Errorf("%s of elements of type %s", o.Text(), t.Type)
		}
		return t.Type, same(kids[0], Array(t.Type), "what is folded")
	}
	Fold.Eval = looping(1, func(m *Machine, d Looping, t *Term, _, xs []Value) Value {
		m.stepLength(xs[0])
		return d.Fold(t.Op, xs[0], t.Type)
	})

	Scatter.Result = func(t *Term, kids []*Type) (*Type, error) {
		if t.Type.Kind != KReal && t.Type.Kind != KInt {
			return nil, fmt.Errorf("scatter adds numbers, and not %s", t.Type)
		}
		return Array(t.Type), cmp.Or(same(kids[1], Array(Prod(Int, t.Type)), "what is scattered"), same(kids[0], Int, "the length of a scatter"))
	}
	Scatter.Eval = looping(2, func(m *Machine, d Looping, t *Term, _, xs []Value) Value {
		m.stepLength(xs[1])
		return d.Scatter(xs[0], xs[1], t.Type)
	})

	States.Binding(0, 0, 0, 2)
	States.Bound = boundIn(3, func(t *Term, _ []*Type) []*Type { return []*Type{Int, t.Type} })
	States.Result = func(t *Term, kids []*Type) (*Type, error) {
		return Array(t.Type), errors.Join(same(kids[0], Int, "the number of states"), same(kids[1], t.Type, "the first state"),
			same(kids[2], Int, "the number of steps"), same(kids[3], t.Type, "the next state"))
	}
	States.Eval = looping(3, func(m *Machine, d Looping, t *Term, env, xs []Value) Value {
		return d.States(xs[0], xs[1], xs[2], t.Type, func(i, s Value) Value {
			m.Step(1)
			return m.Value(t.Kids[3], append(env, i, s))
		})
	})
	States.Print = func(p *Printer, t *Term, prec int) {
		p.Paren(prec, precApp, func() {
			p.Text("states ")
			for _, k := range t.Kids[:3] {
				p.Term(k, PrecArg)
				p.Text(" ")
			}
			i := p.Fresh(t, 0)
			p.Under([]string{i}, func() {
				s := p.Fresh(t, 1)
				p.Text("(\\" + i + " " + s + " -> ")
				p.Under([]string{s}, func() { p.Term(t.Kids[3], PrecExpr) })
				p.Text(")")
			})
		})
	}
}

// stepLength counts a step for each element of an array, if it has so many.
func (m *Machine) stepLength(a Value) {
	if k, ok := m.Domain.Length(a).(int64); ok {
		m.Step(k)
	}
}

// Fold begins a sum at +0, and other reductions with the first element.
func (d *Concrete[S]) Fold(op ops.Op, a Value, t *Type) Value {
	xs, o := a.(*Elements).X, ops.Builtin(op.Sym)
	if len(xs) == 0 {
		e, _ := t.Elem()
		return ScalarOf(d, o.Nothing(e))
	}
	x, at := xs[0], 1
	if o.Fold == ops.SymAdd {
		x, at = d.Literal(numeric.Int(0), t), 0
	}
	for _, y := range xs[at:] {
		x = d.Op(ops.Op{Sym: o.Fold}, []Value{x, y})
	}
	return x
}

// ScalarOf is a literal of the array language in a domain.
func ScalarOf(d Domain, s ops.Scalar) Value {
	switch s.Elem {
	case types.R:
		return d.Literal(s.Num, Real)
	case types.I:
		return d.Literal(numeric.Int(s.Int), Int)
	}
	return Truth(s.Int != 0)
}

// Scatter adds in order.
func (d *Concrete[S]) Scatter(n, pairs Value, t *Type) Value {
	out := d.Array(n, t, func(Value) Value { return d.Literal(numeric.Int(0), t) })
	xs := out.(*Elements).X
	for _, p := range pairs.(*Elements).X {
		if at := p.(*Pairing).L.(int64); 0 <= at && at < int64(len(xs)) {
			xs[at] = d.Op(ops.Op{Sym: ops.SymAdd}, []Value{xs[at], p.(*Pairing).R})
		}
	}
	return out
}

// States makes the steps one after the other.
func (d *Concrete[S]) States(n, z, k Value, t *Type, step func(i, s Value) Value) Value {
	steps := raise.Must(ops.StepCount(n.(int64), k.(int64)))
	return d.Array(n.(int64)+1, t, func(i Value) Value {
		if at := i.(int64); at > 0 && at <= steps {
			z = step(at-1, z)
		}
		return z
	})
}
