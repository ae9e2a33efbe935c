package theory

import (
	"math/big"
	"slices"
	"strings"

	"egad/egraph"
)

// Blame proves the contradiction that a run ended with: that two different
// constants are equal, or symbols that a condition told apart, or that a term is
// != to itself. The run is made again with proofs for it. It is nil if there is no
// contradiction. With an error, the proof has gaps.
func (t *Theory) Blame(test *Test, o Options) (*Proof, error) {
	o.Proofs = true
	res := t.Run(test, o)
	if res.Report.Stop != egraph.Contradiction {
		return nil, nil
	}
	x, err := res.Graph.Explainer()
	if err != nil {
		return nil, err
	}
	q, err := t.contradiction(newProver(res, x))
	if err != nil {
		return nil, err
	}
	return q, res.Verify(q)
}

func (t *Theory) contradiction(p *prover) (*Proof, error) {
	p.open = true
	if p.g.Err() != nil {
		raw, err := p.g.Blame()
		if err != nil {
			return nil, err
		}
		t.compute(raw)
		terms := raw.Terms()
		return p.show(raw, terms[0], terms[len(terms)-1])
	}
	if pair := p.g.confused(); pair != nil {
		return p.prove(&egraph.Tree{Op: pair[0].op}, &egraph.Tree{Op: pair[1].op}, -1)
	}
	return p.prove(tree(p.g.irreflexive()), &egraph.Tree{Op: t.holds.op}, -1)
}

// compute goes on from both ends of a chain to the constants that they are.
func (t *Theory) compute(p *egraph.Proof) {
	terms := p.Terms()
	before, after := t.computed(terms[0]), t.computed(terms[len(terms)-1])
	start := egraph.Proof{Start: terms[0], Steps: before}
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
func (t *Theory) computed(u *egraph.Tree) (out []egraph.Step) {
	value := *u
	value.Kids = nil
	for k, kid := range u.Kids {
		steps := t.computed(kid)
		for _, s := range steps {
			s.Path = slices.Insert(slices.Clone(s.Path), 0, k)
			out = append(out, s)
		}
		if n := len(steps); n > 0 && len(steps[n-1].Path) == 0 {
			kid = steps[n-1].To
		}
		value.Kids = append(value.Kids, kid)
	}
	o := t.byOp[u.Op]
	if o.fold == nil {
		return out
	}
	var args []*big.Rat
	for _, kid := range value.Kids {
		x := t.byOp[kid.Op].Number
		if x == nil {
			return out
		}
		args = append(args, x)
	}
	if c := t.folded(o, args); c != nil {
		out = append(out, egraph.Step{Reason: Folded, From: &value, To: &egraph.Tree{Op: c.op}})
	}
	return out
}

// Rules are the names of the rules in a proof, each once, in order; those of
// conditions too.
func (p *Proof) Rules() (out []string) {
	p.walk(func(s *egraph.Step) {
		if s.Rule != nil && !slices.Contains(out, s.Reason) {
			out = append(out, s.Reason)
		}
	})
	return out
}

// Assumptions are the assumptions of the test in a proof, likewise.
func (p *Proof) Assumptions(th *Theory) (out []string) {
	p.walk(func(s *egraph.Step) {
		if s.Rule != nil || s.Reason != Assumed {
			return
		}
		a, b := s.From, s.To
		if s.Reverse {
			a, b = b, a
		}
		text := th.Text(th.term(a), p.names)
		if b.Op != th.holds.op {
			text += " = " + th.Text(th.term(b), p.names)
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	})
	return out
}

// walk calls f for all steps, those of conditions too.
func (p *Proof) walk(f func(s *egraph.Step)) {
	for i := range p.raw.Steps {
		f(&p.raw.Steps[i])
		for _, c := range p.Steps[i].Conditions {
			for _, q := range c.Proofs {
				q.walk(f)
			}
		}
	}
}

// Blamed says what a proof of a contradiction puts the blame on.
func (p *Proof) Blamed(th *Theory) string {
	rules, assumed := strings.Join(p.Rules(), ", "), p.Assumptions(th)
	switch {
	case len(assumed) == 0:
		return "of these rules one is unsound: " + rules
	case rules != "":
		return "of these rules one is unsound, or an assumption is wrong: " + rules + "; assumed: " + strings.Join(assumed, ", ")
	case len(assumed) == 1:
		return "this assumption is wrong: " + assumed[0]
	}
	return "of these assumptions one is wrong: " + strings.Join(assumed, ", ")
}
