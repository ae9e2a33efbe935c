package linmap

import (
	"fmt"

	"egad/egraph"
	"egad/extract"
	"egad/rules"
	"egad/saturate"
	"egad/term"
)

// Transpose pushes transposition to the leaves of the linear maps in t, by the
// rule set linear_transpose run as a directed worklist on an e-graph.
func Transpose(lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint) (*extract.Result, *extract.Run, error) {
	return run(lib, s, t, names, "linear", "linear_transpose")
}

// Apply carries out the applications of linear maps in t, transposing where
// needed, by the rule sets linear_transpose and linear_apply. No linear map is
// left.
func Apply(lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint) (*extract.Result, *extract.Run, error) {
	return run(lib, s, t, names, "nolinear", "linear_apply", "linear_transpose")
}

func run(lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint, grammar string, setNames ...string) (*extract.Result, *extract.Run, error) {
	var sets []*rules.Set
	for _, n := range setNames {
		set := lib.Set(n)
		if set == nil {
			return nil, nil, fmt.Errorf("there is no rule set %s", n)
		}
		sets = append(sets, set)
	}
	return extract.Through(s, t, names, extract.Builtin(grammar),
		func(g *saturate.Graph, root egraph.Ref) (*egraph.Report, error) { return g.Direct(root, sets...) })
}
