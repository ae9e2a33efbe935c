package egraph

import "testing"

// An analysis that is attached to a graph with e-nodes says what it would have said
// from the beginning.
func TestAttachLate(t *testing.T) {
	for seed := range 200 {
		g, rules := ac(2 + seed%4)
		early := Attach(g, depthLattice{})
		g.Saturate(rules, Limits{Iterations: 1 + seed%3}, nil)
		late := Attach(g, depthLattice{})
		for c := range ClassID(g.ClassIDs()) {
			if early.Get(c) != late.Get(c) {
				t.Fatalf("%d: class %d: %d, and from the beginning %d", seed, c, late.Get(c), early.Get(c))
			}
		}
	}
	l := NewLanguage()
	g := New(l.Sig)
	deep := l.Add(g, ParseSexp("(s (s (s a)))"))
	g.Union(l.Add(g, ParseSexp("b")), deep)
	if d := Attach(g, depthLattice{}).Get(deep.ID); d != 0 {
		t.Errorf("depth %d of what equals b", d)
	}
}

// looking unites every class with a constant for its depth, after looking at its
// nodes.
type looking struct {
	depthLattice
	l *Language
}

func (x looking) Modify(g *Graph, class Ref, d int) {
	n := 0
	g.Nodes(class, func(Node) bool {
		n++
		return true
	})
	if n > 0 && d > 0 {
		g.Add(x.l.Op("seen", 1), nil, nil, []Ref{class})
		g.Union(class, g.Add(x.l.Op([]string{"zero", "one", "two", "three"}[d%4], 0), nil, nil, nil))
	}
}

// A Modifier may look at the graph while it is being rebuilt.
func TestModifyLooks(t *testing.T) {
	for _, patience := range []int{0, 1, 12} {
		l := NewLanguage()
		g := New(l.Sig)
		g.patience = patience
		Attach(g, looking{l: l})
		for _, s := range []string{"(f (f (g a b)))", "(g (f a) (f (f b)))", "(f (g b a))"} {
			l.Add(g, ParseSexp(s))
		}
		g.Union(l.Add(g, ParseSexp("a")), l.Add(g, ParseSexp("b")))
		g.Rebuild()
		if err := CheckInvariants(g); err != nil {
			t.Error(err)
		}
	}
}

// TestChain: unions of ever older classes, each with the last one, leave no long
// way to the leader.
func TestChain(t *testing.T) {
	l := NewLanguage()
	g := New(l.Sig)
	var cs []Ref
	for range 50_000 {
		h, err := l.Sig.AddHead(Head{Name: "c"})
		if err != nil {
			t.Fatal(err)
		}
		o, err := l.Sig.AddOp(h)
		if err != nil {
			t.Fatal(err)
		}
		cs = append(cs, g.Add(o, nil, nil, nil))
	}
	for i := len(cs) - 2; i >= 0; i-- {
		g.Union(cs[i], cs[i+1])
	}
	last := cs[len(cs)-1]
	for range 40 {
		g.FindRef(last)
	}
	steps := 0
	for c := last.ID; g.unionFind[c] != c; c = g.unionFind[c] {
		steps++
	}
	if steps > 2 {
		t.Errorf("%d steps to the leader", steps)
	}
}

// TestWork: e-nodes that are passed over count as work.
func TestWork(t *testing.T) {
	l := NewLanguage()
	rules := l.Rules("(p (q ?x) ?y) => ?y")
	g := New(l.Sig)
	fat := l.Add(g, ParseSexp("(q a)"))
	f, r := l.Op("f", 1), l.Op("p", 2)
	k := l.Add(g, ParseSexp("b"))
	for range 3000 {
		k = g.Add(l.Op("s", 1), nil, nil, []Ref{k})
		g.Union(fat, g.Add(f, nil, nil, []Ref{k}))
		g.Add(r, nil, nil, []Ref{fat, k})
	}
	rep := g.Saturate(rules, Limits{Iterations: 1}, nil)
	// There are 3000 e-nodes in the class of the first child, and one of them counts.
	if rep.Matches() != 3000 || rep.Work > 20_000 {
		t.Errorf("%v, %d e-nodes looked at", rep, rep.Work)
	}
}
