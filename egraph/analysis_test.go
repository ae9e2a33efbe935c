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
	l := newLanguage()
	g := New(l.sig)
	deep := l.add(g, parseSexp("(s (s (s a)))"))
	g.Union(l.add(g, parseSexp("b")), deep)
	if d := Attach(g, depthLattice{}).Get(deep.ID); d != 0 {
		t.Errorf("depth %d of what equals b", d)
	}
}

// looking unites every class with a constant for its depth, after looking at its
// nodes.
type looking struct {
	depthLattice
	l *language
}

func (x looking) Modify(g *Graph, class Ref, d int) {
	n := 0
	g.Nodes(class, func(Node) bool {
		n++
		return true
	})
	if n > 0 && d > 0 {
		g.Add(x.l.op("seen", 1), nil, nil, []Ref{class})
		g.Union(class, g.Add(x.l.op([]string{"zero", "one", "two", "three"}[d%4], 0), nil, nil, nil))
	}
}

// A Modifier may look at the graph while it is being rebuilt.
func TestModifyLooks(t *testing.T) {
	for _, patience := range []int{0, 1, 12} {
		l := newLanguage()
		g := New(l.sig)
		g.patience = patience
		Attach(g, looking{l: l})
		for _, s := range []string{"(f (f (g a b)))", "(g (f a) (f (f b)))", "(f (g b a))"} {
			l.add(g, parseSexp(s))
		}
		g.Union(l.add(g, parseSexp("a")), l.add(g, parseSexp("b")))
		g.Rebuild()
		if err := checkInvariants(g); err != nil {
			t.Error(err)
		}
	}
}

// TestChain: unions of ever older classes, each with the last one, leave no long
// way to the leader.
func TestChain(t *testing.T) {
	l := newLanguage()
	g := New(l.sig)
	var cs []Ref
	for range 50_000 {
		h, err := l.sig.AddHead(Head{Name: "c"})
		if err != nil {
			t.Fatal(err)
		}
		o, err := l.sig.AddOp(h)
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
	l := newLanguage()
	rules := l.rules("(p (q ?x) ?y) => ?y")
	g := New(l.sig)
	fat := l.add(g, parseSexp("(q a)"))
	f, r := l.op("f", 1), l.op("p", 2)
	k := l.add(g, parseSexp("b"))
	for range 3000 {
		k = g.Add(l.op("s", 1), nil, nil, []Ref{k})
		g.Union(fat, g.Add(f, nil, nil, []Ref{k}))
		g.Add(r, nil, nil, []Ref{fat, k})
	}
	rep := g.Saturate(rules, Limits{Iterations: 1}, nil)
	// There are 3000 e-nodes in the class of the first child, and one of them counts.
	if rep.Matches() != 3000 || rep.Work > 20_000 {
		t.Errorf("%v, %d e-nodes looked at", rep, rep.Work)
	}
}
