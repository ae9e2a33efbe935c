package theory

import (
	"errors"
	"fmt"
	"maps"
	"time"

	"egad/diag"
	"egad/egraph"
	"egad/egraph/proof"
	"egad/rules/syntax"
	"egad/runner"
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

// attempt is a run of a test.
type attempt struct {
	test   *Test
	graph  *Graph
	env    *env
	rep    *egraph.Report
	engine [][]*egraph.Rule // by rule
	block  []egraph.Rule    // for those that are still to be translated
	other  bool             // the limits are not those of the test
}

// Run runs a test.
func (t *Theory) Run(test *Test, o Options) *Result {
	res, r := t.run(test, o, nil, 0)
	r.judge(res)
	return res
}

// run runs a test with some rules only, if they are told, and with work of so much
// at most, if that is not 0.
func (t *Theory) run(test *Test, o Options, only map[int]bool, work int) (*Result, *attempt) {
	g := t.newGraph(o.Proofs)
	r := &attempt{test: test, graph: g, engine: make([][]*egraph.Rule, len(t.Rules)), rep: &egraph.Report{}}
	r.other = o != (Options{Proofs: o.Proofs})
	r.env = &env{g: g, names: make(map[int]slot.Name)}
	limits := test.Limits
	limits.Time = o.Time
	if o.Iterations != 0 {
		limits.Iterations = max(o.Iterations, 0)
	}
	if o.Nodes != 0 {
		limits.Nodes = max(o.Nodes, 0)
	}
	if work > 0 && (limits.Work == 0 || limits.Work > work) {
		limits.Work = work
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
	do := runner.Runner{Graph: g.Graph, Names: t.names(), Engine: r.engineRules, Limits: limits, Only: only, Goal: r.reached, Report: r.rep}
	do.Do(r.steps(test.Schedule))
	res.env, res.names = r.env, r.names()
	return res, r
}

// names are the names of the rules.
func (t *Theory) names() []string {
	out := make([]string, len(t.Rules))
	for i, r := range t.Rules {
		out[i] = r.Name
	}
	return out
}

// assume unites the sides of an equation.
func (r *attempt) assume(e equation) {
	if proof.Of(r.graph.Graph) == nil {
		r.graph.Union(r.env.add(e.a), r.env.add(e.b))
		return
	}
	proof.Of(r.graph.Graph).Equate(r.env.tree(e.a), r.env.tree(e.b), Assumed) // the trees are well formed
}

// engineRules translates a rule for the graph, once.
func (r *attempt) engineRules(rule int, to []*egraph.Rule) ([]*egraph.Rule, error) {
	es := r.engine[rule]
	if es == nil {
		x := r.graph.t.Rules[rule]
		if len(r.block) < len(x.programs) {
			r.block = make([]egraph.Rule, len(r.graph.t.Rules)+len(x.programs))
		}
		es, r.block = x.engine(r.graph, r.block)
		for _, e := range es {
			if b, ok := r.test.backoffs[x]; ok {
				e.Backoff = b
			}
			if r.test.noBackoff {
				e.Backoff = egraph.Backoff{}
			}
		}
		r.engine[rule] = es
	}
	return append(to, es...), nil
}

// reached reports whether all that is to be proved holds: then the run is over,
// unless something is to be refuted. A contradiction ends it, too.
func (r *attempt) reached() bool {
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
func (r *attempt) holds(e equation) bool {
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
func (r *attempt) absent(e equation) string {
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
func (r *attempt) entailed(e equation) bool {
	if e.a.binds() || e.b.binds() || r.env.computes(e.a) || r.env.computes(e.b) {
		return r.together(e)
	}
	return r.env.congruent(e.a, e.b)
}

// together adds both sides of an equation and reports whether they are equal; the
// graph stays as it is.
func (r *attempt) together(e equation) bool {
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
func (r *attempt) judge(res *Result) {
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
		if r.other && (e.After < 0 || e.After >= len(r.rep.Iterations)) {
			continue // the figure is for the limits of the test
		}
		want := fmt.Sprint(e.N)
		if e.What == "stop" {
			want = e.Stop
		}
		if got := r.figure(res, e); got != want {
			what := e.What
			if what == "stop" {
				what = "end of the run"
			}
			if e.After >= 0 {
				what = fmt.Sprintf("%s after iteration %d", what, e.After)
			}
			fail(e.Pos, "%s: %s: %s, expected %s", t.Name, what, got, want)
		}
	}
}

// figure is what a run has for an expected figure.
func (r *attempt) figure(res *Result, e syntax.Expect) string {
	its := r.rep.Iterations
	it := egraph.Iteration{Nodes: r.rep.Nodes, Classes: r.rep.Classes, Matches: r.rep.Matches()}
	switch {
	case e.What == "stop":
		switch r.rep.Stop {
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

// smallest is the text of a smallest term that equals n.
func (r *attempt) smallest(n *node) string {
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
func (r *attempt) names() map[slot.Name]string {
	out := make(map[slot.Name]string)
	for _, o := range r.test.scope.open {
		out[r.env.name(o.v)] = o.name
	}
	return out
}
