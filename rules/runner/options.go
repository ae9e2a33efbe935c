package runner

import (
	"time"

	"egad/egraph"
	"egad/rules/syntax"
)

// Options changes the limits of a test; 0 leaves them as the test has them, and -1
// is no limit.
type Options struct {
	Iterations, Nodes int
	Work              int // 0 or a limit on it
	Time              time.Duration
	// Proofs keeps what is needed to prove what a run has proved.
	Proofs bool
	// Past has a run go on when all that is to be proved is proved.
	Past bool
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

// Decided reports whether a run of a test with these limits, rather than its own, ended where one
// with its own would not have: at another limit, or beyond its own.
func (o Options) Decided(own egraph.Limits, rep *egraph.Report) bool {
	lim := o.Limits(own)
	beyond := func(reached, limit int) bool { return limit > 0 && reached > limit }
	switch {
	case rep.Stop == egraph.TimeLimit,
		rep.Stop == egraph.WorkLimit && lim.Work != own.Work,
		rep.Stop == egraph.IterLimit && lim.Iterations != own.Iterations && !beyond(lim.Iterations, len(rep.Iterations)),
		rep.Stop == egraph.NodeLimit && lim.Nodes != own.Nodes && beyond(rep.Peak, lim.Nodes):
		return true
	}
	return beyond(len(rep.Iterations), own.Iterations) || beyond(rep.Peak, own.Nodes)
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
