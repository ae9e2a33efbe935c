package proof

import (
	"slices"

	"egad/egraph"
	"egad/slot"
)

// children is the steps from op(from) to op(to), where op names the slots own and
// binds the names binders.
func (x *Explainer) children(op egraph.Op, own, binders []slot.Name, from, to []egraph.Ref, limit int) ([]Step, error) {
	steps, err := x.inOrder(op, binders, from, to, limit)
	if err == nil || !x.headOf(op).Commutative {
		return steps, err
	}
	if steps, err = x.inOrder(op, binders, []egraph.Ref{from[1], from[0]}, to, limit); err != nil {
		return nil, err
	}
	t := &egraph.Tree{Op: op, Own: own, Binders: binders, Kids: []*egraph.Tree{x.tree(from[0]), x.tree(from[1])}}
	return append([]Step{{Reason: Commuted, From: t, To: swapped(t)}}, steps...), nil
}

// inOrder is the steps that bring each of from to the one in its place in to.
func (x *Explainer) inOrder(op egraph.Op, binders []slot.Name, from, to []egraph.Ref, limit int) ([]Step, error) {
	var steps []Step
	paths := make([][]Step, len(from))
	for k := range from {
		// Both children of x + x take the same way.
		j := slices.IndexFunc(from[:k], func(r egraph.Ref) bool { return r.ID == from[k].ID && len(r.Args) == 0 })
		if j >= 0 && to[j].ID == to[k].ID && len(to[k].Args) == 0 {
			for _, s := range paths[j] {
				paths[k] = append(paths[k], s.copy())
			}
			continue
		}
		var err error
		if paths[k], err = x.path(from[k], to[k], limit); err != nil {
			return nil, err
		}
	}
	for k, s := range paths {
		steps = append(steps, x.inside(op, k, binders, s)...)
	}
	return steps, nil
}
