package loops

import (
	"slices"

	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// reduced is a term in which loops add up less: where of an array to which each step adds only
// the last is read, and that is summed along axes, the steps add sums. So the gradient of a
// matrix by which the rows of a batch are multiplied in each step is one matrix, and not one for
// each row. Sums are added in another order then. Names are those of nodes.
func reduced(s *term.Store, t term.Term, names map[uint32]term.Hint) (term.Term, map[uint32]term.Hint) {
	t, became := s.Rewrite(t, func(_ term.Term, v term.View) (term.Term, bool) {
		if v.Op.Sym != ops.SymStates {
			return term.Term{}, false
		}
		closed, open := closing(s, v.Kids[2])
		body := s.Subst(v.Kids[2], closed)
		less, _ := sumsInstead(s, body, nil)
		if less.Equal(body) {
			return term.Term{}, false
		}
		v.Kids[2] = s.SubstVars(less, open)
		return s.Remade(v), true
	})
	return sumsInstead(s, t, term.MoveHints(names, became))
}

// sumsInstead is reduced for the closed loops of a term.
func sumsInstead(s *term.Store, t term.Term, names map[uint32]term.Hint) (term.Term, map[uint32]term.Hint) {
	if !s.Contains(t, func(u term.Term) bool { return s.Op(u).Sym == ops.SymStates }) {
		return t, names
	}
	for {
		parents := make(map[uint32][]term.Term)
		s.Walk(t, func(at term.Term) {
			for _, k := range s.Kids(at) {
				if !slices.ContainsFunc(parents[k.ID], func(p term.Term) bool { return p.ID == at.ID }) {
					parents[k.ID] = append(parents[k.ID], at)
				}
			}
		})
		before := t
		for _, loop := range loopsIn(s, t, nil) {
			if x := summingOf(s, loop, parents); len(x.by) > 0 {
				var became map[uint32]term.Term
				t, became = x.instead(s, t, loop)
				names = term.MoveHints(names, became)
				break
			}
		}
		if t.Equal(before) {
			return t, names
		}
	}
}

// sums is what an array is summed by: sums of axes, which may be turned or negated before, and the node
// that is the last sum.
type sums struct {
	ops  []term.View
	node uint32
}

// of is the sum of an array.
func (x *sums) of(s *term.Store, t term.Term) term.Term {
	for _, v := range x.ops {
		t = s.MustMake(v.Op, v.Own, v.Binders, []term.Term{t})
	}
	return t
}

// summing is a loop, with what its arrays become in a step, and the sums of those of which
// nothing else is used, by their numbers, with what a step adds.
type summing struct {
	term.View
	*term.State
	next term.Term
	by   map[int][]*sums
	more map[int]term.Term
}

func summingOf(s *term.Store, loop term.Term, parents map[uint32][]term.Term) *summing {
	v := s.Open(loop)
	state := s.StateOf(v.Op.Type)
	next := s.Arrays(v.Kids[2], v.Binders[1], state.Arrays)
	out := &summing{v, state, next, make(map[int][]*sums), make(map[int]term.Term)}
	for k := range state.Types {
		x := sumsOf(s, s.Component(k, loop), v.Op.Sizes[0], parents)
		if x == nil {
			continue
		}
		used := 0
		for j := range state.Types {
			if s.Component(j, next).Has(state.Names[k]) {
				used++
			}
		}
		rest := summands(s, s.Component(k, next), nil)
		own := slices.IndexFunc(rest, state.Arrays[k].Equal)
		if used != 1 || own < 0 || len(rest) == 1 {
			continue
		}
		if rest = slices.Delete(rest, own, own+1); !slices.ContainsFunc(rest, func(t term.Term) bool { return t.Has(state.Names[k]) || few(s, t) }) {
			more := rest[0]
			for _, e := range rest[1:] {
				more = s.Apply(ops.SymAdd, more, e)
			}
			out.by[k], out.more[k] = x, more
		}
	}
	return out
}

// few reports whether a term may be 0 but for a few elements, to add which is less work than to
// add them up.
func few(s *term.Store, t term.Term) bool {
	switch s.Op(t).Sym {
	case ops.SymScatter, ops.SymCond:
		return true
	case ops.SymWhere: // an index is one number
		return s.Contains(s.Open(t).Kids[0], func(u term.Term) bool {
			return s.Op(u).Sym == ops.SymEq && s.Type(s.Open(u).Kids[0]).Elem == types.I
		})
	case ops.SymTr:
		return few(s, s.Open(t).Kids[0])
	}
	return false
}

// sumsOf are the sums of the last of all states of an array, if nothing else is used of them.
func sumsOf(s *term.Store, all term.Term, steps size.Size, parents map[uint32][]term.Term) []*sums {
	closed := func(t term.Term) bool { return len(s.Vars(t)) == 0 }
	last := parents[all.ID]
	if len(last) != 1 || !closed(last[0]) {
		return nil
	}
	v := s.Open(last[0])
	if n, known := steps.Const(); !known || v.Op.Sym != ops.SymIndex || len(v.Kids) != 2 || v.Kids[0].ID != all.ID || v.Kids[1].ID != s.LitInt(n).ID {
		return nil
	}
	var out []*sums
	for _, p := range parents[last[0].ID] {
		x, turned := new(sums), []term.View(nil)
		for closed(p) {
			v := s.Open(p)
			if turned = append(turned, v); v.Op.Sym == ops.SymSum {
				x.ops, x.node, turned = append(x.ops, turned...), p.ID, nil
			} else if v.Op.Sym != ops.SymTr && v.Op.Sym != ops.SymNeg {
				break
			}
			if len(parents[p.ID]) != 1 {
				break
			}
			p = parents[p.ID][0]
		}
		if len(x.ops) == 0 {
			return nil
		}
		out = append(out, x)
	}
	return out
}

// summands are the terms of a sum.
func summands(s *term.Store, t term.Term, to []term.Term) []term.Term {
	if s.Op(t).Sym != ops.SymAdd {
		return append(to, t)
	}
	v := s.Open(t)
	return summands(s, v.Kids[1], summands(s, v.Kids[0], to))
}

// instead is a term in which the loop adds the sums.
func (x *summing) instead(s *term.Store, t, loop term.Term) (term.Term, map[uint32]term.Term) {
	first, next := make([]term.Term, len(x.Types)), make([]term.Term, len(x.Types))
	now := &term.State{Types: slices.Clone(x.Types), Names: slices.Clone(x.Names)}
	at := make(map[uint32]int) // where the sums are in the state
	for k := range x.Types {
		all, each := s.Component(k, x.Kids[0]), s.Component(k, x.next)
		first[k], next[k] = all, each
		for i, by := range x.by[k] {
			n := k
			if i > 0 {
				n = len(first)
				first, next = append(first, all), append(next, each)
				now.Types, now.Names = append(now.Types, nil), append(now.Names, s.FreshN(1)...)
			}
			at[by.node], first[n] = n, by.of(s, all)
			now.Types[n] = s.Type(first[n])
			next[n] = s.Apply(ops.SymAdd, s.Variable(now.Names[n], ops.VarType{Type: now.Types[n]}), by.of(s, x.more[k]))
		}
	}
	op := x.Op
	op.Type = term.PackedType(now.Types)
	less := s.MustMake(op, nil, x.Binders, []term.Term{s.Packed(first), x.Kids[1], now.In(s, s.Packed(next), x.Binders[1])})
	n, _ := op.Sizes[0].Const()
	of, became := s.Replacer(func(t term.Term, replaced func() term.View) term.Term {
		if k, ok := at[t.ID]; ok {
			return s.Index(s.Component(k, less), s.LitInt(n))
		}
		if op := s.Op(t); op.Sym == ops.SymProj && s.Kids(t)[0].ID == loop.ID {
			return s.Proj(op.N, less)
		}
		return s.Remade(replaced())
	})
	return of(t), became
}
