package theory

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"egad/diag"
	"egad/egraph"
	"egad/slot"
)

// Result is what came of a test.
type Result struct {
	Test   *Test
	Graph  *Graph
	Start  egraph.Iteration // the graph before the first iteration
	Report *egraph.Report
	Roots  []egraph.Ref // of the terms that the test starts with
	env    *env
	names  map[slot.Name]string
	end    time.Time     // of the search for proofs, if that has been set
	time   time.Duration // for the run, and again for its proofs; 0 is no limit
	Failed diag.List     // what is not as the test says
	fault  *fault
}

// Faulty reports whether the run shows that rules or assumptions are wrong, for
// [Theory.Blame] to explain: by a contradiction, since all symbols of a sort are
// equal, or because what was to be refuted is proved.
func (res *Result) Faulty() bool { return res.fault != nil }

// Options changes the limits of a run; 0 leaves them as the test has them, and -1
// is no limit. With other limits, figures that the test expects of the last
// iteration or later do not count.
type Options struct {
	Iterations, Nodes int
	Time              time.Duration
	// Proofs keeps what [Result.Proofs] needs.
	Proofs bool
}

// runner is a test at work.
type runner struct {
	test   *Test
	graph  *Graph
	env    *env
	limits egraph.Limits
	rep    *egraph.Report
	engine [][]*egraph.Rule // by rule
	places []int            // by rule: 1 + its place in the report
	past   egraph.Progress
	idle   map[*Rule]bool // rules that have had nothing to do since the graph last changed
	only   map[*Rule]bool // the rules that are applied, nil if all are
	other  bool           // the limits are not those of the test
	end    time.Time      // when the run has to be over; zero if it need not
}

// ScheduleEnd says that a run has done all that its schedule asks for.
const ScheduleEnd egraph.Stop = "end of the schedule"

// Run runs a test.
func (t *Theory) Run(test *Test, o Options) *Result {
	res, r := t.run(test, o, nil, 0)
	r.judge(res)
	return res
}

// run runs a test with some rules only, if they are told, and with work of so much
// at most, if that is not 0.
func (t *Theory) run(test *Test, o Options, only map[*Rule]bool, work int) (*Result, *runner) {
	g := t.newGraph(o.Proofs)
	r := &runner{
		test: test, graph: g, limits: test.Limits, rep: &egraph.Report{},
		engine: make([][]*egraph.Rule, len(t.Rules)), places: make([]int, len(t.Rules)), only: only,
	}
	r.other = o != (Options{Proofs: o.Proofs})
	r.env = &env{g: g, names: make(map[int]slot.Name)}
	if o.Iterations != 0 {
		r.limits.Iterations = max(o.Iterations, 0)
	}
	if o.Nodes != 0 {
		r.limits.Nodes = max(o.Nodes, 0)
	}
	if work > 0 && (r.limits.Work == 0 || r.limits.Work > work) {
		r.limits.Work = work
	}
	if o.Time > 0 {
		r.end = time.Now().Add(o.Time)
	}
	res := &Result{Test: test, Graph: g, Report: r.rep, time: o.Time}
	for _, n := range test.starts {
		res.Roots = append(res.Roots, r.env.add(n))
	}
	for _, e := range test.assume {
		r.assume(e)
	}
	g.Rebuild()
	res.Start = egraph.Iteration{Nodes: g.Size(), Classes: g.Classes()}
	if g.Err() == nil {
		_, done := r.steps(test.Schedule)
		switch {
		case done:
		case r.reached():
			r.rep.Stop = egraph.Goal
		case r.rep.Stop == egraph.IterLimit, r.rep.Stop == egraph.Saturated && !r.saturated(test.Schedule):
			r.rep.Stop = ScheduleEnd
		}
	} else {
		r.rep.Stop, r.rep.Err = egraph.Contradiction, g.Err()
	}
	r.rep.Nodes, r.rep.Classes = g.Size(), g.Classes()
	res.env, res.names = r.env, r.names()
	return res, r
}

// assume unites the sides of an equation.
func (r *runner) assume(e equation) {
	if !r.graph.KeepsProofs() {
		r.graph.Union(r.env.add(e.a), r.env.add(e.b))
		return
	}
	r.graph.UnionTrees(r.env.tree(e.a), r.env.tree(e.b), Assumed) // the trees are well formed
}

// engineRules translates rules for the graph, once.
func (r *runner) engineRules(rules []*Rule) []*egraph.Rule {
	n := 0
	for _, x := range rules {
		n += len(x.programs)
	}
	out, block := make([]*egraph.Rule, 0, n), make([]egraph.Rule, n)
	for _, x := range rules {
		es := r.engine[x.index]
		if es == nil {
			es, block = x.engine(r.graph, block)
			for _, e := range es {
				if b, ok := r.test.backoffs[x]; ok {
					e.Backoff = b
				}
				if r.test.noBackoff {
					e.Backoff = egraph.Backoff{}
				}
			}
			r.engine[x.index] = es
		}
		out = append(out, es...)
	}
	return out
}

// merge adds the report of a part of the run.
func (r *runner) merge(rules []*Rule, rep *egraph.Report) {
	r.rep.Stop, r.rep.Err = rep.Stop, rep.Err
	r.rep.Iterations = append(r.rep.Iterations, rep.Iterations...)
	r.rep.Work += rep.Work
	r.rep.Rebuilt += rep.Rebuilt
	at := 0
	r.rep.Rules = slices.Grow(r.rep.Rules, len(r.places)-len(r.rep.Rules))
	for _, x := range rules {
		if r.places[x.index] == 0 {
			r.rep.Rules = append(r.rep.Rules, egraph.RuleReport{Name: x.Name})
			r.places[x.index] = len(r.rep.Rules)
		}
		i := r.places[x.index] - 1
		for range x.programs {
			r.rep.Rules[i].Matches += rep.Rules[at].Matches
			r.rep.Rules[i].Unions += rep.Rules[at].Unions
			r.rep.Rules[i].Bans += rep.Rules[at].Bans
			r.rep.Rules[i].Search += rep.Rules[at].Search
			r.rep.Rules[i].Apply += rep.Rules[at].Apply
			at++
		}
	}
}

// reached reports whether all that is to be proved holds: then the run is over,
// unless something is to be refuted. A contradiction ends it, too.
func (r *runner) reached() bool {
	if r.graph.confused() != nil {
		return true
	}
	if len(r.test.prove) == 0 || len(r.test.refute) > 0 {
		return false
	}
	for _, e := range r.test.prove {
		if !r.holds(e) {
			return false
		}
	}
	return true
}

// holds reports whether both sides of an equation are in the graph, and equal. A
// term equals itself, in the graph or not.
func (r *runner) holds(e equation) bool {
	if e.same {
		return true
	}
	if e.mirror != nil {
		return r.env.fact(e.a, e.mirror)
	}
	a, ok := r.env.find(e.a)
	if !ok {
		return false
	}
	b, ok := r.env.find(e.b)
	return ok && r.graph.Same(a, b)
}

// absent says which side of an equation is not in the graph, if one is not.
func (r *runner) absent(e equation) string {
	for _, n := range []*node{e.a, e.b} {
		if n.op == r.graph.t.holds {
			continue
		}
		if _, ok := r.env.find(n); !ok {
			return fmt.Sprintf("; %s is not in the e-graph", r.graph.t.Text(r.env.term(n), r.names()))
		}
	}
	return ""
}

// entailed reports whether an equation of which a side is not in the graph
// follows from what is in it: whether it would hold if both were.
func (r *runner) entailed(e equation) bool {
	if e.a.binds() || e.b.binds() || r.env.computes(e.a) || r.env.computes(e.b) {
		return r.together(e)
	}
	return r.env.congruent(e.a, e.b)
}

// together adds both sides of an equation and reports whether they are equal; the
// graph stays as it is.
func (r *runner) together(e equation) bool {
	before := r.graph.Snapshot()
	env := &env{g: r.graph, names: maps.Clone(r.env.names)}
	a, b := env.add(e.a), env.add(e.b)
	r.graph.Rebuild()
	same := r.graph.Same(a, b) || e.mirror != nil && env.fact(e.a, e.mirror)
	if err := r.graph.Restore(before); err != nil {
		panic(err) // the snapshot is of this graph
	}
	return same
}

// judge compares what came of the test with what it says.
func (r *runner) judge(res *Result) {
	t := r.test
	res.fault = r.fault()
	fail := func(pos diag.Pos, format string, args ...any) { res.Failed.Add(t.src, pos, format, args...) }
	switch err := errors.Unwrap(r.rep.Err); {
	case err != nil && r.rep.Stop == egraph.Contradiction:
		fail(t.pos, "%s: contradiction: %v", t.Name, err)
		return
	case r.rep.Err != nil:
		fail(t.pos, "%s: %v", t.Name, r.rep.Err)
		return
	}
	if p := r.graph.confused(); p != nil {
		r.rep.Stop = egraph.Contradiction
		fail(t.pos, "%s: contradiction: %s = %s, and a condition rests on their being different", t.Name, p[0].Name, p[1].Name)
		return
	}
	if x := r.graph.irreflexive(); x != nil {
		r.rep.Stop = egraph.Contradiction
		fail(t.pos, "%s: contradiction: %s", t.Name, r.graph.t.Text(x, r.names()))
		return
	}
	if f := res.fault; f != nil && f.sort != nil {
		fail(t.pos, "%s: collapse: all symbols of the sort %s are equal: %s", t.Name, f.sort.Name, f.sort.listed(r.graph.t))
	}
	for _, e := range t.prove {
		if !r.holds(e) {
			fail(e.pos, "%s: not proved: %s%s (%s)", t.Name, e.text, r.absent(e), r.rep.Stop)
		}
	}
	for _, e := range t.refute {
		if r.holds(e) || r.entailed(e) {
			fail(e.pos, "%s: proved, and should not be: %s", t.Name, e.text)
		}
	}
	for _, e := range t.extract {
		want := r.graph.t.Text(r.env.term(e.b), r.names())
		if got := r.smallest(e.a); got != want {
			fail(e.pos, "%s: extracted %s, expected %s", t.Name, got, want)
		}
	}
	for _, e := range t.expect {
		if r.other && (e.after < 0 || e.after >= len(r.rep.Iterations)) {
			continue // the figure is for the limits of the test
		}
		want := fmt.Sprint(e.n)
		if e.what == "stop" {
			want = e.text
		}
		if got := r.figure(res, e); got != want {
			what := e.what
			if what == "stop" {
				what = "end of the run"
			}
			if e.after >= 0 {
				what = fmt.Sprintf("%s after iteration %d", what, e.after)
			}
			fail(e.pos, "%s: %s: %s, expected %s", t.Name, what, got, want)
		}
	}
}

// figure is what a run has for an expected figure.
func (r *runner) figure(res *Result, e expectDecl) string {
	its := r.rep.Iterations
	it := egraph.Iteration{Nodes: r.rep.Nodes, Classes: r.rep.Classes, Matches: r.rep.Matches()}
	switch {
	case e.what == "stop":
		switch r.rep.Stop {
		case egraph.Saturated:
			return "saturated"
		case egraph.Goal:
			return "goal"
		case ScheduleEnd:
			return "end"
		}
		return "limit"
	case e.what == "iterations":
		return fmt.Sprint(len(its))
	case e.after == 0:
		it = res.Start
	case e.after > len(its):
		return "none"
	case e.after > 0:
		it = its[e.after-1]
	}
	switch e.what {
	case "nodes":
		return fmt.Sprint(it.Nodes)
	case "classes":
		return fmt.Sprint(it.Classes)
	}
	return fmt.Sprint(it.Matches)
}

// smallest is the text of a smallest term that equals n.
func (r *runner) smallest(n *node) string {
	ref, ok := r.env.find(n)
	if !ok {
		return "nothing: the term is not in the graph"
	}
	t, ok := r.graph.Smallest(ref)
	if !ok {
		return "nothing: all terms are large"
	}
	return r.graph.t.Text(t, r.names())
}

// names are the names of the free variables of the test.
func (r *runner) names() map[slot.Name]string {
	out := make(map[slot.Name]string)
	for _, v := range r.test.scope.open {
		out[r.env.name(v)] = r.test.scope.vars[v].name
	}
	return out
}
