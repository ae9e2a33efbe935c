package egraph_test

import (
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"testing"
	"time"

	. "egad/egraph"
	"egad/egraph/proof"
	"egad/internal/testflag"
	"egad/slot"
)

func treeFrom(l *Language, text string) *Tree { return sexpTree(l, ParseSexp(text)) }

func sexpTree(l *Language, s *Sexp) *Tree {
	t := &Tree{Op: l.Op(s.Atom, len(s.List))}
	for _, k := range s.List {
		t.Kids = append(t.Kids, sexpTree(l, k))
	}
	return t
}

// explain proves that two terms are equal.
func explain(t *testing.T, h *proof.History, a, b *Tree) *proof.Proof {
	t.Helper()
	p, err := h.Explain(time.Time{}, [2]*Tree{a, b})
	if err != nil {
		t.Fatal(err)
	}
	return p[0]
}

// given accepts what the user of the graph said.
func given(s *proof.Step) error {
	if s.Reason != proof.Given {
		return fmt.Errorf("it is by %s", s.Reason)
	}
	return nil
}

// TestExplainMicro explains equal terms of a graph that has grown for some
// iterations; a checker that knows no graph checks every proof.
func TestExplainMicro(t *testing.T) {
	l := NewLanguage()
	rules := l.Rules(MicroRules)
	g, without := New(l.Sig), New(l.Sig)
	log := keepTrees(g)
	for _, s := range MicroSeeds {
		l.Add(g, ParseSexp(s))
		l.Add(without, ParseSexp(s))
	}
	a, b := g.Saturate(rules, Limits{Iterations: 7}, nil), without.Saturate(rules, Limits{Iterations: 7}, nil)
	if a.String() != b.String() {
		t.Errorf("with proofs %v, without %v", a, b)
	}
	equal := pairs(g)
	rng := rand.New(rand.NewSource(1))
	var ends [][2]*Tree
	for c := range ClassID(300) {
		same := equal[g.Find(c)]
		ends = append(ends, [2]*Tree{log.of[c], log.of[same[rng.Intn(len(same))]]})
	}
	proofs, err := log.Explain(time.Time{}, ends...)
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	for i, p := range proofs {
		if err := p.Check(l.Sig, ends[i][0], ends[i][1], nil); err != nil {
			t.Fatalf("proof %d: %v", i, err)
		}
		steps += len(p.Steps())
	}
	t.Logf("%d proofs of %d steps", len(proofs), steps)
}

// TestExplainRestored: what was logged after a snapshot is forgotten with it.
func TestExplainRestored(t *testing.T) {
	l := NewLanguage()
	rules := l.Rules(MicroRules)
	g := New(l.Sig)
	log := keepTrees(g)
	for _, s := range MicroSeeds {
		l.Add(g, ParseSexp(s))
	}
	g.Saturate(rules, Limits{Iterations: 4}, nil)
	middle := g.Snapshot()
	for range 2 {
		if err := g.Restore(middle); err != nil {
			t.Fatal(err)
		}
		g.Saturate(rules, Limits{Iterations: 2}, nil)
	}
	var ends [][2]*Tree
	for c := range ClassID(g.ClassIDs()) {
		ends = append(ends, [2]*Tree{log.of[c], log.of[g.Find(c)]})
	}
	proofs, err := log.Explain(time.Time{}, ends...)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range proofs {
		if err := p.Check(l.Sig, ends[i][0], ends[i][1], nil); err != nil {
			t.Fatalf("the proof after going back: %v", err)
		}
	}
}

func TestExplainCongruence(t *testing.T) {
	l := NewLanguage()
	g := New(l.Sig)
	log := proof.Write(g)
	a, b, c := l.Add(g, ParseSexp("a")), l.Add(g, ParseSexp("b")), l.Add(g, ParseSexp("c"))
	l.Add(g, ParseSexp("(f (g a) c)"))
	l.Add(g, ParseSexp("(f (g c) a)"))
	g.Union(a, b)
	g.Union(b, c)
	from, to := treeFrom(l, "(f (g a) c)"), treeFrom(l, "(f (g c) a)")
	p := explain(t, log, from, to)
	if err := p.Check(l.Sig, from, to, given); err != nil {
		t.Fatal(err)
	}
	if n := len(p.Steps()); n != 2 { // a = b and b = c, each in two places
		t.Errorf("%d steps", n)
	}
	if err := p.Check(l.Sig, from, to, nil); err == nil {
		t.Error("what was given passed unseen")
	}
	if _, err := log.Explain(time.Time{}, [2]*Tree{from, treeFrom(l, "(h a)")}); err == nil {
		t.Error("explained what is not equal")
	}
}

func treeOf(l *TestLang, t *NTerm) *Tree {
	u := &Tree{Op: l.Ops[t.Op]}
	switch t.Op {
	case "var":
		u.Own = []slot.Name{slot.Name(t.Name)}
	case "lam":
		u.Binders = []slot.Name{slot.Name(t.Name)}
	}
	for _, k := range t.Kids {
		u.Kids = append(u.Kids, treeOf(l, k))
	}
	return u
}

// freeNames notes the free names of t in the order in which they occur.
func freeNames(sig *Signature, t *Tree, bound []slot.Name, to *slot.Numbering) {
	for _, n := range t.Own {
		if !slices.Contains(bound, n) {
			to.Of(n)
		}
	}
	for k, kid := range t.Kids {
		if sig.HeadInfo(sig.Head(t.Op)).Under>>k&1 != 0 {
			freeNames(sig, kid, slices.Concat(bound, t.Binders), to)
		} else {
			freeNames(sig, kid, bound, to)
		}
	}
}

// pairKey is equal for pairs of terms that are renamings of each other.
func pairKey(sig *Signature, a, b *Tree) string {
	var names slot.Numbering
	freeNames(sig, a, nil, &names)
	freeNames(sig, b, nil, &names)
	is := make(map[slot.Name]slot.Name)
	for i, n := range names {
		is[n] = slot.Name(i)
	}
	return a.Rename(sig, is).Key(sig) + "=" + b.Rename(sig, is).Key(sig)
}

// TestExplainSlots explains whatever is equal after random additions and unions,
// with binders, symmetries and names that make no difference.
func TestExplainSlots(t *testing.T) {
	runs := testflag.Count(30, 3000)
	proofs, steps := 0, 0
	for seed := range runs {
		r := rand.New(rand.NewSource(int64(seed)))
		l := NewTestLang(t)
		g := New(l.Sig)
		if seed%2 == 0 {
			g.Link()
		} else {
			g.SetPatience([]int{0, 1, 2, 12}[seed/2%4])
		}
		log := proof.Write(g)
		var terms []*NTerm
		said := make(map[string]bool)
		var history []string
		for range 6 + r.Intn(8) {
			u := Grow(r, terms)
			if u.Size() > 12 {
				continue
			}
			terms = append(terms, u)
			if _, err := g.AddTree(treeOf(l, u)); err != nil {
				t.Fatal(err)
			}
			if len(terms) < 2 || r.Intn(2) == 0 {
				continue
			}
			a, b := terms[r.Intn(len(terms))], terms[r.Intn(len(terms))]
			if r.Intn(3) == 0 {
				b = a.Rename(Renaming(r))
			}
			x, y := treeOf(l, a), treeOf(l, b)
			history = append(history, show(l, x)+" = "+show(l, y))
			said[pairKey(l.Sig, x, y)], said[pairKey(l.Sig, y, x)] = true, true
			if _, err := log.Equate(x, y, "said"); err != nil {
				t.Fatal(err)
			}
			if r.Intn(2) == 0 {
				g.Rebuild()
			}
		}
		g.Rebuild()
		if err := CheckInvariants(g); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, u := range slices.Clone(terms) {
			terms = append(terms, u.Rename(Renaming(r)))
		}
		var pairs [][2]*Tree
		for _, u := range terms {
			for _, v := range terms {
				a, b := treeOf(l, u), treeOf(l, v)
				ra, _ := g.AddTree(a)
				rb, _ := g.AddTree(b)
				if g.Same(ra, rb) {
					pairs = append(pairs, [2]*Tree{a, b})
				}
			}
		}
		found, err := log.Explain(time.Time{}, pairs...)
		if err != nil {
			t.Fatalf("seed %d: %v %v", seed, err, history)
		}
		for i, p := range found {
			err = p.Check(l.Sig, pairs[i][0], pairs[i][1], func(s *proof.Step) error {
				if s.Reason != "said" || !said[pairKey(l.Sig, s.From, s.To)] {
					return fmt.Errorf("nobody said %s = %s; %v", show(l, s.From), show(l, s.To), history)
				}
				return nil
			})
			if err != nil {
				t.Fatalf("seed %d: %s = %s: %v", seed, show(l, pairs[i][0]), show(l, pairs[i][1]), err)
			}
			proofs++
			steps += len(p.Steps())
		}
	}
	t.Logf("%d proofs of %d steps", proofs, steps)
}

func show(l *TestLang, t *Tree) string {
	name := l.Sig.HeadInfo(l.Sig.Head(t.Op)).Name
	if name == "var" {
		return fmt.Sprint("v", t.Own[0])
	}
	s := "(" + name
	for _, b := range t.Binders {
		s += fmt.Sprint(" v", b, ".")
	}
	for _, k := range t.Kids {
		s += " " + show(l, k)
	}
	return s + ")"
}

// BenchmarkProofs reports what keeping proofs costs.
func BenchmarkProofs(b *testing.B) {
	for _, n := range []int{9, 10, 11} {
		for _, keep := range []bool{false, true} {
			b.Run(fmt.Sprintf("micro%d/keep=%v", n, keep), func(b *testing.B) {
				RunBenchmark(b, Limits{Iterations: n}, func() (*Graph, []*Rule) {
					l := NewLanguage()
					rules := l.Rules(MicroRules)
					g := New(l.Sig)
					if keep {
						proof.Write(g)
					}
					for _, s := range MicroSeeds {
						l.Add(g, ParseSexp(s))
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
	l := NewLanguage()
	rules := l.Rules("(f ?x) => ?x")
	g := New(l.Sig)
	log := proof.Write(g)
	a := treeFrom(l, "a")
	deep := a
	for range depth {
		deep = &Tree{Op: l.Op("f", 1), Kids: []*Tree{deep}}
	}
	if _, err := g.AddTree(deep); err != nil {
		t.Fatal(err)
	}
	g.Saturate(rules, Limits{Iterations: 5}, nil)
	p := explain(t, log, deep, a)
	if err := p.Check(l.Sig, deep, a, nil); err != nil {
		t.Fatal(err)
	}
	inside := 0
	p.Walk(func(_ *proof.Link, _ *Tree, path []int) { inside = max(inside, len(path)) })
	if n := len(p.Steps()); n != depth || inside > 0 {
		t.Errorf("%d steps for %d operators, some at depth %d", n, depth, inside)
	}
	if _, err := log.Explain(time.Now().Add(-time.Second), [2]*Tree{deep, a}); !errors.Is(err, proof.ErrTime) {
		t.Errorf("without time: %v", err)
	}
}
