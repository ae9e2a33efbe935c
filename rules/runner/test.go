package runner

import (
	"errors"
	"fmt"
	"time"

	"egad/diag"
	"egad/egraph"
	"egad/rules/syntax"
)

// Options changes the limits of a test; 0 leaves them as the test has them, and -1
// is no limit. With other limits, figures that the test expects of the last
// iteration or later do not count.
type Options struct {
	Iterations, Nodes int
	Work              int // 0 or a limit on it
	Time              time.Duration
	// Proofs keeps what is needed to prove what a run has proved.
	Proofs bool
}

// Limits of a test that does not say others.
const (
	defaultIterations = 30
	defaultNodes      = 10_000
	defaultBytes      = 1_000_000_000
)

// LimitsOf is the limits of a test.
func LimitsOf(d *syntax.Test) egraph.Limits {
	out := egraph.Limits{Iterations: defaultIterations, Nodes: defaultNodes, Bytes: defaultBytes, Naive: d.Naive}
	for _, l := range d.Limits {
		switch l.What.Text {
		case "iterations":
			out.Iterations = l.N
		case "nodes":
			out.Nodes = l.N
		case "matches":
			out.Matches = l.N
		case "work":
			out.Work = l.N
		case "bytes":
			out.Bytes = l.N
		}
	}
	return out
}

// Limits is limits as the options have them.
func (o Options) Limits(lim egraph.Limits) egraph.Limits {
	lim.Time = o.Time
	if o.Iterations != 0 {
		lim.Iterations = max(o.Iterations, 0)
	}
	if o.Nodes != 0 {
		lim.Nodes = max(o.Nodes, 0)
	}
	if o.Work > 0 && (lim.Work == 0 || lim.Work > o.Work) {
		lim.Work = o.Work
	}
	return lim
}

// Test is a test at work on an e-graph.
type Test struct {
	Name          string
	Src           *diag.Source
	Pos           diag.Pos
	Prove, Refute []Claim
	Extract       []Choice
	Expect        []syntax.Expect
	Options       Options
	// Contradiction is what the language itself finds to be contradicted, "" if it
	// finds nothing. It may look for more at the end of a run.
	Contradiction func(atEnd bool) string
}

// Claim is something that a test says of terms.
type Claim struct {
	Pos   diag.Pos
	Text  string
	Holds func() bool // the terms are in the graph, and it is so
	// Follows reports, if a term is not in the graph, whether it would be so if all
	// were.
	Follows func() bool
	// Absent names a term that is not in the graph, "" if all are.
	Absent func() string
}

// Choice is what is extracted, and what should be, as text.
type Choice struct {
	Pos       diag.Pos
	Got, Want func() string
}

// Result is what came of a test.
type Result struct {
	Name   string
	Start  egraph.Iteration // the graph before the first iteration
	Report *egraph.Report
	Failed diag.List // what is not as the test says
}

// Run runs the steps of a test, until what is to be proved is proved.
func (t *Test) Run(r *Runner, steps []Step) *Result {
	res := &Result{Name: t.Name, Report: &egraph.Report{}}
	r.Graph.Rebuild()
	res.Start = egraph.Iteration{Nodes: r.Graph.Size(), Classes: r.Graph.Classes()}
	r.Report, r.Goal = res.Report, t.reached
	r.Do(steps)
	return res
}

// reached reports whether all that is to be proved holds: then the run is over,
// unless something is to be refuted. A contradiction ends it, too.
func (t *Test) reached() bool {
	if t.Contradiction(false) != "" {
		return true
	}
	if len(t.Prove) == 0 || len(t.Refute) > 0 {
		return false
	}
	for _, c := range t.Prove {
		if !c.Holds() {
			return false
		}
	}
	return true
}

// Judge compares what came of the test with what it says.
func (t *Test) Judge(res *Result) {
	rep := res.Report
	fail := func(pos diag.Pos, format string, args ...any) {
		res.Failed.Add(t.Src, pos, "%s: %s", t.Name, fmt.Sprintf(format, args...))
	}
	switch err := errors.Unwrap(rep.Err); {
	case err != nil && rep.Stop == egraph.Contradiction:
		fail(t.Pos, "contradiction: %v", err)
		return
	case rep.Err != nil:
		fail(t.Pos, "%v", rep.Err)
		return
	}
	if text := t.Contradiction(true); text != "" {
		rep.Stop = egraph.Contradiction
		fail(t.Pos, "contradiction: %s", text)
		return
	}
	for _, c := range t.Prove {
		if !c.Holds() {
			absent := c.Absent()
			if absent != "" {
				absent = fmt.Sprintf("; %s is not in the e-graph", absent)
			}
			fail(c.Pos, "not proved: %s%s (%s)", c.Text, absent, rep.Stop)
		}
	}
	for _, c := range t.Refute {
		if c.Holds() || c.Follows() {
			fail(c.Pos, "proved, and should not be: %s", c.Text)
		}
	}
	for _, c := range t.Extract {
		if got, want := c.Got(), c.Want(); got != want {
			fail(c.Pos, "extracted %s, expected %s", got, want)
		}
	}
	other := t.Options != Options{Proofs: t.Options.Proofs}
	for _, e := range t.Expect {
		if other && (e.After < 0 || e.After >= len(rep.Iterations)) {
			continue // the figure is for the limits of the test
		}
		want := fmt.Sprint(e.N)
		if e.What == "stop" {
			want = e.Stop
		}
		if got := res.figure(e); got != want {
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
		case Ended:
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
