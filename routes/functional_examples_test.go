package routes_test

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"egad"
	"egad/data"
	"egad/routes"
	"egad/term/module"
	"egad/term/types"
)

// functionalExamples are the examples in examples/functional, with numbers of their gradients
// that follow from the formula, the first ones in order.
var functionalExamples = map[string][]float64{
	"captured":    {1},
	"doubling":    {512},
	"gmm":         nil,
	"inner":       nil,
	"interpreter": {3}, // of 3 x + 1/4
	"layers":      nil,
	"magic":       {1, 1, 1, 1, 1, 1, 1, 1},
	"newton":      {0.1889822365046136}, // 1 / (2 √7)
	"product":     {0, -36, 0, 0, 0},
	"rotation":    {91.96, 58.08, -77.44, 38.72, 4.84, -24.2, 26.62},
	"shape":       nil,
	// of c³ x + (c² + c + 1) sin c
	"thrice": {3.375 + 2.5*math.Sin(0.75) + 2.3125*math.Cos(0.75), 0.421875},
}

// onlyRun are the examples that are no array programs.
var onlyRun = []string{"newton"}

// TestFunctionalExamples: all routes that take an example agree, with each other, with
// differences of the value, and with formulas.
func TestFunctionalExamples(t *testing.T) {
	files, err := filepath.Glob("../examples/functional/*.egad")
	if err != nil || len(files) != len(functionalExamples) {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".egad")
		want, ok := functionalExamples[name]
		if !ok {
			t.Fatalf("%s is not among the examples here", name)
		}
		t.Run(name, func(t *testing.T) {
			task, value := functionalExample(t, file)
			results, err := routes.Run(task, routes.Table, func(string) {})
			if err != nil {
				t.Fatal(err)
			}
			by := make(map[string]*routes.Result)
			for _, r := range results {
				by[r.Name] = r
				if r.Agreement == routes.Differs || r.Agreement == routes.Stopped {
					t.Errorf("%s: %s, by %g at %s %s", r.Name, r.Agreement, r.Difference, r.Where, r.Why)
				}
			}
			for _, route := range []string{"egraph", "share", "symbolic", "monadic", "overloaded", "chad-closures"} {
				refused := slices.Contains(onlyRun, name) && route != "monadic" && route != "overloaded"
				if r := by[route]; (r.Why != "") != refused {
					t.Errorf("%s: %s %s", route, r.Agreement, r.Why)
				}
			}
			got := by["monadic"].Gradient
			for i, w := range want {
				if math.Abs(got[i]-w) > 1e-9*max(1, math.Abs(w)) {
					t.Errorf("number %d of the gradient is %v, want %v", i, got[i], w)
				}
			}
			at := 0
			for _, in := range task.Program.Inputs {
				for _, leaf := range in.Leaves() {
					if leaf.Type.Elem != types.R {
						continue
					}
					xs := task.Env[leaf.Name].R
					for i := range xs {
						if i >= 10 { // the others are like these
							break
						}
						x, h := xs[i], 1e-5*max(1, math.Abs(xs[i]))
						xs[i] = x + h
						above := value()
						xs[i] = x - h
						below := value()
						xs[i] = x
						if d := (above - below) / (2 * h); math.Abs(d-got[at+i]) > 1e-5*max(1, math.Abs(d), math.Abs(value())) {
							t.Errorf("%s, number %d: %v, by differences %v", leaf.Name, i, got[at+i], d)
						}
					}
					at += len(xs)
				}
			}
		})
	}
}

// functionalExample is the last definition of a file on its data, and how its value is computed.
func functionalExample(t *testing.T, file string) (*routes.Task, func() float64) {
	t.Helper()
	m, err := egad.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	info, err := m.Lookup("")
	if err != nil {
		t.Fatal(err)
	}
	values := strings.TrimSuffix(file, ".egad") + ".json"
	if info.Name == "gmm" {
		values = "../examples/gmm/data/gmm_test.json"
	}
	src, err := data.ReadText(values)
	if err != nil {
		t.Fatal(err)
	}
	in, err := data.ReadJSON(src)
	if err != nil {
		t.Fatal(err)
	}
	sizes, env, err := data.Bind(info, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	task := &routes.Task{Lib: m.Rules(), Env: env, Bounds: routes.DefaultBounds, Result: info.Result.At(sizes)}
	if task.Functional, _, err = m.Functional(info.Name); err != nil {
		t.Fatal(err)
	}
	value := func() (*egad.Value, error) { return egad.Run(task.Program, env) }
	task.Program, err = m.Instantiate(info.Name, sizes)
	var not *module.NotLoweredError
	if errors.As(err, &not) {
		task.Program, task.Unlowered, err = not.Outline, not, nil
		value = func() (*egad.Value, error) { return m.Interpret(not, env) }
	}
	if err != nil {
		t.Fatal(err)
	}
	return task, func() float64 {
		v, err := value()
		if err != nil {
			t.Fatal(err)
		}
		return v.R[0]
	}
}
