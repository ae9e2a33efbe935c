package term

import (
	"math"
	"slices"

	"egad/slot"
)

// leastSteps is how many steps a loop has at least that is put into rounds.
const leastSteps = 16

// InRounds is the program with its loops in rounds, in a loop of loops: of n steps in
// rounds of √n, where n is known and nothing is used but the last state and the states
// after each step. Their derivative keeps of what the steps read the states between the
// rounds and those of one round, not all; of what is used after each step each round has
// a block. This is an equation but no rule, as it would apply again to the loops that it
// makes.
func (p *Program) InRounds() (*Program, error) {
	s := p.Store
	used := make(map[uint32]*loopUses)
	uses := func(loop uint32) *loopUses {
		if used[loop] == nil {
			used[loop] = &loopUses{last: make(map[int]bool), each: make(map[int]bool)}
		}
		return used[loop]
	}
	uses(s.loopOf(p.Root.ID)).open = true
	s.Walk(p.Root, func(t Term) {
		last, each := s.lastState(t), s.eachState(t)
		for i, k := range s.Kids(t) {
			u, part := uses(s.loopOf(k.ID)), s.Op(Term{ID: k.ID}).N
			switch {
			case s.Op(t).Sym == SymProj:
			case last && i == 0:
				u.last[part] = true
			case each && i == 0:
				u.each[part] = true
			default:
				u.open = true
			}
		}
	})
	out := *p
	err := Guard(func() error {
		var became map[uint32]Term
		out.Root, became = s.rewrite(p.Root, func(at Term, v View) (Term, bool) {
			last := s.lastState(at)
			if !last && !s.eachState(at) {
				return Term{}, false
			}
			u := used[s.loopOf(s.Kids(at)[0].ID)]
			if u.open {
				return Term{}, false
			}
			return s.inRounds(v.Kids[0], u, last)
		})
		out.Names = moveHints(p.Names, became)
		return nil
	})
	return &out, err
}

// loopUses says which arrays of the states of a loop are used: the last ones, and those
// after each step. Open, others are too.
type loopUses struct {
	last, each map[int]bool
	open       bool
}

// loopOf is the loop of whose states a node is all or a part, or the node.
func (s *Store) loopOf(id uint32) uint32 {
	if s.Op(Term{ID: id}).Sym == SymProj {
		return s.nodes[id].kids[0].ID
	}
	return id
}

// lastState reports whether t is the last state of a loop, or a part of it, and all its
// steps are made.
func (s *Store) lastState(t Term) bool {
	if s.Op(t).Sym != SymIndex || len(s.Kids(t)) < 2 {
		return false
	}
	loop := Term{ID: s.loopOf(s.Kids(t)[0].ID)}
	op := s.Op(loop)
	if op.Sym != SymStates {
		return false
	}
	return s.isInt(s.Kids(t)[1].ID, op.Sizes[0]) && s.allSteps(loop)
}

// eachState reports whether t is what all steps of a loop make of its state, or of a part
// of it.
func (s *Store) eachState(t Term) bool {
	if s.Op(t).Sym != SymGather || len(s.Kids(t)) != 2 {
		return false
	}
	loop := Term{ID: s.loopOf(s.Kids(t)[0].ID)}
	if s.Op(loop).Sym != SymStates || len(s.Op(t).Sizes) != 1 || !s.Op(t).Sizes[0].Equal(s.Op(loop).Sizes[0]) || !s.allSteps(loop) {
		return false
	}
	v := s.Open(t)
	i := s.Ivar(v.Binders[0], v.Op.Sizes[0])
	next := s.Apply(SymAdd, i, s.LitInt(1))
	return v.Kids[1].Equal(next) || v.Kids[1].Equal(s.Apply(SymAdd, s.LitInt(1), i))
}

// allSteps reports whether a loop makes all of its steps.
func (s *Store) allSteps(loop Term) bool {
	return s.isInt(s.Kids(loop)[1].ID, s.Op(loop).Sizes[0])
}

// isInt reports whether a node is the literal of a size.
func (s *Store) isInt(id uint32, n Size) bool {
	c := s.Op(Term{ID: id})
	return c.Sym == SymConst && c.Const.Data == nil && n.IsConst(c.Const.Fill.Int)
}

// inRounds is an array of the states of a loop, in rounds: the last state, or the state
// after each step.
func (s *Store) inRounds(all Term, u *loopUses, last bool) (Term, bool) {
	loop, part := all, s.Op(all).N
	if s.Op(all).Sym == SymProj {
		loop = s.Open(all).Kids[0]
	}
	v := s.Open(loop)
	n, _ := v.Op.Sizes[0].Const()
	if n < leastSteps {
		return Term{}, false
	}
	w := int64(math.Ceil(math.Sqrt(float64(n))))
	steps, lit := SizeConst(w), s.LitInt(w)
	names := s.FreshN(2)
	round, step := s.Ivar(names[0], steps), s.Ivar(v.Binders[0], steps)
	before := s.Apply(SymMul, lit, round)
	left := s.Apply(SymMax, s.Apply(SymMin, s.Apply(SymSub, s.LitInt(n), before), lit), s.LitInt(0))
	state := s.stateOf(v.Op.Type)
	body := s.Subst(s.Arrays(v.Kids[2], v.Binders[1], state.arrays), map[slot.Name]Term{v.Binders[0]: s.Apply(SymAdd, before, step)})
	// What goes from round to round: what the steps read and what is used in the end; and
	// the blocks, which nobody reads.
	var kept, blocks []int
	var types []*Type
	for k, t := range state.types {
		if u.last[k] || body.Has(state.names[k]) {
			kept, types = append(kept, k), append(types, t)
		}
	}
	for k, t := range state.types {
		if u.each[k] {
			blocks, types = append(blocks, k), append(types, ArrayOf(t.Elem, append([]Size{steps}, t.Shape...)...))
		}
	}
	whole := PackedType(types)
	local := s.Variable(names[1], VarType{Type: whole})
	first, begin := make([]Term, len(types)), make([]Term, len(state.types))
	for k, t := range state.types {
		begin[k] = s.Zeros(t)
	}
	for i, k := range kept {
		first[i], begin[k] = s.component(k, v.Kids[0]), s.component(i, local)
	}
	op := v.Op
	op.Sizes = []Size{steps}
	inner := s.MustMake(op, nil, v.Binders, []Term{s.Packed(begin), left, state.in(s, body, v.Binders[1])})
	next := make([]Term, len(types))
	for i, k := range kept {
		next[i] = s.Index(s.component(k, inner), lit)
	}
	for i, k := range blocks {
		i += len(kept)
		first[i] = s.Zeros(types[i])
		next[i] = s.Gather(op.Sizes, s.component(k, inner), func(is []Term) []Term { return []Term{s.Apply(SymAdd, is[0], s.LitInt(1))} })
	}
	op.Type = whole
	rounds := s.MustMake(op, nil, names, []Term{s.Packed(first), lit, s.Packed(next)})
	if last {
		return s.Index(s.component(slices.Index(kept, part), rounds), lit), true
	}
	return s.Gather(v.Op.Sizes, s.component(len(kept)+slices.Index(blocks, part), rounds), func(is []Term) []Term {
		return []Term{s.Apply(SymAdd, s.Apply(SymIdiv, is[0], lit), s.LitInt(1)), s.Apply(SymMod, is[0], lit)}
	}), true
}

// Rounds reports whether a loop is one of rounds: the state after each is the last one
// of a loop whose number of steps is computed, or the states after each of its steps.
func (s *Store) Rounds(loop Term) bool {
	v := s.Open(loop)
	if c := s.Op(v.Kids[1]); c.Sym != SymConst {
		return false
	}
	parts := []Term{v.Kids[2]}
	if s.Op(parts[0]).Sym == SymTuple {
		parts = s.Open(parts[0]).Kids
	}
	for _, p := range parts {
		if sym := s.Op(p).Sym; sym != SymIndex && sym != SymGather {
			return false
		}
		of := s.loopOf(s.Kids(p)[0].ID)
		if s.Op(Term{ID: of}).Sym != SymStates || s.Op(Term{ID: s.Kids(Term{ID: of})[1].ID}).Sym == SymConst {
			return false
		}
	}
	return true
}
