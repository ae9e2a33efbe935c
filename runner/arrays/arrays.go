// Package arrays runs the tests of rules for arrays.
package arrays

import (
	"errors"
	"math"
	"slices"

	"egad/diag"
	"egad/egraph"
	keep "egad/egraph/proof"
	"egad/extract"
	"egad/rules"
	"egad/rules/syntax"
	"egad/runner"
	"egad/saturate"
	"egad/slot"
	"egad/term"
)

// File is a file of rules for arrays, with its tests.
type File struct {
	Tests []*rules.Test
	own   *rules.Library // of the file
	all   *rules.Library // with the rules of egad
}

// Load reads a file over the rules of egad.
func Load(src *diag.Source) (*File, error) {
	sig := term.NewSignature()
	base, err := rules.Builtin(sig)
	if err != nil {
		return nil, err
	}
	own, err := rules.LoadOver(base, sig, src)
	if err != nil {
		return nil, err
	}
	return &File{Tests: own.Tests, own: own, all: base.With(own)}, nil
}

// Result is what came of a test.
type Result struct {
	*runner.Result
	Graph *saturate.Graph
	Roots []egraph.Ref // of the terms that the test starts with
	// Contradiction explains one with which the run ended; nil if there is none, or
	// no explanation.
	Contradiction *extract.Contradiction

	test *rules.Test
	kept *term.Store // of what is recorded; nil if nothing is
}

// Run runs a test.
func (f *File) Run(t *rules.Test, o runner.Options) (*Result, error) {
	g := saturate.New(t.Program.Store.Signature())
	res := &Result{Graph: g, test: t}
	if o.Proofs {
		res.kept = t.Program.Store.Clone()
		res.kept.AsWritten = true
		g.Record(res.kept)
	}
	var entering *diag.Error
	switch err := f.run(res, o); {
	case errors.As(err, &entering):
		res.Result = &runner.Result{Name: t.Name.Text, Report: &egraph.Report{Stop: egraph.Failed, Err: err}, Failed: diag.List{entering}}
		return res, nil
	case err != nil:
		return nil, err
	}
	if res.Report.Stop == egraph.Contradiction {
		again := &Result{Graph: saturate.New(t.Program.Store.Signature()), test: t}
		keep.Keep(again.Graph.Graph)
		if err := f.run(again, o); err == nil && again.Report.Stop == egraph.Contradiction {
			errors.As(extract.Blame(again.Graph, again.Report.Err), &res.Contradiction)
		}
	}
	return res, nil
}

// run runs a test on a graph that is empty.
func (f *File) run(res *Result, o runner.Options) error {
	t, g := res.test, res.Graph
	a := &attempt{Result: res, store: t.Program.Store.Clone()}
	for _, x := range t.Starts {
		r, err := g.AddTerm(a.store, x, nil)
		if err != nil {
			return diag.Errorf(t.Src, t.Name.Pos, "%s: %v", t.Name.Text, err)
		}
		res.Roots = append(res.Roots, r)
	}
	if err := a.assume(); err != nil {
		return err
	}
	g.Rebuild()
	do, steps := g.Runner(f.plan(t, o, a))
	x := &runner.Test{
		Name: t.Name.Text, Src: t.Src, Pos: t.Name.Pos, Expect: t.Expect, Options: o,
		Prove: a.claims(t.Prove), Refute: a.claims(t.Refute),
	}
	for _, e := range t.Extract {
		x.Extract = append(x.Extract, runner.Choice{Pos: e.Pos, Got: func() string { return a.smallest(e) }, Want: func() string { return a.text(e.B) }})
	}
	res.Result = x.Run(do, steps)
	g.Finish(res.Report)
	x.Judge(res.Result)
	return nil
}

// plan is how the rules are run: those of the file, and where steps name them those of
// egad too.
func (f *File) plan(t *rules.Test, o runner.Options, a *attempt) saturate.Plan {
	p := saturate.Plan{Steps: t.Schedule, Limits: o.Limits(runner.LimitsOf(t.Test)), Until: func(c *syntax.Claim) bool { return a.holds(t.Until[c]) }}
	for _, s := range f.own.Sets {
		all := *s
		all.Name = syntax.All
		p.Sets = append(p.Sets, &all)
	}
	for s := range syntax.Steps(t.Schedule) {
		for _, n := range s.Names {
			known := slices.ContainsFunc(p.Sets, func(s *rules.Set) bool { return s.Name == n.Text })
			if !known {
				p.Sets = append(p.Sets, f.all.Named(n.Text))
			}
		}
	}
	p.Backoff = func(r *rules.Rule) *syntax.Backoff {
		if b := syntax.BackoffOf(r.Name, r.Set.Name, t.Backoffs); b != nil || t.NoBackoff {
			return b
		}
		return r.Backoff
	}
	return p
}

// attempt is a run of a test.
type attempt struct {
	*Result
	store *term.Store
}

// assume unites what the test says is equal.
func (a *attempt) assume() error {
	for _, e := range a.test.Assume {
		x, err := a.Graph.AddTerm(a.store, e.A, nil)
		if err == nil {
			var y slot.Ref
			if y, err = a.Graph.AddTerm(a.store, e.B, nil); err == nil {
				a.Graph.Union(x, y)
			}
		}
		if err != nil {
			return diag.Errorf(a.test.Src, e.Pos, "%s: %v", a.test.Name.Text, err)
		}
	}
	return nil
}

func (a *attempt) claims(es []rules.Equation) []runner.Claim {
	var out []runner.Claim
	for _, e := range es {
		out = append(out, runner.Claim{
			Pos: e.Pos, Text: e.Text,
			Holds: func() bool { return a.holds(e) }, Follows: func() bool { return a.follows(e) }, Absent: func() string { return a.absent(e) },
		})
	}
	return out
}

// holds reports whether both sides of an equation are in the graph, and equal. A
// term equals itself, in the graph or not.
func (a *attempt) holds(e rules.Equation) bool {
	if e.A.Equal(e.B) {
		return true
	}
	x, ok := a.Graph.FindTerm(a.store, e.A)
	if !ok {
		return false
	}
	y, ok := a.Graph.FindTerm(a.store, e.B)
	return ok && a.Graph.Same(x, y)
}

// follows adds both sides and reports whether they are equal; the graph stays as it
// is.
func (a *attempt) follows(e rules.Equation) bool {
	before := a.Graph.Snapshot()
	x, errX := a.Graph.AddTerm(a.store, e.A, nil)
	y, errY := a.Graph.AddTerm(a.store, e.B, nil)
	a.Graph.Rebuild()
	same := errX == nil && errY == nil && a.Graph.Same(x, y)
	if err := a.Graph.Restore(before); err != nil {
		panic(err) // the snapshot is of this graph
	}
	return same
}

func (a *attempt) absent(e rules.Equation) string {
	for _, t := range []term.Term{e.A, e.B} {
		if _, ok := a.Graph.FindTerm(a.store, t); !ok {
			return a.text(t)
		}
	}
	return ""
}

func (a *attempt) text(t term.Term) string {
	return (&term.Printer{Store: a.store, Index: a.test.Program.Index}).Term(t)
}

// smallest is the text of a smallest term that equals what is extracted: as it is
// expected, if they differ in the order of operands only for which that means nothing.
func (a *attempt) smallest(e rules.Equation) string {
	r, ok := a.Graph.FindTerm(a.store, e.A)
	if !ok {
		return "nothing: the term is not in the graph"
	}
	var out term.Term
	err := term.Guard(func() error {
		out, ok = extract.Smallest(a.Graph.Graph, r, math.MaxInt, func(n egraph.Node, kids []term.Term) term.Term {
			return a.store.MustMake(a.Graph.TermOp(n.Op), n.Own, n.Binders, kids)
		})
		return nil
	})
	if err != nil || !ok {
		return "nothing: all terms are large"
	}
	g := saturate.New(a.Graph.Signature())
	x, errX := g.AddTerm(a.store, out, nil)
	if y, errY := g.AddTerm(a.store, e.B, nil); errX == nil && errY == nil && g.Same(x, y) {
		out = e.B
	}
	return a.text(out)
}
