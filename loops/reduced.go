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

// sums is what an array is summed by: sums of axes, which may be turned before, and the node
// that is the last sum.
type sums struct {
	ops  []term.View
	node uint32
	rest []term.Term // what a step adds
}

// of is the sum of an array.
func (x *sums) of(s *term.Store, t term.Term) term.Term {
	for _, v := range x.ops {
		t = s.MustMake(v.Op, v.Own, v.Binders, []term.Term{t})
	}
	return t
}

// summing is a loop, with what its arrays become in a step, and the sums of those of which
// nothing else is used, by their numbers.
type summing struct {
	term.View
	*term.State
	next term.Term
	by   map[int]*sums
}

func summingOf(s *term.Store, loop term.Term, parents map[uint32][]term.Term) *summing {
	v := s.Open(loop)
	state := s.StateOf(v.Op.Type)
	next := s.Arrays(v.Kids[2], v.Binders[1], state.Arrays)
	out := &summing{v, state, next, make(map[int]*sums)}
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
		x.rest = summands(s, s.Component(k, next), nil)
		own := slices.IndexFunc(x.rest, state.Arrays[k].Equal)
		if used != 1 || own < 0 || len(x.rest) == 1 {
			continue
		}
		if x.rest = slices.Delete(x.rest, own, own+1); !slices.ContainsFunc(x.rest, func(t term.Term) bool { return t.Has(state.Names[k]) || few(s, t) }) {
			out.by[k] = x
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
func sumsOf(s *term.Store, all term.Term, steps size.Size, parents map[uint32][]term.Term) *sums {
	only := func(id uint32) (term.View, bool) {
		if len(parents[id]) != 1 || len(s.Vars(parents[id][0])) > 0 {
			return term.View{}, false
		}
		return s.Open(parents[id][0]), true
	}
	v, ok := only(all.ID)
	if n, known := steps.Const(); !ok || !known || v.Op.Sym != ops.SymIndex || len(v.Kids) != 2 || v.Kids[0].ID != all.ID || v.Kids[1].ID != s.LitInt(n).ID {
		return nil
	}
	out := new(sums)
	var turned []term.View
	for id := parents[all.ID][0].ID; ; {
		if v, ok = only(id); !ok || v.Op.Sym != ops.SymTr && v.Op.Sym != ops.SymSum {
			break
		}
		id, turned = parents[id][0].ID, append(turned, v)
		if v.Op.Sym == ops.SymSum {
			out.ops, out.node, turned = append(out.ops, turned...), id, nil
		}
	}
	if len(out.ops) == 0 {
		return nil
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
	now := &term.State{Types: slices.Clone(x.Types), Names: x.Names}
	for k := range x.Types {
		first[k], next[k] = s.Component(k, x.Kids[0]), s.Component(k, x.next)
		if by := x.by[k]; by != nil {
			first[k] = by.of(s, first[k])
			now.Types[k] = s.Type(first[k])
			more := by.rest[0]
			for _, e := range by.rest[1:] {
				more = s.Apply(ops.SymAdd, more, e)
			}
			next[k] = s.Apply(ops.SymAdd, s.Variable(x.Names[k], ops.VarType{Type: now.Types[k]}), by.of(s, more))
		}
	}
	op := x.Op
	op.Type = term.PackedType(now.Types)
	less := s.MustMake(op, nil, x.Binders, []term.Term{s.Packed(first), x.Kids[1], now.In(s, s.Packed(next), x.Binders[1])})
	n, _ := op.Sizes[0].Const()
	of, became := s.Replacer(func(at term.Term, replaced func() term.View) term.Term {
		for k, by := range x.by {
			if at.ID == by.node {
				return s.Index(s.Component(k, less), s.LitInt(n))
			}
		}
		if op := s.Op(at); op.Sym == ops.SymProj && s.Kids(at)[0].ID == loop.ID {
			return s.Proj(op.N, less)
		}
		return s.Remade(replaced())
	})
	return of(t), became
}
