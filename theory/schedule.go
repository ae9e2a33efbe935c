package theory

import (
	"slices"

	"egad/rules/syntax"
	"egad/runner"
)

// Step is a part of a schedule.
type Step struct {
	kind  syntax.StepKind
	rules []*Rule // of a run
	n     int     // of run and repeat; 0 is no bound
	until *equation
	steps []Step
}

// schedule checks steps. No steps are all rules, until a limit.
func (c *checker) schedule(t *Test, ds []syntax.Step) []Step {
	if len(ds) == 0 {
		return []Step{{rules: c.t.Rules}}
	}
	var out []Step
	for _, d := range ds {
		s := Step{kind: d.Kind, n: d.N}
		if d.Until != nil {
			es := c.claims(t, []syntax.Claim{*d.Until})
			if len(es) == 0 {
				continue
			}
			s.until = &es[0]
		}
		if d.Kind == syntax.Run {
			s.rules = c.stepRules(d.Names)
		} else {
			s.steps = c.schedule(t, d.Steps)
		}
		out = append(out, s)
	}
	return out
}

// stepRules lists the rules of a step, each once; all are all rules.
func (c *checker) stepRules(names []syntax.Name) []*Rule {
	var out []*Rule
	rest := slices.DeleteFunc(slices.Clone(names), func(n syntax.Name) bool { return n.Text == syntax.All })
	if len(rest) < len(names) {
		out = slices.Clone(c.t.Rules)
	}
	for _, r := range c.named(rest) {
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// steps are steps for the graph of the run.
func (r *attempt) steps(steps []Step) []runner.Step {
	var out []runner.Step
	for _, s := range steps {
		x := runner.Step{Kind: s.kind, N: s.n, Steps: r.steps(s.steps)}
		for _, rule := range s.rules {
			x.Rules = append(x.Rules, rule.index)
		}
		if s.until != nil {
			x.Until = func() bool { return r.holds(*s.until) }
		}
		out = append(out, x)
	}
	return out
}
