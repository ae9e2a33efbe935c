package egad_test

import (
	"testing"

	"egad"
	"egad/ad"
	"egad/bot"
	"egad/extract"
	"egad/rules"
	"egad/term"
)

// benchPrograms are the definitions of the examples at the sizes of the benchmarks.
var benchPrograms = []struct {
	example, def string
	sizes        map[string]int64
	rules        string
}{
	{"selfconv", "selfconv", map[string]int64{"n": 100}, ""},
	{"f2", "f2", nil, ""},
	{"matmul", "distance", map[string]int64{"k": 20, "m": 30, "n": 40}, ""},
	{"conv", "loss", map[string]int64{"n": 100, "k": 7}, ""},
	{"concat", "twice", map[string]int64{"m": 50}, ""},
	{"lookup", "total", map[string]int64{"n": 50, "m": 200}, ""},
	{"iris", "logistic", map[string]int64{"n": 150}, ""},
	{"xor", "loss", map[string]int64{"n": 4, "d": 2, "h": 3}, ""},
	{"running", "misfit", map[string]int64{"m": 5, "n": 40}, "examples/running/running.rules"},
	{"gmm", "gmm", map[string]int64{"K": 5, "D": 2, "N": 1000, "L": 3}, ""},
}

// BenchmarkExamples measures what is done to the examples on the way to their
// gradients: the bulk-operation transform, saturation of the bulk program, and the
// whole derivation. The e-nodes and matches are those of all e-graphs together.
func BenchmarkExamples(b *testing.B) {
	for _, x := range benchPrograms {
		files := []string{"examples/" + x.example + "/" + x.example + ".egad"}
		if x.rules != "" {
			files = append(files, x.rules)
		}
		m, err := egad.Load(files...)
		if err != nil {
			b.Fatal(err)
		}
		p, err := m.Instantiate(x.def, x.sizes)
		if err != nil {
			b.Fatal(err)
		}
		bulk, _, err := bot.Transform(m.Rules(), p, 0)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("bot/"+x.example, func(b *testing.B) {
			measure(b, func() []*extract.Run {
				return oneRun(b, func(lib *rules.Library, p *term.Program) (*term.Program, *extract.Run, error) {
					return bot.Transform(lib, p, 0)
				}, m.Rules(), p)
			})
		})
		b.Run("saturate/"+x.example, func(b *testing.B) {
			measure(b, func() []*extract.Run {
				return oneRun(b, func(lib *rules.Library, p *term.Program) (*term.Program, *extract.Run, error) {
					return extract.Way(extract.Through).Program(lib, "simplify", p, extract.How{})
				}, m.Rules(), bulk)
			})
		})
		b.Run("gradient/"+x.example, func(b *testing.B) {
			measure(b, func() []*extract.Run {
				d, err := m.Grad(p, ad.Options{})
				if err != nil {
					b.Fatal(err)
				}
				var runs []*extract.Run
				for _, s := range d.Stages {
					runs = append(runs, s.Report)
				}
				return runs
			})
		})
	}
}

func oneRun(b *testing.B, f func(*rules.Library, *term.Program) (*term.Program, *extract.Run, error), lib *rules.Library, p *term.Program) []*extract.Run {
	_, run, err := f(lib, p)
	if err != nil {
		b.Fatal(err)
	}
	return []*extract.Run{run}
}

func measure(b *testing.B, f func() []*extract.Run) {
	b.ReportAllocs()
	nodes, matches := 0, 0
	for b.Loop() {
		nodes, matches = 0, 0
		for _, r := range f() {
			if r != nil {
				nodes += r.Nodes
				matches += r.Matches()
			}
		}
	}
	b.ReportMetric(float64(nodes), "e-nodes")
	b.ReportMetric(float64(matches), "matches")
}
