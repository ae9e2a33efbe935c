package saturate

import (
	"errors"
	"slices"

	"egad/egraph"
	"egad/egraph/proof"
	"egad/term"
)

// Contradicted reports whether the rules contradict what is known: by numbers that are
// equal, by atoms that a condition told apart, or by what differs from itself.
func (g *Graph) Contradicted() bool {
	_, confused := g.confused()
	_, irreflexive := g.irreflexive()
	return g.Err() != nil || confused || irreflexive
}

// Contradiction proves what shows that the rules contradict each other: that two
// different constants are equal, or atoms that a condition told apart, or that a term is
// != to itself. Smallest is a term of a class, nil if all are large.
func (p *Prover) Contradiction(smallest func(egraph.Ref) *egraph.Tree) (*Proof, error) {
	l := p.g.language
	if p.g.Err() != nil {
		raw, err := p.x.Blame()
		if err != nil {
			return nil, err
		}
		l.compute(raw)
		terms := raw.Terms()
		return p.show(raw, terms[0], terms[len(terms)-1])
	}
	if pair, ok := p.g.confused(); ok {
		return p.Equal(&egraph.Tree{Op: pair[0]}, &egraph.Tree{Op: pair[1]})
	}
	r, _ := p.g.irreflexive()
	side := smallest(r)
	if side == nil {
		return nil, errors.New("what is said to differ from itself is large")
	}
	op, err := l.op(term.Op{Sym: l.distinct.Sym}, 2)
	if err != nil {
		return nil, err
	}
	return p.Equal(&egraph.Tree{Op: op, Kids: []*egraph.Tree{side, side}}, l.factTree())
}

// Collapsed reports whether all symbols of a sort, of which there are several, are in
// the graph and equal.
func (g *Graph) Collapsed(t *term.Type) bool {
	var first egraph.Ref
	list := g.language.Symbols(t)
	for i, o := range list {
		x, ok := g.Lookup(term.Op{Sym: o.Sym}, nil, nil, nil)
		if i == 0 {
			first = x
		}
		if !ok || !g.Same(x, first) {
			return false
		}
	}
	return len(list) > 1
}

// Collapse proves that the first two symbols of a sort are equal.
func (p *Prover) Collapse(t *term.Type) (*Proof, error) {
	list := p.g.language.Symbols(t)
	a, errA := p.g.language.op(term.Op{Sym: list[0].Sym}, 0)
	b, errB := p.g.language.op(term.Op{Sym: list[1].Sym}, 0)
	if errA != nil || errB != nil {
		return nil, errA
	}
	return p.Equal(&egraph.Tree{Op: a}, &egraph.Tree{Op: b})
}

// compute goes on from both ends of a chain to the constants that they are.
func (l *Language) compute(p *proof.Proof) {
	terms := p.Terms()
	before, after := l.computed(terms[0]), l.computed(terms[len(terms)-1])
	start := proof.Proof{Start: terms[0], Steps: before}
	for _, s := range before {
		s.From, s.To, s.Reverse = s.To, s.From, true
		p.Steps = slices.Insert(p.Steps, 0, s)
	}
	p.Start = start.Terms()[len(before)]
	p.Steps = append(p.Steps, after...)
	// The chain may have passed through the constants before.
	terms = p.Terms()
	is := func(c *egraph.Tree) func(*egraph.Tree) bool {
		return func(u *egraph.Tree) bool { return len(c.Kids) == 0 && u.Op == c.Op }
	}
	if i := slices.IndexFunc(terms, is(terms[len(terms)-1])); i >= 0 {
		p.Steps, terms = p.Steps[:i], terms[:i+1]
	}
	slices.Reverse(terms)
	if i := slices.IndexFunc(terms, is(p.Start)); i >= 0 {
		p.Steps = p.Steps[len(terms)-1-i:]
	}
}

// computed is the steps from a term to its value, the innermost first.
func (l *Language) computed(u *egraph.Tree) (out []proof.Step) {
	value := *u
	value.Kids = nil
	for k, kid := range u.Kids {
		steps := l.computed(kid)
		for _, s := range steps {
			s.Path = slices.Insert(slices.Clone(s.Path), 0, k)
			out = append(out, s)
		}
		if n := len(steps); n > 0 && len(steps[n-1].Path) == 0 {
			kid = steps[n-1].To
		}
		value.Kids = append(value.Kids, kid)
	}
	o := l.info(u.Op)
	if o.fold == nil {
		return out
	}
	args, ok := l.numbers(value.Kids)
	if !ok {
		return out
	}
	if c, ok := l.folded(u.Op, args); ok {
		out = append(out, proof.Step{Reason: Folded, From: &value, To: &egraph.Tree{Op: c}})
	}
	return out
}

// Rules are the names of the rules in a proof, each once, in order; those of
// conditions too.
func (p *Proof) Rules() (out []string) {
	p.walk(func(s *proof.Step) {
		if s.Rule != nil && !slices.Contains(out, s.Reason) {
			out = append(out, s.Reason)
		}
	})
	return out
}

// Assumptions are the assumptions of the test in a proof, likewise.
func (p *Proof) Assumptions(l *Language) (out []string) {
	p.walk(func(s *proof.Step) {
		if s.Rule != nil || s.Reason != Assumed {
			return
		}
		a, b := s.From, s.To
		if s.Reverse {
			a, b = b, a
		}
		text := l.Text(a, p.names)
		if b.Op != l.holds {
			text += " = " + l.Text(b, p.names)
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	})
	return out
}

// walk calls f for all steps, those of conditions too.
func (p *Proof) walk(f func(s *proof.Step)) {
	for i := range p.raw.Steps {
		f(&p.raw.Steps[i])
		for _, c := range p.Steps[i].Conditions {
			for _, q := range c.Proofs {
				q.walk(f)
			}
		}
	}
}
