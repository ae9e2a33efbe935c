package extract

import (
	"math"

	"egad/egraph"
	"egad/internal/slice"
)

// Smallest calls make for the e-nodes of a smallest tree of a class, children first,
// and gives what it made of the root. Each e-node is over names for the place where
// it stands. Of trees of one size it takes the one whose e-node comes first, from the
// root down. It is false if the class has no tree of less than most e-nodes.
func Smallest[T any](g *egraph.Graph, r egraph.Ref, most int, make func(n egraph.Node, kids []T) T) (T, bool) {
	x := Reach(g, r)
	c := x.choices(1)
	c.inOrder = true
	for i, class := range x.Classes {
		for _, n := range class.Nodes {
			c.add(i, x.option(n, 1, func(int) int { return 0 }, 1))
		}
	}
	least := c.least()
	var none T
	if least.pick[0] < 0 || least.cost[0].float() >= math.Min(float64(most), math.MaxFloat64) {
		return none, false
	}
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
	return build(g.FindRef(r)), true
}
