package routes

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"egad/fun"
	"egad/routes/chad"
	"egad/term"
)

// functional is the program of a task as a functional one, with its inputs.
func (t *Task) functional() (*fun.Program, []fun.Value, error) {
	p := t.Functional
	if p == nil {
		var err error
		if p, err = fun.FromProgram(t.Program); err != nil {
			return nil, nil, err
		}
	}
	d := fun.Floats()
	values := make(map[string]fun.Value)
	for _, in := range t.Program.Inputs {
		v, err := wholeInput(in, t.Env)
		if err != nil {
			return nil, nil, err
		}
		values[in.Name] = d.FromArray(v, in.Type)
	}
	inputs := make([]fun.Value, len(p.Names))
	for i, name := range p.Names {
		v, ok := values[name]
		if !ok {
			v = t.Program.Sizes[name] // a size is an integer here
		}
		inputs[i] = v
	}
	return p, inputs, nil
}

// wholeInput is an input with its components together.
func wholeInput(in term.Input, env term.Env[*term.Value[float64]]) (*term.Value[float64], error) {
	if in.Type.Kind != term.KTuple {
		v, ok := env[in.Name]
		if !ok {
			return nil, fmt.Errorf("%s has no value", in.Name)
		}
		return v, nil
	}
	out := &term.Value[float64]{Parts: []*term.Value[float64]{}}
	for _, part := range in.Components() {
		v, err := wholeInput(part, env)
		if err != nil {
			return nil, err
		}
		out.Parts = append(out.Parts, v)
	}
	return out, nil
}

// functionalRoute is a route of functional programs: run gives a number for each real of
// the inputs, from the left, of a cotangent for each real of the value.
func functionalRoute(run func(t *Task, p *fun.Program, inputs []fun.Value, ct []float64) ([]float64, Counts, error)) func(t *Task) (*outcome[float64], error) {
	return func(t *Task) (*outcome[float64], error) {
		p, inputs, err := t.functional()
		if err != nil {
			return nil, err
		}
		ct, err := t.functionalCotangent(p, inputs)
		if err != nil {
			return nil, err
		}
		grad, counts, err := run(t, p, inputs, ct)
		var steps *fun.StepsError
		if errors.As(err, &steps) {
			return nil, &StoppedError{steps.Most, steps.What}
		}
		if err != nil {
			return nil, err
		}
		wrt, err := t.varied()
		if err != nil {
			return nil, err
		}
		out := &outcome[float64]{Counts: counts}
		out.Value = t.value
		for i, name := range p.Names {
			n := len(fun.Leaves[float64](inputs[i], p.Context[i]))
			part := grad[:n]
			grad = grad[n:]
			k := slices.IndexFunc(t.Program.Inputs, func(in term.Input) bool { return in.Name == name })
			if k < 0 {
				continue
			}
			for _, leaf := range spread(inputs[i], t.Program.Inputs[k], part) {
				if slices.ContainsFunc(wrt, func(in term.Input) bool { return in.Name == leaf.name }) {
					out.gradient = append(out.gradient, leaf.reals...)
				}
			}
		}
		return out, nil
	}
}

// leafReals are the reals of a leaf of an input.
type leafReals struct {
	name  string
	reals []float64
}

// spread gives the reals of a value of an input, which the value has from the left, to the
// leaves that the input has as an array program: of a sum both sides are there.
func spread(v fun.Value, in term.Input, reals []float64) []leafReals {
	// The numbers are put in the places of the reals, and the value is read as arrays.
	t, err := fun.TypeOf(in.Type)
	if err != nil {
		return nil
	}
	v, err = fun.MapLeaves(v, t, func(float64) (fun.Value, error) {
		x := reals[0]
		reals = reals[1:]
		return x, nil
	})
	if err != nil {
		return nil
	}
	a, err := fun.Floats().ToArray(v, in.Type)
	if err != nil {
		return nil
	}
	var out []leafReals
	var walk func(in term.Input, a *term.Value[float64])
	walk = func(in term.Input, a *term.Value[float64]) {
		if in.Type.Kind != term.KTuple {
			if in.Type.Elem == term.R {
				out = append(out, leafReals{in.Name, a.R})
			}
			return
		}
		for i, part := range in.Components() {
			walk(part, a.Parts[i])
		}
	}
	walk(in, a)
	return out
}

// functionalCotangent is the cotangent of the reals that the value of a functional program
// has: of a sum those of one side.
func (t *Task) functionalCotangent(p *fun.Program, inputs []fun.Value) ([]float64, error) {
	if t.Cotangent == nil {
		return []float64{1}, nil
	}
	m := &fun.Machine{Domain: fun.Floats(), Ended: t.Ended}
	v, err := p.Run(m, inputs)
	if err != nil {
		return nil, err
	}
	// The places of the reals, found by the array that has them.
	next := 0.0
	count := t.Program.Store.Type(t.Program.Root)
	numbered, err := fun.Floats().ToArray(v, count)
	if err != nil {
		return nil, err
	}
	var number func(a *term.Value[float64])
	number = func(a *term.Value[float64]) {
		for _, part := range a.Parts {
			number(part)
		}
		for i := range a.R {
			a.R[i] = next
			next++
		}
	}
	number(numbered)
	var out []float64
	for _, at := range fun.Leaves[float64](fun.Floats().FromArray(numbered, count), p.Result) {
		out = append(out, t.Cotangent[int(at)])
	}
	return out, nil
}

// onlyFloats is the run in rationals of a route that has none.
func onlyFloats(*Task) (*outcome[*big.Rat], error) {
	return nil, errors.New("only over float64")
}

// chadRoutes are those of package chad.
func chadRoutes() []*Route {
	var out []*Route
	for _, r := range chad.Routes {
		out = append(out, &Route{
			Name: r.Name, Source: r.Source, Doc: r.Doc, exact: onlyFloats,
			floats: functionalRoute(func(t *Task, p *fun.Program, inputs []fun.Value, ct []float64) ([]float64, Counts, error) {
				d, err := r.Transform(chad.NewDerivatives(t.Lib), p)
				if err != nil {
					return nil, Counts{}, err
				}
				grad, m, err := d.Gradient(inputs, ct, chad.Options{Limit: t.Bounds.Operations, Ended: t.Ended})
				if err != nil {
					return nil, Counts{}, err
				}
				return grad, Counts{Primal: m.Primal, Steps: m.Steps()}, nil
			}),
			show: showFunctional(func(t *Task, p *fun.Program) ([]Shown, error) {
				d, err := r.Transform(chad.NewDerivatives(t.Lib), p)
				if err != nil {
					return nil, err
				}
				return []Shown{{"D", fmt.Sprintf("the derivative, of type %s", d.Type), d.String() + "\n"}}, nil
			}),
		})
	}
	return out
}

// showFunctional shows a program of the core, and what a route makes of it.
func showFunctional(more func(t *Task, p *fun.Program) ([]Shown, error)) func(t *Task, how Sharing) ([]Shown, error) {
	return func(t *Task, _ Sharing) ([]Shown, error) {
		p, _, err := t.functional()
		if err != nil {
			return nil, err
		}
		out := []Shown{{"core", fmt.Sprintf("the program as a term of the core, of type %s", p.Result), fun.Print(p.Body, p.Names...) + "\n"}}
		rest, err := more(t, p)
		return append(out, rest...), err
	}
}
