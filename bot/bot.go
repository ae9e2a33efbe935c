// Package bot is the bulk-operation transform of the dual-numbers paper
// (Section 5): it turns programs with build and index into programs of bulk
// operations, which can be differentiated as they are.
//
// The rules are those of the rule sets bot_build, bot_build_index and bot_index;
// nothing about them is here. They are run as a directed worklist on an e-graph
// ([Transform]) or on terms ([Normalise]).
package bot

import (
	"fmt"

	"egad/egraph"
	"egad/extract"
	"egad/rules"
	"egad/saturate"
	"egad/term"
)

// SetNames lists the rule sets of the transform.
var SetNames = []string{"bot_build", "bot_build_index", "bot_index"}

func sets(lib *rules.Library) ([]*rules.Set, error) {
	var out []*rules.Set
	for _, n := range SetNames {
		s := lib.Set(n)
		if s == nil {
			return nil, fmt.Errorf("there is no rule set %s", n)
		}
		out = append(out, s)
	}
	return out, nil
}

// Transform gives the bulk program of p, by the e-graph: the rules run as a
// directed worklist, and the grammar bulk, which makes Theorem 5.1 true by
// construction, says what is extracted.
func Transform(lib *rules.Library, p *term.Program) (*term.Program, *egraph.Report, error) {
	ss, err := sets(lib)
	if err != nil {
		return nil, nil, err
	}
	x, rep, err := extract.Through(p.Store, p.Root, atoms(p), extract.Builtin("bulk"),
		func(g *saturate.Graph, root egraph.Ref) (*egraph.Report, error) { return g.Direct(root, ss...) })
	if err != nil {
		return nil, rep, err
	}
	out := *p
	out.Root, out.Names = x.Root, x.Names
	return &out, rep, nil
}

// Normalise gives a bulk program of p by rewriting terms with the same rules.
func Normalise(lib *rules.Library, p *term.Program) (*term.Program, rules.Stats, error) {
	ss, err := sets(lib)
	if err != nil {
		return nil, rules.Stats{}, err
	}
	names := atoms(p)
	root, stats, err := rules.Normalise(rules.Terms{Store: p.Store, Names: names}, p.Root, rules.DefaultFuel, ss...)
	if err != nil {
		return nil, stats, err
	}
	out := *p
	out.Root, out.Names = root, names
	return &out, stats, nil
}

// atoms are the named nodes of p and those that are used more than once, for
// pushing an index into a shared term would copy it.
func atoms(p *term.Program) map[uint32]term.Hint {
	out := make(map[uint32]term.Hint, len(p.Names))
	for id, h := range p.Names {
		out[id] = h
	}
	uses := make(map[uint32]int)
	p.Store.Walk(p.Root, func(t term.Term) {
		for _, k := range p.Store.Kids(t) {
			uses[k.ID]++
		}
	})
	for id, n := range uses {
		if _, named := out[id]; !named && n > 1 && len(p.Store.Kids(term.Term{ID: id})) > 0 {
			out[id] = term.Hint{}
		}
	}
	return out
}
