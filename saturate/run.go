package saturate

import (
	"errors"
	"time"

	"egad/egraph"
	"egad/rules"
	"egad/slot"
)

// Saturate applies the rules of the sets until nothing new follows or a limit is
// reached. Those of opaque sets do not look inside what was used more than once at
// the start.
func (g *Graph) Saturate(lim egraph.Limits, goal func() bool, sets ...*rules.Set) (*egraph.Report, error) {
	total := &egraph.Report{}
	g.markShared()
	g.atom = g.shared.Get
	// Rules may bring operators with new numbers of children, and those new
	// instances of rules: go on until there are none.
	start := time.Now()
	var past egraph.Progress
	for {
		heads := len(g.lang.keys)
		var rs []*egraph.Rule
		for _, s := range sets {
			var err error
			if rs, err = g.instances(s, anyRoot, rs); err != nil {
				return nil, err
			}
		}
		one := lim
		one.Iterations = 1
		if lim.Time > 0 {
			one.Time = max(1, lim.Time-time.Since(start))
		}
		rep := g.Graph.Continue(&past, rs, one, goal)
		g.fail(rep)
		addReport(total, rep)
		if lim.Matches > 0 {
			lim.Matches = max(1, lim.Matches-rep.Matches())
		}
		switch {
		case rep.Err != nil:
			return total, rep.Err
		case rep.Stop != egraph.IterLimit && !(rep.Stop == egraph.Saturated && len(g.lang.keys) > heads):
			return total, nil
		case lim.Iterations > 0 && len(total.Iterations) >= lim.Iterations:
			total.Stop = egraph.IterLimit
			return total, nil
		}
	}
}

// fail ends a run with the mistake of a rule that has shown itself.
func (g *Graph) fail(rep *egraph.Report) {
	if g.mistake != nil && rep.Err == nil {
		rep.Stop, rep.Err = egraph.Failed, g.mistake
	}
}

// addReport adds the figures of rep, rule by rule.
func addReport(total, rep *egraph.Report) {
	total.Stop, total.Nodes, total.Classes = rep.Stop, rep.Nodes, rep.Classes
	total.Iterations = append(total.Iterations, rep.Iterations...)
	for _, r := range rep.Rules {
		if r.Matches == 0 {
			continue
		}
		found := false
		for i := range total.Rules {
			if total.Rules[i].Name == r.Name {
				total.Rules[i].Matches += r.Matches
				total.Rules[i].Unions += r.Unions
				found = true
			}
		}
		if !found {
			total.Rules = append(total.Rules, r)
		}
	}
}

// rulesAt is the rules of a directed run at a head, as of when there were so many
// heads.
type rulesAt struct {
	eager, lazy []*egraph.Rule
	heads       int
}

// Direct rewrites root with the rules of the sets until none applies, for at most
// the given time unless it is 0: the directed worklist of [egraph.Directed].
// The error may be a [*rules.Endless].
func (g *Graph) Direct(root slot.Ref, within time.Duration, sets ...*rules.Set) (*egraph.Report, error) {
	g.atom = func(c egraph.ClassID) bool { return g.names.Get(c).named }
	var at []rulesAt
	rep := g.Graph.Direct(root, &egraph.Directed{
		Time: within,
		Rules: func(h egraph.HeadID) (eager, lazy []*egraph.Rule, err error) {
			for len(at) <= int(h) {
				at = append(at, rulesAt{})
			}
			d := &at[h]
			if d.heads == len(g.lang.keys) {
				return d.eager, d.lazy, nil
			}
			d.eager, d.lazy = nil, nil
			for _, s := range sets {
				to := &d.eager
				if s.Lazy {
					to = &d.lazy
				}
				if *to, err = g.instances(s, int(h), *to); err != nil {
					return nil, nil, err
				}
			}
			d.heads = len(g.lang.keys)
			return d.eager, d.lazy, nil
		},
	})
	g.fail(rep)
	merged := &egraph.Report{}
	addReport(merged, rep)
	var endless *egraph.Endless
	if errors.As(rep.Err, &endless) {
		return merged, g.endless(endless, sets)
	}
	return merged, rep.Err
}
