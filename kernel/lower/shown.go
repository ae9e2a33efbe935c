package lower

import (
	"slices"

	"egad/kernel"
	"egad/term"
	"egad/term/ops"
)

// shown is what a result shows transposed, in another shape or built of its elements, and
// nothing else uses: it is made in the array of the result.
type shown struct {
	id    uint32   // what is computed
	views []uint32 // from the result down to it
	// reshaped says that its axes are not those of the result.
	reshaped bool
}

// shows finds the reduction, the scatter or the sum of scatters below a result.
func (l *lowering) shows(n *node) (s shown, ok bool) {
	id, built := n.id, 0 // loops
	for n.kept && len(l.store.Vars(term.Term{ID: n.id})) == 0 && l.uses[id] <= 1 {
		switch o, sym := ops.Builtin(l.op(id).Sym), l.op(id).Sym; {
		case sym == ops.SymTr || sym == ops.SymReshape || sym == ops.SymBuild:
			s.views = append(s.views, id)
			s.reshaped = s.reshaped || sym == ops.SymReshape
			if sym == ops.SymBuild {
				built++
			}
			id = l.kids(id)[0].ID
			continue
		case o.Reduction && !o.Whole, !s.reshaped && built == 0 && (sym == ops.SymScatter || l.sum(id) != nil):
			// (Of a reshaped array an index that is out of range may be in range.)
			s.id = id
			m := l.nodes[id]
			if s.reshaped && built > 0 || len(l.store.Vars(term.Term{ID: id})) < built { // which would compute it again
				return s, false
			}
			return s, len(s.views) > 0 && (m == nil || !m.kept)
		}
		break
	}
	return s, false
}

// show makes the kernels of a result that shows what s is.
func (l *lowering) show(a *kernel.Array, s shown) {
	switch sum := l.sum(s.id); {
	case sum != nil:
		for _, t := range sum {
			l.scatter(a, nil, t, s.views)
		}
	case l.op(s.id).Sym == ops.SymScatter:
		l.scatter(a, nil, l.whole(s.id), s.views)
	case s.reshaped:
		k, _ := l.nest(a, s.id, nil)
		at := k.addLoops(l.shape(s.id), kernel.Parallel)
		k.target = l.up(k.b, s.views, at)
		k.reduce(site{id: s.id}, at)
	default: // the loops go along the result
		k, _ := l.nest(a, s.id, a.Shape)
		var slots []*kernel.Value
		at := k.target
		for _, id := range s.views {
			kid, bound := l.kids(id)[0], []*kernel.Value(nil)
			if l.op(id).Sym == ops.SymBuild {
				bound, at = at[:1], at[1:]
			} else {
				at = k.below(id, at)
			}
			slots = kidSlots(kid.Args, slots, bound)
		}
		k.reduce(site{s.id, slots}, at)
	}
}

// below maps indices of a transposed or reshaped array to those of its operand.
func (k *nest) below(id uint32, at []*kernel.Value) []*kernel.Value {
	op := k.op(id)
	if op.Sym == ops.SymReshape {
		return k.b.Unravel(k.b.Ravel(at, k.shape(id)), k.shape(k.kids(id)[0].ID))
	}
	from := slices.Clone(at)
	for i, p := range op.Perm {
		from[p] = at[i]
	}
	return from
}
