package fun

import (
	"errors"
	"fmt"

	"egad/diag"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term"
	"egad/term/overflow"
	"egad/term/size"
)

// LoweringSteps bounds the run that lowers a program.
const LoweringSteps = 5_000_000

// Run makes terms of a program by running it on terms (App. C of 000): functions are gone then.
// Arrays stay arrays, whose lengths must be known; input makes the values of the inputs. A sum
// of which the side is not known is whether it is the right one, and both sides; a case
// evaluates both branches, and chooses. It lists the arrays of the result, with the layout of
// it.
//
// A program is not taken if the length of an array depends on data, or if it does not come
// to an end within [LoweringSteps], or with both branches of very many cases: a function that
// calls itself must end by what is known.
func (d *symbolic) Run(p *Program, input func(name string, t *Type) Value) (l *Layout, terms []term.Term, err error) {
	m := &Machine{Domain: d, Limit: LoweringSteps}
	err = guard(func() error {
		env := slice.Make(len(p.Context), func(i int) Value { return input(p.Names[i], p.Context[i]) })
		l, terms = d.layout(raise.Must(m.Eval(p.Body, env)), p.Result)
		return nil
	})
	if _, ok := errors.AsType[*StoppedError](err); ok {
		err = fmt.Errorf("an array program of this functional program takes %w", err)
	}
	return l, terms, err
}

// guard calls f, which computes on terms. Those that are not well typed, and what the domain
// cannot say, are an error.
func guard(f func() error) error {
	return overflow.Guard(func() (err error) {
		defer raise.Caught(&err)
		return f()
	})
}

// placed reports whether an error has a place in a text.
func placed(err error) bool {
	var e *diag.Error
	return errors.As(err, &e)
}

// input is an input whose arrays are given.
func (d *symbolic) input(l *Layout, leaves []term.Input) Value {
	return l.value(func(*Type, []size.Size) Value {
		leaf := leaves[0]
		leaves = leaves[1:]
		return d.store.Var(leaf.Name, leaf.Type)
	})
}
