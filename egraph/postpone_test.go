package egraph

import (
	"strings"
	"testing"
)

// TestDoubling: where two rules double what is inside, terms of which the parts
// are equal have proofs that are linear in the depth.
func TestDoubling(t *testing.T) {
	for _, n := range []int{1, 2, 10, 60} {
		l := newLanguage()
		rules := l.rules("(d ?x) => (+ ?x ?x)\n(e ?x) => (+ ?x ?x)")
		g := New(l.sig)
		g.KeepProofs()
		tower := func(op string) *Tree {
			return l.tree(parseSexp(strings.Repeat("("+op+" ", n) + "a" + strings.Repeat(")", n)))
		}
		from, to := tower("d"), tower("e")
		for _, u := range []*Tree{from, to} {
			if _, err := g.AddTree(u); err != nil {
				t.Fatal(err)
			}
		}
		g.Saturate(rules, Limits{}, nil)
		p, err := g.Explain(from, to)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Check(l.sig, from, to, nil); err != nil {
			t.Error(err)
		}
		if len(p.Steps) != 2*n {
			t.Errorf("depth %d: %d steps", n, len(p.Steps))
		}
	}
}
