package egraph

import (
	"fmt"
	"math/rand"
	"testing"
)

func (l *language) tree(s *sexp) *Tree {
	t := &Tree{Op: l.op(s.atom, len(s.list))}
	for _, k := range s.list {
		t.Kids = append(t.Kids, l.tree(k))
	}
	return t
}

// given accepts what the user of the graph said.
func given(s *Step) error {
	if s.Reason != Given {
		return fmt.Errorf("it is by %s", s.Reason)
	}
	return nil
}

// TestExplainMicro explains equal terms of a graph that has grown for some
// iterations; a checker that knows no graph checks every proof.
func TestExplainMicro(t *testing.T) {
	l := newLanguage()
	rules := l.rules(microRules)
	g := New(l.sig)
	g.KeepProofs()
	for _, s := range microSeeds {
		l.add(g, parseSexp(s))
	}
	without, _ := micro()
	a, b := g.Saturate(rules, Limits{Iterations: 7}, nil), without.Saturate(rules, Limits{Iterations: 7}, nil)
	if a.String() != b.String() {
		t.Errorf("with proofs %v, without %v", a, b)
	}
	x := newExplainer(g)
	byClass := make(map[ClassID][]ClassID)
	for c := range g.parent {
		byClass[g.Find(ClassID(c))] = append(byClass[g.Find(ClassID(c))], ClassID(c))
	}
	rng := rand.New(rand.NewSource(1))
	proofs, steps := 0, 0
	for c := range g.parent {
		equal := byClass[g.Find(ClassID(c))]
		d := equal[rng.Intn(len(equal))]
		p, q := x.tree(Ref{ID: ClassID(c)}), x.tree(Ref{ID: d})
		proof, err := g.Explain(p, q)
		if err != nil {
			t.Fatalf("%d = %d: %v", c, d, err)
		}
		if err := proof.Check(l.sig, p, q, nil); err != nil {
			t.Fatalf("%d = %d: %v", c, d, err)
		}
		proofs++
		steps += len(proof.Steps)
		if proofs == 300 {
			break
		}
	}
	t.Logf("%d proofs of %d steps", proofs, steps)
}

func TestExplainCongruence(t *testing.T) {
	l := newLanguage()
	g := New(l.sig)
	g.KeepProofs()
	a, b, c := l.add(g, parseSexp("a")), l.add(g, parseSexp("b")), l.add(g, parseSexp("c"))
	l.add(g, parseSexp("(f (g a) c)"))
	l.add(g, parseSexp("(f (g c) a)"))
	g.Union(a, b)
	g.Union(b, c)
	from, to := l.tree(parseSexp("(f (g a) c)")), l.tree(parseSexp("(f (g c) a)"))
	p, err := g.Explain(from, to)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(l.sig, from, to, given); err != nil {
		t.Fatal(err)
	}
	if len(p.Steps) != 4 {
		t.Errorf("%d steps", len(p.Steps))
	}
	if err := p.Check(l.sig, from, to, nil); err == nil {
		t.Error("what was given passed unseen")
	}
	if _, err := g.Explain(from, l.tree(parseSexp("(h a)"))); err == nil {
		t.Error("explained what is not equal")
	}
}
