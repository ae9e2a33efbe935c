package extract

import (
	"errors"
	"strings"
	"testing"

	"egad/diag"
	"egad/egraph"
	"egad/rules"
	"egad/rules/saturate"
	"egad/term"
)

// A run that proves two numbers equal names the rules that did it, and shows how,
// also where an index variable is free.
func TestContradiction(t *testing.T) {
	for _, c := range []struct{ program, rules, want string }{
		{"def f(): R = 3.0 - 3.0", "wrong right", `
     3.0
  1. 3.0 - 3.0   by wrong, backwards
  2. 0.0   by right`},
		{"def f(a: R[4]): R = sum (build 4 (\\i -> a[i] * real (i + 5 - (i + 5))))", "right wrong", `
     0
  1. let t1 = i1 + 5 in
     t1 - t1   by right, backwards
  2. i1 + 5   by wrong`},
	} {
		sig := term.NewSignature()
		lib, err := rules.Load(sig, &diag.Source{Name: "test.rules", Text: `
ruleset test
rule right exact
  a - a => zero
rule wrong exact
  a - a => a
rule times exact
  zero * a => zero
`})
		if err != nil {
			t.Fatal(err)
		}
		m, err := term.LoadModule(sig, &diag.Source{Name: "test.egad", Text: c.program})
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Instantiate("f", nil)
		if err != nil {
			t.Fatal(err)
		}
		_, run, err := Through(p.Store, p.Root, p.Names, grammarOf(t, "nolinear"), func(g *saturate.Graph, _ egraph.Ref) (*egraph.Report, error) {
			return g.Saturate(egraph.Limits{Iterations: 5}, nil, lib.Sets...)
		})
		var found *Contradiction
		if !errors.As(err, &found) || run.Stop != egraph.Contradiction {
			t.Errorf("%s: %v", c.program, err)
			continue
		}
		if got := strings.Join(found.Rules, " "); got != c.rules || "\n"+found.Proof != c.want {
			t.Errorf("%s: %s\n%s", c.program, got, found.Proof)
		}
	}
}
