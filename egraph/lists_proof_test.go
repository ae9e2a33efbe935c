package egraph_test

import (
	"math/rand"
	"testing"
	"time"

	. "egad/egraph"
	"egad/egraph/proof"
)

// TestListsProofs proves what rules with lists and alternatives make equal, and has the
// proofs checked: a step says what the lists are.
func TestListsProofs(t *testing.T) {
	steps := 0
	for seed := range 500 {
		r := rand.New(rand.NewSource(int64(seed)))
		l := NewListLang(t)
		g := New(l.Sig)
		history := proof.Write(g)
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
		var pairs [][2]*Tree
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
				pairs = append(pairs, [2]*Tree{from, to})
			}
		}
		proofs, err := history.Explain(time.Time{}, pairs...)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, p := range proofs {
			if err := p.Check(l.Sig, pairs[i][0], pairs[i][1], given); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			for _, s := range p.Steps() {
				if len(s.Lists)+len(s.Shape) > 0 {
					steps++
				}
			}
		}
	}
	if steps < 100 {
		t.Errorf("only %d steps by rules with lists", steps)
	}
}
