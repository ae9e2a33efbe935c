package egraph

import (
	"slices"

	"egad/egraph/perm"
	"egad/internal/slice"
)

// Union says that a and b are equal. It reports whether that was news. What
// follows by congruence is found by [Graph.Rebuild].
func (g *Graph) Union(a, b Ref) bool {
	x, y := g.numbered(a, b)
	news := g.union(a.ID, x, b.ID, y)
	if news && g.recorder != nil {
		g.recorder.Given(Term{a.ID, x}, Term{b.ID, y})
	}
	return news
}

// numbered gives the names of two references small numbers.
func (g *Graph) numbered(a, b Ref) (x, y Vec) {
	var names numbering
	return g.vecs.Intern(names.of(a.Args)), g.vecs.Intern(names.of(b.Args))
}

func (g *Graph) unionFlat(a, b ClassID) bool {
	if a == b {
		return false
	}
	if g.older(b, a) {
		a, b = b, a
	}
	g.merge(a, b, 0)
	return true
}

// older reports whether a should stay when a and b merge: the one with more
// parents where that is known, else the older one.
func (g *Graph) older(a, b ClassID) bool {
	if g.links != nil {
		if x, y := g.links.parents[a].n, g.links.parents[b].n; x != y {
			return x > y
		}
	}
	return a < b
}

// union says that classes a and b, passed the names av and bv for their slots,
// are equal.
func (g *Graph) union(a ClassID, av Vec, b ClassID, bv Vec) bool {
	a, av = g.find(a, av)
	b, bv = g.find(b, bv)
	if av == 0 && bv == 0 {
		return g.unionFlat(a, b)
	}
	// A name that only one side has makes no difference to the common value:
	// its slot is redundant.
	x, y := g.vecs.Get(av), g.vecs.Get(bv)
	dropX, dropY := missing(x, y), missing(y, x)
	for g.orbit(a, dropX) || g.orbit(b, dropY) || spread(x, dropX, y, dropY) {
	}
	if slices.Contains(dropX, true) {
		g.shrink(a, dropX)
		g.union(a, av, b, bv)
		return true
	}
	if slices.Contains(dropY, true) {
		g.shrink(b, dropY)
		g.union(a, av, b, bv)
		return true
	}
	// Now both have the same names: slot k of a is slot m[k] of b.
	var buf [16]Pos
	m := buf[:0]
	for _, n := range x {
		m = append(m, Pos(slices.Index(y, n)))
	}
	v := g.vecs.Intern(m)
	if a == b {
		old := g.groupOf(a)
		grown := g.extend(old, g.invert(v))
		if grown == old {
			return false
		}
		g.symmetric(a, grown)
		return true
	}
	if g.older(b, a) {
		a, b, v = b, a, g.invert(v)
	}
	g.merge(a, b, v)
	return true
}

// missing marks the elements of x that are not in y.
func missing(x, y []Pos) []bool {
	return slice.Map(x, func(n Pos) bool { return !slices.Contains(y, n) })
}

// spread marks on each side the names that are marked on the other.
func spread(x []Pos, dropX []bool, y []Pos, dropY []bool) bool {
	grew := false
	for i, n := range x {
		if j := slices.Index(y, n); j >= 0 && dropX[i] != dropY[j] {
			dropX[i], dropY[j] = true, true
			grew = true
		}
	}
	return grew
}

// invert is the inverse of a permutation.
func (g *Graph) invert(v Vec) Vec {
	p := g.vecs.Get(v)
	out := make([]Pos, len(p))
	for i, x := range p {
		out[x] = Pos(i)
	}
	return g.vecs.Intern(out)
}

// merge makes b a name for a: slot k of a is slot m[k] of b.
func (g *Graph) merge(a, b ClassID, m Vec) {
	g.becomes(b, a, m)
	grown := g.groupOf(a)
	if m != 0 {
		inv := g.invert(m)
		for _, q := range g.symmetriesOf(b) {
			// A symmetry q of b is the symmetry k -> m⁻¹(q(m(k))) of a.
			grown = g.extend(grown, g.vecs.Compose(inv, g.vecs.Compose(q, m)))
		}
	}
	for _, x := range g.analyses {
		x.merged(a, b)
	}
	if grown != g.groupOf(a) {
		g.symmetric(a, grown)
	}
}

// becomes makes class b part of class a: slot k of a is slot m[k] of b.
func (g *Graph) becomes(b, a ClassID, m Vec) {
	g.unionFind[b] = a
	if m != 0 {
		set(&g.unionArgs, b, m)
	}
	g.classes--
	g.journal.losers = append(g.journal.losers, b)
	g.changed()
	if g.links != nil {
		g.links.merged(a, b)
	}
	g.pending = append(g.pending, b)
}

// symmetric gives class a more symmetries. E-nodes that use it may have another
// least form, and may match where they did not.
func (g *Graph) symmetric(a ClassID, group perm.ID) {
	set(&g.group, a, group)
	set(&g.grown, a, g.stamp)
	g.changed()
	g.pending = append(g.pending, a)
}

// shrink replaces class c by one without the marked slots.
func (g *Graph) shrink(c ClassID, drop []bool) {
	var keep []Pos
	for k, d := range drop {
		if !d {
			keep = append(keep, Pos(k))
		}
	}
	n := g.newClass(len(keep))
	if group := g.restrict(c, keep); group != 0 {
		set(&g.group, n, group)
	}
	v := g.vecs.Intern(keep)
	if g.recorder != nil {
		g.recorder.Shrunk(n, c, v)
	}
	g.becomes(c, n, v)
	for _, x := range g.analyses {
		x.moved(n, c)
	}
}
