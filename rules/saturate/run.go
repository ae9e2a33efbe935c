package saturate

import (
	"errors"
	"slices"

	"egad/diag"
	"egad/egraph"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/runner"
	"egad/rules/syntax"
	"egad/slot"
	"egad/term/ops"
)

// Plan says how the rules of some sets are run.
type Plan struct {
	Sets []*rules.Set
	// Steps name the sets. If there are none, all rules run until nothing new follows.
	Steps  []syntax.Step
	Limits egraph.Limits
	Goal   func() bool // ends the run; may be nil
	// Backoff is that of a rule, nil if it has none. Where Backoff is nil it is what
	// the rules say.
	Backoff func(r *rules.Rule) *syntax.Backoff
	// Until says when the claim of a step holds. May be nil.
	Until func(c *syntax.Claim) bool
	// Schedule runs a schedule that a step names within limits; nil if there is none of
	// the name. May be nil.
	Schedule func(name string) func(egraph.Limits) *egraph.Report
}

// Saturate applies the rules of the sets until nothing new follows or a limit is
// reached.
func (g *Graph) Saturate(lim egraph.Limits, goal func() bool, sets ...*rules.Set) (*egraph.Report, error) {
	return g.Run(Plan{Sets: sets, Limits: lim, Goal: goal})
}

// Run applies rules as a plan says. Those of opaque sets do not look inside what was
// used more than once at the start.
func (g *Graph) Run(p Plan) (*egraph.Report, error) {
	r, steps := g.Runner(p)
	r.Do(steps)
	g.Finish(r.Report)
	return r.Report, r.Report.Err
}

// Finish takes rules that never matched out of a report, and says in it what mistake
// of a rule has shown itself, and that a rule was kept out.
func (g *Graph) Finish(rep *egraph.Report) {
	if g.fail(rep); rep.Stop == egraph.Saturated && len(g.keptOut) > 0 {
		rep.Stop = egraph.TermLimit
	}
	rep.Rules = slices.DeleteFunc(rep.Rules, func(x egraph.RuleReport) bool { return x.Matches == 0 && x.Bans == 0 })
}

// Runner is what runs a plan on the graph as it is now, and its steps. All are the
// sets of that name, if there are some.
func (g *Graph) Runner(p Plan) (*runner.Runner, []runner.Step) {
	g.markShared()
	r, of := g.runner(p)
	if len(p.Steps) == 0 {
		return r, []runner.Step{{Rules: of[syntax.All]}}
	}
	return r, p.steps(p.Steps, of)
}

// runner runs the rules of a plan; it is given with their numbers by set.
func (g *Graph) runner(p Plan) (r *runner.Runner, of map[string][]int) {
	n := slice.Sum(p.Sets, func(s *rules.Set) int { return len(s.Rules) })
	list := make([]ruleOf, 0, n)
	r = &runner.Runner{Graph: g.Graph, Names: make([]string, 0, n), Limits: p.Limits, Goal: p.Goal}
	of = make(map[string][]int)
	for _, s := range p.Sets {
		of[s.Name] = slices.Grow(of[s.Name], len(s.Rules))
		for _, x := range s.Rules {
			if g.uses(x) {
				of[s.Name] = append(of[s.Name], len(list))
				list = append(list, ruleOf{x, s.Opaque})
				r.Names = append(r.Names, x.Name)
			}
		}
	}
	if len(of[syntax.All]) == 0 {
		of[syntax.All] = slice.Make(len(list), func(i int) int { return i })
	}
	r.Engine = func(i int, to []*egraph.Rule) ([]*egraph.Rule, error) {
		if g.mistake != nil {
			return nil, g.mistake
		}
		x, err := g.engine(list[i])
		if err != nil {
			return nil, err
		}
		how := list[i].Backoff
		if p.Backoff != nil {
			how = p.Backoff(list[i].Rule)
		}
		x.Backoff = egraph.Backoff{}
		if how != nil {
			x.Backoff = egraph.Backoff{Matches: how.Matches, Ban: how.Ban}
		}
		return append(to, x), nil
	}
	return r, of
}

// steps are steps for the numbers of rules.
func (p *Plan) steps(steps []syntax.Step, of map[string][]int) []runner.Step {
	var out []runner.Step
	for _, s := range steps {
		x := runner.Step{Kind: s.Kind, N: s.N, Steps: p.steps(s.Steps, of)}
		if s.Until != nil {
			x.Until = func() bool { return p.Until(s.Until) }
		}
		for _, n := range s.Names {
			if p.Schedule != nil && of[n.Text] == nil {
				x.Do = p.Schedule(n.Text)
			}
			for _, k := range of[n.Text] {
				x.Rules = slice.With(x.Rules, k)
			}
		}
		out = append(out, x)
	}
	return out
}

// fail ends a run with the mistake of a rule that has shown itself.
func (g *Graph) fail(rep *egraph.Report) {
	if g.mistake != nil && rep.Err == nil {
		rep.Stop, rep.Err = egraph.Failed, g.mistake
	}
}

// KeepOut notes that a rule was not applied, since what it would have made is larger than may be.
func (g *Graph) KeepOut(r *rules.Rule, what string) {
	e := diag.Errorf(r.Src, r.Pos, "warning: the rule %s was not applied where it would have made %s", r.Name, what)
	if !slices.ContainsFunc(g.keptOut, func(x *diag.Error) bool { return x.Error() == e.Error() }) {
		g.keptOut = append(g.keptOut, e)
	}
}

// KeptOut warns of rules that were not applied where they match.
func (g *Graph) KeptOut() diag.List { return g.keptOut }

// rulesAt is the rules of a directed run at a head.
type rulesAt struct{ eager, lazy []*egraph.Rule }

// rulesAt is the rules of some sets that may match an e-node with a head.
func (g *Graph) rulesAt(h egraph.HeadID, sets []*rules.Set) (*rulesAt, error) {
	d := &rulesAt{}
	for _, s := range sets {
		to := &d.eager
		if s.Lazy {
			to = &d.lazy
		}
		for _, r := range s.Rules {
			if !g.uses(r) || r.ForSaturation() || r.Lhs.Name == "" && r.Lhs.Sym != ops.Sym(h) {
				continue
			}
			x, err := g.engine(ruleOf{r, s.Opaque})
			if err != nil {
				return nil, err
			}
			*to = append(*to, x)
		}
	}
	return d, nil
}

// Direct rewrites roots with the rules of the sets until none applies, within limits on the time, the
// matches and the e-nodes: the directed worklist of [egraph.Directed]. The error may be a [*rules.Endless].
func (g *Graph) Direct(roots []slot.Ref, lim egraph.Limits, sets ...*rules.Set) (*egraph.Report, error) {
	if g.atom = func(c egraph.ClassID) bool { return g.names.Get(c).named }; g.language != nil {
		g.markShared()
	}
	at := make(map[egraph.HeadID]*rulesAt)
	rep := g.Graph.Direct(roots, &egraph.Directed{
		Time: lim.Time, Matches: lim.Matches, Nodes: lim.Nodes,
		Rules: func(h egraph.HeadID) (eager, lazy []*egraph.Rule, err error) {
			d := at[h]
			if d == nil {
				if d, err = g.rulesAt(h, sets); err != nil {
					return nil, nil, err
				}
				at[h] = d
			}
			return d.eager, d.lazy, nil
		},
	})
	g.fail(rep)
	if endless, ok := errors.AsType[*egraph.Endless](rep.Err); ok {
		return rep, g.endless(endless, sets)
	}
	return rep, rep.Err
}
