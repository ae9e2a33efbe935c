package loops

import (
	"math"
	"slices"

	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// leastSteps is how many steps a loop has at least that is put into rounds.
const leastSteps = 16

// InRounds makes the program with its loops in rounds, in a loop of loops: of n steps in
// rounds of √n, where n is known and nothing is used but the last state and the states
// after each step. Their derivative keeps of what the steps read the states between the
// rounds and those of one round, not all; of what is used after each step each round has
// a block. This is an equation but no rule, as it would apply again to the loops that it
// makes.
func InRounds(p *term.Program) (*term.Program, error) {
	s := p.Store
	used := make(map[uint32]*loopUses)
	uses := func(loop uint32) *loopUses {
		if used[loop] == nil {
			used[loop] = &loopUses{last: make(map[int]bool), each: make(map[int]bool)}
		}
		return used[loop]
	}
	uses(loopOf(s, p.Root.ID)).open = true
	s.Walk(p.Root, func(t term.Term) {
		last, each := lastState(s, t), eachState(s, t)
		for i, k := range s.Kids(t) {
			u, part := uses(loopOf(s, k.ID)), s.Op(term.Term{ID: k.ID}).N
			switch {
			case s.Op(t).Sym == ops.SymProj:
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
	err := overflow.Guard(func() error {
		var became map[uint32]term.Term
		out.Root, became = s.Rewrite(p.Root, func(at term.Term, v term.View) (term.Term, bool) {
			last := lastState(s, at)
			if !last && !eachState(s, at) {
				return term.Term{}, false
			}
			u := used[loopOf(s, s.Kids(at)[0].ID)]
			if u.open {
				return term.Term{}, false
			}
			return inRounds(s, v.Kids[0], u, last)
		})
		out.Names = term.MoveHints(p.Names, became)
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
func loopOf(s *term.Store, id uint32) uint32 {
	if s.Op(term.Term{ID: id}).Sym == ops.SymProj {
		return s.Kids(term.Term{ID: id})[0].ID
	}
	return id
}

// wholeOf is the term of which another one is a part, or that one.
func wholeOf(s *term.Store, t term.Term) term.Term {
	if s.Op(t).Sym == ops.SymProj {
		return s.Open(t).Kids[0]
	}
	return t
}

// lastState reports whether t is the last state of a loop, or a part of it, and all its
// steps are made.
func lastState(s *term.Store, t term.Term) bool {
	if s.Op(t).Sym != ops.SymIndex || len(s.Kids(t)) < 2 {
		return false
	}
	loop := term.Term{ID: loopOf(s, s.Kids(t)[0].ID)}
	op := s.Op(loop)
	if op.Sym != ops.SymStates {
		return false
	}
	return isInt(s, s.Kids(t)[1].ID, op.Sizes[0]) && allSteps(s, loop)
}

// eachState reports whether t is what all steps of a loop make of its state, or of a part
// of it.
func eachState(s *term.Store, t term.Term) bool {
	if s.Op(t).Sym != ops.SymGather || len(s.Kids(t)) != 2 {
		return false
	}
	loop := term.Term{ID: loopOf(s, s.Kids(t)[0].ID)}
	if s.Op(loop).Sym != ops.SymStates || len(s.Op(t).Sizes) != 1 || !s.Op(t).Sizes[0].Equal(s.Op(loop).Sizes[0]) || !allSteps(s, loop) {
		return false
	}
	v := s.Open(t)
	i := s.Ivar(v.Binders[0], v.Op.Sizes[0])
	next := s.Apply(ops.SymAdd, i, s.LitInt(1))
	return v.Kids[1].Equal(next) || v.Kids[1].Equal(s.Apply(ops.SymAdd, s.LitInt(1), i))
}

// allSteps reports whether a loop makes all of its steps.
func allSteps(s *term.Store, loop term.Term) bool {
	return isInt(s, s.Kids(loop)[1].ID, s.Op(loop).Sizes[0])
}

// isInt reports whether a node is the literal of a size.
func isInt(s *term.Store, id uint32, n size.Size) bool {
	c := s.Op(term.Term{ID: id})
	return c.Sym == ops.SymConst && c.Const.Data == nil && n.IsConst(c.Const.Fill.Int)
}

// inRounds is an array of the states of a loop, in rounds: the last state, or the state
// after each step.
func inRounds(s *term.Store, all term.Term, u *loopUses, last bool) (term.Term, bool) {
	loop, part := wholeOf(s, all), s.Op(all).N
	v := s.Open(loop)
	n, _ := v.Op.Sizes[0].Const()
	if n < leastSteps {
		return term.Term{}, false
	}
	w := int64(math.Ceil(math.Sqrt(float64(n))))
	steps, lit := size.Const(w), s.LitInt(w)
	names := s.FreshN(2)
	round, step := s.Ivar(names[0], steps), s.Ivar(v.Binders[0], steps)
	before := s.Apply(ops.SymMul, lit, round)
	left := s.Apply(ops.SymMax, s.Apply(ops.SymMin, s.Apply(ops.SymSub, s.LitInt(n), before), lit), s.LitInt(0))
	state := s.StateOf(v.Op.Type)
	body := s.Subst(s.Arrays(v.Kids[2], v.Binders[1], state.Arrays), map[slot.Name]term.Term{v.Binders[0]: s.Apply(ops.SymAdd, before, step)})
	// What goes from round to round: what the steps read and what is used in the end; and
	// the blocks, which nobody reads.
	var kept, blocks []int
	var ts []*types.Type
	for k, t := range state.Types {
		if u.last[k] || body.Has(state.Names[k]) {
			kept, ts = append(kept, k), append(ts, t)
		}
	}
	for k, t := range state.Types {
		if u.each[k] {
			blocks, ts = append(blocks, k), append(ts, types.ArrayOf(t.Elem, append([]size.Size{steps}, t.Shape...)...))
		}
	}
	whole := term.PackedType(ts)
	local := s.Variable(names[1], ops.VarType{Type: whole})
	first, begin := make([]term.Term, len(ts)), make([]term.Term, len(state.Types))
	for k, t := range state.Types {
		begin[k] = s.Zeros(t)
	}
	for i, k := range kept {
		first[i], begin[k] = s.Component(k, v.Kids[0]), s.Component(i, local)
	}
	op := v.Op
	op.Sizes = []size.Size{steps}
	inner := s.MustMake(op, nil, v.Binders, []term.Term{s.Packed(begin), left, state.In(s, body, v.Binders[1])})
	next := make([]term.Term, len(ts))
	for i, k := range kept {
		next[i] = s.Index(s.Component(k, inner), lit)
	}
	for i, k := range blocks {
		i += len(kept)
		first[i] = s.Zeros(ts[i])
		next[i] = s.Gather(op.Sizes, s.Component(k, inner), func(is []term.Term) []term.Term { return []term.Term{s.Apply(ops.SymAdd, is[0], s.LitInt(1))} })
	}
	op.Type = whole
	rounds := s.MustMake(op, nil, names, []term.Term{s.Packed(first), lit, s.Packed(next)})
	if last {
		return s.Index(s.Component(slices.Index(kept, part), rounds), lit), true
	}
	return s.Gather(v.Op.Sizes, s.Component(len(kept)+slices.Index(blocks, part), rounds), func(is []term.Term) []term.Term {
		return []term.Term{s.Apply(ops.SymAdd, s.Apply(ops.SymIdiv, is[0], lit), s.LitInt(1)), s.Apply(ops.SymMod, is[0], lit)}
	}), true
}

// Rounds reports whether a loop is one of rounds: the state after each is the last one
// of a loop whose number of steps is computed, or the states after each of its steps.
func Rounds(s *term.Store, loop term.Term) bool {
	v := s.Open(loop)
	if c := s.Op(v.Kids[1]); c.Sym != ops.SymConst {
		return false
	}
	parts := []term.Term{v.Kids[2]}
	if s.Op(parts[0]).Sym == ops.SymTuple {
		parts = s.Open(parts[0]).Kids
	}
	for _, p := range parts {
		if sym := s.Op(p).Sym; sym != ops.SymIndex && sym != ops.SymGather {
			return false
		}
		of := loopOf(s, s.Kids(p)[0].ID)
		if s.Op(term.Term{ID: of}).Sym != ops.SymStates || s.Op(term.Term{ID: s.Kids(term.Term{ID: of})[1].ID}).Sym == ops.SymConst {
			return false
		}
	}
	return true
}
