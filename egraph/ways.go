package egraph

import (
	"encoding/binary"
	"slices"

	"egad/egraph/perm"
	"egad/internal/memo"
)

// ways lists the ways in which names of a class may be passed to one of its e-nodes:
// symmetries of the class, one for each of the different children that they give.
// The first is the identity. There may be very many, so the list only becomes as
// long as it is asked to be.
type ways struct {
	node NodeID
	list []Vec
	done int // those before have been multiplied by all generators
	// seen has the children for each of the list, in the least order that their
	// own symmetries allow.
	seen map[string]struct{}
	key  []byte
	pos  []Pos
}

// waysOf is the ways of e-node r, whose class is a leader.
func (g *Graph) waysOf(r NodeID) *ways {
	if g.index == nil {
		return g.newWays(r)
	}
	w := g.index.ways[r]
	if w == nil {
		w = g.newWays(r)
		memo.Set(&g.index.ways, r, w)
	}
	return w
}

func (g *Graph) newWays(r NodeID) *ways {
	w := &ways{node: r, seen: make(map[string]struct{})}
	w.add(g, g.vecs.Identity(g.slotsOf(g.arena[r+nodeClass])))
	return w
}

// grow makes the list longer than k if there are as many ways. All of them are
// reached from the first one by the generators. When a run has to end there are no
// more.
func (w *ways) grow(g *Graph, k int) bool {
	for ; k >= len(w.list) && w.done < len(w.list) && !g.hurried(); w.done++ {
		for _, s := range g.symmetriesOf(g.arena[w.node+nodeClass]) {
			w.add(g, g.vecs.Compose(s, w.list[w.done]))
		}
	}
	return k < len(w.list)
}

// add adds symmetry p to the list if it gives new children.
func (w *ways) add(g *Graph, p Vec) {
	w.describe(g, p)
	if _, ok := w.seen[string(w.key)]; ok {
		return
	}
	w.seen[string(w.key)] = struct{}{}
	w.list = append(w.list, p)
	if g.index != nil {
		g.index.wayBytes += len(w.key) + 32
	}
}

// describe sets the key to what the children are if the class is passed p.
func (w *ways) describe(g *Graph, p Vec) {
	r := w.node
	n := g.arity(r)
	// A slot of the e-node that the class does not have has a name of its own.
	free := make([]Pos, g.nodeSlots(r, n))
	names := g.vecs.Get(p)
	for k := range free {
		free[k] = Pos(len(names) + k)
	}
	for k, s := range g.vecs.Get(g.cmap(r, n)) {
		free[s] = names[k]
	}
	w.key = w.key[:0]
	w.put(g, 0, g.own(r, n), free)
	mid := len(w.key)
	for k, c := range g.kids(r, n) {
		w.put(g, g.groupOf(c), g.arg(r, n, k), free)
	}
	if n == 2 && g.kids(r, n)[0] == g.kids(r, n)[1] && g.sig.heads[g.sig.ops[g.op(r)]].Commutative {
		half := (len(w.key) - mid) / 2
		if a, b := string(w.key[mid:mid+half]), string(w.key[mid+half:]); b < a {
			w.key = append(append(w.key[:mid], b...), a...)
		}
	}
}

// put appends arguments to the key, in the least order that a group allows.
func (w *ways) put(g *Graph, group perm.ID, args Vec, free []Pos) {
	w.pos = w.pos[:0]
	for _, p := range g.vecs.Get(args) {
		if p&bound == 0 {
			p = free[p]
		}
		w.pos = append(w.pos, p)
	}
	g.groups.Least(group, w.pos)
	w.key = slices.Grow(w.key, 2*len(w.pos))
	for _, p := range w.pos {
		w.key = binary.BigEndian.AppendUint16(w.key, p)
	}
}
