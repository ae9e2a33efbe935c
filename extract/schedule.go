package extract

import (
	"cmp"
	"slices"
	"time"

	"egad/egraph"
	"egad/rules"
	"egad/rules/saturate"
	"egad/term"
)

// How are the choices in running a schedule.
type How struct {
	Exact bool          // use only rules that keep every float64 as it is
	Time  time.Duration // ends the run; 0 is no limit
	// Grammar names the cost grammar, if not that of the schedule.
	Grammar string
	// Limits hold besides those of the schedule.
	Limits egraph.Limits
	// Without names a rule set that is not run.
	Without string
}

// Run puts a term on an e-graph, runs a schedule of the library, and extracts a
// term by its grammar. After an error there may be a run.
func (w Way) Run(lib *rules.Library, schedule string, s *term.Store, t term.Term, names map[uint32]term.Hint, how How) (*Result, *Run, error) {
	sch, sets, err := lib.Scheduled(schedule, how.Exact)
	if err != nil {
		return nil, nil, err
	}
	gr, err := lib.Grammar(cmp.Or(how.Grammar, sch.Grammar))
	if err != nil {
		return nil, nil, err
	}
	return w(s, t, names, gr, func(g *saturate.Graph, root egraph.Ref) (*egraph.Report, error) {
		return on(g, []egraph.Ref{root}, sch, sets, how, nil)
	})
}

// On runs a schedule on an e-graph: from some roots if it is directed, else until goal, if
// it is not nil, is true.
func On(g *saturate.Graph, roots []egraph.Ref, lib *rules.Library, schedule string, how How, goal func() bool) (*egraph.Report, error) {
	sch, sets, err := lib.Scheduled(schedule, how.Exact)
	if err != nil {
		return nil, err
	}
	return on(g, roots, sch, sets, how, goal)
}

func on(g *saturate.Graph, roots []egraph.Ref, sch *rules.Schedule, sets []*rules.Set, how How, goal func() bool) (*egraph.Report, error) {
	if sch.Finite && !how.Exact {
		g.TakeFinite()
	}
	own := func(what string) int { return sch.Limits[what].At(g.Size()) }
	if sch.Directed {
		if how.Without != "" {
			sets = slices.DeleteFunc(slices.Clone(sets), func(s *rules.Set) bool { return s.Name == how.Without })
		}
		return g.Direct(roots, egraph.Limits{Time: how.Time, Matches: own("matches"), Nodes: own("nodes")}, sets...)
	}
	lim := how.Limits
	lim.Time = how.Time
	for what, at := range map[string]*int{"iterations": &lim.Iterations, "nodes": &lim.Nodes, "matches": &lim.Matches, "work": &lim.Work} {
		if n := own(what); n > 0 && (*at == 0 || n < *at) {
			*at = n
		}
	}
	return g.Run(saturate.Plan{Sets: sets, Steps: sch.Steps, Goal: goal, Backoff: sch.Backoff, Limits: lim})
}

// Program does what [Way.Run] does with the result of a program, which stays as it is.
func (w Way) Program(lib *rules.Library, schedule string, p *term.Program, how How) (*term.Program, *Run, error) {
	out := *p.Clone()
	x, run, err := w.Run(lib, schedule, out.Store, out.Root, out.Names, how)
	if err != nil {
		return nil, run, err
	}
	out.Root, out.Names = x.Root, x.Names
	return &out, run, nil
}
