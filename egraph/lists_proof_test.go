package egraph_test

import (
	"math/rand"
	"slices"
	"testing"

	. "egad/egraph"
	"egad/egraph/proof"
)

// TestListsProofs proves what rules with lists and alternatives make equal, and has the
// proofs checked: a step is one of the rule that its match spells out.
func TestListsProofs(t *testing.T) {
	steps := 0
	for seed := range 500 {
		r := rand.New(rand.NewSource(int64(seed)))
		l := NewListLang(t)
		g := New(l.Sig)
		log := proof.Keep(g)
		terms := l.Graph(r, g)
		var rules []*Rule
		for range 3 {
			lhs, metas := l.LeftSide(r)
			if lhs == nil {
				continue
			}
			right := &Pattern{Kind: PApp, Op: l.Ops[0]}
			if metas > 0 {
				right = &Pattern{Kind: PApp, Op: l.Ops[2], Kids: []*Pattern{{Kind: PVar, Var: r.Intn(metas)}}}
			}
			rhs, err := CompileTemplate(l.Sig, right)
			if err != nil {
				t.Fatal(err)
			}
			rules = append(rules, &Rule{Name: "rule", Lhs: lhs, Rhs: rhs})
		}
		g.Saturate(rules, Limits{Iterations: 3, Nodes: 200}, nil)
		x := log.Explainer()
		for i, from := range terms {
			for _, to := range terms[:i] {
				a, err := g.AddTree(from)
				if err != nil {
					t.Fatal(err)
				}
				b, err := g.AddTree(to)
				if err != nil {
					t.Fatal(err)
				}
				if !g.Same(a, b) {
					continue
				}
				p, err := x.Explain(from, to)
				if err == nil {
					err = p.Check(l.Sig, from, to, func(*proof.Step) error { return nil })
				}
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				for _, s := range p.Steps {
					if s.Rule != nil && !slices.Contains(rules, s.Rule) {
						steps++
					}
				}
			}
		}
	}
	if steps < 100 {
		t.Errorf("only %d steps by rules with lists", steps)
	}
}
