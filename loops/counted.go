package loops

import (
	"slices"

	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// counted finds the integers of a state to which each step adds the same, as the second of
//
//	states n (x, 0) (\i s -> (f s.0 s.1, s.1 + 2))
//
// which is 0 + 2 * i before step i, by an induction on the steps: in h, which says what the arrays of the
// state are where they become next, it says so, and gives what each of them is in all states.
func (x *settler) counted(state *term.State, v term.View, first []term.Term, next term.Term, h []term.Term) map[int]term.Term {
	s, all := x.s, make(map[int]term.Term)
	for k, t := range state.Types {
		if !t.IsScalar(types.I) || !h[k].Equal(state.Arrays[k]) {
			continue
		}
		c, ok := added(s, s.Component(k, next), h[k])
		if !ok || slices.ContainsFunc(slices.Concat(state.Names, v.Binders), func(n slot.Name) bool { return c.Has(n) }) {
			continue
		}
		h[k] = after(s, first[k], c, s.Ivar(v.Binders[0], v.Op.Sizes[0]))
		all[k] = s.Build(v.Op.Sizes[0].Add(size.Const(1)), func(i term.Term) term.Term {
			if n, ok := v.Op.Sizes[0].Const(); !ok || !v.Kids[1].Equal(s.LitInt(n)) { // later ones are copies of the last
				i = s.Apply(ops.SymMin, i, s.Apply(ops.SymMax, v.Kids[1], s.LitInt(0)))
			}
			return after(s, first[k], c, i)
		})
	}
	return all
}

// after is an integer after some steps, of which each adds c.
func after(s *term.Store, first, c, steps term.Term) term.Term {
	if !c.Equal(s.LitInt(1)) {
		steps = s.Apply(ops.SymMul, c, steps)
	}
	if first.Equal(s.LitInt(0)) {
		return steps
	}
	return s.Apply(ops.SymAdd, first, steps)
}

// added is what t is more than x, if it is written as a sum of that and x, or a difference.
func added(s *term.Store, t, x term.Term) (term.Term, bool) {
	v := s.Open(t)
	switch kids := slice.Map(v.Kids, func(k term.Term) bool { return k.Equal(x) }); {
	case v.Op.Sym == ops.SymAdd && kids[0]:
		return v.Kids[1], true
	case v.Op.Sym == ops.SymAdd && kids[1]:
		return v.Kids[0], true
	case v.Op.Sym == ops.SymSub && kids[0]:
		return s.Apply(ops.SymNeg, v.Kids[1]), true
	}
	return term.Term{}, false
}
