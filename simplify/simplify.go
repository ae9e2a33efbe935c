// Package simplify makes bulk programs cheaper by saturation with the rule sets
// arrays, builds, compositions and scalars, and extraction by cost.
package simplify

import (
	"fmt"
	"time"

	"egad/egraph"
	"egad/extract"
	"egad/rules"
	"egad/saturate"
	"egad/term"
)

// SetNames lists the rule sets of simplification.
var SetNames = []string{"arrays", "builds", "compositions", "scalars", "masks", "choices"}

// Program simplifies p. With exact only rules that keep every float64 value as
// it is are used. The saturation ends after the given time, unless it is 0.
func Program(lib *rules.Library, p *term.Program, exact bool, within time.Duration) (*term.Program, *extract.Run, error) {
	return ProgramBy(extract.Through, lib, p, exact, within)
}

// ProgramBy is [Program] in the given way.
func ProgramBy(way extract.Way, lib *rules.Library, p *term.Program, exact bool, within time.Duration) (*term.Program, *extract.Run, error) {
	var sets []*rules.Set
	for _, n := range SetNames {
		s := lib.Set(n)
		if s == nil {
			return nil, nil, fmt.Errorf("there is no rule set %s", n)
		}
		sets = append(sets, s)
	}
	if exact {
		sets = rules.OnlyExact(sets)
	}
	p = p.Clone()
	x, rep, err := way(p.Store, p.Root, p.Names, extract.Builtin("nolinear"),
		func(g *saturate.Graph, root egraph.Ref) (*egraph.Report, error) {
			if !exact {
				g.TakeFinite()
			}
			lim := limits(g.Rows())
			lim.Time = within
			return g.Saturate(lim, nil, sets...)
		})
	if err != nil {
		return nil, rep, err
	}
	out := *p
	out.Root, out.Names = x.Root, x.Names
	return &out, rep, nil
}

// limits lets a program of n e-nodes grow to a multiple of its size.
func limits(n int) egraph.Limits {
	return egraph.Limits{Iterations: 10, Rows: 12*n + 2000, Matches: 200*n + 20000}
}
