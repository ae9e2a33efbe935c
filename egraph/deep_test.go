package egraph

import "testing"

// TestDeep: a union at the bottom of two towers, and a fact at the bottom of one,
// go up to the top in time linear in the height.
func TestDeep(t *testing.T) {
	l := newLanguage()
	s, a, b := l.op("s", 1), l.op("a", 0), l.op("b", 0)
	tower := func(g *Graph, height int, bottom Op) Ref {
		r := g.Add(bottom, nil, nil, nil)
		for range height {
			r = g.Add(s, nil, nil, []Ref{r})
		}
		return r
	}
	for _, height := range []int{100, 1000, 10_000} {
		g := New(l.sig)
		depths := Attach(g, depthLattice{})
		x, y := tower(g, height, a), tower(g, height, b)
		z := g.Add(l.op("f", 1), nil, nil, []Ref{x})
		g.Union(g.Add(a, nil, nil, nil), g.Add(b, nil, nil, nil))
		g.Rebuild()
		if !g.Same(x, y) || g.Rows() != height+3 {
			t.Errorf("height %d: %d rows", height, g.Rows())
		}
		// A leaf equals the second level: all above it get less deep by one.
		c := g.Add(l.op("c", 0), nil, nil, nil)
		g.Union(g.Add(s, nil, nil, []Ref{g.Add(a, nil, nil, nil)}), c)
		g.Rebuild()
		if got := depths.Get(z.ID); got != height {
			t.Errorf("height %d: depth %d", height, got)
		}
		t.Logf("height %d: %d rows looked at", height, g.rebuilt)
		if g.rebuilt > 100*height {
			t.Errorf("height %d: %d rows were looked at", height, g.rebuilt)
		}
	}
}
