package ad

import (
	"egad/term"
	"egad/term/ops"
)

// Step is a term of a program that changes with the inputs, and how.
type Step struct {
	Term term.Term
	Uses []Use
}

// Use is an operand of a term: an input, or the term of a step before, with the local map
// from its change to that of the term.
type Use struct {
	Of, Map term.Term
}

// Steps lists the terms that change with the inputs, operands first. Some are none of the
// program, but stand for what a loop takes from outside.
func (j *Jacobian) Steps() []Step {
	if j == nil || j.lin == nil {
		return nil
	}
	var out []Step
	known := make(map[string]bool)
	for _, t := range j.lin.order {
		step := Step{Term: t}
		for _, e := range j.lin.edges[term.TermKey(t)] {
			step.Uses = append(step.Uses, Use{e.kid, e.local})
		}
		if step.Uses != nil {
			out = append(out, step)
			known[term.TermKey(t)] = true
		}
	}
	// A tuple of all that a loop results in is the loop, whose components are no operands.
	s := j.lin.s
	for i, t := range j.Out {
		if known[term.TermKey(t)] || s.Op(t).Sym != ops.SymProj || len(j.Out) == 1 {
			continue
		}
		if all := s.Open(t).Kids[0]; known[term.TermKey(all)] {
			m := s.MustMake(ops.Op{Sym: ops.SymLproj, N: i, Type: j.Codomain}, nil, nil, nil)
			out = append(out, Step{t, []Use{{all, m}}})
		}
	}
	return out
}
