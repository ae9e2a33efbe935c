package egraph_test

import (
	"math/rand"
	"testing"

	. "egad/egraph"
)

// equations lists what applications of rules say, as ground terms: those that lead
// from each class to the one that stands for it.
func equations(t *testing.T, g *Graph, log *trees) map[string][]*Tree {
	out := make(map[string][]*Tree)
	x := log.Explainer()
	for c := range ClassID(g.ClassIDs()) {
		p, err := x.Explain(log.of[c], log.of[g.Find(c)])
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Steps {
			from, to := s.From.Key(g.Signature()), s.To.Key(g.Signature())
			out[from] = append(out[from], s.To)
			out[to] = append(out[to], s.From)
		}
	}
	return out
}

// shortest is the length of a shortest proof by the equations, -1 if the search
// gets too large.
func shortest(sig *Signature, eqs map[string][]*Tree, a, b *Tree) int {
	goal := b.Key(sig)
	seen := map[string]bool{a.Key(sig): true}
	level := []*Tree{a}
	for n := 0; len(level) > 0; n++ {
		var next []*Tree
		for _, t := range level {
			if t.Key(sig) == goal {
				return n
			}
			var walk func(u *Tree, path []int)
			walk = func(u *Tree, path []int) {
				for _, by := range eqs[u.Key(sig)] {
					v := put(t, path, by)
					if k := v.Key(sig); !seen[k] {
						seen[k] = true
						next = append(next, v)
					}
				}
				for i, k := range u.Kids {
					walk(k, append(path[:len(path):len(path)], i))
				}
			}
			walk(t, nil)
		}
		if level = next; len(seen) > 50_000 {
			return -1
		}
	}
	return -1
}

// TestProofLength compares proofs with the shortest ones that the same unions
// give, found by search.
func TestProofLength(t *testing.T) {
	l := NewLanguage()
	rules := l.Rules(MicroRules)
	g := New(l.Sig)
	log := keepTrees(g)
	for _, s := range MicroSeeds {
		l.Add(g, ParseSexp(s))
	}
	g.Saturate(rules, Limits{Iterations: 3}, nil)
	x := log.Explainer()
	eqs, equal := equations(t, g, log), pairs(g)
	rng := rand.New(rand.NewSource(2))
	found, ours, least, worst := 0, 0, 0, 1.0
	for c := range ClassID(g.ClassIDs()) {
		same := equal[g.Find(c)]
		a, b := log.of[c], log.of[same[rng.Intn(len(same))]]
		n := shortest(l.Sig, eqs, a, b)
		if n <= 0 {
			continue
		}
		p, err := x.Explain(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Steps) < n {
			t.Errorf("a proof of %d steps is shorter than the shortest, of %d", len(p.Steps), n)
		}
		found++
		ours += len(p.Steps)
		least += n
		worst = max(worst, float64(len(p.Steps))/float64(n))
	}
	if found < 50 {
		t.Errorf("only %d proofs compared", found)
	}
	t.Logf("%d proofs: %d steps, the shortest ones %d: %.2f times, at worst %.1f times", found, ours, least, float64(ours)/float64(least), worst)
}
