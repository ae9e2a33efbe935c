package egraph

import (
	"egad/slot"
)

// Lookup returns the class of the e-node op(kids), which it does not add: it is
// false if there is no such e-node. Own and binders are as for [Graph.Add].
func (g *Graph) Lookup(op Op, own, binders []slot.Name, kids []Ref) (Ref, bool) {
	if len(own)+len(binders) == 0 && len(kids) <= maxFlat {
		var ids [maxFlat]ClassID
		flat := true
		for k, r := range kids {
			ids[k] = g.Find(r.ID)
			flat = flat && len(r.Args) == 0
		}
		if flat {
			c, ok := g.findFlat(op, ids[:len(kids)])
			return Ref{ID: c}, ok
		}
	}
	head := g.sig.HeadInfo(g.sig.Head(op))
	var names numbering
	ids, args := make([]ClassID, len(kids)), make([]Vec, len(kids))
	for k, r := range kids {
		r = g.FindRef(r)
		ids[k], args[k] = r.ID, g.vecs.Intern(names.of(r.Args))
	}
	c := g.canonicalise(head, names.of(own), ids, args, names.of(binders))
	node, ok, _, _, _ := g.lookup(op, c)
	if !ok {
		return Ref{}, false
	}
	id, v := g.classOfNode(node, c.free)
	return names.ref(g, id, v), true
}

// findFlat is Lookup for children without slots, leaders.
func (g *Graph) findFlat(op Op, kids []ClassID) (ClassID, bool) {
	if len(kids) == 2 && kids[1] < kids[0] && g.sig.HeadInfo(g.sig.Head(op)).Commutative {
		kids[0], kids[1] = kids[1], kids[0]
	}
	node, ok, _, _, _ := g.lookupFlat(op, kids)
	if !ok {
		return 0, false
	}
	return g.Find(g.arena[node+nodeClass]), true
}
