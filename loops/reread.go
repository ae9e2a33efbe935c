package loops

import (
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
)

// reread reads what a loop has computed where the steps of others compute it again: what a
// loop makes in step e of its state e is its state e + 1. Gradients compute on the way back
// what steps compute, and this is a part of it. Every float64 stays as it is.
func reread(s *term.Store, t term.Term) (term.Term, map[uint32]term.Term) {
	like := newLikeness(s, true)
	return s.Rewrite(t, func(_ term.Term, v term.View) (term.Term, bool) {
		if v.Op.Sym != ops.SymStates {
			return term.Term{}, false
		}
		body := rereadStep(s, like, v.Kids[2])
		if body.Equal(v.Kids[2]) {
			return term.Term{}, false
		}
		v.Kids[2] = body
		return s.MustMake(v.Op, v.Own, v.Binders, v.Kids), true
	})
}

func rereadStep(s *term.Store, like *likeness, t term.Term) term.Term {
	closed, open := closing(s, t)
	body := s.Subst(t, closed)
	made := make(map[int]term.Term) // what is read, by what computes it
	// What is the same in all steps is read of no state, as that is simplified to it again.
	moves := func(loop, t term.Term) bool {
		is := reaches(s, t, loop)
		for _, c := range closed {
			is = is || reaches(s, t, c)
		}
		return is
	}
	readsOfLoops(s, body, open, func(loop, e term.Term) {
		next := stepAt(s, loop, e)
		for k := range s.StateOf(s.Op(loop).Type).Types {
			if by := s.Component(k, next); takesLong(s, by) && moves(loop, by) {
				made[like.of(by)] = s.Index(s.Component(k, loop), s.Apply(ops.SymAdd, e, s.LitInt(1)))
			}
		}
	})
	if len(made) == 0 {
		return t
	}
	body, _ = s.Rewrite(body, func(at term.Term, _ term.View) (term.Term, bool) {
		if len(at.Args) > 0 {
			return term.Term{}, false
		}
		read, ok := made[like.of(at)]
		return read, ok
	})
	return s.SubstVars(body, open)
}

// readsOfLoops calls f for each state of a loop that a closed step reads, and from which the
// loop goes on: state e, of a loop that has no variables and takes all steps. Open are the
// variables of the step.
func readsOfLoops(s *term.Store, step term.Term, open map[string]term.Term, f func(loop, e term.Term)) {
	seen := make(map[[2]uint32]bool)
	s.Walk(step, func(at term.Term) {
		kids := s.Kids(at)
		if s.Op(at).Sym != ops.SymIndex || len(kids) < 2 || len(kids[1].Args) > 0 {
			return
		}
		loop, e := term.Term{ID: loopOf(s, kids[0].ID)}, term.Term{ID: kids[1].ID}
		if s.Op(loop).Sym != ops.SymStates || len(s.Vars(loop)) > 0 || !allSteps(s, loop) || seen[[2]uint32{loop.ID, e.ID}] {
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
func stepAt(s *term.Store, loop, e term.Term) term.Term {
	v := s.Open(loop)
	states := slice.Make(len(s.StateOf(v.Op.Type).Types), func(k int) term.Term { return s.Index(s.Component(k, loop), e) })
	next := s.Arrays(s.Subst(v.Kids[2], map[slot.Name]term.Term{v.Binders[0]: e}), v.Binders[1], states)
	next, _ = s.Rewrite(next, func(_ term.Term, v term.View) (term.Term, bool) { return indexOfIndex(s, v) })
	return next
}

// indexOfIndex is an element of what is read of an array as an element of that.
func indexOfIndex(s *term.Store, v term.View) (term.Term, bool) {
	if v.Op.Sym != ops.SymIndex || s.Op(v.Kids[0]).Sym != ops.SymIndex {
		return term.Term{}, false
	}
	of := s.Open(v.Kids[0]).Kids
	return s.Index(of[0], append(of[1:len(of):len(of)], v.Kids[1:]...)...), true
}
