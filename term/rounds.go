package term

import (
	"math"

	"egad/slot"
)

// leastSteps is how many steps a loop has at least that is put into rounds.
const leastSteps = 16

// InRounds is the program with its loops in rounds, in a loop of loops: of n steps in
// rounds of √n, where n is known and nothing is used but the last state. Their
// derivative keeps the states between the rounds and those of one round, not all. This
// is an equation but no rule, as it would apply again to the loops that it makes.
func (p *Program) InRounds() (*Program, error) {
	s := p.Store
	open := map[uint32]bool{s.loopOf(p.Root.ID): true} // loops of which other states are used
	s.Walk(p.Root, func(t Term) {
		last := s.lastState(t)
		for i, k := range s.Kids(t) {
			if s.Op(t).Sym != SymProj && !(last && i == 0) {
				open[s.loopOf(k.ID)] = true
			}
		}
	})
	out := *p
	err := Guard(func() error {
		var became map[uint32]Term
		out.Root, became = s.rewrite(p.Root, func(at Term, v View) (Term, bool) {
			if !s.lastState(at) || open[s.loopOf(s.Kids(at)[0].ID)] {
				return Term{}, false
			}
			return s.inRounds(v.Kids[0])
		})
		out.Names = moveHints(p.Names, became)
		return nil
	})
	return &out, err
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
	for _, k := range []slot.Kid{s.Kids(t)[1], s.Kids(loop)[1]} {
		if c := s.Op(Term{ID: k.ID}); c.Sym != SymConst || c.Const.Data != nil || !op.Sizes[0].IsConst(c.Const.Fill.Int) {
			return false
		}
	}
	return true
}

// inRounds is the last of the states of a loop, or a part of them, in rounds.
func (s *Store) inRounds(all Term) (Term, bool) {
	loop, part := all, s.Op(all)
	if part.Sym == SymProj {
		loop = s.Open(all).Kids[0]
	}
	v := s.Open(loop)
	n, _ := v.Op.Sizes[0].Const()
	if n < leastSteps {
		return Term{}, false
	}
	w := int64(math.Ceil(math.Sqrt(float64(n))))
	op := v.Op
	op.Sizes = []Size{SizeConst(w)}
	names := s.FreshN(2)
	round, step, lit := s.Ivar(names[0], op.Sizes[0]), s.Ivar(v.Binders[0], op.Sizes[0]), s.LitInt(w)
	before := s.Apply(SymMul, lit, round)
	left := s.Apply(SymMax, s.Apply(SymMin, s.Apply(SymSub, s.LitInt(n), before), lit), s.LitInt(0))
	state := s.MustMake(Op{Sym: SymLocal, Type: op.Type}, names[1:], nil, nil)
	body := s.Subst(v.Kids[2], map[slot.Name]Term{v.Binders[0]: s.Apply(SymAdd, before, step)})
	inner := s.MustMake(op, nil, v.Binders, []Term{state, left, body})
	rounds := s.MustMake(op, nil, names, []Term{v.Kids[0], lit, s.parts(inner, func(x Term) Term { return s.Index(x, lit) })})
	if part.Sym == SymProj {
		rounds = s.Proj(part.N, rounds)
	}
	return s.Index(rounds, lit), true
}

// Rounds reports whether a loop is one of rounds: the state after each is the last one
// of a loop whose number of steps is computed.
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
		if s.Op(p).Sym != SymIndex {
			return false
		}
		of := s.loopOf(s.Kids(p)[0].ID)
		if s.Op(Term{ID: of}).Sym != SymStates || s.Op(Term{ID: s.Kids(Term{ID: of})[1].ID}).Sym == SymConst {
			return false
		}
	}
	return true
}
