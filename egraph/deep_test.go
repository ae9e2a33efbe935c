package egraph

import (
	"fmt"
	"testing"
)

// TestDeep: a union at the bottom of two towers, and a fact at the bottom of one,
// go up to the top in time linear in the height.
func TestDeep(t *testing.T) {
	l := NewLanguage()
	s, a, b := l.Op("s", 1), l.Op("a", 0), l.Op("b", 0)
	tower := func(g *Graph, height int, bottom Op) Ref {
		r := g.Add(bottom, nil, nil, nil)
		for range height {
			r = g.Add(s, nil, nil, []Ref{r})
		}
		return r
	}
	for _, height := range []int{100, 1000, 10_000} {
		g := New(l.Sig)
		depths := Attach(g, depthLattice{})
		x, y := tower(g, height, a), tower(g, height, b)
		z := g.Add(l.Op("f", 1), nil, nil, []Ref{x})
		g.Union(g.Add(a, nil, nil, nil), g.Add(b, nil, nil, nil))
		g.Rebuild()
		if !g.Same(x, y) || g.Size() != height+3 {
			t.Errorf("height %d: %d e-nodes", height, g.Size())
		}
		// A leaf equals the second level: all above it get less deep by one.
		c := g.Add(l.Op("c", 0), nil, nil, nil)
		g.Union(g.Add(s, nil, nil, []Ref{g.Add(a, nil, nil, nil)}), c)
		g.Rebuild()
		if got := depths.Get(z.ID); got != height {
			t.Errorf("height %d: depth %d", height, got)
		}
		t.Logf("height %d: %d e-nodes looked at", height, g.rebuilt)
		if g.rebuilt > 100*height {
			t.Errorf("height %d: %d e-nodes were looked at", height, g.rebuilt)
		}
	}
}

// TestWide: what is merged one after the other into the children of one e-node
// is in the lists of parents once, and rebuilding is linear. Every class has a parent
// that all of them share, of two and of all children.
func TestWide(t *testing.T) {
	for _, width := range []int{20, 200, 2000} {
		l := NewLanguage()
		g := New(l.Sig)
		var leaves []Ref
		for i := range width {
			leaves = append(leaves, l.Add(g, ParseSexp(fmt.Sprint("a", i))))
		}
		g.Add(l.Op("all", width), nil, nil, leaves)
		g.Add(l.Op("ends", 3), nil, nil, []Ref{leaves[0], leaves[1], leaves[0]})
		for i := range leaves[1:] {
			g.Add(l.Op("f", 2), nil, nil, leaves[i:i+2])
		}
		g.Link()
		for i := range leaves[1:] {
			g.Union(leaves[i], leaves[i+1])
			g.Rebuild()
		}
		if err := CheckInvariants(g); err != nil {
			t.Error(err)
		}
		if g.Size() != width+3 || g.rebuilt > 10*width || len(g.links.next) > 20*width {
			t.Errorf("width %d: %d e-nodes, %d were looked at, and %d lists", width, g.Size(), g.rebuilt, len(g.links.next))
		}
	}
}

// TestOpenNodes: what a directed run has rewritten is not looked at again, however
// many e-nodes of one class that are; they stay in the class.
func TestOpenNodes(t *testing.T) {
	l := NewLanguage()
	g := New(l.Sig)
	g.Link()
	g.links.keepOpen(g)
	truth := l.Add(g, ParseSexp("true"))
	const n = 1000
	for i := range n {
		r := l.Add(g, ParseSexp(fmt.Sprintf("(f a%d)", i)))
		for _, node := range g.links.openNodes(g, r.ID) {
			g.arena[node] |= flagPassed
		}
		g.Union(truth, r)
		g.Rebuild()
		c := g.Find(truth.ID)
		if open := g.links.openNodes(g, c); len(open) != 1 || g.links.open[c].n != 1 {
			t.Fatalf("after %d e-nodes, %d are looked at, in a list of %d", i+1, len(open), g.links.open[c].n)
		}
	}
	if nodes := g.nodesOf(g.Find(truth.ID)); len(nodes) != n+1 {
		t.Errorf("%d e-nodes are in the class", len(nodes))
	}
}

// TestOwnOperand: of the e-nodes of an operand, a directed run takes one that is made of its own class last,
// as only what is made of the others is a term; but where no other matches it is taken.
func TestOwnOperand(t *testing.T) {
	for _, c := range []struct{ rules, made string }{
		{"(f (g ?a)) => (k (f ?a))\n(f (h ?a)) => (m ?a)", "(m y)"},
		{"(f (g ?a)) => (k (f ?a))", "(k (f (h y)))"},
	} {
		l := NewLanguage()
		g := New(l.Sig)
		fhy := l.Add(g, ParseSexp("(f (h y))"))
		g.Union(l.Add(g, ParseSexp("(h y)")), l.Add(g, ParseSexp("(g (h y))")))
		rules := l.Rules(c.rules)
		rep := g.Direct([]Ref{fhy}, &Directed{Rules: func(h HeadID) (eager, lazy []*Rule, err error) {
			for _, r := range rules {
				if r.Lhs.full.code[0].head == h {
					eager = append(eager, r)
				}
			}
			return eager, nil, nil
		}})
		if rep.Err != nil || len(rep.Rules) != 1 || !g.Same(fhy, l.Add(g, ParseSexp(c.made))) {
			t.Errorf("%s\n%v: not %s", c.rules, rep, c.made)
		}
	}
}
