package linmap

import (
	"fmt"
	"time"

	"egad/egraph"
	"egad/extract"
	"egad/rules"
	"egad/saturate"
	"egad/term"
)

// The rule sets of transposition, of application, and of the laws of linear maps
// with what maps are made of.
var (
	TransposeSets = []string{"linear_transpose"}
	ApplySets     = []string{"linear_apply", "linear_transpose", "linear_masks", "linear_chains", "linear_reached", "masks"}
	LawSets       = []string{"linear_laws", "arrays", "scalars"}
)

// Transpose pushes transposition to the leaves of the linear maps in t, by the
// rule set linear_transpose run as a directed worklist on an e-graph.
func Transpose(lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint, within time.Duration) (*extract.Result, *extract.Run, error) {
	return run(extract.Through, lib, s, t, names, within, "linear", TransposeSets...)
}

// Apply carries out the applications of linear maps in t, transposing where
// needed, by the rule sets of application, linear_transpose and masks. No linear
// map is left. A map that the rules of linear_reached do not know lets every change
// through.
func Apply(lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint, within time.Duration) (*extract.Result, *extract.Run, error) {
	return ApplyBy(extract.Through, lib, s, t, names, within)
}

// ApplyBy is [Apply] in the given way.
func ApplyBy(way extract.Way, lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint, within time.Duration) (*extract.Result, *extract.Run, error) {
	x, r, err := run(way, lib, s, t, names, within, "applied", ApplySets...)
	if err != nil {
		return nil, r, err
	}
	err = term.Guard(func() error {
		x.Root, x.Names = s.LetThrough(x.Root, x.Names)
		return nil
	})
	return x, r, err
}

// Simplify makes linear maps cheaper by the laws of Fig. 4 of "Automatic
// differentiation in Coconut" (rule set linear_laws), and what they are made of
// by the rule sets of simplification; with exact, only by rules that keep every
// float64 as it is.
func Simplify(lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint, exact bool, within time.Duration) (*extract.Result, *extract.Run, error) {
	sets, err := find(lib, LawSets...)
	if err != nil {
		return nil, nil, err
	}
	if exact {
		sets = rules.OnlyExact(sets)
	}
	return extract.Through(s, t, names, extract.Builtin("linear"),
		func(g *saturate.Graph, _ egraph.Ref) (*egraph.Report, error) {
			return g.Saturate(lawLimits(g.Rows(), within), nil, sets...)
		})
}

// lawLimits lets n e-nodes of maps grow, but not by a multiple of a large n: the
// laws never come to an end on long sums and compositions, and what they find they
// find early.
func lawLimits(n int, within time.Duration) egraph.Limits {
	few := min(n, 500)
	return egraph.Limits{Iterations: 10, Rows: n + 11*few + 2000, Matches: 200*few + 20000, Time: within}
}

func run(way extract.Way, lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint, within time.Duration, grammar string, setNames ...string) (*extract.Result, *extract.Run, error) {
	sets, err := find(lib, setNames...)
	if err != nil {
		return nil, nil, err
	}
	return way(s, t, names, extract.Builtin(grammar),
		func(g *saturate.Graph, root egraph.Ref) (*egraph.Report, error) {
			return g.Direct(root, within, sets...)
		})
}

func find(lib *rules.Library, names ...string) ([]*rules.Set, error) {
	var sets []*rules.Set
	for _, n := range names {
		set := lib.Set(n)
		if set == nil {
			return nil, fmt.Errorf("there is no rule set %s", n)
		}
		sets = append(sets, set)
	}
	return sets, nil
}
