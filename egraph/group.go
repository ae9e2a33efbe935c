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
	v := g.vecs.Intern(keep)
	for _, p := range g.symmetriesOf(c) {
		out = g.extend(out, g.mapped(g.vecs.Compose(p, v), func(p Pos) Pos { return Pos(slices.Index(keep, p)) }))
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

// mapped is v with another slot for each, but for [AnyPos].
func (g *Graph) mapped(v Vec, f func(Pos) Pos) Vec {
	var buf [16]Pos
	out := append(buf[:0], g.vecs.Get(v)...)
	changed := false
	for k, p := range out {
		if p == AnyPos {
			continue
		}
		out[k] = f(p)
		changed = changed || out[k] != p
	}
	if !changed {
		return v
	}
	return g.vecs.Intern(out)
}

// among is p, or else a slot that is not among names.
func among(names []Pos, p, or Pos) Pos {
	if slices.Contains(names, p) {
		return p
	}
	return or
}
