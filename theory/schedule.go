package theory

import (
	"slices"
	"time"

	"egad/diag"
	"egad/egraph"
)

// Step is a part of a schedule.
type Step struct {
	kind  stepKind
	rules []*Rule // of a run
	n     int     // of run and repeat; 0 is no bound
	until *equation
	steps []Step
}

type stepKind uint8

const (
	stepRun      stepKind = iota // n iterations of rules
	stepSaturate                 // steps until nothing changes
	stepRepeat                   // steps, n times
	stepUntil                    // steps until an equation holds or nothing changes
)

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
		return Step{kind: stepSaturate, steps: c.schedule(t, rest)}, true
	case "seq":
		return Step{kind: stepRepeat, n: 1, steps: c.schedule(t, rest)}, true
	case "repeat":
		n, ok := natural(rest[0])
		if !ok || len(rest) < 2 {
			c.add(rest[0].pos, "repeat is followed by how often, from 1 on, and by steps")
			return Step{}, false
		}
		return Step{kind: stepRepeat, n: n, steps: c.schedule(t, rest[1:])}, true
	case "until":
		if len(rest) < 2 || len(rest[0].list) != 3 || rest[0].list[0].atom != "=" {
			c.add(x.pos, "until is followed by (= TERM TERM) and by steps")
			return Step{}, false
		}
		es := c.claims(t, []claim{{rest[0].pos, rest[0].list[1], rest[0].list[2]}})
		if len(es) == 0 {
			return Step{}, false
		}
		return Step{kind: stepUntil, until: &es[0], steps: c.schedule(t, rest[1:])}, true
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

// steps runs steps one after the other. It reports whether the graph changed,
// and is done if the run is over.
func (r *runner) steps(steps []Step) (changed, done bool) {
	for _, s := range steps {
		more, over := r.step(s)
		changed = changed || more
		if over {
			return changed, true
		}
	}
	return changed, false
}

func (r *runner) step(s Step) (changed, done bool) {
	switch s.kind {
	case stepRun:
		return r.saturate(s.rules, s.n)
	case stepRepeat:
		for range s.n {
			more, over := r.steps(s.steps)
			changed = changed || more
			if over || !more {
				return changed, over
			}
		}
		return changed, false
	}
	for {
		if s.until != nil && r.holds(*s.until) {
			return changed, false
		}
		more, over := r.steps(s.steps)
		changed = changed || more
		if over || !more {
			return changed, over
		}
	}
}

// saturate runs n iterations of rules, without a bound if n is 0.
func (r *runner) saturate(rules []*Rule, n int) (changed, done bool) {
	if r.only != nil {
		rules = slices.DeleteFunc(slices.Clone(rules), func(x *Rule) bool { return !r.only[x] })
	}
	lim := r.limits
	if lim.Iterations > 0 {
		if lim.Iterations -= len(r.rep.Iterations); lim.Iterations <= 0 {
			r.rep.Stop = egraph.IterLimit
			return false, true
		}
	}
	switch {
	case lim.Work < 0:
		r.rep.Stop = egraph.WorkLimit
		return false, true
	case lim.Matches < 0:
		r.rep.Stop = egraph.MatchLimit
		return false, true
	}
	own := n > 0 && (lim.Iterations == 0 || n < lim.Iterations)
	if own {
		lim.Iterations = n
	}
	if !r.end.IsZero() {
		lim.Time = max(1, time.Until(r.end))
	}
	rep := r.graph.Continue(&r.past, r.engineRules(rules), lim, r.reached)
	r.merge(rules, rep)
	// A limit of 0 is none: what is used up is -1, and stops the next step.
	if lim.Matches != 0 {
		r.limits.Matches = left(lim.Matches, rep.Matches())
	}
	if lim.Work != 0 {
		r.limits.Work = left(lim.Work, rep.Work)
	}
	still := rep.Stop == egraph.Saturated || rep.Stop == egraph.SymmetryLimit
	if !still || len(rep.Iterations) > 1 {
		clear(r.idle)
	}
	switch {
	case still:
		if r.idle == nil {
			r.idle = make(map[*Rule]bool, len(rules))
		}
		for _, x := range rules {
			r.idle[x] = true
		}
		return len(rep.Iterations) > 1, false
	case rep.Stop == egraph.IterLimit:
		return true, !own
	}
	return true, true
}

// saturated reports whether no rule of the steps had anything to do in the end.
func (r *runner) saturated(steps []Step) bool {
	for _, s := range steps {
		if !r.saturated(s.steps) || slices.ContainsFunc(s.rules, func(x *Rule) bool { return !r.idle[x] }) {
			return false
		}
	}
	return true
}

// left is what is left of a limit, -1 if nothing is.
func left(limit, used int) int {
	if used >= limit {
		return -1
	}
	return limit - used
}
