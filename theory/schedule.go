package theory

import (
	"slices"

	"egad/diag"
	"egad/runner"
)

// Step is a part of a schedule.
type Step struct {
	kind  runner.Kind
	rules []*Rule // of a run
	n     int     // of run and repeat; 0 is no bound
	until *equation
	steps []Step
}

// schedule checks steps. No steps are all rules, until a limit.
func (c *checker) schedule(t *Test, xs []*sexp) []Step {
	if len(xs) == 0 {
		return []Step{{rules: c.t.Rules}}
	}
	var out []Step
	for _, x := range xs {
		if s, ok := c.step(t, x); ok {
			out = append(out, s)
		}
	}
	return out
}

// stepForms are the words that begin a step in parentheses.
var stepForms = []string{"run", "saturate", "repeat", "seq", "until"}

func (c *checker) step(t *Test, x *sexp) (Step, bool) {
	if x.list == nil {
		return c.runStep([]*sexp{x})
	}
	f, rest := x.list[0], x.list[1:]
	if len(rest) == 0 {
		c.add(x.pos, "there is nothing to do in this step")
		return Step{}, false
	}
	switch f.atom {
	case "run":
		return c.runStep(rest)
	case "saturate":
		return Step{kind: runner.Saturate, steps: c.schedule(t, rest)}, true
	case "seq":
		return Step{kind: runner.Repeat, n: 1, steps: c.schedule(t, rest)}, true
	case "repeat":
		n, ok := natural(rest[0])
		if !ok || len(rest) < 2 {
			c.add(rest[0].pos, "repeat is followed by how often, from 1 on, and by steps")
			return Step{}, false
		}
		return Step{kind: runner.Repeat, n: n, steps: c.schedule(t, rest[1:])}, true
	case "until":
		if len(rest) < 2 || len(rest[0].list) != 3 || rest[0].list[0].atom != "=" {
			c.add(x.pos, "until is followed by (= TERM TERM) and by steps")
			return Step{}, false
		}
		es := c.claims(t, []claim{{rest[0].pos, rest[0].list[1], rest[0].list[2]}})
		if len(es) == 0 {
			return Step{}, false
		}
		return Step{kind: runner.Until, until: &es[0], steps: c.schedule(t, rest[1:])}, true
	}
	c.add(f.pos, "a step is a rule, a rule set, or one of %s%s", stepForms, diag.DidYouMean(f.atom, stepForms))
	return Step{}, false
}

// runStep is an iteration of rules and rule sets, or several: the number may
// come last.
func (c *checker) runStep(xs []*sexp) (Step, bool) {
	s := Step{n: 1}
	if n, ok := natural(xs[len(xs)-1]); ok && len(xs) > 1 {
		s.n, xs = n, xs[:len(xs)-1]
	}
	var names []word
	for _, x := range xs {
		if x.list != nil || !isName(x.atom) {
			c.add(x.pos, "expected the name of a rule or of a rule set")
			return s, false
		}
		if x.atom == "all" {
			s.rules = slices.Clone(c.t.Rules)
			continue
		}
		names = append(names, word{pos: x.pos, text: x.atom})
	}
	for _, r := range c.named(names) {
		if !slices.Contains(s.rules, r) {
			s.rules = append(s.rules, r)
		}
	}
	return s, true
}

// natural reads a number of times.
func natural(x *sexp) (int, bool) {
	if x.list != nil {
		return 0, false
	}
	r, ok := number(x.atom)
	if !ok || !r.IsInt() || r.Sign() <= 0 || !r.Num().IsInt64() || r.Num().Int64() > 1<<30 {
		return 0, false
	}
	return int(r.Num().Int64()), true
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
