package extract

import (
	"math"

	"egad/egraph"
	"egad/internal/slice"
)

// Smallest returns what calls make for the e-nodes of a smallest tree of a class that the
// roots reach, children first, and gives what it made of the root. Each e-node is over names
// for the place where it stands. Of trees of one size it takes the one whose e-node comes
// first, from the root down. It is false if the class has no tree of less than most e-nodes.
func Smallest[T any](g *egraph.Graph, most int, make func(n egraph.Node, kids []T) T, roots ...egraph.Ref) func(egraph.Ref) (T, bool) {
	x := Reach(g, roots...)
	c := x.choices(1)
	c.inOrder = true
	for i, class := range x.Classes {
		for _, n := range class.Nodes {
			c.add(i, x.option(n, 1, func(int) int { return 0 }, 1))
		}
	}
	least := c.least()
	var build func(r egraph.Ref) T
	build = func(r egraph.Ref) T {
		var n egraph.Node
		pick := least.pick[x.number[r.ID]]
		g.Nodes(r, func(m egraph.Node) bool {
			n = m
			pick--
			return pick >= 0
		})
		return make(n, slice.Map(n.Kids, func(k egraph.Ref) T { return build(g.FindRef(k)) }))
	}
	return func(r egraph.Ref) (none T, ok bool) {
		r = g.FindRef(r)
		if i := x.number[r.ID]; least.pick[i] < 0 || least.cost[i].float() >= math.Min(float64(most), math.MaxFloat64) {
			return none, false
		}
		return build(r), true
	}
}
