package term

import "slices"

// reduced is a term in which loops add up less: where of an array to which each step adds only
// the last is read, and that is summed along axes, the steps add sums. So the gradient of a
// matrix by which the rows of a batch are multiplied in each step is one matrix, and not one for
// each row. Sums are added in another order then. Names are those of nodes.
func (s *Store) reduced(t Term, names map[uint32]Hint) (Term, map[uint32]Hint) {
	t, became := s.rewrite(t, func(_ Term, v View) (Term, bool) {
		if v.Op.Sym != SymStates {
			return Term{}, false
		}
		closed, open := s.closing(v.Kids[2])
		body := s.Subst(v.Kids[2], closed)
		less, _ := s.summed(body, nil)
		if less.Equal(body) {
			return Term{}, false
		}
		v.Kids[2] = s.SubstVars(less, open)
		return s.remade(v), true
	})
	return s.summed(t, moveHints(names, became))
}

// summed is reduced for the closed loops of a term.
func (s *Store) summed(t Term, names map[uint32]Hint) (Term, map[uint32]Hint) {
	if !s.Contains(t, func(u Term) bool { return s.Op(u).Sym == SymStates }) {
		return t, names
	}
	for {
		parents := make(map[uint32][]Term)
		s.Walk(t, func(at Term) {
			for _, k := range s.Kids(at) {
				if !slices.ContainsFunc(parents[k.ID], func(p Term) bool { return p.ID == at.ID }) {
					parents[k.ID] = append(parents[k.ID], at)
				}
			}
		})
		before := t
		for _, loop := range s.loops(t, nil) {
			if x := s.summing(loop, parents); len(x.by) > 0 {
				var became map[uint32]Term
				t, became = x.instead(s, t, loop)
				names = moveHints(names, became)
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
	ops  []View
	node uint32
	rest []Term // what a step adds
}

// of is the sum of an array.
func (x *sums) of(s *Store, t Term) Term {
	for _, v := range x.ops {
		t = s.MustMake(v.Op, v.Own, v.Binders, []Term{t})
	}
	return t
}

// summing is a loop, with what its arrays become in a step, and the sums of those of which
// nothing else is used, by their numbers.
type summing struct {
	View
	*state
	next Term
	by   map[int]*sums
}

func (s *Store) summing(loop Term, parents map[uint32][]Term) *summing {
	v := s.Open(loop)
	state := s.stateOf(v.Op.Type)
	next := s.Arrays(v.Kids[2], v.Binders[1], state.arrays)
	out := &summing{v, state, next, make(map[int]*sums)}
	for k := range state.types {
		x := s.sumsOf(s.component(k, loop), v.Op.Sizes[0], parents)
		if x == nil {
			continue
		}
		used := 0
		for j := range state.types {
			if s.component(j, next).Has(state.names[k]) {
				used++
			}
		}
		x.rest = s.summands(s.component(k, next), nil)
		own := slices.IndexFunc(x.rest, state.arrays[k].Equal)
		if used != 1 || own < 0 || len(x.rest) == 1 {
			continue
		}
		if x.rest = slices.Delete(x.rest, own, own+1); !slices.ContainsFunc(x.rest, func(t Term) bool { return t.Has(state.names[k]) || s.few(t) }) {
			out.by[k] = x
		}
	}
	return out
}

// few reports whether a term may be 0 but for a few elements, to add which is less work than to
// add them up.
func (s *Store) few(t Term) bool {
	switch s.Op(t).Sym {
	case SymScatter, SymWhere, SymCond:
		return true
	case SymTr:
		return s.few(s.Open(t).Kids[0])
	}
	return false
}

// sumsOf are the sums of the last of all states of an array, if nothing else is used of them.
func (s *Store) sumsOf(all Term, steps Size, parents map[uint32][]Term) *sums {
	only := func(id uint32) (View, bool) {
		if len(parents[id]) != 1 || len(s.Vars(parents[id][0])) > 0 {
			return View{}, false
		}
		return s.Open(parents[id][0]), true
	}
	v, ok := only(all.ID)
	if n, known := steps.Const(); !ok || !known || v.Op.Sym != SymIndex || len(v.Kids) != 2 || v.Kids[0].ID != all.ID || v.Kids[1].ID != s.LitInt(n).ID {
		return nil
	}
	out := new(sums)
	var turned []View
	for id := parents[all.ID][0].ID; ; {
		if v, ok = only(id); !ok || v.Op.Sym != SymTr && v.Op.Sym != SymSum {
			break
		}
		id, turned = parents[id][0].ID, append(turned, v)
		if v.Op.Sym == SymSum {
			out.ops, out.node, turned = append(out.ops, turned...), id, nil
		}
	}
	if len(out.ops) == 0 {
		return nil
	}
	return out
}

// summands are the terms of a sum.
func (s *Store) summands(t Term, to []Term) []Term {
	if s.Op(t).Sym != SymAdd {
		return append(to, t)
	}
	v := s.Open(t)
	return s.summands(v.Kids[1], s.summands(v.Kids[0], to))
}

// instead is a term in which the loop adds the sums.
func (x *summing) instead(s *Store, t, loop Term) (Term, map[uint32]Term) {
	first, next := make([]Term, len(x.types)), make([]Term, len(x.types))
	now := &state{types: slices.Clone(x.types), names: x.names}
	for k := range x.types {
		first[k], next[k] = s.component(k, x.Kids[0]), s.component(k, x.next)
		if by := x.by[k]; by != nil {
			first[k] = by.of(s, first[k])
			now.types[k] = s.Type(first[k])
			more := by.rest[0]
			for _, e := range by.rest[1:] {
				more = s.Apply(SymAdd, more, e)
			}
			next[k] = s.Apply(SymAdd, s.Variable(x.names[k], VarType{Type: now.types[k]}), by.of(s, more))
		}
	}
	op := x.Op
	op.Type = PackedType(now.types)
	less := s.MustMake(op, nil, x.Binders, []Term{s.Packed(first), x.Kids[1], now.in(s, s.Packed(next), x.Binders[1])})
	n, _ := op.Sizes[0].Const()
	of, became := s.replacer(func(at Term, replaced func() View) Term {
		for k, by := range x.by {
			if at.ID == by.node {
				return s.Index(s.component(k, less), s.LitInt(n))
			}
		}
		if op := s.Op(at); op.Sym == SymProj && s.Kids(at)[0].ID == loop.ID {
			return s.Proj(op.N, less)
		}
		return s.remade(replaced())
	})
	return of(t), became
}
