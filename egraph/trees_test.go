package egraph_test

import (
	"slices"

	. "egad/egraph"
	"egad/egraph/proof"
)

// trees is a log that shows the terms without slots that it was told of.
type trees struct {
	*proof.Log
	of map[ClassID]*Tree
}

// keepTrees is [proof.Keep] with the terms.
func keepTrees(g *Graph) *trees {
	x := &trees{proof.Keep(g), make(map[ClassID]*Tree)}
	g.Record(x)
	return x
}

func (x *trees) Added(c ClassID, slots int, op Op, own Vec, kids []ClassID, args []Vec) {
	x.Log.Added(c, slots, op, own, kids, args)
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

// put is t with another subterm at a path.
func put(t *Tree, path []int, by *Tree) *Tree {
	if len(path) == 0 {
		return by
	}
	out := *t
	out.Kids = slices.Clone(t.Kids)
	out.Kids[path[0]] = put(t.Kids[path[0]], path[1:], by)
	return &out
}
