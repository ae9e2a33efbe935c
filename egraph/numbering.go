package egraph

import "egad/slot"

// numbering gives names small numbers for the time of a call.
type numbering struct{ slot.Numbering }

func (ns *numbering) of(names []slot.Name) []Pos {
	out := make([]Pos, len(names))
	for i, n := range names {
		out[i] = Pos(ns.Of(n))
	}
	return out
}

// ref is a class that is passed numbers of names.
func (ns *numbering) ref(g *Graph, c ClassID, v Vec) Ref {
	return Ref{ID: c, Args: g.Names(v, ns.Numbering, nil)}
}
