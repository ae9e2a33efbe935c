package egraph_test

import (
	"math/rand"
	"slices"
	"testing"
	"time"

	. "egad/egraph"
	"egad/egraph/proof"
)

// equations lists what the steps of proofs say.
func equations(sig *Signature, proofs []*proof.Proof) map[string][]*Tree {
	out := make(map[string][]*Tree)
	for _, p := range proofs {
		for _, s := range p.Steps() {
			from, to := s.From.Key(sig), s.To.Key(sig)
			out[from] = append(out[from], s.To)
			out[to] = append(out[to], s.From)
		}
	}
	return out
}

// steps is how many steps a proof has if those that are needed several times are made as
// often.
func steps(p *proof.Proof) int {
	of := make([]int, len(p.Equations))
	for i, e := range p.Equations {
		for _, l := range e.Links {
			if l.Step != nil {
				of[i]++
			}
			for _, k := range l.Kids {
				if k >= 0 {
					of[i] += of[k]
				}
			}
		}
	}
	if len(of) == 0 {
		return 0
	}
	return of[len(of)-1]
}

// put is t with another subterm at a path.
func put(t *Tree, path []int, by *Tree) *Tree {
	if len(path) == 0 {
		return by
	}
	out := *t
	out.Kids = slices.Clone(t.Kids)
	out.Kids[path[0]] = put(t.Kids[path[0]], path[1:], by)
	return &out
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
	equal := pairs(g)
	rng := rand.New(rand.NewSource(2))
	var ends [][2]*Tree
	for c := range ClassID(g.ClassIDs()) { // and those that lead to what stands for the class
		same := equal[g.Find(c)]
		ends = append(ends, [2]*Tree{log.of[c], log.of[same[rng.Intn(len(same))]]}, [2]*Tree{log.of[c], log.of[g.Find(c)]})
	}
	proofs, err := log.Explain(time.Time{}, ends...)
	if err != nil {
		t.Fatal(err)
	}
	eqs := equations(l.Sig, proofs)
	found, ours, least, worst := 0, 0, 0, 1.0
	for i := 0; i < len(ends); i += 2 {
		n := shortest(l.Sig, eqs, ends[i][0], ends[i][1])
		if n <= 0 {
			continue
		}
		k := steps(proofs[i])
		if k < n {
			t.Errorf("a proof of %d steps is shorter than the shortest, of %d", k, n)
		}
		found++
		ours += k
		least += n
		worst = max(worst, float64(k)/float64(n))
	}
	if found < 50 {
		t.Errorf("only %d proofs compared", found)
	}
	t.Logf("%d proofs: %d steps, the shortest ones %d: %.2f times, at worst %.1f times", found, ours, least, float64(ours)/float64(least), worst)
}
