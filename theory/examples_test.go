package theory

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"egad/diag"
	"egad/egraph"
)

func load(t testing.TB, path string) *Theory {
	t.Helper()
	src, err := diag.ReadSource(path)
	if err != nil {
		t.Fatal(err)
	}
	th, err := Load(src)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// TestExamples runs the tests of the files in examples/rewriting.
func TestExamples(t *testing.T) {
	paths, err := filepath.Glob("../examples/rewriting/*.rules")
	if err != nil || len(paths) == 0 {
		t.Fatal("no examples", err)
	}
	for _, path := range paths {
		th := load(t, path)
		for _, test := range th.Tests {
			t.Run(th.Name+"/"+test.Name, func(t *testing.T) {
				if err := th.Run(test, Options{}).Failed.Err(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func (t *Theory) test(name string) *Test {
	for _, x := range t.Tests {
		if x.Name == name {
			return x
		}
	}
	panic("no test " + name)
}

// benchmark runs tests and reports the sizes of the graphs and the matches of all.
func benchmark(b *testing.B, t *Theory, o Options, tests ...*Test) {
	b.ReportAllocs()
	nodes, matches := 0, 0
	for b.Loop() {
		nodes, matches = 0, 0
		for _, x := range tests {
			res := t.Run(x, o)
			if res.Report.Err != nil {
				b.Fatal(res.Report.Err)
			}
			nodes += res.Report.Nodes
			matches += res.Report.Matches()
		}
	}
	b.ReportMetric(float64(nodes), "e-nodes")
	b.ReportMetric(float64(matches), "matches")
}

func BenchmarkMicro(b *testing.B) {
	t := load(b, "../examples/rewriting/micro.rules")
	for n := 8; n <= 11; n++ {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmark(b, t, Options{Iterations: n}, t.test("micro")) })
	}
}

// BenchmarkMath and BenchmarkLambda run all tests of a file, and each by itself.
func BenchmarkMath(b *testing.B) { benchmarkFile(b, "../examples/rewriting/math.rules") }

// BenchmarkEgg runs the tests of egg's tests/math.rs, without those that are ours
// and those of its interface.
func BenchmarkEgg(b *testing.B) {
	ac, math := load(b, "../examples/rewriting/ac.rules"), load(b, "../examples/rewriting/math.rules")
	var tests []*Test
	for _, x := range math.Tests {
		if !slices.Contains([]string{"no_assumption", "zero", "product_not_zero"}, x.Name) {
			tests = append(tests, x)
		}
	}
	b.ReportAllocs()
	nodes, matches := 0, 0
	for b.Loop() {
		rep := ac.Run(ac.test("associate_adds"), Options{}).Report
		nodes, matches = rep.Nodes, rep.Matches()
		for _, x := range tests {
			rep := math.Run(x, Options{}).Report
			nodes += rep.Nodes
			matches += rep.Matches()
		}
	}
	b.ReportMetric(float64(nodes), "e-nodes")
	b.ReportMetric(float64(matches), "matches")
}

func BenchmarkLambda(b *testing.B) { benchmarkFile(b, "../examples/rewriting/lambda.rules") }

func benchmarkFile(b *testing.B, path string) {
	t := load(b, path)
	b.Run("all", func(b *testing.B) { benchmark(b, t, Options{}, t.Tests...) })
	for _, x := range t.Tests {
		b.Run(x.Name, func(b *testing.B) { benchmark(b, t, Options{}, x) })
	}
}

// acSource is the theory of ac.rules with a sum of n variables.
func acSource(n int) *diag.Source {
	sum := fmt.Sprint("x", n)
	for i := n - 1; i > 0; i-- {
		sum = fmt.Sprintf("x%d + %s", i, sum)
	}
	text, err := os.ReadFile("../examples/rewriting/ac.rules")
	if err != nil {
		panic(err)
	}
	rules, _, _ := strings.Cut(string(text), "\ntest ")
	return &diag.Source{Name: "ac", Text: rules + fmt.Sprintf("\ntest ac\n  start %s\n  limit nodes 10000000\n", sum)}
}

func BenchmarkAC(b *testing.B) {
	for n := 8; n <= 11; n++ {
		t, err := Load(acSource(n))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmark(b, t, Options{}, t.test("ac")) })
	}
}

// TestClosedForms counts the classes and nodes of sums.
func TestClosedForms(t *testing.T) {
	power := 1
	for n := 1; n <= 8; n++ {
		power *= 3
		if n == 1 {
			continue
		}
		th, err := Load(acSource(n))
		if err != nil {
			t.Fatal(err)
		}
		rep := th.Run(th.test("ac"), Options{}).Report
		if want := 1<<n - 1; rep.Stop != egraph.Saturated || rep.Classes != want {
			t.Errorf("%d variables: %v, expected %d classes", n, rep, want)
		}
		if want := power - 1<<(n+1) + 1 + n; rep.Nodes != want {
			t.Errorf("%d variables: %v, expected %d nodes", n, rep, want)
		}
	}
}
