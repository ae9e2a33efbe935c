package egraph

import (
	"fmt"
	"strings"
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

// TestRepeatedInside: the operators of what is repeated in what is repeated are known, also where a part of it is
// repeated nearer to the root.
func TestRepeatedInside(t *testing.T) {
	for _, side := range []string{
		"(g (t (f ?a) (f ?a)) (t (f ?a) (f ?a)))",
		"(g (f ?a) (t (h (f ?a)) (h (f ?a))))",
		"(g (h (f ?a) (f ?a)) (k (k (h (f ?a) (f ?a)))))",
	} {
		l := NewLanguage()
		g := New(l.Sig)
		l.Add(g, ParseSexp(strings.ReplaceAll(side, "?a", "x")))
		r := l.Rule(side, "?a")
		var want []string
		var walk func(s *Sexp)
		walk = func(s *Sexp) {
			if len(s.List) == 0 {
				return
			}
			want = append(want, s.Atom)
			for _, k := range s.List {
				walk(k)
			}
		}
		walk(ParseSexp(side))
		matches := 0
		g.Matches(r, func(m *Match) bool {
			matches++
			for i, name := range want {
				if got := l.Sig.HeadInfo(l.Sig.Head(m.Op(i, 0))).Name; got != name {
					t.Errorf("%s: the operator at position %d is %s, and not %s", side, i, got, name)
				}
			}
			return true
		})
		if matches != 1 {
			t.Errorf("%s: %d matches", side, matches)
		}
	}
}
