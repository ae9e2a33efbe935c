package fun

import (
	"errors"
	"fmt"

	"egad/diag"
	"egad/term"
)

// Lowered is an array program that a functional program has become.
type Lowered struct {
	Program *term.Program
	// Inputs and Result say how values stand in the arrays of the program. An input in
	// which there is no scalar is none of the program.
	Inputs []*Layout
	Result *Layout
	// Steps counts the steps of the run that made it, and Choices the cases of which both
	// branches were evaluated.
	Steps, Choices int64
}

// LoweringSteps bounds the run that lowers a program.
const LoweringSteps = 5_000_000

// Lower makes an array program of a functional one, by running it on terms (App. C of 000):
// functions are gone then. Arrays stay arrays, whose lengths must be known; inputs say those
// of the inputs. A sum of which the side is not known is whether it is the right one, and
// both sides; a case evaluates both branches, and chooses. Of the result each real is
// computed as [Machine.Eval] does it, bit for bit.
//
// A program is not taken if the length of an array depends on data, or if it does not come
// to an end within [LoweringSteps], or with both branches of very many cases: a function that
// calls itself must end by what is known. Those cases are counted.
func Lower(sig *term.Signature, p *Program, inputs ...*Layout) (*Lowered, error) {
	if len(inputs) != len(p.Context) {
		return nil, fmt.Errorf("the program has %d inputs, and %d are told", len(p.Context), len(inputs))
	}
	out := &Lowered{Program: &term.Program{Store: term.NewStore(sig), Name: "main"}}
	d := &symbolic{store: out.Program.Store}
	layout, terms, err := d.run(p, func(name string, t *Type) (Value, error) {
		l := inputs[len(out.Inputs)]
		if !l.Type.Equal(t) {
			return nil, fmt.Errorf("the input %s is of type %s, and not %s", name, t, l.Type)
		}
		out.Inputs = append(out.Inputs, l)
		var leaves []term.Input
		if t := l.ArrayType(); t != nil {
			in := term.Input{Name: name, Type: t}
			out.Program.Inputs, leaves = append(out.Program.Inputs, in), in.Leaves()
		}
		return d.input(l, leaves), nil
	})
	if err != nil {
		return nil, err
	}
	out.Program.Root, out.Result, out.Steps, out.Choices = d.store.Packed(terms), layout, d.steps, d.choices
	return out, nil
}

// run evaluates a program on terms, and lists the arrays of its result; input makes the values
// of its inputs.
func (d *symbolic) run(p *Program, input func(name string, t *Type) (Value, error)) (l *Layout, terms []term.Term, err error) {
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
	d.steps = m.Steps
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

// Env gives the inputs of the array program values.
func Env[S any](d *Concrete[S], p *Lowered, inputs []Value) (term.Env[*term.Value[S]], error) {
	env := make(term.Env[*term.Value[S]])
	rest := p.Program.Inputs
	for i, l := range p.Inputs {
		if l.ArrayType() == nil {
			continue
		}
		vs, err := Write(d, l, inputs[i])
		if err != nil {
			return nil, err
		}
		for k, leaf := range rest[0].Leaves() {
			env[leaf.Name] = vs[k]
		}
		rest = rest[1:]
	}
	return env, nil
}

// ResultOf is the result of a functional program, by that of the array program.
func ResultOf[S any](p *Lowered, v *term.Value[S]) Value {
	if len(v.Parts) > 0 {
		return Read(p.Result, v.Parts)
	}
	return Read(p.Result, []*term.Value[S]{v})
}

// RealsAt lists what stands where inputs have their reals, as a gradient does: arrays has,
// for each array of reals in the inputs of the array program, one that is like it.
func RealsAt(p *Lowered, inputs []Value, arrays []*term.Value[float64]) ([]float64, error) {
	var out []float64
	for i, l := range p.Inputs {
		vs, err := Write(Floats(), l, inputs[i])
		if err != nil {
			return nil, err
		}
		for k, v := range vs {
			if v.Elem != term.R {
				continue
			}
			if len(arrays) == 0 || len(arrays[0].R) != len(v.R) {
				return nil, errors.New("there is not an array for each array of reals in the inputs")
			}
			vs[k], arrays = arrays[0], arrays[1:]
		}
		out = append(out, Leaves[float64](Read(l, vs), l.Type)...)
	}
	return out, nil
}
