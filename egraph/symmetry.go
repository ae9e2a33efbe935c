package egraph

import "egad/internal/slice"

// Symmetries lists permutations of the slots of a class that leave it as it is:
// c(args) = c(args∘p) for each p. All others are products of these.
func (g *Graph) Symmetries(c ClassID) [][]int {
	var out [][]int
	for _, v := range g.symmetriesOf(g.Find(c)) {
		out = append(out, slice.Map(g.vecs.Get(v), func(i Pos) int { return int(i) }))
	}
	return out
}
