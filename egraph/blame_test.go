package egraph_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	. "egad/egraph"
	"egad/egraph/proof"
)

// numberLattice: a class that has a number has no other.
type numberLattice struct{ l *Language }

// number is the fact: a class is this number, if known.
type number struct {
	known bool
	value int
}

func (n numberLattice) Make(c *Column[number], node Node) number {
	v, err := strconv.Atoi(n.l.Sig.HeadInfo(n.l.Sig.Head(node.Op)).Name)
	return number{err == nil, v}
}

func (numberLattice) Merge(a, b number) (number, error) {
	switch {
	case !a.known:
		return b, nil
	case b.known && a != b:
		return a, fmt.Errorf("%d and %d are united", a.value, b.value)
	}
	return a, nil
}

func (numberLattice) Equal(a, b number) bool { return a == b }

// TestBlame: with an unsound rule among sound ones two numbers become equal. The
// run stops, and the proof of it, which is checked, has the rule in it.
func TestBlame(t *testing.T) {
	for _, unsound := range []string{
		"(* ?a 0) => 1",
		"(- ?a ?a) => 1",
		"(+ ?a ?b) => ?a",
		"(pow ?x 1) => 1",
	} {
		l := NewLanguage()
		rules := l.Rules(MicroRules + "\n" + unsound)
		g := New(l.Sig)
		log := proof.Keep(g)
		Attach(g, numberLattice{l})
		for _, s := range append(slices.Clone(MicroSeeds), "(- x x)", "(* x 0)", "(pow 3 1)", "(+ 0 1)") {
			l.Add(g, ParseSexp(s))
		}
		rep := g.Saturate(rules, Limits{Iterations: 8}, nil)
		if rep.Stop != Contradiction {
			t.Errorf("%s: %v", unsound, rep)
			continue
		}
		p, err := log.Explainer().Blame()
		if err != nil {
			t.Errorf("%s: %v", unsound, err)
			continue
		}
		terms := p.Terms()
		if err := p.Check(l.Sig, terms[0], terms[len(terms)-1], nil); err != nil {
			t.Errorf("%s: %v", unsound, err)
		}
		if !slices.ContainsFunc(p.Steps, func(s proof.Step) bool { return s.Rule == rules[len(rules)-1] }) {
			t.Errorf("%s is not on a proof of %d steps", unsound, len(p.Steps))
		}
		t.Logf("%s: %d steps", unsound, len(p.Steps))
	}
	l := NewLanguage()
	g := New(l.Sig)
	log := proof.Keep(g)
	l.Add(g, ParseSexp("(+ 1 2)"))
	g.Saturate(l.Rules(MicroRules), Limits{Iterations: 3}, nil)
	if _, err := log.Explainer().Blame(); err == nil {
		t.Error("blamed without a contradiction")
	}
}

// sumLattice is numberLattice with sums of numbers.
type sumLattice struct{ numberLattice }

func (s sumLattice) Make(c *Column[number], n Node) number {
	if s.l.Sig.HeadInfo(s.l.Sig.Head(n.Op)).Name != "+" {
		return s.numberLattice.Make(c, n)
	}
	a, b := c.Get(n.Kids[0].ID), c.Get(n.Kids[1].ID)
	return number{a.known && b.known, a.value + b.value}
}

// TestBlameComputed: what a term says may rest on what its children equal, and the
// proof goes on to terms that say it by themselves.
func TestBlameComputed(t *testing.T) {
	l := NewLanguage()
	rules := l.Rules("(h ?x) => 3\n(k ?x) => (+ (h ?x) 1)\n(k ?x) => 2")
	g := New(l.Sig)
	log := proof.Keep(g)
	Attach(g, sumLattice{numberLattice{l}})
	l.Add(g, ParseSexp("(k x)"))
	if rep := g.Saturate(rules, Limits{Iterations: 8}, nil); rep.Stop != Contradiction {
		t.Fatal(rep)
	}
	p, err := log.Explainer().Blame()
	if err != nil {
		t.Fatal(err)
	}
	terms := p.Terms()
	two, sum := treeFrom(l, "2"), treeFrom(l, "(+ 3 1)")
	if a, b := terms[0].Key(l.Sig), terms[len(terms)-1].Key(l.Sig); a != two.Key(l.Sig) || b != sum.Key(l.Sig) {
		t.Errorf("%d steps between other terms than 2 and (+ 3 1)", len(p.Steps))
	}
	if err := p.Check(l.Sig, terms[0], terms[len(terms)-1], nil); err != nil {
		t.Error(err)
	}
	for _, r := range rules {
		if !slices.ContainsFunc(p.Steps, func(s proof.Step) bool { return s.Rule == r }) {
			t.Errorf("%s is not on the proof", r.Name)
		}
	}
}
