package extract

import (
	"egad/egraph"
	"egad/saturate"
	"egad/term"
)

// Through puts t on a fresh e-graph, runs the stage, and extracts a term by the
// grammar. Parts of a tuple with an axis of size 0 are literals already and stay
// aside: no such axis enters an e-graph.
func Through(s *term.Store, t term.Term, names map[uint32]term.Hint, grammar *Grammar,
	stage func(g *saturate.Graph, root egraph.Ref) (*egraph.Report, error)) (*Result, *egraph.Report, error) {
	inside, assemble := setAside(s, t)
	if inside == nil {
		return &Result{Root: t, Names: names}, &egraph.Report{Stop: egraph.Saturated}, nil
	}
	g := saturate.New(s.Signature())
	root, err := g.AddTerm(s, *inside, names)
	if err != nil {
		return nil, nil, err
	}
	rep, err := stage(g, root)
	if err != nil {
		return nil, rep, err
	}
	x, err := Extract(g, root, grammar, s)
	if err != nil {
		return nil, rep, err
	}
	err = term.Guard(func() error {
		x.Root = assemble(x.Root)
		return nil
	})
	return x, rep, err
}

// setAside splits a term into the part that can enter an e-graph, nil if there
// is none, and a function that puts the result back together.
func setAside(s *term.Store, t term.Term) (*term.Term, func(term.Term) term.Term) {
	typ := s.Type(t)
	if typ.Kind == term.KArray && typ.HasEmptyAxis() {
		return nil, nil
	}
	if s.Op(t).Sym != term.SymTuple {
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
	whole := s.Apply(term.SymTuple, inside...)
	return &whole, func(r term.Term) term.Term {
		out := make([]term.Term, len(put))
		for i, f := range put {
			out[i] = f(r)
		}
		return s.Apply(term.SymTuple, out...)
	}
}
