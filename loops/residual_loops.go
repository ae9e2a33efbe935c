package loops

import (
	"cmp"
	"fmt"
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// Loops in the steps of loops: a step keeps all states of one that a later loop would run again.

// inSteps has loops in the steps of others keep what later loops in the same step compute again.
// Looked at are the steps of loops made of one of some variables, or of all.
func inSteps(p *term.Program, r Residuals, of map[slot.Name]term.Term) {
	s := p.Store
	root, became := s.Rewrite(p.Root, func(at term.Term, v term.View) (term.Term, bool) {
		if v.Op.Sym != ops.SymStates || len(at.Args) > 0 || !madeOf(s, at, of) {
			return term.Term{}, false
		}
		closed, open := make(map[slot.Name]term.Term), make(map[string]term.Term)
		for k, n := range v.Kids[2].Args {
			name, is := fmt.Sprintf("variable %d of a step", n), s.Vars(v.Kids[2])[k]
			closed[n], open[name] = s.Var(name, cmp.Or(is.Type, types.ArrayOf(types.I))), s.Variable(n, is)
		}
		if len(closed) == 0 {
			return term.Term{}, false
		}
		step := &term.Program{Store: s, Root: s.Subst(v.Kids[2], closed)}
		withResiduals(step, r, closed)
		v.Kids[2] = s.SubstVars(step.Root, open)
		return s.Remade(v), true
	})
	p.Root, p.Names = root, term.MoveHints(p.Names, became)
}

// madeOf reports whether a term is made of one of some variables, or there are none.
func madeOf(s *term.Store, t term.Term, of map[slot.Name]term.Term) bool {
	yes := len(of) == 0
	for _, v := range of {
		yes = yes || reaches(s, t, v)
	}
	return yes
}

// statesOf is the loop of which a term is an array of all states.
func statesOf(s *term.Store, t term.Term) (loop term.Term, ok bool) {
	loop = term.Term{ID: loopOf(s, t.ID)}
	return loop, s.Op(loop).Sym == ops.SymStates && s.Type(t).Kind == types.KArray
}

// isSlow reports whether the states of a loop in the step take longer to compute than to store
// and load. Nothing is kept of a loop whose number of steps is computed: rounds of steps are
// there to be run again, see [InRounds].
func (k *keeping) isSlow(loop term.Term) bool {
	return memo.Of(k.slow, loop.ID, func() bool {
		s := k.s
		if k.r.Takes == nil || len(s.Vars(loop)) > 0 || !allSteps(s, loop) || !k.varies(loop) {
			return false
		}
		v := s.Open(loop)
		n := slice.Sum(s.StateOf(v.Op.Type).Arrays, func(t term.Term) int64 { return elementsOf(s, t) })
		return n > 0 && k.takes(v) > k.r.Moves(n)
	})
}

// takes is how long a step of a loop takes, by what waits for the state before.
func (k *keeping) takes(loop term.View) float64 {
	s, waits, seen := k.s, []slot.Name{loop.Binders[1]}, make(map[string]bool)
	var visit func(t term.Term) float64
	visit = func(t term.Term) (out float64) {
		key := term.TermKey(t)
		if seen[key] || !slices.ContainsFunc(waits, t.Has) {
			return 0
		}
		seen[key] = true
		v := s.Open(t)
		if v.Op.Sym == ops.SymStates {
			waits = append(waits, v.Binders[1])
			out = k.r.Takes(ops.SymStates, 1)
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
		switch o := s.Signature().Operator(v.Op.Sym); {
		case o.Whole:
			var c eval.Counts
			c.AddRuns(v.Op.Sym, s.Type(t), s.Type(v.Kids[0]), 1)
			out += k.r.Takes(ops.SymMul, c.Float)
		case o.Reduction:
			out += k.r.Takes(v.Op.Sym, elementsOf(s, v.Kids[0]))
		case o.Elementwise:
			out += k.r.Takes(v.Op.Sym, elementsOf(s, t))
		}
		return out
	}
	return k.r.Takes(ops.SymStates, 1) + visit(loop.Kids[2])
}

// beside reports whether an array of the states of a loop costs little beside others, which the
// step has: what a step of the loop makes it of is computed for these.
func (k *keeping) beside(t term.Term) bool {
	s := k.s
	t = k.made(t)
	if v := s.Open(t); v.Op.Sym != ops.SymProj || s.Op(v.Kids[0]).Sym != ops.SymStates {
		return false
	}
	all := s.Open(t).Kids[0]
	v, c := s.Open(all), s.Op(t).N
	state := s.StateOf(v.Op.Type)
	next := s.Arrays(v.Kids[2], v.Binders[1], state.Arrays)
	has, twins := make(map[int]bool), make(map[int]bool)
	for _, o := range state.Needed(s, []term.Term{state.Arrays[c]}, next)[1:] {
		by := s.Component(o, next)
		if by.Has(state.Names[c]) || !k.has[k.number(s.Proj(o, all))] {
			return false
		}
		above(s, by, func(u term.Term) {
			has[k.number(u)] = true
			if of, ok := k.twin(u); ok {
				twins[k.number(of)] = true
			}
		})
	}
	return k.littleBeside(s.Component(c, next), has, twins)
}

// littleBeside reports whether a term takes little beside others: what takes long in it is among
// them, or has twins there, functions of these numbers.
func (k *keeping) littleBeside(t term.Term, others, twins map[int]bool) bool {
	seen := make(map[string]bool)
	var little func(t term.Term) bool
	little = func(t term.Term) bool {
		key := term.TermKey(t)
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
		return !slices.ContainsFunc(k.s.Open(t).Kids, func(c term.Term) bool { return !little(c) })
	}
	return little(t)
}

// runsAgain finds loops that the other loop runs though some of their states are kept, as others
// of them are not, and reports whether there are any.
func (k *keeping) runsAgain(body term.Term) (found bool) {
	memo.Once(func(id uint32, visit func(uint32)) {
		if id == k.from.ID || slices.ContainsFunc(k.kept, func(t term.Term) bool { return t.ID == id }) {
			return
		}
		if k.slow[id] {
			k.slow[id], found = false, true
		}
		for _, c := range k.s.Kids(term.Term{ID: id}) {
			visit(c.ID)
		}
	})(body.ID)
	return found
}

// narrower gives an array of the states of a loop as the first one of a loop with what it needs alone:
// so loops are found to compute the same though they compute other arrays beside it. Each loop is taken
// apart once for all of its arrays.
func narrower(s *term.Store) func(v term.View) (term.Term, bool) {
	type parts struct {
		loop  term.View
		state *term.State
		next  term.Term
	}
	opened := make(map[uint32]parts)
	return func(v term.View) (term.Term, bool) {
		if v.Op.Sym != ops.SymProj || s.Op(v.Kids[0]).Sym != ops.SymStates {
			return term.Term{}, false
		}
		of := v.Kids[0]
		x, ok := opened[of.ID]
		if !ok || len(of.Args) > 0 {
			x.loop = s.Open(of)
			x.state = s.StateOf(x.loop.Op.Type)
			x.next = s.Arrays(x.loop.Kids[2], x.loop.Binders[1], x.state.Arrays)
			opened[of.ID] = x
		}
		live := x.state.Needed(s, []term.Term{x.state.Arrays[v.Op.N]}, x.next)
		return s.Component(0, x.state.Loop(s, x.loop, x.next, live)), true
	}
}

// oneLoop is a term with the states of one loop, that with the most arrays, for those of all that
// compute the same.
func (k *keeping) oneLoop(t term.Term) term.Term {
	s, widest := k.s, make(map[int]term.Term)
	width := func(t term.Term) int {
		loop, _ := statesOf(s, t)
		return len(s.Type(loop).Parts)
	}
	s.Walk(t, func(at term.Term) {
		if _, ok := statesOf(s, at); ok && len(at.Args) == 0 {
			n := k.number(at)
			if old, ok := widest[n]; !ok || width(at) > width(old) {
				widest[n] = at
			}
		}
	})
	t, _ = s.Rewrite(t, func(at term.Term, _ term.View) (term.Term, bool) {
		if _, ok := statesOf(s, at); !ok || len(at.Args) > 0 {
			return term.Term{}, false
		}
		one := widest[k.number(at)]
		return one, !one.Equal(at)
	})
	return t
}
