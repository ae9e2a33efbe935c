package kernel

import (
	"slices"

	"egad/term"
)

// shown is what a result shows transposed or in another shape, and nothing else uses: it
// is made in the array of the result.
type shown struct {
	id    uint32   // what is computed
	views []uint32 // from the result down to it
}

// shows finds the reduction, the scatter or the sum of scatters below a result.
func (l *lowering) shows(n *node) (s shown, ok bool) {
	id, reshaped := n.id, false
	for n.kept && len(l.store.Vars(term.Term{ID: n.id})) == 0 && l.uses[id] <= 1 {
		switch o, sym := term.Builtin(l.op(id).Sym), l.op(id).Sym; {
		case sym == term.SymTr || sym == term.SymReshape:
			s.views = append(s.views, id)
			reshaped = reshaped || sym == term.SymReshape
			id = l.kids(id)[0].ID
			continue
		case o.Reduction && !o.Whole, !reshaped && (sym == term.SymScatter || l.sum(id) != nil):
			// (Of a reshaped array an index that is out of range may be in range.)
			s.id = id
			m := l.nodes[id]
			return s, len(s.views) > 0 && (m == nil || !m.kept)
		}
		break
	}
	return s, false
}

// show makes the kernels of a result that shows what s is.
func (l *lowering) show(a *Array, s shown) {
	switch sum := l.sum(s.id); {
	case sum != nil:
		for _, t := range sum {
			l.scatter(a, nil, t, s.views)
		}
	case l.op(s.id).Sym == term.SymScatter:
		l.scatter(a, nil, l.whole(s.id), s.views)
	case slices.ContainsFunc(s.views, func(id uint32) bool { return l.op(id).Sym == term.SymReshape }):
		k := l.nest(a)
		at := k.addLoops(l.shape(s.id), Parallel)
		k.target = k.up(s.views, at)
		k.reduce(s.id, nil, at)
	default: // the loops go along the result
		k := l.nest(a)
		k.target = k.addLoops(a.Shape, Parallel)
		k.reduce(s.id, nil, k.down(s.views, k.target))
	}
}

// up maps indices of what views show to those of the first of them.
func (k *nest) up(views []uint32, at []*Value) []*Value {
	for _, id := range slices.Backward(views) {
		op, from := k.l.op(id), at
		if op.Sym == term.SymReshape {
			at = k.b.unravel(k.b.ravel(at, k.l.shape(k.l.kids(id)[0].ID)), k.l.shape(id))
			continue
		}
		at = make([]*Value, len(from))
		for i, p := range op.Perm {
			at[i] = from[p]
		}
	}
	return at
}

// down maps indices of the first of views to those of what they show.
func (k *nest) down(views []uint32, at []*Value) []*Value {
	for _, id := range views {
		at = k.below(id, at)
	}
	return at
}

// below maps indices of a transposed or reshaped array to those of its operand.
func (k *nest) below(id uint32, at []*Value) []*Value {
	op := k.l.op(id)
	if op.Sym == term.SymReshape {
		return k.b.unravel(k.b.ravel(at, k.l.shape(id)), k.l.shape(k.l.kids(id)[0].ID))
	}
	from := slices.Clone(at)
	for i, p := range op.Perm {
		from[p] = at[i]
	}
	return from
}
