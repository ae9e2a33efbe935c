package saturate_test

import (
	"egad/internal/defs"
	"testing"

	"egad/egraph"
	"egad/rules/saturate"
)

// BenchmarkAlgebra saturates a polynomial with laws whose right sides are operators
// applied to metavariables. It reports the matches.
func BenchmarkAlgebra(b *testing.B) {
	lib, p := defs.With(b, `
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
  neg a * b => neg (a * b)`, "def f(x: R, y: R, z: R, w: R): R = (x + y - z) * (y + w) * (x + z * w) - (x + y + z) * w")
	b.ReportAllocs()
	matches, rows := 0, 0
	for range b.N {
		g := saturate.New(p.Store.Signature())
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
