package theory

import "egad/egraph"

// atoms follows symbols through the graph, and notices where atoms, symbols or
// numbers, become equal. A fact is the first of the symbols in a class: 1 + its
// place, or aNumber if there is only a number, or 0.
type atoms struct{ g *Graph }

const aNumber = -1

func (a atoms) MakeOp(_ *egraph.Column[int], op egraph.Op, _ []egraph.ClassID) int {
	o := a.g.t.byOp[op]
	if o.Number != nil {
		return aNumber
	}
	return o.symbol
}

func (a atoms) Merge(x, y int) (int, error) {
	switch {
	case x == 0 || x == y:
		return y, nil
	case y == 0:
		return x, nil
	}
	a.g.merged++
	if x == aNumber || y == aNumber {
		return max(x, y), nil
	}
	return min(x, y), nil
}

func (atoms) Equal(x, y int) bool { return x == y }
