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
