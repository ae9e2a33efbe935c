package lower

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// sent is a scatter into an array; args are its index variables among those of the
// array.
type sent struct {
	id   uint32
	args []slot.Pos
}

// sum lists the scatters of which a node is the sum, from the last to the first, if
// what they send may be added to one array, one scatter after the other. That has
// the same bits if none but the first sends two elements to one place, as no element
// of a scatter is -0. There are none if another node uses one of them.
func (g *graph) sum(id uint32) []sent {
	if g.op(id).Sym != ops.SymAdd || g.typ(id).Elem != types.R {
		return nil
	}
	s := g.whole(id)
	var out []sent
	for g.op(s.id).Sym == ops.SymAdd {
		kids := slices.Clone(g.kids(s.id))
		if g.injective(kids[0].ID) {
			slices.Reverse(kids)
		}
		if !g.injective(kids[1].ID) || !g.summand(s, kids[0]) || !g.summand(s, kids[1]) {
			return nil
		}
		out = append(out, s.of(kids[1]))
		s = s.of(kids[0])
	}
	return append(out, s)
}

// whole is a node by itself.
func (g *graph) whole(id uint32) sent {
	s := sent{id, make([]slot.Pos, len(g.store.Vars(term.Term{ID: id})))}
	for i := range s.args {
		s.args[i] = slot.Pos(i)
	}
	return s
}

// of is an operand of a node.
func (s sent) of(kid slot.Kid) sent {
	args := slice.Map(kid.Args, func(p slot.Pos) slot.Pos { return s.args[p] })
	return sent{kid.ID, args}
}

// summand reports whether an operand of a sum is a scatter or a sum, depends on what
// the sum depends on, and is used nowhere else.
func (g *graph) summand(s sent, kid slot.Kid) bool {
	sym := g.op(kid.ID).Sym
	return (sym == ops.SymScatter || sym == ops.SymAdd) && len(kid.Args) == len(s.args) && (g.uses == nil || g.uses[kid.ID] == 1)
}

// injective reports whether a node is a scatter that sends no two elements to one
// place: for each index variable there is an index that moves with it alone.
func (g *graph) injective(id uint32) bool {
	op := g.op(id)
	if op.Sym != ops.SymScatter {
		return false
	}
	found := make([]bool, len(op.Sizes))
	for _, at := range g.kids(id)[1:] {
		isBound := func(p slot.Pos) bool { return p&slot.Bound != 0 }
		i := slices.IndexFunc(at.Args, isBound)
		if i >= 0 && !slices.ContainsFunc(at.Args[i+1:], isBound) && g.moves(at.ID, slot.Pos(i)) {
			found[at.Args[i]&^slot.Bound] = true
		}
	}
	return !slices.Contains(found, false)
}

// scatterOrder is the order of the loops of a scatter: any, if no place is added to twice.
func (g *graph) scatterOrder(id uint32) kernel.Order {
	if g.injective(id) {
		return kernel.Parallel
	}
	return kernel.InOrder
}

// maxStride bounds the multiples of indices that are known to be as many integers as these.
const maxStride = 1 << 20

// moves reports whether an integer is a multiple of an index variable, added to what does not
// depend on it, or taken from that.
func (g *graph) moves(id uint32, variable slot.Pos) bool {
	switch g.op(id).Sym {
	case ops.SymIvar:
		return true
	case ops.SymMul:
		for i, kid := range g.kids(id) {
			by, of := g.op(kid.ID), g.kids(id)[1-i]
			if by.Sym == ops.SymConst && by.Const.Fill.Int != 0 && -maxStride <= by.Const.Fill.Int && by.Const.Fill.Int <= maxStride {
				return g.moves(of.ID, slot.Pos(slices.Index(of.Args, variable)))
			}
		}
	case ops.SymAdd, ops.SymSub:
		kids := g.kids(id)
		a, b := slices.Index(kids[0].Args, variable), slices.Index(kids[1].Args, variable)
		return a < 0 && g.moves(kids[1].ID, slot.Pos(b)) || b < 0 && g.moves(kids[0].ID, slot.Pos(a))
	}
	return false
}

// count counts by how many others each node below one is used.
func (l *lowering) count(id uint32) {
	for _, kid := range l.kids(id) {
		if l.uses[kid.ID]++; l.uses[kid.ID] == 1 {
			l.count(kid.ID)
		}
	}
}

// scatter makes the kernel of a scatter into an array with axes for outer, which shows it
// by views.
func (l *lowering) scatter(a *kernel.Array, outer []int, s sent, views []uint32) {
	k, at := l.nest(a, s.id, outer)
	k.scatter(at.sent(s))
	k.target = l.up(k.b, views, k.target)
}
