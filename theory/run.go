package theory

import (
	"fmt"
	"maps"
	"time"

	"egad/egraph"
	"egad/egraph/proof"
	"egad/runner"
	"egad/slot"
)

// Result is what came of a test.
type Result struct {
	*runner.Result
	Test  *Test
	Graph *Graph
	Roots []egraph.Ref // of the terms that the test starts with
	env   *env
	names map[slot.Name]string
	end   time.Time     // of the search for proofs, if that has been set
	time  time.Duration // for the run, and again for its proofs; 0 is no limit
	fault *fault
}

// Faulty reports whether the run shows that rules or assumptions are wrong, for
// [Theory.Blame] to explain: by a contradiction, since all symbols of a sort are
// equal, or because what was to be refuted is proved.
func (res *Result) Faulty() bool { return res.fault != nil }

// Options changes the limits of a run.
type Options = runner.Options

// attempt is a run of a test.
type attempt struct {
	test   *Test
	graph  *Graph
	env    *env
	rep    *egraph.Report
	engine [][]*egraph.Rule // by rule
	block  []egraph.Rule    // for those that are still to be translated
}

// Run runs a test.
func (t *Theory) Run(test *Test, o Options) *Result {
	res, r := t.run(test, o, nil, 0)
	res.fault = r.fault()
	r.claimed(o).Judge(res.Result)
	if f := res.fault; f != nil && f.sort != nil && res.Report.Stop != egraph.Contradiction {
		res.Failed.Add(test.src, test.pos, "%s: collapse: all symbols of the sort %s are equal: %s", test.Name, f.sort.Name, f.sort.listed(t))
	}
	return res
}

// run runs a test with some rules only, if they are told, and with work of so much
// at most, if that is not 0.
func (t *Theory) run(test *Test, o Options, only map[int]bool, work int) (*Result, *attempt) {
	g := t.newGraph(o.Proofs)
	r := &attempt{test: test, graph: g, engine: make([][]*egraph.Rule, len(t.Rules))}
	r.env = &env{g: g, names: make(map[int]slot.Name)}
	limits := o.Limits(test.Limits)
	if work > 0 && (limits.Work == 0 || limits.Work > work) {
		limits.Work = work
	}
	res := &Result{Test: test, Graph: g, time: o.Time}
	for _, n := range test.starts {
		res.Roots = append(res.Roots, r.env.add(n))
	}
	for _, e := range test.assume {
		r.assume(e)
	}
	do := &runner.Runner{Graph: g.Graph, Names: t.names(), Engine: r.engineRules, Limits: limits, Only: only}
	res.Result = r.claimed(o).Run(do, r.steps(test.Schedule))
	r.rep = res.Report
	res.env, res.names = r.env, r.names()
	return res, r
}

// claimed is the test for its graph.
func (r *attempt) claimed(o Options) *runner.Test {
	t := r.test
	claims := func(es []equation) (out []runner.Claim) {
		for _, e := range es {
			out = append(out, runner.Claim{
				Pos: e.pos, Text: e.text, Holds: func() bool { return r.holds(e) }, Follows: func() bool { return r.entailed(e) },
				Absent: func() string { return r.absent(e) },
			})
		}
		return out
	}
	out := &runner.Test{
		Name: t.Name, Src: t.src, Pos: t.pos, Expect: t.expect, Options: o, Prove: claims(t.prove), Refute: claims(t.refute), Contradiction: r.contradiction,
	}
	for _, e := range t.extract {
		out.Extract = append(out.Extract, runner.Choice{
			Pos: e.pos, Got: func() string { return r.smallest(e.a) }, Want: func() string { return r.graph.t.Text(r.env.term(e.b), r.names()) },
		})
	}
	return out
}

// contradiction says what the rules contradict that the engine knows nothing of, and
// at the end of a run also what is said to differ from itself.
func (r *attempt) contradiction(atEnd bool) string {
	if p := r.graph.confused(); p != nil {
		return fmt.Sprintf("%s = %s, and a condition rests on their being different", p[0].Name, p[1].Name)
	}
	if !atEnd {
		return ""
	}
	if x := r.graph.irreflexive(); x != nil {
		return r.graph.t.Text(x, r.names())
	}
	return ""
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

// absent is a side of an equation that is not in the graph, if one is not.
func (r *attempt) absent(e equation) string {
	for _, n := range []*node{e.a, e.b} {
		if n.op == r.graph.t.holds {
			continue
		}
		if _, ok := r.env.find(n); !ok {
			return r.graph.t.Text(r.env.term(n), r.names())
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
