package egraph

import (
	"fmt"
	"slices"
	"testing"
)

// apartGraph has a rule of which each match has names that are in no class, of trees of n variables
// that all equal a, and so can be taken for each other in very many ways.
func apartGraph(t *testing.T, n int) (*Graph, *Rule) {
	l := NewTestLang(t)
	g := New(l.Sig)
	a := l.Add(g, app("a"))
	for tree, i := v(0), 1; i < n; i++ {
		tree = app("g", v(i), tree)
		g.Union(a, l.app(g, "f", l.Add(g, tree)))
	}
	l.app(g, "c", a, a)
	g.Rebuild()
	return g, l.rule(t, "apart", app("c", app("f", v(0)), app("f", v(1))), app("g", v(0), v(1)))
}

// TestApart: a guard is asked about names that are taken for each other as far as it may accept
// them, and what matches is the same.
func TestApart(t *testing.T) {
	refuse := func(*Match) bool { return false }
	// It accepts what has no name in both, and so still less if more names are the same.
	disjoint := func(m *Match) bool {
		return !slices.ContainsFunc(m.Var(0).Args, m.Var(1).Has)
	}
	for _, c := range []struct {
		name  string
		n     int
		guard func(*Match) bool
		most  int // how often the guard is asked
	}{
		{"never", 12, refuse, 11 * 11},
		{"disjoint", 4, disjoint, 90},
	} {
		var found [2][]string
		var asked [2]int
		for i, apart := range []bool{false, true} {
			g, r := apartGraph(t, c.n)
			r.Apart = apart
			r.Guard = func(m *Match) bool {
				if asked[i]++; !c.guard(m) {
					return false
				}
				found[i] = append(found[i], fmt.Sprint(m.Var(0), m.Var(1)))
				return true
			}
			rep := g.Saturate([]*Rule{r}, Limits{Iterations: 1, Work: 100_000}, nil)
			if (rep.Stop == WorkLimit) != (!apart && c.n > 10) {
				t.Errorf("%s, apart %v: %v, %d guards, %d e-nodes looked at", c.name, apart, rep, asked[i], rep.Work)
			}
		}
		if c.n < 10 && !slices.Equal(found[0], found[1]) {
			t.Errorf("%s: %d matches, and with all ways looked at %d", c.name, len(found[1]), len(found[0]))
		}
		t.Logf("%s: asked %d times instead of %d, %d matches", c.name, asked[1], asked[0], len(found[1]))
		if asked[1] > c.most {
			t.Errorf("%s: the guard was asked %d times", c.name, asked[1])
		}
	}
}
