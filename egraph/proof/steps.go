package proof

import (
	"fmt"
	"slices"

	"egad/egraph"
	"egad/slot"
)

// Step replaces the subterm From at a path by To.
type Step struct {
	Path     []int
	Rule     *egraph.Rule // nil if the step is by no rule
	Reason   string       // the rule's name, or [Given] or [Commuted]
	Reverse  bool         // the rule is used from right to left
	From, To *egraph.Tree
	// Left is what the left side matched, if the rule says something of other terms; else it
	// is nil.
	Left *egraph.Tree
	// Vars are the terms of the rule's metavariables, and Bound the names of its
	// bound variables.
	Vars  []*egraph.Tree
	Bound []slot.Name
	// Moment is when the step became possible: what it rests on, conditions of
	// its rule included, can be explained by steps before.
	Moment int

	// scope is, for each part of the path, what the operator there binds in the
	// child, as From and To call it.
	scope [][]slot.Name
}

// The reasons of steps that are no rules: a union that the user of the graph
// made, and the two children of a commutative operator changing places.
const (
	Given    = "given"
	Commuted = "commutativity"
)

// Proof is a chain of terms, each made from the one before by one step.
type Proof struct {
	Start *egraph.Tree
	Steps []Step
}

// Terms lists the terms of the chain.
func (p *Proof) Terms() []*egraph.Tree {
	out := []*egraph.Tree{p.Start}
	for _, s := range p.Steps {
		out = append(out, out[len(out)-1].Replace(s.Path, s.To))
	}
	return out
}

// finish makes a proof of steps that were put together.
func (p *Proof) finish(x *Explainer) error {
	for i := range p.Steps { // the paths were put together from the inside out
		slices.Reverse(p.Steps[i].Path)
		slices.Reverse(p.Steps[i].scope)
	}
	for {
		// Terms that differ in bound names only may have come together.
		if err := p.name(x); err != nil {
			return err
		}
		n := len(p.Steps)
		p.shorten(x.sig)
		if err := p.cancel(x); err != nil {
			return err
		}
		if len(p.Steps) == n {
			return p.name(x)
		}
	}
}

// cancel removes steps that are taken back later, with only steps elsewhere in
// between.
func (p *Proof) cancel(x *Explainer) error {
	sig := x.sig
	from, to := make([]treeSum, len(p.Steps)), make([]treeSum, len(p.Steps))
	for i, s := range p.Steps {
		from[i], to[i] = sum(s.From, sig), sum(s.To, sig)
	}
	gone := make([]bool, len(p.Steps))
	for i := range p.Steps {
		if x.late() {
			return ErrTime
		}
		for j := i + 1; j < len(p.Steps) && !gone[i]; j++ {
			a, b := p.Steps[i].Path, p.Steps[j].Path
			if gone[j] {
				continue
			}
			if slices.Equal(a, b) && from[i] == to[j] && to[i] == from[j] {
				gone[i], gone[j] = true, true
			}
			if n := min(len(a), len(b)); slices.Equal(a[:n], b[:n]) {
				break
			}
		}
	}
	k := -1
	p.Steps = slices.DeleteFunc(p.Steps, func(Step) bool { k++; return gone[k] })
	return nil
}

// shorten cuts out what leads back to a term that was there before.
func (p *Proof) shorten(sig *egraph.Signature) {
	last := make(map[treeSum]int) // the last term with a key
	keys := make([]treeSum, len(p.Steps)+1)
	for i, t := range p.Terms() {
		keys[i] = sum(t, sig)
		last[keys[i]] = i
	}
	var steps []Step
	for i := last[keys[0]]; i < len(p.Steps); i = last[keys[i+1]] {
		steps = append(steps, p.Steps[i])
	}
	p.Steps = steps
}

func reversed(steps []Step) []Step {
	out := make([]Step, len(steps))
	for i, s := range steps {
		s.From, s.To, s.Reverse = s.To, s.From, !s.Reverse
		out[len(steps)-1-i] = s
	}
	return out
}

// copy shares nothing with the step that changes before the proof is finished.
func (s Step) copy() Step {
	s.Path, s.scope, s.Vars, s.Bound = slices.Clone(s.Path), slices.Clone(s.scope), slices.Clone(s.Vars), slices.Clone(s.Bound)
	return s
}

// inside is steps in child k of op, which binds the given names. Paths are from the
// inside out until the proof is finished.
func (x *Explainer) inside(op egraph.Op, k int, binders []slot.Name, steps []Step) []Step {
	if x.headOf(op).Under>>k&1 == 0 {
		binders = nil
	}
	for i := range steps {
		s := &steps[i]
		s.Path, s.scope = append(s.Path, k), append(s.scope, binders)
	}
	return steps
}

// name gives the steps the names that variables have in the terms they are
// applied to.
func (p *Proof) name(x *Explainer) error {
	sig, at := x.sig, p.Start
	for i := range p.Steps {
		if x.late() {
			return ErrTime
		}
		s := &p.Steps[i]
		is := make(map[slot.Name]slot.Name)
		sub := at
		for d, k := range s.Path {
			for j, n := range s.scope[d] {
				is[n] = sub.Binders[j]
			}
			if s.scope[d] != nil {
				s.scope[d] = sub.Binders
			}
			sub = sub.Kids[k]
		}
		s.From, s.To = s.From.Rename(sig, is), s.To.Rename(sig, is)
		if s.Left != nil {
			s.Left = s.Left.Rename(sig, is)
		}
		for k, v := range s.Vars {
			s.Vars[k] = v.Rename(sig, is)
		}
		for k, n := range s.Bound {
			s.Bound[k] = slot.Renamed(is, n)
		}
		if s.From.Key(sig) != sub.Key(sig) {
			return fmt.Errorf("step %d, %s, does not apply to the term before it", i+1, s.Reason)
		}
		at = at.Replace(s.Path, s.To)
	}
	return nil
}
