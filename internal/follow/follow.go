// Package follow follows the steps of proofs, for tests: it knows terms, and neither rules nor
// e-graphs.
package follow

import (
	"errors"
	"fmt"
	"slices"

	"egad/rules/proof"
	"egad/slot"
	"egad/term"
)

// Chain makes the steps of a chain, and of those that it rests on, one after the other. It is an
// error if one of them is not about the part of the whole term that is at its place then, if steps
// that are made again lead elsewhere, or if the last one does not leave the right side.
func Chain(s *term.Store, c *proof.Chain) error {
	was := s.AsWritten
	s.AsWritten = true
	defer func() { s.AsWritten = was }()
	whole := []term.Term{c.From}
	for i := range c.Steps {
		x := &c.Steps[i]
		next, err := change(s, whole[i], x.Path, x.Scope, func(t term.Term) (term.Term, error) {
			if !t.Equal(x.From) {
				return t, errors.New("another term is at its place")
			}
			return x.To, nil
		})
		if err == nil && x.Link == nil {
			err = again(s, c, i, whole)
		}
		for _, q := range x.As {
			err = errors.Join(err, Chain(s, q))
		}
		if err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		whole = append(whole, next)
	}
	if !whole[len(c.Steps)].Equal(c.To) {
		return errors.New("the last term is another")
	}
	return nil
}

// again checks that steps that are made again prove what the step says, whatever variables are called.
func again(s *term.Store, c *proof.Chain, i int, whole []term.Term) error {
	x := &c.Steps[i]
	if x.First < 1 || x.Last <= x.First || x.Last > i {
		return errors.New("it repeats what is not before it")
	}
	var scope []proof.Bound
	for k := x.First - 1; k < x.Last; k++ {
		u := &c.Steps[k]
		if len(u.Path) < len(x.At) || !slices.Equal(u.Path[:len(x.At)], x.At) {
			return errors.New("it repeats a step elsewhere")
		}
		scope = u.Scope
	}
	var ends [2]term.Term
	for k, n := range []int{x.First - 1, x.Last} {
		if _, err := change(s, whole[n], x.At, scope, func(t term.Term) (term.Term, error) {
			ends[k] = t
			return t, nil
		}); err != nil {
			return err
		}
	}
	if !slot.Alike(ends[0], ends[1], x.From, x.To) {
		return errors.New("it repeats steps to something else")
	}
	return nil
}

// change replaces the part of a term at a path, where some variables are bound.
func change(s *term.Store, t term.Term, path proof.Path, scope []proof.Bound, by func(term.Term) (term.Term, error)) (term.Term, error) {
	if len(path) == 0 {
		return by(t)
	}
	k, o := path[0]-1, s.Signature().Operator(s.Op(t).Sym)
	var binders []slot.Name
	for b := range s.Binders(t) {
		n := s.Fresh()
		if o.Under(k) {
			if b >= len(scope) {
				return t, errors.New("a variable of its scope is missing")
			}
			n = scope[b].Name
		}
		binders = append(binders, n)
	}
	if o.Under(k) {
		scope = scope[len(binders):]
	}
	v := s.OpenWith(t, binders)
	if k < 0 || k >= len(v.Kids) {
		return t, errors.New("there is no such place")
	}
	u, err := change(s, v.Kids[k], path[1:], scope, by)
	if err != nil {
		return t, err
	}
	v.Kids[k] = u
	out, made := s.Make(v.Op, v.Own, binders, v.Kids)
	if made != nil {
		return t, made
	}
	return out, nil
}
