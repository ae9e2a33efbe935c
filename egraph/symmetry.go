package egraph

// Symmetries lists permutations of the slots of a class that leave it as it is:
// c(args) = c(args∘p) for each p. All others are products of these.
func (g *Graph) Symmetries(c ClassID) [][]int {
	var out [][]int
	for _, v := range g.symmetriesOf(g.Find(c)) {
		var p []int
		for _, i := range g.vecs.Get(v) {
			p = append(p, int(i))
		}
		out = append(out, p)
	}
	return out
}
