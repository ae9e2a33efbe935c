package egraph_test

import (
	. "egad/egraph"
	"egad/egraph/proof"
)

// trees is a history that shows the terms without slots that it was told of.
type trees struct {
	*proof.History
	of map[ClassID]*Tree
}

// keepTrees is [proof.Write] with the terms.
func keepTrees(g *Graph) *trees {
	x := &trees{proof.Write(g), make(map[ClassID]*Tree)}
	g.Record(x)
	return x
}

func (x *trees) Added(c ClassID, slots int, op Op, own Vec, kids []ClassID, args []Vec) {
	x.History.Added(c, slots, op, own, kids, args)
	t := &Tree{Op: op}
	for _, k := range kids {
		t.Kids = append(t.Kids, x.of[k])
	}
	x.of[c] = t
}

// pairs has for each class the classes that equal it, itself too.
func pairs(g *Graph) map[ClassID][]ClassID {
	out := make(map[ClassID][]ClassID)
	for c := range ClassID(g.ClassIDs()) {
		out[g.Find(c)] = append(out[g.Find(c)], c)
	}
	return out
}
