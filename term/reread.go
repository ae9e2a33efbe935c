package term

import (
	"egad/internal/slice"
	"egad/slot"
)

// reread reads what a loop has computed where the steps of others compute it again: what a
// loop makes in step e of its state e is its state e + 1. Gradients compute on the way back
// what steps compute, and this is a part of it. Every float64 stays as it is.
func (s *Store) reread(t Term) (Term, map[uint32]Term) {
	like := newLikeness(s, true)
	return s.rewrite(t, func(_ Term, v View) (Term, bool) {
		if v.Op.Sym != SymStates {
			return Term{}, false
		}
		body := s.rereadStep(like, v.Kids[2])
		if body.Equal(v.Kids[2]) {
			return Term{}, false
		}
		v.Kids[2] = body
		return s.MustMake(v.Op, v.Own, v.Binders, v.Kids), true
	})
}

func (s *Store) rereadStep(like *likeness, t Term) Term {
	closed, open := s.closing(t)
	body := s.Subst(t, closed)
	made := make(map[int]Term) // what is read, by what computes it
	// What is the same in all steps is read of no state, as that is simplified to it again.
	moves := func(loop, t Term) bool {
		is := s.reaches(t, loop)
		for _, c := range closed {
			is = is || s.reaches(t, c)
		}
		return is
	}
	s.readsOfLoops(body, open, func(loop, e Term) {
		next := s.stepAt(loop, e)
		for k := range s.stateOf(s.Op(loop).Type).types {
			if by := s.component(k, next); s.works(by) && moves(loop, by) {
				made[like.of(by)] = s.Index(s.component(k, loop), s.Apply(SymAdd, e, s.LitInt(1)))
			}
		}
	})
	if len(made) == 0 {
		return t
	}
	body, _ = s.rewrite(body, func(at Term, _ View) (Term, bool) {
		if len(at.Args) > 0 {
			return Term{}, false
		}
		read, ok := made[like.of(at)]
		return read, ok
	})
	return s.SubstVars(body, open)
}

// readsOfLoops calls f for each state of a loop that a closed step reads, and from which the
// loop goes on: state e, of a loop that has no variables and takes all steps. Open are the
// variables of the step.
func (s *Store) readsOfLoops(step Term, open map[string]Term, f func(loop, e Term)) {
	seen := make(map[[2]uint32]bool)
	s.Walk(step, func(at Term) {
		kids := s.Kids(at)
		if s.Op(at).Sym != SymIndex || len(kids) < 2 || len(kids[1].Args) > 0 {
			return
		}
		loop, e := Term{ID: s.loopOf(kids[0].ID)}, Term{ID: kids[1].ID}
		if s.Op(loop).Sym != SymStates || len(s.Vars(loop)) > 0 || !s.allSteps(loop) || seen[[2]uint32{loop.ID, e.ID}] {
			return
		}
		seen[[2]uint32{loop.ID, e.ID}] = true
		n, _ := s.Op(loop).Sizes[0].Const()
		if r := s.Range(s.SubstVars(e, open)); r.Lo >= 0 && r.Hi < n {
			f(loop, e)
		}
	})
}

// stepAt is what a loop makes of its state e.
func (s *Store) stepAt(loop, e Term) Term {
	v := s.Open(loop)
	states := slice.Make(len(s.stateOf(v.Op.Type).types), func(k int) Term { return s.Index(s.component(k, loop), e) })
	next := s.Arrays(s.Subst(v.Kids[2], map[slot.Name]Term{v.Binders[0]: e}), v.Binders[1], states)
	next, _ = s.rewrite(next, s.indexOfIndex)
	return next
}

// indexOfIndex is an element of what is read of an array as an element of that.
func (s *Store) indexOfIndex(_ Term, v View) (Term, bool) {
	if v.Op.Sym != SymIndex || s.Op(v.Kids[0]).Sym != SymIndex {
		return Term{}, false
	}
	of := s.Open(v.Kids[0]).Kids
	return s.Index(of[0], append(of[1:len(of):len(of)], v.Kids[1:]...)...), true
}
