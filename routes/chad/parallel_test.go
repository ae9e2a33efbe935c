package chad

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"egad/fun"
	"egad/internal/functional"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/internal/values"
	"egad/props"
	"egad/term/numeric"
)

// gradients lists the reals of the inputs' cotangents.
func (m *Measured) gradients(p *fun.Program, inputs []fun.Value) ([]float64, error) {
	var out []float64
	for i, x := range m.Cotangents {
		part, err := realsOf(x, inputs[i], p.Context[i])
		if err != nil {
			return nil, err
		}
		out = append(out, part...)
	}
	return out, nil
}

// TestC14: in parts, with a goroutine for each or on one alone, values, cotangents and steps are
// the same, bit for bit; they are those without parts, exactly on small integers and else
// within rounding.
func TestC14(t *testing.T) {
	lib := library(t)
	for _, mode := range []values.Mode{values.Small, values.Rounded} {
		o := withArrays
		o.Values = mode
		programs.Hold(t, testflag.Seed, testflag.Count(30, 5_000), functional.Gen(o), func(p props.FunctionalCase) error {
			number := int64(p.Program.Body.Size()) + testflag.Seed<<20
			ct, before, err := cotangents(p, number)
			if err != nil {
				return err
			}
			run := func(name string, threads int) ([]float64, *Measured, error) {
				d, err := Find(name).Transform(lib, p.Program)
				if err != nil {
					return nil, nil, err
				}
				m, err := d.Measure(p.Inputs, copied(ct), copies(before), Options{Affine: true, Threads: threads, grain: 1})
				if err != nil {
					return nil, nil, err
				}
				g, err := m.gradients(p.Program, p.Inputs)
				return g, m, err
			}
			want, plain, err := run("chad", 0)
			if err != nil {
				return err
			}
			one, first, err := run("chad-parallel", 1)
			if err != nil {
				return fmt.Errorf("%w\n%s", err, p.Text())
			}
			if !same(first.Value, plain.Value) || !alike(one, want, mode == values.Small && whole(want)) {
				return fmt.Errorf("%v in parts, else %v\n%s", one, want, p.Text())
			}
			many, second, err := run("chad-parallel", 8)
			if err != nil {
				return fmt.Errorf("%w\n%s", err, p.Text())
			}
			if !same(second.Value, first.Value) || !slices.EqualFunc(many, one, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y }) ||
				first.Steps() != second.Steps() || first.Counts != second.Counts {
				return fmt.Errorf("on 8 goroutines %v in %d steps, on one %v in %d\n%s", many, second.Steps(), one, first.Steps(), p.Text())
			}
			return nil
		})
	}
}

// whole reports whether numbers are small and whole, as they are where additions are exact.
func whole(xs []float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return x != math.Trunc(x) || math.Abs(x) > 1<<50 })
}

// alike reports whether lists are the same, or as near as rounding allows.
func alike(xs, ys []float64, exact bool) bool {
	var scale float64
	for _, x := range xs {
		scale = max(scale, math.Abs(x))
	}
	return slices.EqualFunc(xs, ys, func(x, y float64) bool {
		return x == y || x != x && y != y || !exact && math.Abs(x-y) <= 1e-9*scale || math.IsInf(scale, 0)
	})
}

// TestParallelLarge: large arrays are differentiated in parts: elements of a build, both halves of
// a reduce, and a pair of builds, of which each adds to the same inputs.
func TestParallelLarge(t *testing.T) {
	const n = 2_000
	elements := func(body *fun.Term) *fun.Term {
		return fun.Build.Typed(fun.Real, fun.Literal(numeric.Int(n), fun.Int), body)
	}
	total := func(a *fun.Term) *fun.Term {
		return fun.Reduce.Typed(fun.Real, add(fun.Fst.Make(v(0)), fun.Snd.Make(v(0))), a)
	}
	at := func(a int) *fun.Term { return fun.Index.Typed(fun.Real, v(a), v(0)) }
	for _, body := range []*fun.Term{
		total(elements(mul(at(2), v(1)))),
		add(total(elements(mul(at(2), v(1)))), total(elements(mul(at(2), at(2))))),
	} {
		p := &fun.Program{Names: []string{"a", "c"}, Context: []*fun.Type{fun.Array(fun.Real), fun.Real}, Result: fun.Real, Body: body}
		a := &fun.Elements{}
		for i := range n {
			a.X = append(a.X, float64(i%5-2))
		}
		var want []float64
		var steps int64
		for _, c := range []struct {
			name    string
			threads int
		}{{"chad", 0}, {"chad-parallel", 1}, {"chad-parallel", 2}, {"chad-parallel", 5}} {
			d, err := Find(c.name).Transform(library(t), p)
			if err != nil {
				t.Fatal(err)
			}
			got, m, err := d.Gradient([]fun.Value{a, 3.0}, []float64{1}, Options{Affine: true, Threads: c.threads})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s on %d goroutines has another gradient", c.name, c.threads)
			}
			if c.threads == 1 {
				steps = m.Steps()
			}
			if c.threads > 1 && m.Steps() != steps {
				t.Errorf("%d steps on %d goroutines, %d on one", m.Steps(), c.threads, steps)
			}
		}
	}
}

// TestParallelBound: a run in parts that takes too many steps ends, wherever they are taken.
func TestParallelBound(t *testing.T) {
	d, err := Find("chad-parallel").Transform(library(t), heavy(2_000))
	if err != nil {
		t.Fatal(err)
	}
	a, ct := &fun.Elements{}, make([]float64, 2_000)
	for range ct {
		a.X = append(a.X, 1.0)
	}
	_, m, err := d.Gradient([]fun.Value{a}, ct, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int64{m.Primal + 10, m.Run + m.Call/2, m.Steps() - 1} {
		if _, _, err := d.Gradient([]fun.Value{a}, ct, Options{Limit: limit}); err == nil {
			t.Errorf("no error with %d of %d steps", limit, m.Steps())
		}
	}
	if _, _, err := d.Gradient([]fun.Value{a}, ct, Options{Limit: m.Steps()}); err != nil {
		t.Error(err)
	}
}
