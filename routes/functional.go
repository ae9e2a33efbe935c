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
	"egad/term/eval"
	"egad/term/types"
)

// functional is the program of a task as a functional one, with its inputs. Errors are raised,
// here and below.
func (t *Task) functional() (*fun.Program, []fun.Value) {
	p := t.Functional
	if p == nil {
		p = raise.Must(fun.FromProgram(t.Program))
	}
	return p.WithoutFolds(), raise.Must(p.Given(t.Program.Inputs, t.Program.Sizes, t.Env, t.layout))
}

// layout says how values of a type stand in arrays.
func (t *Task) layout(of *types.Type) (*fun.Layout, error) {
	if t.Functional == nil {
		return fun.Held(of)
	}
	return fun.Declared(of)
}

// read is the value that stands in arrays of a type.
func (t *Task) read(of *types.Type, arrays []*eval.Value[float64]) fun.Value {
	return fun.Read(raise.Must(t.layout(of)), arrays)
}

// write puts a value into the arrays of a type.
func (t *Task) write(v fun.Value, of *types.Type) []*eval.Value[float64] {
	return raise.Must(fun.Write(fun.Floats(), raise.Must(t.layout(of)), v))
}

// functionalAt is [Task.functional] with the cotangent of the program's value.
func (t *Task) functionalAt() (p *fun.Program, inputs []fun.Value, ct []float64) {
	p, inputs = t.functional()
	return p, inputs, t.functionalCotangent(p, inputs)
}

// functionalRoute is a route of functional programs: run gives a number for each real of
// the inputs, from the left, of a cotangent for each real of the value.
func functionalRoute(run func(t *Task, p *fun.Program, inputs []fun.Value, ct []float64) ([]float64, Counts)) func(t *Task) *outcome[float64] {
	return func(t *Task) *outcome[float64] {
		p, inputs, ct := t.functionalAt()
		grad, counts := run(t, p, inputs, ct)
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
			arrays := t.spread(inputs[i], p.Context[i], t.Program.Inputs[k].Type, part)
			for j, leaf := range fun.LeavesOf(t.Program.Inputs[k]) {
				if slices.ContainsFunc(wrt, func(in term.Input) bool { return in.Name == leaf.Name }) {
					out.gradient = append(out.gradient, arrays[j].R...)
				}
			}
		}
		return out
	}
}

// spread puts numbers, one for each real of a value, into the arrays of the value: of a sum
// those of the other side are 0.
func (t *Task) spread(v fun.Value, of *fun.Type, in *types.Type, numbers []float64) []*eval.Value[float64] {
	return t.write(fun.MapLeaves(v, of, func(float64) fun.Value {
		x := numbers[0]
		numbers = numbers[1:]
		return x
	}), in)
}

// functionalCotangent is the cotangent of the reals that the value of a functional program
// has: of a sum those of one side.
func (t *Task) functionalCotangent(p *fun.Program, inputs []fun.Value) []float64 {
	if t.scalar() {
		return []float64{1}
	}
	if t.Cotangent == nil {
		raise.Error(&NoCotangentError{t.Program.Name, t.result()})
	}
	m := &fun.Machine{Domain: fun.Floats(), Ended: t.Ended}
	v := raise.Must(p.Run(m, inputs))
	// The cotangents are put in the places of the reals, and read as a value.
	result := t.result()
	arrays := t.write(v, result)
	rest := t.Cotangent
	for _, a := range arrays {
		if a.Elem == types.R {
			a.R, rest = rest[:len(a.R)], rest[len(a.R):]
		}
	}
	return fun.Leaves[float64](t.read(result, arrays), p.Result)
}

// onlyFloats is the run in rationals of a route that has none.
func onlyFloats(*Task) *outcome[*big.Rat] {
	raise.Error(errors.New("only over float64"))
	return nil
}

// chadRoutes are those of package chad.
func chadRoutes() []*Route {
	return slice.Map(chad.Routes, func(r *chad.Route) *Route {
		derive := func(t *Task, p *fun.Program) *chad.Derivative {
			return raise.Must(r.Transform(chad.NewDerivatives(t.Lib), p))
		}
		return &Route{
			Name: r.Name, Source: r.Source, Doc: r.Doc, exact: onlyFloats, functional: true,
			floats: functionalRoute(func(t *Task, p *fun.Program, inputs []fun.Value, ct []float64) ([]float64, Counts) {
				grad, m, err := derive(t, p).Gradient(inputs, ct, chad.Options{Limit: t.Bounds.Operations, Ended: t.Ended})
				raise.Error(err)
				return grad, Counts{Primal: m.Primal, Steps: m.Steps()}
			}),
			show: func(t *Task, _ Sharing) []Shown {
				p, _ := t.functional()
				d := derive(t, p)
				out := []Shown{
					{"core", fmt.Sprintf("the program as a term of the core, of type %s", p.Result), fun.Print(p.Body, p.Names...) + "\n"},
					{"D", fmt.Sprintf("the derivative, of type %s", d.Type), d.String() + "\n"},
				}
				switch r.Name {
				case "chad":
					out = append(out, showMaps(t, maps.Chad))
				case "chad-defunctional":
					out = append(out, showMaps(t, maps.Defunctional))
				}
				return out
			},
		}
	})
}

// krawiecRoutes are those of package krawiec.
func krawiecRoutes() []*Route {
	return slice.Map(krawiec.Routes, func(r *krawiec.Route) *Route {
		task := func(t *Task, p *fun.Program) *krawiec.Task {
			return &krawiec.Task{Lib: t.Lib, Program: p, Steps: t.Bounds.Operations, Visits: t.Bounds.Visits, Bindings: t.Bounds.Made, Ended: t.Ended}
		}
		return &Route{
			Name: r.Name, Source: r.Source, Doc: r.Doc, exact: onlyFloats, functional: true,
			floats: functionalRoute(func(t *Task, p *fun.Program, inputs []fun.Value, ct []float64) ([]float64, Counts) {
				primal := &fun.Machine{Domain: fun.Floats(), Limit: t.Bounds.Operations, Ended: t.Ended}
				raise.Must(p.Run(primal, inputs))
				o := raise.Must(r.Gradient(task(t, p), inputs, ct))
				return o.Gradient, Counts{Primal: primal.Steps, Steps: o.Steps, Made: o.Made, Visits: o.Visits, Ids: o.Bindings}
			}),
			show: func(t *Task, _ Sharing) []Shown {
				p, inputs, ct := t.functionalAt()
				out := slice.Map(raise.Must(r.Show(task(t, p), inputs, ct)), func(s krawiec.Shown) Shown { return Shown(s) })
				if r.Name == "monadic" {
					out = append(out, showMaps(t, maps.Monadic))
				}
				return out
			},
		}
	})
}
