package saturate_test

import (
	"testing"

	"egad/diag"
	"egad/egraph"
	"egad/rules"
	"egad/rules/saturate"
	"egad/term"
)

// BenchmarkAlgebra saturates a polynomial with laws whose right sides are operators
// applied to metavariables. It reports the matches.
func BenchmarkAlgebra(b *testing.B) {
	sig := term.NewSignature()
	lib, err := rules.Load(sig, &diag.Source{Name: "algebra.rules", Text: `
ruleset algebra
rule assoc real
  a + (b + c) => (a + b) + c
rule assoc_mul real
  a * (b * c) => (a * b) * c
rule distribute real
  a * (b + c) <=> a * b + a * c
rule sub real
  a - b => a + neg b
rule neg_mul exact
  neg a * b => neg (a * b)`})
	if err != nil {
		b.Fatal(err)
	}
	m, err := term.LoadModule(sig, &diag.Source{Name: "p.egad", Text: "def f(x: R, y: R, z: R, w: R): R = (x + y - z) * (y + w) * (x + z * w) - (x + y + z) * w"})
	if err != nil {
		b.Fatal(err)
	}
	p, err := m.Instantiate("f", nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	matches, rows := 0, 0
	for range b.N {
		g := saturate.New(sig)
		if _, err := g.AddTerm(p.Store, p.Root, p.Names); err != nil {
			b.Fatal(err)
		}
		rep, err := g.Saturate(egraph.Limits{Iterations: 8, Nodes: 20_000}, nil, lib.Set("algebra"))
		if err != nil {
			b.Fatal(err)
		}
		matches, rows = rep.Matches(), rep.Nodes
	}
	b.ReportMetric(float64(matches), "matches")
	b.ReportMetric(float64(rows), "e-nodes")
}
