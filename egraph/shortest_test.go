package egraph

import (
	"math/rand"
	"testing"

	"egad/slot"
)

// equations lists what the logged applications of rules say, as ground terms.
func (x *Explainer) equations(t *testing.T) map[string][]*Tree {
	out := make(map[string][]*Tree)
	for i, e := range x.edges {
		if e.rule < 0 {
			continue
		}
		steps, err := x.application(hop{edge: i, names: make(map[Pos]slot.Name)}, Ref{ID: e.a}, Ref{ID: e.b})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			if s.Rule != nil && s.Moment == i {
				from, to := s.From.Key(x.g.sig), s.To.Key(x.g.sig)
				out[from] = append(out[from], s.To)
				out[to] = append(out[to], s.From)
			}
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
					v := t.replace(path, by)
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
	l := newLanguage()
	rules := l.rules(microRules)
	g := New(l.sig)
	g.KeepProofs()
	for _, s := range microSeeds {
		l.add(g, parseSexp(s))
	}
	g.Saturate(rules, Limits{Iterations: 3}, nil)
	x := newExplainer(g)
	eqs := x.equations(t)
	byClass := make(map[ClassID][]ClassID)
	for c := range g.unionFind {
		byClass[g.Find(ClassID(c))] = append(byClass[g.Find(ClassID(c))], ClassID(c))
	}
	rng := rand.New(rand.NewSource(2))
	found, ours, least, worst := 0, 0, 0, 1.0
	for c := range g.unionFind {
		equal := byClass[g.Find(ClassID(c))]
		d := equal[rng.Intn(len(equal))]
		a, b := x.tree(Ref{ID: ClassID(c)}), x.tree(Ref{ID: d})
		n := shortest(l.sig, eqs, a, b)
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
