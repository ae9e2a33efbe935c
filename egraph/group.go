package egraph

import (
	"slices"

	"egad/egraph/perm"
)

// Vec and Pos are lists of slots and slots; see package perm. A Pos of an e-node is a
// slot of the e-node, or bound plus the position of one of the e-node's own binders.
type (
	Vec = perm.Vec
	Pos = perm.Pos
)

// bound marks a Pos that refers to one of the e-node's own binders.
const bound Pos = 1 << 15

// extend is the least group with the elements of id and the permutation p. It is id
// if that is too much work, or the time is over, which merges less and is sound; the
// graph is lossy then.
func (g *Graph) extend(id perm.ID, p Vec) perm.ID {
	grown, complete := g.groups.Extend(id, p)
	g.lossy = g.lossy || !complete
	return grown
}

// hurried reports whether a run has to end now: then symmetries are not worked out,
// which merges less and is sound.
func (g *Graph) hurried() bool { return g.late != nil && g.late() }

// orbit reports which slots a symmetry of the class maps to one that is marked.
// It marks them too and reports whether it marked anything new.
func (g *Graph) orbit(c ClassID, marked []bool) bool {
	grew := false
	for _, p := range g.symmetriesOf(c) {
		for k, i := range g.vecs.Get(p) {
			if marked[i] != marked[k] {
				marked[i], marked[k] = true, true
				grew = true
			}
		}
	}
	return grew
}

// restrict is the group of c on the slots in keep, which its elements permute
// among themselves.
func (g *Graph) restrict(c ClassID, keep []Pos) perm.ID {
	var out perm.ID
	buf := make([]Pos, len(keep))
	for _, p := range g.symmetriesOf(c) {
		m := g.vecs.Get(p)
		for k, old := range keep {
			buf[k] = Pos(slices.Index(keep, m[old]))
		}
		out = g.extend(out, g.vecs.Intern(buf))
	}
	return out
}

// sameUpTo reports whether an element of a group makes names x, which are
// distinct, into y.
func sameUpTo[T comparable](g *Graph, id perm.ID, x, y []T) bool {
	if id == 0 {
		return slices.Equal(x, y)
	}
	var buf [16]Pos
	p := buf[:0]
	for _, n := range y {
		i := slices.Index(x, n)
		if i < 0 {
			return false
		}
		p = append(p, Pos(i))
	}
	return g.groups.Has(id, p)
}
