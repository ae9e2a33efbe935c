package krawiec

import (
	"fmt"
	"math"
	"testing"

	"egad/fun"
	"egad/internal/functional"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/internal/values"
	"egad/props"
	"egad/rules"
	"egad/rules/load"
	"egad/term"
)

var lib = func() *rules.Library {
	lib, err := load.Builtin(term.NewSignature())
	if err != nil {
		panic(err)
	}
	return lib
}()

// same reports whether numbers are equal within rounding.
func same(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	scale := 0.0
	for i := range a {
		scale = max(scale, math.Abs(a[i]), math.Abs(b[i]))
	}
	for i := range a {
		if a[i] != b[i] && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) && !(math.Abs(a[i]-b[i]) <= 1e-9*(1+scale)) {
			return false
		}
	}
	return true
}

// hold checks a property of random programs, with cotangents of their results.
func hold(t *testing.T, n int, o props.FunctionalOptions, f func(c props.FunctionalCase, task *Task, ct []float64) error) {
	t.Helper()
	if testflag.Long {
		n = 10_000
	}
	programs.Hold(t, testflag.Seed, n, functional.Gen(o), func(c props.FunctionalCase) error {
		task := &Task{Lib: lib, Program: c.Program, Steps: 10_000_000}
		v, err := task.Value(c.Inputs)
		if err != nil {
			return err
		}
		ct := make([]float64, len(fun.Leaves[float64](v, c.Program.Result)))
		for k := range ct {
			ct[k] = float64(k%5 - 2)
		}
		if err := f(c, task, ct); err != nil {
			return fmt.Errorf("%w\n%s", err, c.Text())
		}
		return nil
	})
}

var everything = props.FunctionalOptions{Operators: props.Differentiable, Values: values.Dyadic}

// TestK4RoutesAgree: all steps compute one gradient, of random programs with sums, integers,
// arrays and functions, also with arrays as pairs of arrays.
func TestK4RoutesAgree(t *testing.T) {
	hold(t, 200, everything, func(c props.FunctionalCase, task *Task, ct []float64) error {
		var want []float64
		for _, r := range Routes {
			for _, apart := range []bool{false, true} {
				task.PairOfArrays = apart
				out, err := r.Gradient(task, c.Inputs, ct)
				if err != nil {
					return fmt.Errorf("%s: %w", r.Name, err)
				}
				if want == nil {
					want = out.Gradient
				}
				if !same(want, out.Gradient) {
					return fmt.Errorf("%s: %v, want %v", r.Name, out.Gradient, want)
				}
			}
		}
		return nil
	})
}

// TestTypes: every translation and every wrapper has the type that the figures promise.
func TestTypes(t *testing.T) {
	hold(t, 200, everything, func(c props.FunctionalCase, task *Task, ct []float64) error {
		for _, r := range Routes {
			if r.represent == nil {
				continue
			}
			for _, apart := range []bool{false, true} {
				task.PairOfArrays = apart
				d, context, want, err := r.Translate(task)
				if err != nil {
					return err
				}
				got, err := fun.Check(d, context)
				if err != nil {
					return fmt.Errorf("%s: %w\n%s", r.Name, err, fun.Print(d, append([]string{"zero"}, c.Program.Names...)[len(c.Program.Names)+1-len(context):]...))
				}
				if !got.Equal(want) {
					return fmt.Errorf("%s: D{e} is of type %s, where %s must be", r.Name, got, want)
				}
				w, want, err := r.Wrap(task)
				if err != nil {
					return err
				}
				if got, err = fun.Check(w, nil); err != nil {
					return fmt.Errorf("%s: %w\n%s", r.Name, err, fun.Print(w))
				}
				if !got.Equal(want) {
					return fmt.Errorf("%s: the wrapper is of type %s, where %s must be", r.Name, got, want)
				}
			}
		}
		return nil
	})
}

// Size is how many constructors there are in a Delta.
func (d *Delta) Size() int {
	n := 0
	for todo := []*Delta{d}; len(todo) > 0; n++ {
		d, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if d.A != nil {
			todo = append(todo, d.A)
		}
		if d.B != nil {
			todo = append(todo, d.B)
		}
	}
	return n
}
