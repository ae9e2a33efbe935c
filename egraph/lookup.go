package egraph

import (
	"egad/slot"
)

// Lookup returns the class of the row op(kids), which it does not add: it is
// false if there is no such row. Own and binders are as for [Graph.Add].
func (g *Graph) Lookup(op Op, own, binders []slot.Name, kids []Ref) (Ref, bool) {
	head := g.sig.HeadInfo(g.sig.Head(op))
	var names numbering
	ids, args := make([]ClassID, len(kids)), make([]Vec, len(kids))
	for k, r := range kids {
		r = g.FindRef(r)
		ids[k], args[k] = r.ID, g.vecs.intern(names.of(r.Args))
	}
	c := g.canonicalise(head, names.of(own), ids, args, names.of(binders))
	row, ok, _, _, _ := g.lookup(op, c)
	if !ok {
		return Ref{}, false
	}
	id, v := g.classOfRow(row, c.free)
	r := Ref{ID: id}
	for _, p := range g.vecs.get(v) {
		r.Args = append(r.Args, names[p])
	}
	return r, true
}
