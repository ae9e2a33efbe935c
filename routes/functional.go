package routes

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/routes/chad"
	"egad/routes/krawiec"
	"egad/routes/maps"
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
	inputs, err := p.Given(t.Program.Inputs, t.Program.Sizes, t.Env, t.layout)
	return p.WithoutFolds(), inputs, err
}

// layout says how values of a type stand in arrays.
func (t *Task) layout(of *term.Type) (*fun.Layout, error) {
	if t.Functional == nil {
		return fun.Held(of)
	}
	return fun.Declared(of)
}

// read is the value that stands in arrays of a type.
func (t *Task) read(of *term.Type, arrays []*term.Value[float64]) (fun.Value, error) {
	l, err := t.layout(of)
	if err != nil {
		return nil, err
	}
	return fun.Read(l, arrays), nil
}

// write puts a value into the arrays of a type.
func (t *Task) write(v fun.Value, of *term.Type) ([]*term.Value[float64], error) {
	l, err := t.layout(of)
	if err != nil {
		return nil, err
	}
	return fun.Write(fun.Floats(), l, v)
}

// functionalAt is [Task.functional] with the cotangent of the program's value.
func (t *Task) functionalAt() (p *fun.Program, inputs []fun.Value, ct []float64, err error) {
	if p, inputs, err = t.functional(); err == nil {
		ct, err = t.functionalCotangent(p, inputs)
	}
	return p, inputs, ct, err
}

// functionalRoute is a route of functional programs: run gives a number for each real of
// the inputs, from the left, of a cotangent for each real of the value.
func functionalRoute(run func(t *Task, p *fun.Program, inputs []fun.Value, ct []float64) ([]float64, Counts, error)) func(t *Task) (*outcome[float64], error) {
	return func(t *Task) (_ *outcome[float64], err error) {
		defer raise.Caught(&err)
		p, inputs, ct, err := t.functionalAt()
		raise.Error(err)
		grad, counts, err := run(t, p, inputs, ct)
		raise.Error(err)
		wrt := raise.Must(t.varied())
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
			arrays := raise.Must(t.spread(inputs[i], p.Context[i], t.Program.Inputs[k].Type, part))
			for j, leaf := range fun.LeavesOf(t.Program.Inputs[k]) {
				if slices.ContainsFunc(wrt, func(in term.Input) bool { return in.Name == leaf.Name }) {
					out.gradient = append(out.gradient, arrays[j].R...)
				}
			}
		}
		return out, nil
	}
}

// spread puts numbers, one for each real of a value, into the arrays of the value: of a sum
// those of the other side are 0.
func (t *Task) spread(v fun.Value, of *fun.Type, in *term.Type, numbers []float64) ([]*term.Value[float64], error) {
	return t.write(fun.MapLeaves(v, of, func(float64) fun.Value {
		x := numbers[0]
		numbers = numbers[1:]
		return x
	}), in)
}

// functionalCotangent is the cotangent of the reals that the value of a functional program
// has: of a sum those of one side.
func (t *Task) functionalCotangent(p *fun.Program, inputs []fun.Value) (_ []float64, err error) {
	defer raise.Caught(&err)
	if t.scalar() {
		return []float64{1}, nil
	}
	if t.Cotangent == nil {
		return nil, &NoCotangentError{t.Program.Name, t.result()}
	}
	m := &fun.Machine{Domain: fun.Floats(), Ended: t.Ended}
	v := raise.Must(p.Run(m, inputs))
	// The cotangents are put in the places of the reals, and read as a value.
	result := t.result()
	arrays := raise.Must(t.write(v, result))
	rest := t.Cotangent
	for _, a := range arrays {
		if a.Elem == term.R {
			a.R, rest = rest[:len(a.R)], rest[len(a.R):]
		}
	}
	return fun.Leaves[float64](raise.Must(t.read(result, arrays)), p.Result), nil
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
			Name: r.Name, Source: r.Source, Doc: r.Doc, exact: onlyFloats, functional: true,
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
				out := []Shown{{"D", fmt.Sprintf("the derivative, of type %s", d.Type), d.String() + "\n"}}
				switch r.Name {
				case "chad":
					out = append(out, showMaps(t, maps.Chad))
				case "chad-defunctional":
					out = append(out, showMaps(t, maps.Defunctional))
				}
				return out, nil
			}),
		})
	}
	return out
}

// krawiecRoutes are those of package krawiec.
func krawiecRoutes() []*Route {
	var out []*Route
	for _, r := range krawiec.Routes {
		task := func(t *Task, p *fun.Program) *krawiec.Task {
			return &krawiec.Task{Lib: t.Lib, Program: p, Steps: t.Bounds.Operations, Visits: t.Bounds.Visits, Bindings: t.Bounds.Made, Ended: t.Ended}
		}
		out = append(out, &Route{
			Name: r.Name, Source: r.Source, Doc: r.Doc, exact: onlyFloats, functional: true,
			floats: functionalRoute(func(t *Task, p *fun.Program, inputs []fun.Value, ct []float64) ([]float64, Counts, error) {
				primal := &fun.Machine{Domain: fun.Floats(), Limit: t.Bounds.Operations, Ended: t.Ended}
				if _, err := p.Run(primal, inputs); err != nil {
					return nil, Counts{}, err
				}
				o, err := r.Gradient(task(t, p), inputs, ct)
				if err != nil {
					return nil, Counts{}, err
				}
				return o.Gradient, Counts{Primal: primal.Steps, Steps: o.Steps, Made: o.Made, Visits: o.Visits, Ids: o.Bindings}, nil
			}),
			show: func(t *Task, _ Sharing) ([]Shown, error) {
				p, inputs, ct, err := t.functionalAt()
				if err != nil {
					return nil, err
				}
				stages, err := r.Show(task(t, p), inputs, ct)
				out := slice.Map(stages, func(s krawiec.Shown) Shown { return Shown(s) })
				if err == nil && r.Name == "monadic" {
					out = append(out, showMaps(t, maps.Monadic))
				}
				return out, err
			},
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
