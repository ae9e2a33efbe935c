package term

import (
	"cmp"
	"slices"

	"egad/slot"
)

// Loops in the steps of loops: a step keeps all states of one that a later loop would run again.

// inSteps has loops in the steps of others keep what later loops in the same step compute again.
// Looked at are the steps of loops made of one of some variables, or of all.
func (p *Program) inSteps(r Residuals, of map[slot.Name]Term) {
	s := p.Store
	root, became := s.rewrite(p.Root, func(at Term, v View) (Term, bool) {
		if v.Op.Sym != SymStates || len(at.Args) > 0 || !s.madeOf(at, of) {
			return Term{}, false
		}
		closed, open := make(map[slot.Name]Term), make(map[string]Term)
		for k, n := range v.Kids[2].Args {
			name, is := sprintf("variable %d of a step", n), s.Vars(v.Kids[2])[k]
			closed[n], open[name] = s.Var(name, cmp.Or(is.Type, ArrayOf(I))), s.Variable(n, is)
		}
		if len(closed) == 0 {
			return Term{}, false
		}
		step := &Program{Store: s, Root: s.Subst(v.Kids[2], closed)}
		step.withResiduals(r, closed)
		v.Kids[2] = s.SubstVars(step.Root, open)
		return s.remade(v), true
	})
	p.Root, p.Names = root, moveHints(p.Names, became)
}

// madeOf reports whether a term is made of one of some variables, or there are none.
func (s *Store) madeOf(t Term, of map[slot.Name]Term) bool {
	yes := len(of) == 0
	for _, v := range of {
		yes = yes || s.reaches(t, v)
	}
	return yes
}

// statesOf is the loop of which a term is an array of all states.
func (s *Store) statesOf(t Term) (loop Term, ok bool) {
	loop = Term{ID: s.loopOf(t.ID)}
	return loop, s.Op(loop).Sym == SymStates && s.Type(t).Kind == KArray
}

// isSlow reports whether the states of a loop in the step take longer to compute than to store
// and load. Nothing is kept of a loop whose number of steps is computed: rounds of steps are
// there to be run again, see [Program.InRounds].
func (k *keeping) isSlow(loop Term) bool {
	if yes, ok := k.slow[loop.ID]; ok {
		return yes
	}
	yes, s := false, k.s
	if k.r.Takes != nil && len(s.Vars(loop)) == 0 && s.allSteps(loop) && k.varies(loop) {
		v, n := s.Open(loop), int64(0)
		for _, t := range s.stateOf(v.Op.Type).arrays {
			n += s.elements(t)
		}
		yes = n > 0 && k.takes(v) > k.r.Moves(n)
	}
	k.slow[loop.ID] = yes
	return yes
}

// takes is how long a step of a loop takes, by what waits for the state before.
func (k *keeping) takes(loop View) float64 {
	s, waits, seen := k.s, []slot.Name{loop.Binders[1]}, make(map[string]bool)
	var visit func(t Term) float64
	visit = func(t Term) (out float64) {
		key := TermKey(t)
		if seen[key] || !slices.ContainsFunc(waits, t.Has) {
			return 0
		}
		seen[key] = true
		v := s.Open(t)
		if v.Op.Sym == SymStates {
			waits = append(waits, v.Binders[1])
			out = k.r.Takes(SymStates, 1)
		}
		for _, c := range v.Kids {
			out += visit(c)
		}
		if s.Binders(t) > 0 {
			for _, size := range v.Op.Sizes {
				n, _ := size.Const()
				out *= float64(n)
			}
		}
		switch o := s.sig.Operator(v.Op.Sym); {
		case o.Whole:
			var c Counts
			c.times(v.Op.Sym, s.Type(t), s.Type(v.Kids[0]), 1)
			out += k.r.Takes(SymMul, c.Float)
		case o.Reduction:
			out += k.r.Takes(v.Op.Sym, s.elements(v.Kids[0]))
		case o.Elementwise:
			out += k.r.Takes(v.Op.Sym, s.elements(t))
		}
		return out
	}
	return k.r.Takes(SymStates, 1) + visit(loop.Kids[2])
}

// beside reports whether an array of the states of a loop costs little beside others, which the
// step has: what a step of the loop makes it of is computed for these.
func (k *keeping) beside(t Term) bool {
	s := k.s
	t = k.made(t)
	if v := s.Open(t); v.Op.Sym != SymProj || s.Op(v.Kids[0]).Sym != SymStates {
		return false
	}
	all := s.Open(t).Kids[0]
	v, c := s.Open(all), s.Op(t).N
	state := s.stateOf(v.Op.Type)
	next := s.Arrays(v.Kids[2], v.Binders[1], state.arrays)
	has, twins := make(map[int]bool), make(map[int]bool)
	for _, o := range state.needed(s, []Term{state.arrays[c]}, next)[1:] {
		by := s.component(o, next)
		if by.Has(state.names[c]) || !k.has[k.number(s.Proj(o, all))] {
			return false
		}
		s.above(by, func(u Term) {
			has[k.number(u)] = true
			if of, ok := k.twin(u); ok {
				twins[k.number(of)] = true
			}
		})
	}
	return k.littleBeside(s.component(c, next), has, twins)
}

// littleBeside reports whether a term takes little beside others: what takes long in it is among
// them, or has twins there, functions of these numbers.
func (k *keeping) littleBeside(t Term, others, twins map[int]bool) bool {
	seen := make(map[string]bool)
	var little func(t Term) bool
	little = func(t Term) bool {
		key := TermKey(t)
		switch {
		case len(t.Args) == 0:
			return !k.longInside(t.ID)
		case seen[key] || others[k.number(t)]:
			return true
		}
		of, twin := k.twin(t)
		if twin && twins[k.number(of)] {
			return little(of)
		}
		if k.long(t.ID) || k.s.Binders(t) > 0 {
			return false
		}
		seen[key] = true // as all are little, or the answer is no
		return !slices.ContainsFunc(k.s.Open(t).Kids, func(c Term) bool { return !little(c) })
	}
	return little(t)
}

// runsAgain finds loops that the other loop runs though some of their states are kept, as others
// of them are not, and reports whether there are any.
func (k *keeping) runsAgain(body Term) (found bool) {
	s, seen := k.s, make(map[uint32]bool)
	for _, t := range k.kept {
		seen[t.ID] = true
	}
	var visit func(id uint32)
	visit = func(id uint32) {
		if seen[id] || id == k.from.ID {
			return
		}
		seen[id] = true
		if k.slow[id] {
			k.slow[id], found = false, true
		}
		for _, c := range s.Kids(Term{ID: id}) {
			visit(c.ID)
		}
	}
	visit(body.ID)
	return found
}

// narrow is an array of the states of a loop as the first one of a loop with what it needs alone:
// so loops are found to compute the same though they compute other arrays beside it.
func (s *Store) narrow(v View) (Term, bool) {
	if v.Op.Sym != SymProj || s.Op(v.Kids[0]).Sym != SymStates {
		return Term{}, false
	}
	loop := s.Open(v.Kids[0])
	state := s.stateOf(loop.Op.Type)
	next := s.Arrays(loop.Kids[2], loop.Binders[1], state.arrays)
	live := state.needed(s, []Term{state.arrays[v.Op.N]}, next)
	return s.component(0, state.loop(s, loop, next, live)), true
}

// oneLoop is a term with the states of one loop, that with the most arrays, for those of all that
// compute the same.
func (k *keeping) oneLoop(t Term) Term {
	s, widest := k.s, make(map[int]Term)
	width := func(t Term) int {
		loop, _ := s.statesOf(t)
		return len(s.Type(loop).Parts)
	}
	s.Walk(t, func(at Term) {
		if _, ok := s.statesOf(at); ok && len(at.Args) == 0 {
			n := k.number(at)
			if old, ok := widest[n]; !ok || width(at) > width(old) {
				widest[n] = at
			}
		}
	})
	t, _ = s.rewrite(t, func(at Term, _ View) (Term, bool) {
		if _, ok := s.statesOf(at); !ok || len(at.Args) > 0 {
			return Term{}, false
		}
		one := widest[k.number(at)]
		return one, !one.Equal(at)
	})
	return t
}
