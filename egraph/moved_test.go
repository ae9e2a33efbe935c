package egraph_test

import (
	"fmt"
	"testing"

	. "egad/egraph"
	"egad/egraph/proof"
)

// A program that was compiled for one signature works with another in which the same
// operators have other numbers, and in proofs too.
func TestMoved(t *testing.T) {
	var show func(p *Pattern) string
	show = func(p *Pattern) string {
		s := fmt.Sprint(p.Kind, p.Var, p.Head)
		for _, k := range p.Kids {
			s += "(" + show(k) + ")"
		}
		return s
	}
	text := `
(+ ?a (* ?b 0)) => ?a
(* ?a 1) => ?a
(+ ?a ?b) => (+ ?b ?a)`
	from, to := NewLanguage(), NewLanguage()
	for _, n := range []string{"a", "1", "*", "0", "+"} { // not in the order in which the rules name them
		arity := 0
		if n == "+" || n == "*" {
			arity = 2
		}
		to.Op(n, arity)
	}
	there := from.Rules(text)
	rules := to.Rules(text)
	names := make(map[string]HeadID)
	for _, o := range to.Ops {
		names[to.Sig.HeadInfo(to.Sig.Head(o)).Name] = to.Sig.Head(o)
	}
	for i, r := range rules {
		want := r.Lhs
		r.Lhs = there[i].Lhs.Move(func(h HeadID) HeadID { return names[from.Sig.HeadInfo(h).Name] })
		if got, want := show(r.Lhs.Pattern()), show(want.Pattern()); got != want {
			t.Fatalf("rule %d: %s, not %s", i, got, want)
		}
	}
	g := New(to.Sig)
	log := proof.Keep(g)
	start, end := treeFrom(to, "(+ (* a 0) (* a 1))"), treeFrom(to, "a")
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
	p, err := log.Explainer().Explain(start, end)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(to.Sig, start, end, nil); err != nil || len(p.Steps) < 3 {
		t.Errorf("%v: %d steps", err, len(p.Steps))
	}
}
