// Package suite runs the tests of rule files, for arrays or for languages of their own.
package suite

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"egad/diag"
	"egad/egraph"
	"egad/extract"
	"egad/internal/memo"
	"egad/rules"
	"egad/rules/load"
	"egad/rules/proof"
	"egad/rules/runner"
	"egad/rules/saturate"
	"egad/rules/syntax"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
)

// File is a file of rules with its tests.
type File struct {
	Tests []*rules.Test
	// Language is the one that the file declares, nil if it is about arrays.
	Language *saturate.Language

	// From is an e-graph that is there when tests begin; nil if there is none.
	From *extract.Graph

	by   string // the cost grammar by which terms are taken, whatever tests say
	how  extract.Choosing
	sig  *term.Signature
	sets []*rules.Set   // of the file, called all
	all  *rules.Library // the rules of the file and those of egad
}

// newFile is a file with rules and tests of its own.
func newFile(sig *term.Signature, own, all *rules.Library) *File {
	f := &File{Tests: own.Tests, sig: sig, all: all}
	for _, s := range own.Sets {
		x := *s
		x.Name = syntax.All
		f.sets = append(f.sets, &x)
	}
	return f
}

// Load reads a file; one about arrays over the rules of egad.
func Load(src *diag.Source) (*File, error) {
	if syntax.IsLanguage(src) {
		l, err := load.Language(src)
		if err != nil {
			return nil, err
		}
		f := newFile(l.Signature, l.Library, l.Library)
		if f.Language, err = saturate.NewLanguage(l); err != nil {
			return nil, err
		}
		return f, nil
	}
	sig := term.NewSignature()
	base, err := load.Builtin(sig)
	if err != nil {
		return nil, err
	}
	own, err := load.Over(base, sig, src)
	if err != nil {
		return nil, err
	}
	return newFile(sig, own, base.With(own)), nil
}

// ParseTest reads a test of a file that declares a language, as [load.Test] does.
func (f *File) ParseTest(src *diag.Source) (*rules.Test, error) {
	return load.Test(f.Language.Language, src)
}

// Result is what came of a test.
type Result struct {
	Name   string
	Start  egraph.Iteration // the graph before the first iteration
	Report *egraph.Report
	Failed diag.List // what is not as the test says

	Graph *saturate.Graph
	Roots []egraph.Ref // of the terms that the test starts with

	file  *File
	test  *rules.Test
	kept  *term.Store   // of what is recorded; nil if nothing is
	fault *fault        // nil if the run shows none
	said  []proof.Said  // what was read in, if proofs are kept
	time  time.Duration // for the run, and again for its proofs; 0 is no limit
}

// Run runs a test.
func (f *File) Run(t *rules.Test, o runner.Options) (*Result, error) {
	a := f.newAttempt(t, o.Proofs)
	a.time, a.past = o.Time, o.Past
	_, err := a.run(o, nil)
	var entering *diag.Error
	var read diag.List
	switch {
	case errors.As(err, &read): // of the e-graph that the test begins with
		return nil, err
	case errors.As(err, &entering):
		a.Report, a.Failed = &egraph.Report{Stop: egraph.Failed, Err: err}, diag.List{entering}
		return a.Result, nil
	case err != nil:
		return nil, err
	}
	a.fault = a.shown()
	a.judge(o)
	switch w := a.fault; {
	case w == nil || a.Report.Stop == egraph.Contradiction:
	case w.sort != nil:
		a.Failed.Add(t.Src, t.Name.Pos, "%s: collapse: all symbols of the sort %s are equal: %s", t.Name.Text, w.sort, listed(f.Language, w.sort))
	case w.equal != nil:
		a.Failed.Add(t.Src, t.Name.Pos, "%s: collapse: two inputs are equal, whatever they are: %s", t.Name.Text, w.equal.Text)
	}
	return a.Result, nil
}

// attempt is a run of a test.
type attempt struct {
	*Result
	store *term.Store
	found *saturate.Finder // nil until something is looked for
	past  bool             // the run goes on when all is proved
	// followed says of claims whether they follow.
	followed map[*syntax.Claim]bool
}

// finder finds the terms of the test.
func (a *attempt) finder() *saturate.Finder {
	if a.found == nil {
		a.found = a.Graph.Finder(a.store)
	}
	return a.found
}

// newAttempt is a run with an empty e-graph, which records what proofs need if it is asked to.
func (f *File) newAttempt(t *rules.Test, record bool) *attempt {
	a := &attempt{Result: &Result{Name: t.Name.Text, Graph: f.graph(t), file: f, test: t}, store: t.Program.Store.Clone()}
	if record {
		a.kept = a.store.Clone()
		a.kept.AsWritten = true
		a.Graph.Record(a.kept)
	}
	return a
}

// graph is an empty e-graph for a test.
func (f *File) graph(t *rules.Test) *saturate.Graph {
	if f.Language == nil {
		return saturate.New(t.Program.Store.Signature())
	}
	g := f.Language.New()
	for n := range t.Free { // those of the graph are others
		for g.Fresh() < n {
		}
	}
	return g
}

// All is a test that runs all rules of the file on what was read in.
func (f *File) All(src *diag.Source) *rules.Test {
	name := syntax.Name{Text: syntax.All}
	return &rules.Test{Test: &syntax.Test{Name: name}, Src: src, Program: &term.Program{Store: term.NewStore(f.sig)}}
}

// sameIn unites what an e-graph that is read in says is equal: where proofs are kept, with
// a reason of its own.
func (a *attempt) sameIn() func(x, y egraph.Ref) {
	if a.kept == nil {
		return nil
	}
	return func(x, y egraph.Ref) {
		if a.Graph.Rebuild(); a.Graph.Same(x, y) {
			return
		}
		e := proof.Said{Reason: proof.ReadIn}
		e.A, e.B = a.Graph.Unite(x, y)
		a.said = append(a.said, e)
	}
}

// run runs a test on a graph that is empty, with some rules and assumptions only if
// they are told, until what is to be proved is proved. It gives what ran them.
func (a *attempt) run(o runner.Options, only map[int]bool) (*runner.Runner, error) {
	t, g := a.test, a.Graph
	if a.file.From != nil {
		roots, err := a.file.From.Into(g, a.sameIn())
		if err != nil {
			return nil, err
		}
		a.Roots = roots
	}
	for _, x := range t.Starts {
		r, err := g.AddTerm(a.store, x, nil)
		if err != nil {
			return nil, diag.Errorf(t.Src, t.Name.Pos, "%s: %v", t.Name.Text, err)
		}
		a.Roots = append(a.Roots, r)
	}
	if err := a.assume(only); err != nil {
		return nil, err
	}
	g.Rebuild()
	do, steps := g.Runner(a.file.plan(t, o, a))
	do.Only = only
	a.Start, a.Report = egraph.Iteration{Nodes: do.Graph.Size(), Classes: do.Graph.Classes()}, &egraph.Report{}
	do.Report, do.Goal = a.Report, a.reached
	do.Do(steps)
	g.Finish(a.Report)
	return do, nil
}

// plan is how the rules are run: those of the file, and where steps name them those of
// egad too.
func (f *File) plan(t *rules.Test, o runner.Options, a *attempt) saturate.Plan {
	p := saturate.Plan{Sets: slices.Clip(f.sets), Steps: t.Schedule, Limits: o.Limits(runner.LimitsOf(t.Test)), Until: func(c *syntax.Claim) bool { return a.holds(t.Until[c]) }}
	p.Schedule = func(name string) func(egraph.Limits) *egraph.Report {
		if f.all.Schedule(name) == nil {
			return nil
		}
		return func(lim egraph.Limits) *egraph.Report { return a.scheduled(name, lim) }
	}
	for s := range syntax.Steps(t.Schedule) {
		for _, n := range s.Names {
			if f.all.Named(n.Text) == nil && n.Text != syntax.All {
				continue // a schedule
			}
			known := slices.ContainsFunc(p.Sets, func(s *rules.Set) bool { return s.Name == n.Text })
			if !known {
				p.Sets = append(p.Sets, f.all.Named(n.Text))
			}
		}
	}
	p.Backoff = func(r *rules.Rule) *syntax.Backoff {
		if b := syntax.BackoffOf(r.Known(), r.Set.Name, t.Backoffs); b != nil || t.NoBackoff {
			return b
		}
		return r.Backoff
	}
	return p
}

// scheduled runs a schedule within limits: one that is directed from the terms that the test
// starts with.
func (a *attempt) scheduled(name string, lim egraph.Limits) *egraph.Report {
	rep, err := extract.On(a.Graph, a.Roots, a.file.all, name, extract.How{Time: lim.Time, Limits: lim}, a.reached)
	if rep == nil {
		rep = &egraph.Report{Stop: egraph.Failed}
	}
	rep.Err = err
	return rep
}

// assume unites what the test says is equal, and takes ranges that it says for known;
// but for those assumptions that only tells to leave out.
func (a *attempt) assume(only map[int]bool) error {
	var facts []term.Term
	for i, e := range a.test.Assume {
		if only != nil && !only[assumption(i)] {
			continue
		}
		if err := a.Graph.Say(a.store, e.A, e.B); err != nil {
			return diag.Errorf(a.test.Src, e.Pos, "%s: %v", a.test.Name.Text, err)
		}
		if a.store.IsTrue(e.B) {
			facts = append(facts, e.A)
		}
	}
	a.Graph.Suppose(a.store, facts)
	return nil
}

// isFact reports whether an equation says that something is true.
func (a *attempt) isFact(e rules.Equation) bool { return a.store.IsTrue(e.B) }

// holds reports whether both sides of an equation are in the graph, and equal. A
// term equals itself, in the graph or not.
func (a *attempt) holds(e rules.Equation) bool {
	if e.A.Equal(e.B) {
		return true
	}
	if a.isFact(e) {
		return a.finder().Fact(e.A)
	}
	return a.finder().Equal(e.A, e.B)
}

// follows adds both sides and reports whether they are equal; the graph stays as it
// is. It is asked when a run is over, and remembers what it has found.
func (a *attempt) follows(e rules.Equation) bool {
	if same, known := a.followed[e.Claim]; known {
		return same
	}
	before := a.Graph.Snapshot()
	x, errX := a.Graph.AddTerm(a.store, e.A, nil)
	y, errY := a.Graph.AddTerm(a.store, e.B, nil)
	a.Graph.Rebuild()
	same := errX == nil && errY == nil && (a.Graph.Same(x, y) || a.isFact(e) && a.Graph.Finder(a.store).Fact(e.A))
	if err := a.Graph.Restore(before); err != nil {
		panic(err) // the snapshot is of this graph
	}
	memo.Set(&a.followed, e.Claim, same)
	return same
}

// absent says which side of an equation is not in the graph, "" if both are.
func (a *attempt) absent(e rules.Equation) string {
	there := func(t term.Term) bool {
		_, ok := a.finder().Find(t)
		return ok
	}
	switch fact := a.isFact(e); {
	case !there(e.A) && fact:
		return "it"
	case !there(e.A):
		return "its left side"
	case !fact && !there(e.B):
		return "its right side"
	}
	return ""
}

func (a *attempt) text(t term.Term) string {
	if a.file.Language != nil {
		return a.file.Language.Text(a.store, a.test.Free, t)[0]
	}
	return (&term.Printer{Store: a.store, Index: a.test.Program.Index}).Term(t)
}

// taken says what term is taken of the class of what is extracted, and what is expected: the
// same if that is equal and costs as much.
func (a *attempt) taken(e rules.Equation) (got, want string) {
	want = a.text(e.B)
	r, ok := a.finder().Find(e.A)
	if !ok {
		return "nothing: the term is not in the graph", want
	}
	gr, err := a.file.grammar(a.test)
	if err != nil {
		return "nothing: " + err.Error(), want
	}
	out, err := a.cheapest(r, gr, e.A.Args)
	if err != nil {
		return "nothing: " + err.Error(), want
	}
	if got = a.text(out); got == want {
		return got, want
	}
	if !a.holds(e) {
		return got, want + ", which is not known to be equal"
	}
	if gr == nil && a.Graph.Directed() {
		if a.same(out, e.B) {
			return want, want
		}
		return got, want
	}
	cost, errA := a.cost(out, gr)
	other, errB := a.cost(e.B, gr)
	switch {
	case errA != nil:
		return got, fmt.Sprintf("%s: %v", want, errA)
	case errB != nil:
		return got, fmt.Sprintf("%s: %v", want, errB)
	case cost == other:
		return want, want
	}
	return fmt.Sprintf("%s, which costs %v", got, cost), fmt.Sprintf("%s, which costs %v", want, other)
}

// same reports whether two terms are one, but for the order of operands that commute.
func (a *attempt) same(x, y term.Term) bool {
	g := a.file.graph(a.test)
	r, errX := g.AddTerm(a.store, x, nil)
	s, errY := g.AddTerm(a.store, y, nil)
	return errX == nil && errY == nil && g.Same(r, s)
}

// cost is what a term costs by a grammar, the number of its operators if that is nil.
func (a *attempt) cost(t term.Term, gr *rules.Grammar) (float64, error) {
	if gr == nil {
		return float64(a.store.TreeSizes().Of(t)), nil
	}
	g := a.file.graph(a.test)
	r, err := g.AddTerm(a.store, t, nil)
	if err != nil {
		return 0, err
	}
	x, err := extract.Extract(g, r, gr, a.store, a.file.how, a.scope(t.Args)...)
	if err != nil {
		return 0, err
	}
	return x.Cost, nil
}

// maxTerm bounds the size of an extracted term.
const maxTerm = 1 << 20

// itself is the text of a fact about a class and itself.
func (a *attempt) itself(relation ops.Sym, r slot.Ref) string {
	t, ok := a.smallestOf(r)
	if !ok {
		return "a large term and itself"
	}
	return a.text(a.store.MustMake(ops.Op{Sym: relation}, nil, nil, []term.Term{t, t}))
}
