package routes_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"egad"
	"egad/internal/testflag"
	"egad/internal/timing"
	"egad/routes"
	"egad/term/eval"
)

// eachExample calls f for every definition of the examples that can be differentiated, at
// small sizes, but for gmm, which is measured by itself; those of the suites are many.
func eachExample(t testing.TB, suites bool, f func(name string, task *routes.Task)) {
	t.Helper()
	files, err := filepath.Glob("../examples/*/*.egad")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		dir, base := filepath.Split(file)
		if base == "gmm.egad" || filepath.Base(dir) == "suites" && !suites {
			continue
		}
		load := []string{file}
		if base == "running.egad" {
			load = append(load, dir+"running.rules")
		}
		m, err := egad.Load(load...)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range m.Defs() {
			info, err := m.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			sizes := make(map[string]int64)
			for i, s := range info.Sizes {
				sizes[s] = 3 + int64(i)
			}
			p, err := m.Instantiate(name, sizes)
			if err != nil {
				continue // of other sizes
			}
			task := &routes.Task{Lib: m.Rules(), Program: p, Env: make(egad.Env), Bounds: routes.DefaultBounds}
			if err := timing.MakeUp(task.Env, p.Inputs, 3, 1); err != nil {
				t.Fatal(err)
			}
			if name == "best" {
				continue // Newton's method on 400 steps, which takes minutes to simplify
			}
			if part := p.Store.Type(p.Root).RealPart(); part == nil || !task.OnesAsCotangent() {
				continue // nothing to differentiate
			}
			f(strings.TrimSuffix(base, ".egad")+" "+name, task)
		}
	}
}

// What the symbolic pass writes costs about what egad grad writes, on every example.
func TestExamples(t *testing.T) {
	var of []*routes.Route
	for _, r := range routes.OfArrays {
		if testflag.Long || r.Name == "egraph" || r.Name == "dual" || r.Name == "symbolic" {
			of = append(of, r)
		}
	}
	eachExample(t, testflag.Long, func(name string, task *routes.Task) {
		t.Run(name, func(t *testing.T) {
			results, err := routes.Compared(task, of)
			if err != nil {
				t.Fatal(err)
			}
			v, err := eval.Interpret(task.Program.Store, task.Program.Root, eval.FloatArrays(), task.Env)
			if err != nil {
				t.Fatal(err)
			}
			by := make(map[string]*routes.Result)
			var s float64
			for _, r := range results {
				by[r.Name] = r
				s += r.Time.Seconds()
				// Where there is no value, as of the root of a matrix that has none, routes
				// differ in what is no number.
				if r.Agreement == routes.Differs && routes.IsFinite(v) {
					t.Errorf("%s differs by %g at %s", r.Name, r.Difference, r.Where)
				}
				if r.Why != "" {
					t.Logf("%s: %s %s", r.Name, r.Agreement, r.Why)
				}
			}
			a, b := by["egraph"], by["symbolic"]
			ratio := float64(b.Total) / math.Max(1, float64(a.Total))
			t.Logf("value %d, egraph %d, symbolic %d (%.3f), dual %d (%.1f), %.1f s", a.Value, a.Total, b.Total, ratio, by["dual"].Total, float64(by["dual"].Total)/float64(a.Value), s)
			if a.Why != "" || b.Why != "" || ratio > 1.1 && b.Total > a.Total+2 {
				t.Errorf("symbolic takes %d operations, and egraph %d", b.Total, a.Total)
			}
		})
	})
}

// BenchmarkExamples runs all routes on all examples, and tells which example takes longest, and
// which route on one.
func BenchmarkExamples(b *testing.B) {
	type task struct {
		name string
		*routes.Task
	}
	var tasks []task
	eachExample(b, testflag.Long, func(name string, t *routes.Task) { tasks = append(tasks, task{name, t}) })
	var example, route struct {
		name string
		time time.Duration
	}
	for b.Loop() {
		for _, t := range tasks {
			start := time.Now()
			results, err := routes.Run(t.Task, routes.Table, func(string) {})
			if err != nil {
				b.Fatal(err)
			}
			if d := time.Since(start); d > example.time {
				example.name, example.time = t.name, d
			}
			for _, r := range results {
				if r.Time > route.time {
					route.name, route.time = t.name+" by "+r.Name, r.Time
				}
			}
		}
	}
	b.Logf("%d examples; %s takes %v, and %s %v", len(tasks), example.name, example.time, route.name, route.time)
}
