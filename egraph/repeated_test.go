package egraph

import (
	"fmt"
	"testing"
)

// TestRepeated: what a left side has twice is looked into once. A class of n products, added to
// itself, is searched in a time that grows with n, not with its square; and the operators of both
// places are known.
func TestRepeated(t *testing.T) {
	work := func(n int) int {
		l := NewLanguage()
		g := New(l.Sig)
		zero := l.Add(g, ParseSexp("(m x0 y0)"))
		for i := range n {
			g.Union(zero, l.Add(g, ParseSexp(fmt.Sprintf("(m x%d y%d)", i, i))))
		}
		l.Add(g, ParseSexp("(p (m x0 y0) (m x0 y0))"))
		l.Add(g, ParseSexp("(p (m x0 y0) (k x0))")) // is no match
		r := l.Rule("(p (m ?a ?b) (m ?a ?b))", "(q ?a ?b)")
		matches := 0
		g.Matches(r, func(m *Match) bool {
			matches++
			if m.Op(2, 0) != m.Op(1, 0) {
				t.Errorf("the operator at position 2 is %d, and that at 1 is %d", m.Op(2, 0), m.Op(1, 0))
			}
			return true
		})
		if matches != n {
			t.Errorf("%d matches of %d", matches, n)
		}
		return g.Saturate([]*Rule{r}, Limits{Iterations: 1}, nil).Work
	}
	if one, four := work(100), work(400); four > 5*one {
		t.Errorf("work %d for 100 products, %d for 400", one, four)
	}
}
