package krawiec

import (
	"errors"
	"fmt"

	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term"
)

// The types of the target languages.
var (
	deltaForm = &fun.TypeForm{Name: "Delta", Zero: zero}
	mapForm   = &fun.TypeForm{Name: "DeltaMap"}
	bindsForm = &fun.TypeForm{Name: "DeltaBinds"}

	deltaType = deltaForm.Of()
	mapType   = mapForm.Of()
	bindsType = bindsForm.Of()
	vector    = fun.Array(fun.Real) // R^a, of any a
)

// run is the state of a machine that runs what a transformation has made.
type run struct {
	evaluator
	binds       binds
	made        int64  // constructors of Deltas
	operations  int64  // on reals, by polytypic operations
	root        *Delta // that was evaluated last, with the Lets of runDelta
	tape        *Tape
	bindings    int64
	bindingsMax int64
	operands    []fun.Value // of forms that are being evaluated
}

// binds is the state of the monad M (Fig. 10): the next id, and the bindings.
type binds interface {
	let(d *Delta) (id int)
}

// binding is an element of DeltaBinds.
type binding struct {
	id    int
	delta *Delta
}

// listed is DeltaBinds as a list, of which the newest is last here.
type listed struct {
	next int
	of   []binding
}

func (l *listed) let(d *Delta) int {
	l.of = append(l.of, binding{l.next, d})
	l.next++
	return l.next - 1
}

// wrap is a Delta inside the Lets of all bindings (Fig. 10: runDelta).
func (l *listed) wrap(d *Delta) *Delta {
	for i := len(l.of) - 1; i >= 0; i-- {
		d = &Delta{Kind: Let, ID: l.of[i].id, A: l.of[i].delta, B: d}
	}
	return d
}

func stateOf(m *fun.Machine) *run { return m.State.(*run) }

// form makes a form of operands of given types with a result.
func form(name string, result *fun.Type, eval func(m *fun.Machine, xs []fun.Value) fun.Value, of ...*fun.Type) *fun.Form {
	return &fun.Form{
		Name: name, Arity: len(of),
		Result: func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
			return result, operands(name, kids, of...)
		},
		Eval: func(m *fun.Machine, t *fun.Term, env []fun.Value) fun.Value {
			r := stateOf(m)
			base := len(r.operands)
			for _, k := range t.Kids {
				r.operands = append(r.operands, m.Value(k, env))
			}
			v := eval(m, r.operands[base:])
			r.operands = r.operands[:base]
			return v
		},
	}
}

// operands is an error if operands are not of the types that must be.
func operands(name string, kids []*fun.Type, of ...*fun.Type) error {
	for i, k := range kids {
		if !k.Equal(of[i]) {
			return fmt.Errorf("operand %d of %s is of type %s, where %s must be", i+1, name, k, of[i])
		}
	}
	return nil
}

// constructor is the form of a constructor of Deltas.
func constructor(name string, make func(xs []fun.Value) *Delta, of ...*fun.Type) *fun.Form {
	return form(name, deltaType, func(m *fun.Machine, xs []fun.Value) fun.Value {
		stateOf(m).made++
		return make(xs)
	}, of...)
}

// The forms of the target languages (Figs. 7 to 11).
var (
	zeroForm  = form("Zero", deltaType, func(*fun.Machine, []fun.Value) fun.Value { return zero })
	varForm   = constructor("Var", func(xs []fun.Value) *Delta { return &Delta{Kind: Var, ID: int(xs[0].(int64))} }, fun.Int)
	scaleForm = constructor("Scale", func(xs []fun.Value) *Delta {
		if by, ok := xs[0].(term.Term); ok {
			return &Delta{Kind: Scale, By: &by, A: xs[1].(*Delta)}
		}
		return &Delta{Kind: Scale, X: xs[0].(float64), A: xs[1].(*Delta)}
	}, fun.Real, deltaType)
	addForm = constructor("Add", func(xs []fun.Value) *Delta {
		return &Delta{Kind: Add, A: xs[0].(*Delta), B: xs[1].(*Delta)}
	}, deltaType, deltaType)

	eval2Form = form("eval2", vector, func(m *fun.Machine, xs []fun.Value) fun.Value {
		r, z := stateOf(m), xs[2].(*fun.Elements).X
		v := slice.Map(z, func(x fun.Value) float64 { return x.(float64) })
		r.root = xs[1].(*Delta)
		r.eval(xs[0].(float64), r.root, v, nil)
		return &fun.Elements{X: slice.Map(v, func(x float64) fun.Value { return x })}
	}, fun.Real, deltaType, vector)

	emptyMapForm = form("emptyMap", mapType, func(*fun.Machine, []fun.Value) fun.Value { return Map{} })
	evalForm     = form("eval", mapType, func(m *fun.Machine, xs []fun.Value) fun.Value {
		r, um := stateOf(m), xs[2].(Map)
		r.root = xs[1].(*Delta)
		r.eval(xs[0].(float64), r.root, nil, um)
		return um
	}, fun.Real, deltaType, mapType)
	evalArrayForm = form("evalArray", mapType, func(m *fun.Machine, xs []fun.Value) fun.Value {
		r, p := stateOf(m), xs[1].(*fun.Pairing)
		r.root, r.tape = p.L.(*Delta), p.R.(*Tape)
		return r.tape.run(&r.evaluator, xs[0].(float64), r.root)
	}, fun.Real, fun.Prod(deltaType, bindsType))

	deltaLetForm = &fun.Form{
		Name: "deltaLet", Arity: 1,
		Result: func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
			return fun.M(fun.Int), operands("deltaLet", kids, deltaType)
		},
		Run: func(m *fun.Machine, t *fun.Term, env []fun.Value) fun.Value {
			return int64(stateOf(m).let(m.Value(t.Kids[0], env).(*Delta)))
		},
	}

	runDeltaForm      = running("runDelta", deltaType, false)
	runDeltaArrayForm = running("runDeltaArray", fun.Prod(deltaType, bindsType), true)
)

// let binds a Delta.
func (r *run) let(d *Delta) int {
	if r.binds == nil {
		raise.Error(errors.New("deltaLet outside of runDelta"))
	}
	r.bound()
	return r.binds.let(d)
}

// bound counts a binding.
func (r *run) bound() {
	if r.bindings++; r.bindings > r.bindingsMax {
		raise.Error(&fun.StoppedError{Most: r.bindingsMax, What: "bindings"})
	}
}

// running is a form that runs a computation with a result of reals with Deltas, from an id
// on, and gives the Delta with its bindings: around it, or beside it in an array.
func running(name string, result *fun.Type, array bool) *fun.Form {
	return &fun.Form{
		Name: name, Arity: 2,
		Result: func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
			return result, operands(name, kids, fun.Int, fun.M(fun.Prod(fun.Real, deltaType)))
		},
		Eval: func(m *fun.Machine, t *fun.Term, env []fun.Value) fun.Value {
			id := m.Value(t.Kids[0], env)
			r, first := stateOf(m), int(id.(int64))
			outer := r.binds
			defer func() { r.binds = outer }()
			tape, list := &Tape{First: first}, &listed{next: first}
			if r.binds = list; array {
				r.binds = tape
			}
			d := m.Result(t.Kids[1], env).(*fun.Pairing).R
			if array {
				return &fun.Pairing{L: d, R: tape}
			}
			return list.wrap(d.(*Delta))
		},
	}
}
