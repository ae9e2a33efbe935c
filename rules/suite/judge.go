package suite

import (
	"errors"
	"fmt"
	"slices"

	"egad/diag"
	"egad/egraph"
	"egad/rules"
	"egad/rules/runner"
	"egad/rules/syntax"
)

// contradiction is what the graph itself finds to be contradicted, "" if it finds nothing. It
// may look for more at the end of a run.
func (a *attempt) contradiction(atEnd bool) string { return a.Graph.Contradicts(atEnd, a.itself) }

// reached reports whether all that is to be proved holds: then the run is over,
// unless something is to be refuted, or extracted. A contradiction ends it, too.
func (a *attempt) reached() bool {
	if a.contradiction(false) != "" {
		return true
	}
	return !a.past && a.proved()
}

// proved reports whether all that is to be proved holds, and nothing else is asked.
func (a *attempt) proved() bool {
	if len(a.test.Prove) == 0 || len(a.test.Refute)+len(a.test.Extract) > 0 {
		return false
	}
	return !slices.ContainsFunc(a.test.Prove, func(e rules.Equation) bool { return !a.holds(e) })
}

// judge compares what came of a run with options with what the test says.
func (a *attempt) judge(o runner.Options) {
	t, rep := a.test, a.Report
	fail := func(pos diag.Pos, format string, args ...any) {
		a.Failed.Add(t.Src, pos, "%s: %s", a.Name, fmt.Sprintf(format, args...))
	}
	switch err := errors.Unwrap(rep.Err); {
	case err != nil && rep.Stop == egraph.Contradiction:
		fail(t.Name.Pos, "contradiction: %v", err)
		return
	case rep.Err != nil:
		if placed := (*diag.Error)(nil); errors.As(rep.Err, &placed) && placed.Src != nil {
			there := *placed
			there.Msg = a.Name + ": " + there.Msg
			a.Failed.AddError(&there)
			return
		}
		fail(t.Name.Pos, "%v", rep.Err)
		return
	}
	if text := a.contradiction(true); text != "" {
		rep.Stop = egraph.Contradiction
		fail(t.Name.Pos, "contradiction: %s", text)
		return
	}
	for _, e := range t.Prove {
		if !a.holds(e) {
			absent := a.absent(e)
			if absent != "" {
				absent = fmt.Sprintf("; %s is not in the e-graph", absent)
			}
			fail(e.Pos, "not proved: %s%s (%s)", e.Text, absent, rep.Stop)
		}
	}
	for _, e := range t.Refute {
		if a.holds(e) || a.follows(e) {
			fail(e.Pos, "proved, and should not be: %s", e.Text)
		}
	}
	for _, e := range t.Extract {
		if got, want := a.taken(e); got != want {
			fail(e.Pos, "extracted %s, expected %s", got, want)
		}
	}
	other := o.Decided(runner.LimitsOf(t.Test), rep) || a.past && a.proved()
	for _, e := range t.Expect {
		if other && (e.After < 0 || e.After >= len(rep.Iterations)) {
			continue // the figure is for the end that the test has by itself
		}
		want := fmt.Sprint(e.N)
		if e.What == "stop" {
			want = e.Stop
		}
		if got := a.figure(e); got != want {
			what := e.What
			if what == "stop" {
				what = "end of the run"
			}
			if e.After >= 0 {
				what = fmt.Sprintf("%s after iteration %d", what, e.After)
			}
			fail(e.Pos, "%s: %s, expected %s", what, got, want)
		}
	}
}

// figure is what a run has for an expected figure.
func (res *Result) figure(e syntax.Expect) string {
	its := res.Report.Iterations
	it := egraph.Iteration{Nodes: res.Report.Nodes, Classes: res.Report.Classes, Matches: res.Report.Matches()}
	switch {
	case e.What == "stop":
		switch res.Report.Stop {
		case egraph.Saturated:
			return "saturated"
		case egraph.Goal:
			return "goal"
		case runner.Ended:
			return "end"
		}
		return "limit"
	case e.What == "iterations":
		return fmt.Sprint(len(its))
	case e.After == 0:
		it = res.Start
	case e.After > len(its):
		return "none"
	case e.After > 0:
		it = its[e.After-1]
	}
	switch e.What {
	case "nodes":
		return fmt.Sprint(it.Nodes)
	case "classes":
		return fmt.Sprint(it.Classes)
	}
	return fmt.Sprint(it.Matches)
}
