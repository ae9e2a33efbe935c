package extract

import (
	"errors"

	"egad/egraph"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/saturate"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Stage rewrites an e-graph that holds a term in the class of root.
type Stage func(g *saturate.Graph, root egraph.Ref) (*egraph.Report, error)

// Run is what a stage did to a term. Its e-graph is not kept, but for a proof: a run is
// deterministic, and [Run.Before] and [Run.After] make the graph again.
type Run struct {
	egraph.Report
	Start egraph.Iteration // the size of the e-graph before the stage
	Cost  float64          // of the extracted term, by the grammar
	Known string           // what else is known of the cost, after a semicolon
	// Assumed lists the assumptions of rules that were applied without a proof of
	// them.
	Assumed []saturate.Assumption

	store   *term.Store
	in      *term.Term // what was put on the e-graph; nil if nothing was
	names   map[uint32]term.Hint
	grammar *rules.Grammar
	how     Choosing
	stage   Stage
	without []string // rules that are left out
	kept    *kept    // what is kept for a proof, nil if nothing is
}

// Grammar returns the name of the grammar by which the run extracts.
func (r *Run) Grammar() string { return r.grammar.Name }

// Method returns the name of the way in which the run chooses, empty for that by shared costs.
func (r *Run) Method() string {
	if r.how.Method == byShares {
		return ""
	}
	return r.how.Method
}

// Snapshot is an e-graph of a run.
type Snapshot struct {
	Graph  *saturate.Graph
	Root   egraph.Ref
	Result *Result // nil before the stage
}

// Before makes the e-graph as it was before the stage.
func (r *Run) Before() (*Snapshot, error) {
	if r.in == nil {
		return nil, errors.New("there is no e-graph of a program without elements")
	}
	g := saturate.New(r.store.Signature())
	g.Brief = true
	g.LeaveOut(r.without...)
	g.Stop = r.store.Stop
	if r.kept != nil {
		r.kept.store = r.store.Clone()
		r.kept.store.AsWritten = true
		g.Record(r.kept.store)
	}
	root, err := g.AddTerm(r.store, *r.in, r.names)
	if err != nil {
		return nil, err
	}
	g.Rebuild()
	return &Snapshot{Graph: g, Root: root}, nil
}

// After makes the e-graph as it was after the stage, and extracts from it. An
// error of the stage comes with the graph that it left.
func (r *Run) After() (*Snapshot, error) {
	again := *r
	again.store = r.store.Clone()
	s, _, err := again.repeat()
	return s, err
}

func (r *Run) repeat() (*Snapshot, *egraph.Report, error) {
	s, err := r.Before()
	if err != nil {
		return nil, nil, err
	}
	r.Start = egraph.Iteration{Nodes: s.Graph.Size(), Classes: s.Graph.Classes()}
	rep, err := r.stage(s.Graph, s.Root)
	r.Assumed = s.Graph.Assumed()
	if err == nil {
		err = r.store.Stop.Check() // nobody waits for what would be extracted
	}
	if err != nil {
		return s, rep, err
	}
	s.Result, err = Extract(s.Graph, s.Root, r.grammar, r.store, r.how)
	if err == nil && r.kept != nil {
		r.kept.after = s
	}
	return s, rep, err
}

// Way is how a stage is gone through: [Through], [Choosing.Way], or what a [Replay]
// does.
type Way func(s *term.Store, t term.Term, names map[uint32]term.Hint, grammar *rules.Grammar, stage Stage) (*Result, *Run, error)

// Through puts t on a fresh e-graph, runs the stage, and extracts a term by the
// grammar. Parts of a tuple with an axis of size 0 are literals already and stay
// aside: no such axis enters an e-graph. After an error there may be a run.
func Through(s *term.Store, t term.Term, names map[uint32]term.Hint, grammar *rules.Grammar, stage Stage) (*Result, *Run, error) {
	return Choosing{}.Way(false)(s, t, names, grammar, stage)
}

// Way goes through a stage as [Through] does, but for how terms are chosen. With record, what is needed for a
// proof is kept: [Run.Prove] need not do the run again.
func (h Choosing) Way(record bool) Way {
	return func(s *term.Store, t term.Term, names map[uint32]term.Hint, grammar *rules.Grammar, stage Stage) (*Result, *Run, error) {
		run := &Run{store: s, names: names, grammar: grammar, how: h, stage: stage}
		if record {
			run.kept = &kept{}
		}
		return through(run, t)
	}
}

func through(run *Run, t term.Term) (*Result, *Run, error) {
	inside, assemble := setAside(run.store, t)
	run.in = inside
	if inside == nil {
		run.Stop = egraph.Saturated
		return &Result{Root: t, Names: run.names}, run, nil
	}
	snap, rep, err := run.repeat()
	if rep != nil {
		run.Report = *rep
	}
	if rep != nil && rep.Stop == egraph.Contradiction {
		return nil, run, run.blame(err)
	}
	if err != nil {
		return nil, run, err
	}
	x := snap.Result
	run.Cost, run.Known = x.Cost, x.Known
	err = overflow.Guard(func() error {
		x.Root = assemble(x.Root)
		return nil
	})
	return x, run, err
}

// setAside splits a term into the part that can enter an e-graph, nil if there
// is none, and a function that puts the result back together.
func setAside(s *term.Store, t term.Term) (*term.Term, func(term.Term) term.Term) {
	typ := s.Type(t)
	if typ.Kind == types.KArray && typ.HasEmptyAxis() {
		return nil, nil
	}
	if s.Op(t).Sym != ops.SymTuple {
		return &t, func(r term.Term) term.Term { return r }
	}
	kids := s.OpenWith(t, nil).Kids
	var inside []term.Term
	put := make([]func(term.Term) term.Term, len(kids))
	for i, k := range kids {
		in, back := setAside(s, k)
		if in == nil {
			put[i] = func(term.Term) term.Term { return k }
			continue
		}
		n := len(inside)
		inside = append(inside, *in)
		put[i] = func(r term.Term) term.Term { return back(s.Proj(n, r)) }
	}
	if len(inside) == 0 {
		return nil, nil
	}
	whole := s.Apply(ops.SymTuple, inside...)
	return &whole, func(r term.Term) term.Term {
		return s.Apply(ops.SymTuple, slice.Map(put, func(f func(term.Term) term.Term) term.Term { return f(r) })...)
	}
}
