package egraph

import (
	"slices"
	"testing"
)

// A program that was compiled for one signature works with another in which the same
// operators have other numbers, and in proofs too.
func TestMoved(t *testing.T) {
	text := `
(+ ?a (* ?b 0)) => ?a
(* ?a 1) => ?a
(+ ?a ?b) => (+ ?b ?a)`
	from, to := newLanguage(), newLanguage()
	for _, n := range []string{"a", "1", "*", "0", "+"} { // not in the order in which the rules name them
		arity := 0
		if n == "+" || n == "*" {
			arity = 2
		}
		to.op(n, arity)
	}
	there := from.rules(text)
	rules := to.rules(text)
	names := make(map[string]HeadID)
	for _, o := range to.ops {
		names[to.sig.HeadInfo(to.sig.Head(o)).Name] = to.sig.Head(o)
	}
	for i, r := range rules {
		want := r.Lhs
		r.Lhs = there[i].Lhs.Move(func(h HeadID) HeadID { return names[from.sig.HeadInfo(h).Name] })
		if !slices.Equal(r.Lhs.heads, want.heads) {
			t.Fatalf("rule %d: %v, not %v", i, r.Lhs.heads, want.heads)
		}
	}
	g := New(to.sig)
	g.KeepProofs()
	start, end := to.tree(parseSexp("(+ (* a 0) (* a 1))")), to.tree(parseSexp("a"))
	x, err := g.AddTree(start)
	if err != nil {
		t.Fatal(err)
	}
	y, err := g.AddTree(end)
	if err != nil {
		t.Fatal(err)
	}
	if rep := g.Saturate(rules, Limits{Iterations: 5}, nil); !g.Same(x, y) || rep.Stop != Saturated {
		t.Fatal(rep)
	}
	proof, err := g.Explain(start, end)
	if err != nil {
		t.Fatal(err)
	}
	if err := proof.Check(to.sig, start, end, nil); err != nil || len(proof.Steps) < 3 {
		t.Errorf("%v: %d steps", err, len(proof.Steps))
	}
}
