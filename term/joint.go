package term

import (
	"cmp"
	"encoding/binary"
	"slices"

	"egad/internal/slice"
	"egad/slot"
)

// joiner makes one loop of two that take the same steps, with the arrays of both in its
// state, if all that one reads of the other in a step is the state there, or what it
// becomes, and their steps have work in common. That is done once then: so the derivative
// of a derivative of a loop takes its steps once, not once for each loop that needs what
// they compute. Every float64 stays as it is. It is no rule, as the loops may stand
// anywhere.
type joiner struct {
	*settler
	names map[uint32]Hint
}

// rewrite is [Store.rewrite] that keeps names.
func (x *joiner) rewrite(t Term, by func(at Term, v View) (Term, bool)) Term {
	t, became := x.s.rewrite(t, by)
	x.names = moveHints(x.names, became)
	return t
}

// all joins the loops in a closed term, first those in the steps of others.
func (x *joiner) all(t Term) Term {
	s := x.s
	t = x.rewrite(t, func(_ Term, v View) (Term, bool) {
		last := len(v.Kids) - 1
		if v.Op.Sym != SymStates && v.Op.Sym != SymBuild {
			return Term{}, false
		}
		body := x.joined(v.Kids[last], v.Binders)
		if body.Equal(v.Kids[last]) {
			return Term{}, false
		}
		v.Kids[last] = body
		return s.MustMake(v.Op, v.Own, v.Binders, v.Kids), true
	})
	return x.joined(t, nil)
}

// joined joins the loops in a term that contain one of some variables, or the closed ones
// if there are none.
func (x *joiner) joined(t Term, of []slot.Name) Term {
	loops := x.s.loops(t, of)
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
func pairKey(t, u Term) string {
	args := slices.Concat(t.Args, u.Args)
	b := binary.AppendUvarint(make([]byte, 0, 16), uint64(t.ID))
	b = binary.AppendUvarint(b, uint64(u.ID))
	for _, n := range args {
		b = binary.AppendUvarint(b, uint64(slices.Index(args, n)))
	}
	return string(b)
}

// instead is a term in which the states of two loops are those of one.
func (x *joiner) instead(t, u, v, both Term) Term {
	s, n := x.s, len(x.s.stateOf(x.s.Op(u).Type).types)
	parts := slice.Make(len(s.Type(both).Parts), func(k int) Term { return s.Proj(k, both) })
	return x.rewrite(t, func(at Term, w View) (Term, bool) {
		switch {
		case at.ID == u.ID:
			return s.Packed(parts[:n]).RenameFrom(u.Args, at.Args), true
		case at.ID == v.ID:
			return s.Packed(parts[n:]).RenameFrom(v.Args, at.Args), true
		case w.Op.Sym == SymProj:
			return s.Proj(w.Op.N, w.Kids[0]), true
		}
		return Term{}, false
	})
}

// loops lists the loops in a term that contain one of some variables, or the closed ones
// if there are none. Those that others contain come first.
func (s *Store) loops(t Term, of []slot.Name) []Term {
	var out []Term
	if of == nil {
		s.Walk(t, func(at Term) {
			if s.Op(at).Sym == SymStates && len(at.Args) == 0 {
				out = append(out, at)
			}
		})
		return out
	}
	s.above(t, func(t Term) {
		if s.Op(t).Sym == SymStates && slices.ContainsFunc(of, t.Has) {
			out = append(out, t)
		}
	})
	return out
}

// above calls f once for every term in t that contains a variable and none that is bound
// in t. Those that others contain come first.
func (s *Store) above(t Term, f func(Term)) {
	seen, bound := make(map[string]bool), make(map[slot.Name]bool)
	var walk func(t Term)
	walk = func(t Term) {
		if key := TermKey(t); len(t.Args) > 0 && !seen[key] {
			seen[key] = true
			v := s.Open(t)
			for _, n := range v.Binders {
				bound[n] = true
			}
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
func (x *joiner) joint(u, v Term) (Term, bool) {
	s, a := x.s, x.s.Open(u)
	b := s.Open(v)
	b = b.Renamed([]slot.Name{a.Binders[0], b.Binders[1]})
	if !a.Op.Sizes[0].Equal(b.Op.Sizes[0]) || !a.Kids[1].Equal(b.Kids[1]) || s.reaches(u, v) || s.reaches(b.Kids[0], u) || s.reaches(b.Kids[1], u) {
		return Term{}, false
	}
	su, sv := s.stateOf(a.Op.Type), s.stateOf(b.Op.Type)
	nextU := s.Arrays(a.Kids[2], a.Binders[1], su.arrays)
	nextV := s.along(s.Arrays(b.Kids[2], b.Binders[1], sv.arrays), a.Binders[0], u, su.arrays, nextU)
	if s.reaches(nextV, u) {
		return Term{}, false
	}
	n := len(su.types)
	both := &state{slices.Concat(su.types, sv.types), slices.Concat(su.names, sv.names), slices.Concat(su.arrays, sv.arrays)}
	first, next := make([]Term, len(both.types)), make([]Term, len(both.types))
	for k := range n {
		first[k], next[k] = s.component(k, a.Kids[0]), s.component(k, nextU)
	}
	for k := range sv.types {
		first[n+k], next[n+k] = s.component(k, b.Kids[0]), s.component(k, nextV)
	}
	if !x.share(nextU, nextV, a.Binders[0], su.names) && !x.overlap(both, first, next, n) {
		return Term{}, false
	}
	op := a.Op
	op.Type = PackedType(both.types)
	return s.MustMake(op, nil, a.Binders, []Term{s.Packed(first), a.Kids[1], both.in(s, s.Packed(next), a.Binders[1])}), true
}

// overlap reports whether of the arrays of two loops, of which the first has n, one of the
// second is one of the first.
func (x *joiner) overlap(both *state, first, next []Term, n int) bool {
	if !slices.ContainsFunc(first[n:], func(t Term) bool {
		return slices.ContainsFunc(first[:n], func(u Term) bool { return x.same(t, u) })
	}) {
		return false
	}
	for _, is := range x.simulated(both, first, x.s.Packed(next))[n:] {
		if slices.ContainsFunc(both.arrays[:n], is.Equal) {
			return true
		}
	}
	return false
}

// along is a term of step i where what is read of all states of a loop at i is its state,
// and at i + 1 what that becomes.
func (s *Store) along(t Term, i slot.Name, loop Term, state []Term, next Term) Term {
	closed, open := s.closing(t)
	step, ok := closed[i]
	if !ok {
		return t
	}
	all, one := s.Subst(loop, closed), s.LitInt(1)
	t, _ = s.rewrite(s.Subst(t, closed), func(_ Term, v View) (Term, bool) {
		if v.Op.Sym != SymIndex || len(v.Kids) < 2 {
			return Term{}, false
		}
		of, k := v.Kids[0], 0
		if op := s.Op(of); op.Sym == SymProj {
			of, k = s.Open(of).Kids[0], op.N
		}
		if !of.Equal(all) {
			return Term{}, false
		}
		at := state[k]
		switch {
		case v.Kids[1].Equal(step):
		case v.Kids[1].Equal(s.Apply(SymAdd, step, one)), v.Kids[1].Equal(s.Apply(SymAdd, one, step)):
			at = s.component(k, next)
		default:
			return Term{}, false
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
func (s *Store) closing(t Term) (closed map[slot.Name]Term, open map[string]Term) {
	closed, open = make(map[slot.Name]Term), make(map[string]Term)
	for k, n := range t.Args {
		name, v := sprintf("variable %d", k), s.Vars(t)[k]
		closed[n], open[name] = s.Var(name, cmp.Or(v.Type, ArrayOf(I))), s.Variable(n, v)
	}
	return closed, open
}

// reaches reports whether a node is part of a term.
func (s *Store) reaches(t, node Term) bool {
	return s.Contains(t, func(at Term) bool { return at.ID == node.ID })
}

// share reports whether two steps have work in common that is not done before the loop:
// which depends on the state, or is a loop itself. Of loops it is enough that they begin
// alike, as they may be joined then.
func (x *joiner) share(t, u Term, step slot.Name, state []slot.Name) bool {
	s, found := x.s, false
	in := make(map[int]bool)
	s.above(t, func(t Term) {
		for _, n := range x.numbers(t, step, state) {
			in[n] = true
		}
	})
	s.above(u, func(t Term) {
		found = found || slices.ContainsFunc(x.numbers(t, step, state), func(n int) bool { return in[n] })
	})
	return found
}

// works reports whether a term computes reals, and does not only choose or move them.
func (s *Store) works(t Term) bool {
	return s.sig.Operator(s.Op(t).Sym).work >= workFold && s.Type(t).Elem == R
}

// numbers numbers what a term computes in a step.
func (x *joiner) numbers(t Term, step slot.Name, state []slot.Name) []int {
	s, op := x.s, x.s.Op(t)
	depends := slices.ContainsFunc(state, t.Has)
	switch {
	case op.Sym == SymStates && (depends || t.Has(step)):
		out := []int{x.like.of(t)}
		v := s.Open(t)
		for k := range s.stateOf(op.Type).types {
			out = append(out, x.like.of(s.Apply(SymTuple, s.component(k, v.Kids[0]), v.Kids[1])))
		}
		return out
	case depends && s.works(t):
		return []int{x.like.of(t)}
	}
	return nil
}
