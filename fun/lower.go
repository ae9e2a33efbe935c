package fun

import (
	"errors"
	"fmt"

	"egad/diag"
	"egad/term"
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
func (d *symbolic) Run(p *Program, input func(name string, t *Type) (Value, error)) (l *Layout, terms []term.Term, err error) {
	m := &Machine{Domain: d, Limit: LoweringSteps}
	err = d.guard(func() (err error) {
		env := make([]Value, len(p.Context), len(p.Context)+16)
		for i, t := range p.Context {
			if env[i], err = input(p.Names[i], t); err != nil {
				return err
			}
		}
		v, err := m.Eval(p.Body, env)
		if err == nil {
			l, terms = d.layout(v, p.Result)
		}
		return err
	})
	if _, ok := errors.AsType[*StoppedError](err); ok {
		err = fmt.Errorf("an array program of this functional program takes %w", err)
	}
	return l, terms, err
}

// guard calls f, which computes on terms. Those that are not well typed, and what the domain
// cannot say, are an error.
func (d *symbolic) guard(f func() error) error {
	return term.Guard(func() (err error) {
		// After an error values are not what they must be, until the run ends.
		defer func() {
			if d.err != nil {
				recover()
				if !placed(err) {
					err = d.err
				}
			}
		}()
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
	return l.value(func(*Type, []term.Size) Value {
		leaf := leaves[0]
		leaves = leaves[1:]
		return d.store.Var(leaf.Name, leaf.Type)
	})
}
