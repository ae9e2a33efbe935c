package egraph

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
)

// numberLattice: a class that has a number has no other.
type numberLattice struct{ l *language }

// number is the fact: a class is this number, if known.
type number struct {
	known bool
	value int
}

func (n numberLattice) Make(c *Column[number], node Node) number {
	v, err := strconv.Atoi(n.l.sig.HeadInfo(n.l.sig.Head(node.Op)).Name)
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
		l := newLanguage()
		rules := l.rules(microRules + "\n" + unsound)
		g := New(l.sig)
		g.KeepProofs()
		Attach(g, numberLattice{l})
		for _, s := range append(slices.Clone(microSeeds), "(- x x)", "(* x 0)", "(pow 3 1)", "(+ 0 1)") {
			l.add(g, parseSexp(s))
		}
		rep := g.Saturate(rules, Limits{Iterations: 8}, nil)
		if rep.Stop != Contradiction {
			t.Errorf("%s: %v", unsound, rep)
			continue
		}
		p, err := g.Blame()
		if err != nil {
			t.Errorf("%s: %v", unsound, err)
			continue
		}
		terms := p.Terms()
		if err := p.Check(l.sig, terms[0], terms[len(terms)-1], nil); err != nil {
			t.Errorf("%s: %v", unsound, err)
		}
		if !slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Rule == rules[len(rules)-1] }) {
			t.Errorf("%s is not on a proof of %d steps", unsound, len(p.Steps))
		}
		t.Logf("%s: %d steps", unsound, len(p.Steps))
	}
	g, rules := micro()
	g.Saturate(rules, Limits{Iterations: 3}, nil)
	if _, err := g.Blame(); err == nil {
		t.Error("blamed without a contradiction")
	}
}
