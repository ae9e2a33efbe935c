package egraph

import (
	"slices"

	"egad/internal/memo"
)

// index lists e-nodes by class and by head. It is built when it is first asked for
// after the graph was rebuilt as a whole, and valid until the next change.
type index struct {
	classes    []classSummary // and one more, where the last class ends
	classNodes []NodeID       // class by class, in the order of their heads
	headStart  []uint32       // by head
	headNewest []uint32       // by head: the latest stamp
	headNodes  []NodeID
	at         []uint32 // where the next e-node of a head or class goes

	ways     map[NodeID]*ways // of e-nodes whose class has symmetries, as far as they were asked for
	wayBytes int              // the memory of ways, about

	uses     map[use][]NodeID // as far as they were asked for
	useBytes int              // the memory of uses, about

	kinds map[[2]uint32]Op // of slots of classes, as far as they were asked for
}

// classSummary sums up the e-nodes of a class.
type classSummary struct {
	start  uint32 // in classNodes; the end is the start of the next
	newest uint32 // the latest stamp
	heads  uint64 // bit h%64 is set if an e-node may have head h
}

func (x *index) nodesOf(c ClassID) []NodeID {
	end := x.classes[c+1].start
	return x.classNodes[x.classes[c].start:end:end]
}

// Indexed returns how many e-nodes of a class the index of a search has; 0 if there is none, as in
// directed runs.
func (g *Graph) Indexed(c ClassID) int {
	if g.index == nil {
		return 0
	}
	return len(g.index.nodesOf(g.Find(c)))
}

// headBit is the bit of a head in classNodes.
func headBit(h HeadID) uint64 { return 1 << (h % 64) }

func (x *index) nodesOfHead(h HeadID) []NodeID {
	if int(h)+1 >= len(x.headStart) {
		return nil
	}
	return x.headNodes[x.headStart[h]:x.headStart[h+1]:x.headStart[h+1]]
}

// buildIndex sorts e-nodes by counting. It uses the memory of the index before.
func (g *Graph) buildIndex() {
	x := &g.spare
	x.ways, x.wayBytes, x.uses, x.useBytes, x.kinds = nil, 0, nil, 0, nil
	x.classes = zeroed(x.classes, len(g.unionFind)+1)
	x.headStart, x.headNewest = zeroed(x.headStart, len(g.sig.heads)+1), zeroed(x.headNewest, len(g.sig.heads))
	x.classNodes = slices.Grow(x.classNodes[:0], g.live)[:g.live]
	x.headNodes = slices.Grow(x.headNodes[:0], g.live)[:g.live]
	g.eachNode(func(r NodeID, n int) {
		g.updateClass(r)
		c, h, stamp := g.arena[r+nodeClass], g.sig.ops[g.op(r)], g.arena[r+nodeStamp]
		x.classes[c+1].start++
		x.classes[c].newest = max(x.classes[c].newest, stamp)
		x.headNewest[h] = max(x.headNewest[h], stamp)
		x.classes[c].heads |= headBit(h)
		x.headStart[h+1]++
	})
	for i := 1; i < len(x.classes); i++ {
		x.classes[i].start += x.classes[i-1].start
	}
	for i := 1; i < len(x.headStart); i++ {
		x.headStart[i] += x.headStart[i-1]
	}
	// E-nodes of a class are in the order of their heads: fill head by head.
	x.at = append(x.at[:0], x.headStart...)
	g.eachNode(func(r NodeID, n int) {
		h := g.sig.ops[g.op(r)]
		x.headNodes[x.at[h]] = r
		x.at[h]++
	})
	x.at = x.at[:0]
	for i := range x.classes {
		x.at = append(x.at, x.classes[i].start)
	}
	for _, r := range x.headNodes {
		c := g.arena[r+nodeClass]
		x.classNodes[x.at[c]] = r
		x.at[c]++
	}
	g.index = x
}

// newest is the latest stamp of an e-node with a head.
func (x *index) newest(h HeadID) uint32 {
	if int(h) >= len(x.headNewest) {
		return 0
	}
	return x.headNewest[h]
}

// zeroed is a list of n zeros, in the memory of list if there is enough.
func zeroed[T any](list []T, n int) []T {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}

// slotKind is the operator of the variables that slot k of a leader stands for, 0 if
// nothing names it.
func (g *Graph) slotKind(c ClassID, k int) Op {
	key := [2]uint32{c, uint32(k)}
	op, ok := g.findKind(key, make(map[[2]uint32]bool))
	if !ok {
		g.noteKind(key, op)
	}
	return op
}

func (g *Graph) noteKind(key [2]uint32, op Op) {
	if g.index == nil {
		return
	}
	memo.Set(&g.index.kinds, key, op)
}

// findKind looks for an e-node that names a slot, or else for one that passes it to a
// class where such an e-node is found, but not where it was looked before.
func (g *Graph) findKind(key [2]uint32, seen map[[2]uint32]bool) (Op, bool) {
	if g.index != nil {
		if op, ok := g.index.kinds[key]; ok {
			return op, true
		}
	}
	if seen[key] {
		return 0, false
	}
	seen[key] = true
	op, ok := g.kindHere(key)
	if !ok {
		op, ok = g.kindBelow(key, seen)
	}
	if ok {
		g.noteKind(key, op)
	}
	return op, ok
}

func (g *Graph) kindHere(key [2]uint32) (Op, bool) {
	for _, r := range g.nodesOf(key[0]) {
		n := g.arity(r)
		if own := g.vecs.Get(g.own(r, n)); len(own) > 0 && slices.Contains(own, g.vecs.Get(g.cmap(r, n))[key[1]]) {
			return g.op(r), true
		}
	}
	return 0, false
}

func (g *Graph) kindBelow(key [2]uint32, seen map[[2]uint32]bool) (Op, bool) {
	for _, r := range g.nodesOf(key[0]) {
		n := g.arity(r)
		p := g.vecs.Get(g.cmap(r, n))[key[1]]
		for j, c := range g.kids(r, n) {
			c, args := g.find(c, g.arg(r, n, j))
			if i := slices.Index(g.vecs.Get(args), p); i >= 0 {
				if op, ok := g.findKind([2]uint32{c, uint32(i)}, seen); ok {
					return op, true
				}
			}
		}
	}
	return 0, false
}
