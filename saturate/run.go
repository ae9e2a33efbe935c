package saturate

import (
	"errors"
	"slices"
	"time"

	"egad/egraph"
	"egad/rules"
	"egad/runner"
	"egad/slot"
)

// Saturate applies the rules of the sets until nothing new follows or a limit is
// reached. Those of opaque sets do not look inside what was used more than once at
// the start.
func (g *Graph) Saturate(lim egraph.Limits, goal func() bool, sets ...*rules.Set) (*egraph.Report, error) {
	g.markShared()
	g.atom = g.shared.Get
	r, all := g.runner(sets)
	r.Limits, r.Goal = lim, goal
	r.Do([]runner.Step{{Rules: all}})
	g.fail(r.Report)
	r.Report.Rules = slices.DeleteFunc(r.Report.Rules, func(x egraph.RuleReport) bool { return x.Matches == 0 })
	return r.Report, r.Report.Err
}

// runner runs the rules of sets; it is given with the numbers of all rules.
func (g *Graph) runner(sets []*rules.Set) (r *runner.Runner, all []int) {
	type ruleOf struct {
		*rules.Rule
		opaque bool
	}
	var list []ruleOf
	r = &runner.Runner{Graph: g.Graph, Forms: func() int { return len(g.lang.keys) }}
	for _, s := range sets {
		for _, x := range s.Rules {
			if g.uses(x) {
				all = append(all, len(list))
				list = append(list, ruleOf{x, s.Opaque})
				r.Names = append(r.Names, x.Name)
			}
		}
	}
	// Rules may bring operators with new numbers of children, and those new
	// instances of rules.
	r.Engine = func(i int, to []*egraph.Rule) ([]*egraph.Rule, error) {
		if g.mistake != nil {
			return nil, g.mistake
		}
		return g.instances(list[i].Rule, list[i].opaque, anyRoot, to)
	}
	return r, all
}

// fail ends a run with the mistake of a rule that has shown itself.
func (g *Graph) fail(rep *egraph.Report) {
	if g.mistake != nil && rep.Err == nil {
		rep.Stop, rep.Err = egraph.Failed, g.mistake
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
				for _, r := range s.Rules {
					if !g.uses(r) || r.Lhs.Name == "" && r.Lhs.Sym != g.lang.keys[h].sym {
						continue
					}
					if *to, err = g.instances(r, s.Opaque, int(h), *to); err != nil {
						return nil, nil, err
					}
				}
			}
			d.heads = len(g.lang.keys)
			return d.eager, d.lazy, nil
		},
	})
	g.fail(rep)
	var endless *egraph.Endless
	if errors.As(rep.Err, &endless) {
		return rep, g.endless(endless, sets)
	}
	return rep, rep.Err
}
