// Package runner runs schedules of rules on an e-graph, of whatever language: steps
// one after the other, within limits that hold for all of them.
package runner

import (
	"slices"
	"time"

	"egad/egraph"
	"egad/internal/memo"
	"egad/internal/set"
	"egad/rules/syntax"
)

// Step is a part of a schedule.
type Step struct {
	Kind  syntax.StepKind
	Rules []int // of Run: their numbers
	N     int   // how often: of Run, where 0 is no bound, and of Repeat; of Seq it is 1
	// Do runs something else, as a schedule, within limits; nil if Rules are run.
	Do    func(egraph.Limits) *egraph.Report
	Until func() bool
	Steps []Step
}

// Ended says that a run has done all that its schedule asks for.
const Ended egraph.Stop = "end of the schedule"

// Runner runs schedules on an e-graph.
type Runner struct {
	Graph *egraph.Graph
	Names []string // of the rules, by number
	// Engine appends what a rule is for the engine.
	Engine func(rule int, to []*egraph.Rule) ([]*egraph.Rule, error)
	Limits egraph.Limits
	Only   map[int]bool // the rules that are applied, nil if all are
	Goal   func() bool  // ends the run, if it is not nil
	// Report is of the whole run. Rules are in the order in which they were run.
	Report *egraph.Report

	places map[string]int // in the report, by name
	past   egraph.Progress
	idle   map[int]bool // rules that have had nothing to do since the graph last changed
	end    time.Time    // zero if there is no limit on the time
}

// Do runs the steps of a schedule, and says in the report why it ended.
func (r *Runner) Do(steps []Step) {
	if r.Report == nil {
		r.Report = &egraph.Report{}
	}
	r.places = make(map[string]int, len(r.Names))
	r.Report.Rules = slices.Grow(r.Report.Rules, len(r.Names))
	if r.Limits.Time > 0 {
		r.end = time.Now().Add(r.Limits.Time)
	}
	if err := r.Graph.Err(); err != nil {
		r.Report.Stop, r.Report.Err = egraph.Contradiction, err
	} else if _, done := r.steps(steps); !done {
		switch {
		case r.Goal != nil && r.Goal():
			r.Report.Stop = egraph.Goal
		case r.Report.Stop == egraph.IterLimit, r.Report.Stop == egraph.Saturated && !r.saturated(steps):
			r.Report.Stop = Ended
		}
	}
	r.Report.Nodes, r.Report.Classes = r.Graph.Size(), r.Graph.Classes()
}

// steps runs steps one after the other. It reports whether the graph changed,
// and is done if the run is over.
func (r *Runner) steps(steps []Step) (changed, done bool) {
	for _, s := range steps {
		more, over := r.step(s)
		changed = changed || more
		if over {
			return changed, true
		}
	}
	return changed, false
}

func (r *Runner) step(s Step) (changed, done bool) {
	if s.Do != nil {
		for k := 0; k < max(s.N, 1) && !done; k++ {
			var more bool
			more, done = r.do(s.Do)
			changed = changed || more
		}
		return changed, done
	}
	if s.Kind == syntax.Run {
		return r.run(s.Rules, s.N)
	}
	for k := 0; s.Kind == syntax.Saturate || s.Kind == syntax.Until || k < s.N; k++ {
		if s.Kind == syntax.Until && s.Until() {
			return changed, false
		}
		more, over := r.steps(s.Steps)
		changed = changed || more
		if over || !more {
			return changed, over
		}
	}
	return changed, false
}

// do runs something that reports for itself.
func (r *Runner) do(run func(egraph.Limits) *egraph.Report) (changed, done bool) {
	if r.spent() {
		return false, true
	}
	if r.Goal != nil && r.Goal() {
		r.Report.Stop = egraph.Goal
		return false, true
	}
	rep := run(r.left(0))
	r.use(rep)
	for _, x := range rep.Rules {
		r.rule(x.Name).Add(x)
		changed = changed || x.Unions > 0
	}
	if changed {
		clear(r.idle)
	}
	return changed, rep.Err != nil || rep.Stop == egraph.Goal
}

// run runs n iterations of rules, without a bound if n is 0.
func (r *Runner) run(rules []int, n int) (changed, done bool) {
	for until := len(r.Report.Iterations) + n; ; {
		left := until - len(r.Report.Iterations)
		switch {
		case r.spent():
			return changed, true
		case n > 0 && left == 0:
			return changed, false
		case n == 0:
			left = 0
		}
		stop, more := r.iterate(rules, left)
		changed = changed || more
		switch stop {
		case egraph.IterLimit:
		case egraph.Saturated, egraph.SymmetryLimit:
			if r.idle == nil {
				r.idle = make(map[int]bool, len(rules))
			}
			set.Add(r.idle, rules...)
			return changed, false
		default:
			return true, true
		}
	}
}

// spent reports whether a limit has been reached.
func (r *Runner) spent() bool {
	switch lim := r.Limits; {
	case lim.Iterations > 0 && len(r.Report.Iterations) >= lim.Iterations:
		r.Report.Stop = egraph.IterLimit
	case lim.Work < 0:
		r.Report.Stop = egraph.WorkLimit
	case lim.Matches < 0:
		r.Report.Stop = egraph.MatchLimit
	default:
		return false
	}
	return true
}

// iterate runs up to n iterations of rules, without a bound if n is 0. It reports
// whether the graph changed.
func (r *Runner) iterate(rules []int, n int) (stop egraph.Stop, changed bool) {
	engine, ends, err := r.engine(rules)
	if err != nil {
		r.Report.Stop, r.Report.Err = egraph.Failed, err
		return egraph.Failed, false
	}
	rep := r.Graph.Continue(&r.past, engine, r.left(n), r.Goal)
	r.merge(rules, ends, rep)
	changed = rep.Stop != egraph.Saturated && rep.Stop != egraph.SymmetryLimit || len(rep.Iterations) > 1
	if changed {
		clear(r.idle)
	}
	return rep.Stop, changed
}

// left is the limits of what runs next, for n iterations unless that is 0.
func (r *Runner) left(n int) egraph.Limits {
	lim := r.Limits
	if lim.Iterations -= len(r.Report.Iterations); r.Limits.Iterations == 0 || n > 0 && n < lim.Iterations {
		lim.Iterations = n
	}
	if !r.end.IsZero() {
		lim.Time = max(1, time.Until(r.end))
	}
	return lim
}

// use adds what a run has used to the report, and takes it off the limits.
func (r *Runner) use(rep *egraph.Report) {
	all := r.Report
	all.Stop, all.Err = rep.Stop, rep.Err
	all.Iterations = append(all.Iterations, rep.Iterations...)
	all.Peak = max(all.Peak, rep.Peak)
	all.Work += rep.Work
	all.Rebuilt += rep.Rebuilt
	// A limit of 0 is none: what is used up is -1, and stops the next step.
	if r.Limits.Matches != 0 {
		r.Limits.Matches = left(r.Limits.Matches, rep.Matches())
	}
	if r.Limits.Work != 0 {
		r.Limits.Work = left(r.Limits.Work, rep.Work)
	}
}

// rule is what the report has of a rule.
func (r *Runner) rule(name string) *egraph.RuleReport {
	place := memo.Place(r.places, &r.Report.Rules, name, egraph.RuleReport{Name: name})
	return &r.Report.Rules[place]
}

// left is what is left of a limit, -1 if nothing is.
func left(limit, used int) int {
	if used >= limit {
		return -1
	}
	return limit - used
}

// engine is rules for the engine, one after the other, and where each ends.
func (r *Runner) engine(rules []int) (out []*egraph.Rule, ends []int, err error) {
	out, ends = make([]*egraph.Rule, 0, len(rules)), make([]int, len(rules))
	for i, x := range rules {
		if r.Only == nil || r.Only[x] {
			if out, err = r.Engine(x, out); err != nil {
				return nil, nil, err
			}
		}
		ends[i] = len(out)
	}
	return out, ends, nil
}

// merge adds the report of an iteration.
func (r *Runner) merge(rules, ends []int, rep *egraph.Report) {
	r.use(rep)
	at := 0
	for i, x := range rules {
		to := r.rule(r.Names[x])
		for ; at < ends[i]; at++ {
			to.Add(rep.Rules[at])
		}
	}
}

// saturated reports whether no rule of the steps had anything to do in the end.
func (r *Runner) saturated(steps []Step) bool {
	return !slices.ContainsFunc(steps, func(s Step) bool {
		return s.Do != nil || !r.saturated(s.Steps) || slices.ContainsFunc(s.Rules, func(x int) bool { return !r.idle[x] })
	})
}
