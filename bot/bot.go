// Package bot is the bulk-operation transform of the dual-numbers paper
// (Section 5): it turns programs with build and index into programs of bulk
// operations, which can be differentiated as they are.
//
// The rules are those of the rule sets of the schedule bulk; nothing about them is
// here. They are run as a directed worklist on an e-graph.
package bot

import (
	"slices"
	"time"

	"egad/extract"
	"egad/rules"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
)

// schedule names the schedule of the transform.
const schedule = "bulk"

// Transform gives the bulk program of p, by the e-graph: the rules run as a
// directed worklist, and the grammar bulk, which makes Theorem 5.1 true by
// construction, says what is extracted. The run takes at most the given time,
// unless it is 0.
func Transform(lib *rules.Library, p *term.Program, within time.Duration) (*term.Program, *extract.Run, error) {
	return TransformBy(extract.Through, lib, p, within)
}

// TransformBy is [Transform] in the given way.
func TransformBy(way extract.Way, lib *rules.Library, p *term.Program, within time.Duration) (*term.Program, *extract.Run, error) {
	p, _, names, err := Prepare(lib, p)
	if err != nil {
		return nil, nil, err
	}
	x, rep, err := way.Run(lib, schedule, p.Store, p.Root, names, extract.How{Time: within})
	if err != nil {
		return nil, rep, err
	}
	out := *p
	out.Root, out.Names = x.Root, x.Names
	return &out, rep, nil
}

// Prepare gives a copy of p for the transform, with the rule sets that are run and
// the nodes that an index is not pushed into.
func Prepare(lib *rules.Library, p *term.Program) (*term.Program, []*rules.Set, map[uint32]term.Hint, error) {
	_, ss, err := lib.Scheduled(schedule, false)
	if err != nil {
		return nil, nil, nil, err
	}
	if p, err = inline(p.Clone(), ss); err != nil {
		return nil, nil, nil, err
	}
	if p.HasLoops() {
		p.Root = lookedUp(p.Store, p.Root)
	}
	return p, ss, atoms(p), nil
}

// inline puts the meaning of declared operators in their place where they depend
// on an index variable and no rule takes build to them.
func inline(p *term.Program, ss []*rules.Set) (*term.Program, error) {
	return p.Expand(func(t term.Term) bool {
		sym := p.Store.Op(t).Sym
		return len(t.Args) > 0 && !slices.ContainsFunc(ss, func(s *rules.Set) bool { return s.Takes(ops.SymBuild, sym) })
	})
}

// atoms are the nodes that an index is not pushed into, because that would copy
// work: those with a name, those that are used more than once, and those that do
// not depend on a loop in which they are indexed.
func atoms(p *term.Program) map[uint32]term.Hint {
	out := p.Store.Atoms(p.Root, p.Names)
	p.Store.Walk(p.Root, func(t term.Term) {
		if p.Store.Op(t).Sym != ops.SymIndex {
			return
		}
		kids := p.Store.Open(t).Kids
		for _, x := range kids[1:] {
			if slices.ContainsFunc(x.Args, func(n slot.Name) bool { return !kids[0].Has(n) }) {
				p.Store.MarkAtom(kids[0], out)
			}
		}
	})
	return out
}
