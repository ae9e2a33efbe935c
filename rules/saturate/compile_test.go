package saturate_test

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/leanovate/gopter"

	"egad/egraph"
	"egad/internal/programs"
	"egad/rules"
	"egad/rules/load"
	"egad/rules/match"
	"egad/rules/saturate"
	"egad/slot"
	"egad/term"
	"egad/term/types"
)

// TestCompiledMatching compares the instructions of left sides with the search that
// matches terms, which takes one pattern and one reference after the other, on e-graphs of
// random programs to which some rules have been applied: the same right sides come out at
// the same classes.
func TestCompiledMatching(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	sets := []*rules.Set{lib.Set("arrays"), lib.Set("scalars"), lib.Set("bot_build"), lib.Set("bot_index")}
	gen := programs.Gen(programs.Everything, types.NoElem)
	params := gopter.DefaultGenParameters()
	params.Rng = rand.New(rand.NewSource(7))
	compared := 0
	for range 120 {
		c, _ := gen(params).Retrieve()
		p := c.(programs.Case).Program(sig)
		g := saturate.New(sig)
		if _, err := g.AddTerm(p.Store, p.Root, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Saturate(egraph.Limits{Iterations: 2, Nodes: 400}, nil, sets...); err != nil {
			t.Fatal(err)
		}
		for _, s := range sets {
			for _, r := range s.Rules {
				if r.BySharing {
					continue
				}
				roots := g.Roots() // before right sides are added
				got, err := g.Results(r)
				if err != nil {
					t.Fatal(err)
				}
				want := obvious(t, g, r, roots)
				compared += len(want)
				compareResults(t, g, r, p, got, want, "the search does not find")
				compareResults(t, g, r, p, want, got, "the instructions do not find")
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d matches were compared", compared)
	}
}

// obvious applies a rule everywhere by search.
func obvious(t *testing.T, g *saturate.Graph, r *rules.Rule, roots []slot.Ref) []saturate.Result {
	var out []saturate.Result
	for _, root := range roots {
		var ms []*match.Match
		if err := g.Matcher().Matches(r, root, false, func(a *match.Application) bool {
			ms = append(ms, a.Match)
			return true
		}); err != nil {
			t.Fatal(err)
		}
		for _, m := range ms {
			rhs, ok, err := m.Build(g)
			if err != nil {
				t.Fatal(err)
			}
			if ok {
				out = append(out, saturate.Result{Root: root, Rhs: rhs})
			}
		}
	}
	return out
}

// compareResults looks for every result of a in b.
func compareResults(t *testing.T, g *saturate.Graph, r *rules.Rule, p *term.Program, a, b []saturate.Result, what string) {
	t.Helper()
	byRoot := make(map[uint32][]saturate.Result)
	for _, x := range b {
		byRoot[x.Root.ID] = append(byRoot[x.Root.ID], x)
	}
	for _, x := range a {
		found := false
		for _, y := range byRoot[x.Root.ID] {
			found = found || g.Same(bare(x), bare(y))
		}
		if !found {
			t.Fatalf("rule %s at class %d: %s %v among %s\n%s", r.Name, x.Root.ID, what, x.Rhs, fmt.Sprint(byRoot[x.Root.ID]), p.Text("p"))
		}
	}
}

// bare gives names that do not come from the root, which stand for redundant
// slots, one name by place.
func bare(x saturate.Result) slot.Ref {
	i := slot.Name(1 << 30)
	return x.Rhs.Rename(func(n slot.Name) slot.Name {
		if x.Root.Has(n) {
			return n
		}
		i++
		return i
	})
}
