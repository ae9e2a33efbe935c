package egraph

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// TestLimits: a limit stops a run inside an iteration, soon after it is
// reached, and at the same place each time.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		lim  Limits
		stop Stop
		far  func(rep *Report, g *Graph) bool // over the limit by more than is explained
	}{
		{Limits{Nodes: 5000}, NodeLimit, func(rep *Report, g *Graph) bool { return g.ClassIDs() > 12000 }},
		{Limits{Matches: 20000}, MatchLimit, func(rep *Report, g *Graph) bool { return rep.Matches() > 20000 }},
		{Limits{Work: 100_000}, WorkLimit, func(rep *Report, g *Graph) bool { return rep.Matches() > 100_000 }},
		{Limits{Bytes: 4 << 20}, MemoryLimit, func(rep *Report, g *Graph) bool { return g.Bytes() > 8<<20 }},
	} {
		var sizes [2]int
		for i := range sizes {
			g, rules := micro()
			rep := g.Saturate(rules, c.lim, nil)
			if rep.Stop != c.stop || c.far(rep, g) {
				t.Errorf("%+v: %v, %d bytes", c.lim, rep, g.Bytes())
			}
			sizes[i] = g.Size()
			if err := CheckInvariants(g); err != nil {
				t.Error(err)
			}
		}
		if sizes[0] != sizes[1] {
			t.Errorf("%+v: %d and %d e-nodes", c.lim, sizes[0], sizes[1])
		}
	}
}

// TestMatchMemory: a pattern with very many matches stops before the list of them
// takes more than the limit.
func TestMatchMemory(t *testing.T) {
	l := NewLanguage()
	g := New(l.Sig)
	a := l.Add(g, ParseSexp("(f a0)"))
	for i := range 60 {
		g.Union(a, l.Add(g, ParseSexp(fmt.Sprintf("(f a%d)", i))))
	}
	l.Add(g, ParseSexp("(g (f a0) (g (f a0) (g (f a0) (f a0))))"))
	rules := l.Rules("(g (f ?a) (g (f ?b) (g (f ?c) (f ?d)))) => a0")
	const limit = 8 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rep := g.Saturate(rules, Limits{Bytes: limit}, nil)
	runtime.ReadMemStats(&after)
	if rep.Stop != MemoryLimit || rep.Matches() < 100_000 {
		t.Error(rep)
	}
	// The lists before the last one are garbage by then.
	if n := after.TotalAlloc - before.TotalAlloc; n > 2*limit {
		t.Errorf("%d bytes were allocated", n)
	}
}

// TestEnded: a run ends at more e-nodes than are left when congruence is restored, and says so.
func TestEnded(t *testing.T) {
	g, rules := micro()
	rep := g.Saturate(rules, Limits{Nodes: 5000}, nil)
	if rep.Nodes > 5000 || rep.Peak <= 5000 || rep.ended() != fmt.Sprintf("e-node limit (at %d e-nodes, some of which are equal)", rep.Peak) {
		t.Errorf("%s: %d e-nodes", rep.ended(), rep.Nodes)
	}
	if rep := g.Saturate(rules, Limits{Iterations: 1}, nil); rep.ended() != "iteration limit" {
		t.Error(rep.ended())
	}
}

func TestTimeLimit(t *testing.T) {
	g, rules := micro()
	if rep := g.Saturate(rules, Limits{Time: 20 * time.Millisecond}, nil); rep.Stop != TimeLimit {
		t.Error(rep)
	}
}
