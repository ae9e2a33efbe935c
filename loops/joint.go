package loops

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"egad/internal/set"
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// joiner makes one loop of two that take the same steps, with the arrays of both in its
// state, if all that one reads of the other in a step is the state there, or what it
// becomes, and their steps have work in common. That is done once then: so the derivative
// of a derivative of a loop takes its steps once, not once for each loop that needs what
// they compute. Every float64 stays as it is. It is no rule, as the loops may stand
// anywhere.
type joiner struct {
	*settler
	names map[uint32]term.Hint
}

// rewrite is [term.Store.Rewrite] that keeps names.
func (x *joiner) rewrite(t term.Term, by func(at term.Term, v term.View) (term.Term, bool)) term.Term {
	t, became := x.s.Rewrite(t, by)
	x.names = term.MoveHints(x.names, became)
	return t
}

// all joins the loops in a closed term, first those in the steps of others.
func (x *joiner) all(t term.Term) term.Term {
	s := x.s
	t = x.rewrite(t, func(_ term.Term, v term.View) (term.Term, bool) {
		last := len(v.Kids) - 1
		if v.Op.Sym != ops.SymStates && v.Op.Sym != ops.SymBuild {
			return term.Term{}, false
		}
		body := x.joined(v.Kids[last], v.Binders)
		if body.Equal(v.Kids[last]) {
			return term.Term{}, false
		}
		v.Kids[last] = body
		return s.MustMake(v.Op, v.Own, v.Binders, v.Kids), true
	})
	return x.joined(t, nil)
}

// joined joins the loops in a term that contain one of some variables, or the closed ones
// if there are none.
func (x *joiner) joined(t term.Term, of []slot.Name) term.Term {
	loops := loopsIn(x.s, t, of)
	for j := 1; j < len(loops); j++ {
		for _, u := range loops[:j] {
			pair := pairKey(u, loops[j])
			if x.apart[pair] {
				continue
			}
			if both, ok := x.joint(u, loops[j]); ok {
				return x.joined(x.instead(t, u, loops[j], both), of)
			}
			x.apart[pair] = true
		}
	}
	return t
}

// pairKey is a text of two terms that is the same for all pairs that differ in the names of their
// variables only.
func pairKey(t, u term.Term) string {
	args := slices.Concat(t.Args, u.Args)
	b := binary.AppendUvarint(make([]byte, 0, 16), uint64(t.ID))
	b = binary.AppendUvarint(b, uint64(u.ID))
	for _, n := range args {
		b = binary.AppendUvarint(b, uint64(slices.Index(args, n)))
	}
	return string(b)
}

// instead is a term in which the states of two loops are those of one.
func (x *joiner) instead(t, u, v, both term.Term) term.Term {
	s, n := x.s, len(x.s.StateOf(x.s.Op(u).Type).Types)
	parts := slice.Make(len(s.Type(both).Parts), func(k int) term.Term { return s.Proj(k, both) })
	return x.rewrite(t, func(at term.Term, w term.View) (term.Term, bool) {
		switch {
		case at.ID == u.ID:
			return s.Packed(parts[:n]).RenameFrom(u.Args, at.Args), true
		case at.ID == v.ID:
			return s.Packed(parts[n:]).RenameFrom(v.Args, at.Args), true
		case w.Op.Sym == ops.SymProj:
			return s.Proj(w.Op.N, w.Kids[0]), true
		}
		return term.Term{}, false
	})
}

// loopsIn lists the loops in a term that contain one of some variables, or the closed ones
// if there are none. Those that others contain come first.
func loopsIn(s *term.Store, t term.Term, of []slot.Name) []term.Term {
	var out []term.Term
	if of == nil {
		s.Walk(t, func(at term.Term) {
			if s.Op(at).Sym == ops.SymStates && len(at.Args) == 0 {
				out = append(out, at)
			}
		})
		return out
	}
	above(s, t, func(t term.Term) {
		if s.Op(t).Sym == ops.SymStates && slices.ContainsFunc(of, t.Has) {
			out = append(out, t)
		}
	})
	return out
}

// above calls f once for every term in t that contains a variable and none that is bound
// in t. Those that others contain come first.
func above(s *term.Store, t term.Term, f func(term.Term)) {
	seen, bound := make(map[string]bool), make(map[slot.Name]bool)
	var walk func(t term.Term)
	walk = func(t term.Term) {
		if key := term.TermKey(t); len(t.Args) > 0 && !seen[key] {
			seen[key] = true
			v := s.Open(t)
			set.Add(bound, v.Binders...)
			for _, k := range v.Kids {
				walk(k)
			}
			if !slices.ContainsFunc(t.Args, func(n slot.Name) bool { return bound[n] }) {
				f(t)
			}
		}
	}
	walk(t)
}

// joint is one loop with the states of u and v, false if they are not to be joined.
func (x *joiner) joint(u, v term.Term) (term.Term, bool) {
	s, a := x.s, x.s.Open(u)
	b := s.Open(v)
	b = b.Renamed([]slot.Name{a.Binders[0], b.Binders[1]})
	if !a.Op.Sizes[0].Equal(b.Op.Sizes[0]) || !a.Kids[1].Equal(b.Kids[1]) || reaches(s, u, v) || reaches(s, b.Kids[0], u) || reaches(s, b.Kids[1], u) {
		return term.Term{}, false
	}
	su, sv := s.StateOf(a.Op.Type), s.StateOf(b.Op.Type)
	nextU := s.Arrays(a.Kids[2], a.Binders[1], su.Arrays)
	nextV := alongAxis(s, s.Arrays(b.Kids[2], b.Binders[1], sv.Arrays), a.Binders[0], u, su.Arrays, nextU)
	if reaches(s, nextV, u) {
		return term.Term{}, false
	}
	n := len(su.Types)
	both := &term.State{Types: slices.Concat(su.Types, sv.Types), Names: slices.Concat(su.Names, sv.Names), Arrays: slices.Concat(su.Arrays, sv.Arrays)}
	first, next := make([]term.Term, len(both.Types)), make([]term.Term, len(both.Types))
	for k := range n {
		first[k], next[k] = s.Component(k, a.Kids[0]), s.Component(k, nextU)
	}
	for k := range sv.Types {
		first[n+k], next[n+k] = s.Component(k, b.Kids[0]), s.Component(k, nextV)
	}
	if !x.share(nextU, nextV, a.Binders[0], su.Names) && !x.overlap(both, first, next, n) {
		return term.Term{}, false
	}
	op := a.Op
	op.Type = term.PackedType(both.Types)
	return s.MustMake(op, nil, a.Binders, []term.Term{s.Packed(first), a.Kids[1], both.In(s, s.Packed(next), a.Binders[1])}), true
}

// overlap reports whether of the arrays of two loops, of which the first has n, one of the
// second is one of the first.
func (x *joiner) overlap(both *term.State, first, next []term.Term, n int) bool {
	if !slices.ContainsFunc(first[n:], func(t term.Term) bool {
		return slices.ContainsFunc(first[:n], func(u term.Term) bool { return x.same(t, u) })
	}) {
		return false
	}
	h, _ := x.simulated(both, first, x.s.Packed(next))
	return slices.ContainsFunc(h[n:], func(is term.Term) bool {
		return slices.ContainsFunc(both.Arrays[:n], is.Equal)
	})
}

// alongAxis is a term of step i where what is read of all states of a loop at i is its state,
// and at i + 1 what that becomes.
func alongAxis(s *term.Store, t term.Term, i slot.Name, loop term.Term, state []term.Term, next term.Term) term.Term {
	closed, open := closing(s, t)
	step, ok := closed[i]
	if !ok {
		return t
	}
	all, one := s.Subst(loop, closed), s.LitInt(1)
	t, _ = s.Rewrite(s.Subst(t, closed), func(_ term.Term, v term.View) (term.Term, bool) {
		if v.Op.Sym != ops.SymIndex || len(v.Kids) < 2 {
			return term.Term{}, false
		}
		of, k := v.Kids[0], 0
		if op := s.Op(of); op.Sym == ops.SymProj {
			of, k = s.Open(of).Kids[0], op.N
		}
		if !of.Equal(all) {
			return term.Term{}, false
		}
		at := state[k]
		switch {
		case v.Kids[1].Equal(step):
		case v.Kids[1].Equal(s.Apply(ops.SymAdd, step, one)), v.Kids[1].Equal(s.Apply(ops.SymAdd, one, step)):
			at = s.Component(k, next)
		default:
			return term.Term{}, false
		}
		if len(v.Kids) > 2 {
			at = s.Index(at, v.Kids[2:]...)
		}
		return at, true
	})
	return s.SubstVars(t, open)
}

// closing makes inputs of the variables of a term, so that what is in it is one term in
// all places, and variables of these again.
func closing(s *term.Store, t term.Term) (closed map[slot.Name]term.Term, open map[string]term.Term) {
	closed, open = make(map[slot.Name]term.Term), make(map[string]term.Term)
	for k, n := range t.Args {
		name, v := fmt.Sprintf("variable %d", k), s.Vars(t)[k]
		closed[n], open[name] = s.Var(name, cmp.Or(v.Type, types.ArrayOf(types.I))), s.Variable(n, v)
	}
	return closed, open
}

// reaches reports whether a node is part of a term.
func reaches(s *term.Store, t, node term.Term) bool {
	return s.Contains(t, func(at term.Term) bool { return at.ID == node.ID })
}

// share reports whether two steps have work in common that is not done before the loop:
// which depends on the state, or is a loop itself. Of loops it is enough that they begin
// alike, as they may be joined then.
func (x *joiner) share(t, u term.Term, step slot.Name, state []slot.Name) bool {
	s, found := x.s, false
	in := make(map[int]bool)
	above(s, t, func(t term.Term) { set.Add(in, x.numbers(t, step, state)...) })
	above(s, u, func(t term.Term) {
		found = found || slices.ContainsFunc(x.numbers(t, step, state), func(n int) bool { return in[n] })
	})
	return found
}

// takesLong reports whether a term computes reals, and does not only choose or move them.
func takesLong(s *term.Store, t term.Term) bool {
	return s.Signature().Operator(s.Op(t).Sym).Computes() && s.Type(t).Elem == types.R
}

// numbers numbers what a term computes in a step.
func (x *joiner) numbers(t term.Term, step slot.Name, state []slot.Name) []int {
	s, op := x.s, x.s.Op(t)
	depends := slices.ContainsFunc(state, t.Has)
	switch {
	case op.Sym == ops.SymStates && (depends || t.Has(step)):
		out := []int{x.like.of(t)}
		v := s.Open(t)
		for k := range s.StateOf(op.Type).Types {
			out = append(out, x.like.of(s.Apply(ops.SymTuple, s.Component(k, v.Kids[0]), v.Kids[1])))
		}
		return out
	case depends && takesLong(s, t):
		return []int{x.like.of(t)}
	}
	return nil
}
