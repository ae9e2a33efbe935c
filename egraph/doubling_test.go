package egraph_test

import (
	"strings"
	"testing"

	. "egad/egraph"
	"egad/egraph/proof"
)

// TestDoubling: where two rules double what is inside, terms of which the parts
// are equal have proofs that are linear in the depth.
func TestDoubling(t *testing.T) {
	for _, n := range []int{1, 2, 10, 60} {
		l := NewLanguage()
		rules := l.Rules("(d ?x) => (+ ?x ?x)\n(e ?x) => (+ ?x ?x)")
		g := New(l.Sig)
		history := proof.Write(g)
		tower := func(op string) *Tree {
			return treeFrom(l, (strings.Repeat("("+op+" ", n) + "a" + strings.Repeat(")", n)))
		}
		from, to := tower("d"), tower("e")
		for _, u := range []*Tree{from, to} {
			if _, err := g.AddTree(u); err != nil {
				t.Fatal(err)
			}
		}
		g.Saturate(rules, Limits{}, nil)
		p := explain(t, history, from, to)
		if err := p.Check(l.Sig, from, to, nil); err != nil {
			t.Error(err)
		}
		if steps := len(p.Steps()); steps != 2*n {
			t.Errorf("depth %d: %d steps", n, steps)
		}
	}
}
