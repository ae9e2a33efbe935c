package extract

import (
	"egad/internal/defs"
	"errors"
	"strings"
	"testing"

	"egad/egraph"
	"egad/rules/saturate"
)

// A run that proves two numbers equal names the rules that did it, and shows how,
// also where an index variable is free.
func TestContradiction(t *testing.T) {
	for _, c := range []struct{ program, rules, want string }{
		{"def f(): R = 3.0 - 3.0", "wrong", `
  1. 3.0
     => 3.0 - 3.0
     by wrong, backwards, at the root`},
		{"def f(a: R[4]): R = sum (build 4 (\\i -> a[i] * real (i + 5 - (i + 5))))", "wrong right", `
  1. i1 + 5
     => let t1 = i1 + 5 in
        t1 - t1
     by wrong, backwards, at the root
  2. let t1 = i1 + 5 in
        t1 - t1
     => 0
     by right, at the root`},
	} {
		lib, p := defs.With(t, `
ruleset test
rule right exact
  a - a => zero
rule wrong exact
  a - a => a
rule times exact
  zero * a => zero
`, c.program)
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
