package egraph

import (
	"slices"

	"egad/slot"
)

// numbering gives names small numbers for the time of a call: a name's number is
// its place.
type numbering []slot.Name

func (ns *numbering) of(names []slot.Name) []Pos {
	out := make([]Pos, len(names))
	for i, n := range names {
		k := slices.Index(*ns, n)
		if k < 0 {
			k = len(*ns)
			*ns = append(*ns, n)
		}
		out[i] = Pos(k)
	}
	return out
}
