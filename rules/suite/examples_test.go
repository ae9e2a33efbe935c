package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"egad/diag"
	"egad/egraph"
	"egad/rules"
	"egad/rules/runner"
)

func loadFile(t testing.TB, path string) *File {
	t.Helper()
	src, err := diag.ReadSource(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Load(src)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// loadText loads a text.
func loadText(t testing.TB, text string) *File {
	t.Helper()
	f, err := Load(&diag.Source{Name: "l.rules", Text: text})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return f
}

// runTest runs a test of a file.
func runTest(t testing.TB, f *File, x *rules.Test, o runner.Options) *Result {
	t.Helper()
	res, err := f.Run(x, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// messages are what fails, in order.
func messages(list diag.List) string {
	var out []string
	for _, e := range list {
		out = append(out, e.Msg)
	}
	return strings.Join(out, "|")
}

// examples are the files of rules in a directory of the examples.
func examples(t *testing.T, dir string) []string {
	paths, err := filepath.Glob("../../examples/" + dir + "/*.rules")
	if err != nil || len(paths) == 0 {
		t.Fatal("no examples", err)
	}
	return paths
}

// TestExamples runs the tests of the files in examples.
func TestExamples(t *testing.T) {
	for _, path := range slices.Concat(examples(t, "rewriting"), examples(t, "routes")) {
		f := loadFile(t, path)
		for _, x := range f.Tests {
			t.Run(f.Language.Name+"/"+x.Name.Text, func(t *testing.T) {
				if err := runTest(t, f, x, runner.Options{}).Failed.Err(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func (f *File) test(name string) *rules.Test {
	for _, x := range f.Tests {
		if x.Name.Text == name {
			return x
		}
	}
	panic("no test " + name)
}

// task is a test with its file.
type task struct {
	f *File
	x *rules.Test
}

func (f *File) tasks() (out []task) {
	for _, x := range f.Tests {
		out = append(out, task{f, x})
	}
	return out
}

// benchmark runs tests and reports the sizes of the graphs and the matches of all.
func benchmark(b *testing.B, o runner.Options, tasks ...task) {
	b.ReportAllocs()
	nodes, matches := 0, 0
	for b.Loop() {
		nodes, matches = 0, 0
		for _, x := range tasks {
			res := runTest(b, x.f, x.x, o)
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
	f := loadFile(b, "../../examples/rewriting/micro.rules")
	for n := 8; n <= 11; n++ {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmark(b, runner.Options{Iterations: n}, task{f, f.test("micro")}) })
	}
}

// BenchmarkMath and BenchmarkLambda run all tests of a file, and each by itself.
func BenchmarkMath(b *testing.B) { benchmarkFile(b, "../../examples/rewriting/math.rules") }

// BenchmarkEgg runs the tests of egg's tests/math.rs, without those that are ours
// and those of its interface.
func BenchmarkEgg(b *testing.B) {
	ac, math := loadFile(b, "../../examples/rewriting/ac.rules"), loadFile(b, "../../examples/rewriting/math.rules")
	tests := []task{{ac, ac.test("associate_adds")}}
	for _, x := range math.Tests {
		if !slices.Contains([]string{"no_assumption", "zero", "product_not_zero"}, x.Name.Text) {
			tests = append(tests, task{math, x})
		}
	}
	benchmark(b, runner.Options{}, tests...)
}

func BenchmarkLambda(b *testing.B) { benchmarkFile(b, "../../examples/rewriting/lambda.rules") }

func benchmarkFile(b *testing.B, path string) {
	f := loadFile(b, path)
	b.Run("all", func(b *testing.B) { benchmark(b, runner.Options{}, f.tasks()...) })
	for _, x := range f.tasks() {
		b.Run(x.x.Name.Text, func(b *testing.B) { benchmark(b, runner.Options{}, x) })
	}
}

// BenchmarkProofs runs the tests of each example without what proofs need and with it, in turn,
// and reports the least times of both, their ratio, and what proving all claims and checking the proofs takes.
func BenchmarkProofs(b *testing.B) {
	for _, name := range []string{"ac", "math", "micro", "prop", "lambda"} {
		f := loadFile(b, "../../examples/rewriting/"+name+".rules")
		b.Run(name, func(b *testing.B) {
			least := [3]time.Duration{1 << 62, 1 << 62, 1 << 62} // plain, kept, proofs
			for b.Loop() {
				var sum [3]time.Duration
				for _, x := range f.Tests {
					for k := range 2 {
						start := time.Now()
						res := runTest(b, f, x, runner.Options{Proofs: k == 1})
						done := time.Now()
						if sum[k] += done.Sub(start); k == 1 {
							if _, err := res.Proofs(); err != nil {
								b.Fatal(err)
							}
							sum[2] += time.Since(done)
						}
					}
				}
				for k := range sum {
					least[k] = min(least[k], sum[k])
				}
			}
			for k, unit := range []string{"plain-ms", "kept-ms", "proofs-ms"} {
				b.ReportMetric(float64(least[k])/float64(time.Millisecond), unit)
			}
			b.ReportMetric(float64(least[1])/float64(least[0]), "kept/plain")
		})
	}
}

// acText is the language of ac.rules with a sum of n variables.
func acText(n int) string {
	sum := fmt.Sprint("x", n)
	for i := n - 1; i > 0; i-- {
		sum = fmt.Sprintf("x%d + %s", i, sum)
	}
	text, err := os.ReadFile("../../examples/rewriting/ac.rules")
	if err != nil {
		panic(err)
	}
	rules, _, _ := strings.Cut(string(text), "\ntest ")
	return rules + fmt.Sprintf("\ntest ac\n  start %s\n  limit nodes 10000000\n", sum)
}

func BenchmarkAC(b *testing.B) {
	for n := 8; n <= 11; n++ {
		f := loadText(b, acText(n))
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmark(b, runner.Options{}, f.tasks()...) })
	}
}

// TestClosedForms counts the classes and nodes of sums.
func TestClosedForms(t *testing.T) {
	power := 3
	for n := 2; n <= 8; n++ {
		power *= 3
		f := loadText(t, acText(n))
		rep := runTest(t, f, f.test("ac"), runner.Options{}).Report
		if want := 1<<n - 1; rep.Stop != egraph.Saturated || rep.Classes != want {
			t.Errorf("%d variables: %v, expected %d classes", n, rep, want)
		}
		if want := power - 1<<(n+1) + 1 + n; rep.Nodes != want {
			t.Errorf("%d variables: %v, expected %d nodes", n, rep, want)
		}
	}
}
