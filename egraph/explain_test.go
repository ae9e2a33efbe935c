package egraph

import (
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"slices"
	"testing"
	"time"

	"egad/slot"
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

var long = flag.Bool("long", false, "check more random graphs")

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
	for c := range g.unionFind {
		byClass[g.Find(ClassID(c))] = append(byClass[g.Find(ClassID(c))], ClassID(c))
	}
	rng := rand.New(rand.NewSource(1))
	proofs, steps := 0, 0
	for c := range g.unionFind {
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

func (l *testLang) tree(t *nterm) *Tree {
	u := &Tree{Op: l.ops[t.op]}
	switch t.op {
	case "var":
		u.Own = []slot.Name{slot.Name(t.name)}
	case "lam":
		u.Binders = []slot.Name{slot.Name(t.name)}
	}
	for _, k := range t.kids {
		u.Kids = append(u.Kids, l.tree(k))
	}
	return u
}

// pairKey is equal for pairs of terms that are renamings of each other.
func pairKey(sig *Signature, a, b *Tree) string {
	is := make(map[slot.Name]slot.Name)
	next := slot.Name(0)
	fresh := func() slot.Name {
		next++
		return next
	}
	return a.refresh(is, fresh).Key(sig) + "=" + b.refresh(is, fresh).Key(sig)
}

// TestExplainSlots explains whatever is equal after random additions and unions,
// with binders, symmetries and names that make no difference.
func TestExplainSlots(t *testing.T) {
	runs := 60
	if *long {
		runs = 3000
	}
	proofs, steps := 0, 0
	for seed := range runs {
		r := rand.New(rand.NewSource(int64(seed)))
		l := newTestLang(t)
		g := New(l.sig)
		if seed%2 == 0 {
			g.link()
		} else {
			g.patience = []int{0, 1, 2, 12}[seed/2%4]
		}
		g.KeepProofs()
		var terms []*nterm
		said := make(map[string]bool)
		var log []string
		for range 6 + r.Intn(8) {
			u := grow(r, terms)
			if u.size() > 12 {
				continue
			}
			terms = append(terms, u)
			if _, err := g.AddTree(l.tree(u)); err != nil {
				t.Fatal(err)
			}
			if len(terms) < 2 || r.Intn(2) == 0 {
				continue
			}
			a, b := terms[r.Intn(len(terms))], terms[r.Intn(len(terms))]
			if r.Intn(3) == 0 {
				b = a.rename(renaming(r))
			}
			x, y := l.tree(a).apart(g), l.tree(b).apart(g)
			log = append(log, l.show(x)+" = "+l.show(y))
			said[pairKey(l.sig, x, y)], said[pairKey(l.sig, y, x)] = true, true
			if _, err := g.UnionTrees(x, y, "said"); err != nil {
				t.Fatal(err)
			}
			if r.Intn(2) == 0 {
				g.Rebuild()
			}
		}
		g.Rebuild()
		if err := checkInvariants(g); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, u := range slices.Clone(terms) {
			terms = append(terms, u.rename(renaming(r)))
		}
		for _, u := range terms {
			for _, v := range terms {
				a, b := l.tree(u), l.tree(v)
				ra, _ := g.AddTree(a)
				rb, _ := g.AddTree(b)
				if !g.Same(ra, rb) {
					continue
				}
				p, err := g.Explain(a, b)
				if err != nil {
					t.Fatalf("seed %d: %s = %s: %v %v", seed, u, v, err, log)
				}
				err = p.Check(l.sig, a, b, func(s *Step) error {
					if s.Reason != "said" || !said[pairKey(l.sig, s.From, s.To)] {
						return fmt.Errorf("nobody said %s = %s; %v", l.show(s.From), l.show(s.To), log)
					}
					return nil
				})
				if err != nil {
					t.Fatalf("seed %d: %s = %s: %v", seed, u, v, err)
				}
				proofs++
				steps += len(p.Steps)
			}
		}
	}
	t.Logf("%d proofs of %d steps", proofs, steps)
}

func (l *testLang) show(t *Tree) string {
	name := l.sig.HeadInfo(l.sig.Head(t.Op)).Name
	if name == "var" {
		return fmt.Sprint("v", t.Own[0])
	}
	s := "(" + name
	for _, b := range t.Binders {
		s += fmt.Sprint(" v", b, ".")
	}
	for _, k := range t.Kids {
		s += " " + l.show(k)
	}
	return s + ")"
}

// BenchmarkProofs reports what keeping proofs costs.
func BenchmarkProofs(b *testing.B) {
	for _, n := range []int{9, 10, 11} {
		for _, keep := range []bool{false, true} {
			b.Run(fmt.Sprintf("micro%d/keep=%v", n, keep), func(b *testing.B) {
				benchmarkRun(b, Limits{Iterations: n}, func() (*Graph, []*Rule) {
					l := newLanguage()
					rules := l.rules(microRules)
					g := New(l.sig)
					if keep {
						g.KeepProofs()
					}
					for _, s := range microSeeds {
						l.add(g, parseSexp(s))
					}
					return g, rules
				})
			})
		}
	}
}

// TestExplainDeep: a rule that takes off one operator at a time does so in as many
// steps as there are operators, at the root, however they were united.
func TestExplainDeep(t *testing.T) {
	const depth = 600
	l := newLanguage()
	rules := l.rules("(f ?x) => ?x")
	g := New(l.sig)
	g.KeepProofs()
	a := l.tree(parseSexp("a"))
	deep := a
	for range depth {
		deep = &Tree{Op: l.op("f", 1), Kids: []*Tree{deep}}
	}
	if _, err := g.AddTree(deep); err != nil {
		t.Fatal(err)
	}
	g.Saturate(rules, Limits{Iterations: 5}, nil)
	x, err := g.Explainer()
	if err != nil {
		t.Fatal(err)
	}
	p, err := x.Explain(deep, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(l.sig, deep, a, nil); err != nil {
		t.Fatal(err)
	}
	if len(p.Steps) != depth || len(p.Steps[depth/2].Path) > 0 {
		t.Errorf("%d steps for %d operators, the middle one at %v", len(p.Steps), depth, p.Steps[depth/2].Path)
	}
	x.Until(time.Now().Add(-time.Second))
	if _, err := x.Explain(deep, a); !errors.Is(err, ErrTime) {
		t.Errorf("without time: %v", err)
	}
}
