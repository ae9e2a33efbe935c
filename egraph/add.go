package egraph

import (
	"slices"

	"egad/slot"
)

// Add adds the e-node op(kids) and returns its class. Own names the slots of the
// operator itself, binders what it binds in the children it scopes over.
func (g *Graph) Add(op Op, own, binders []slot.Name, kids []Ref) Ref {
	head := &g.sig.heads[g.sig.ops[op]]
	// Names become small numbers for the time of this call.
	var names numbering
	ids, args := make([]ClassID, len(kids)), make([]Vec, len(kids))
	slotted := len(own) > 0
	for k, r := range kids {
		r = g.FindRef(r)
		ids[k], args[k] = r.ID, g.vecs.Intern(names.of(r.Args))
		slotted = slotted || args[k] != 0
	}
	var c ClassID
	var v Vec
	if slotted {
		c, v = g.addSlotted(op, head, names.of(own), ids, args, names.of(binders))
	} else {
		c = g.addFlat(op, head, ids)
	}
	return names.ref(g, c, v)
}

const hashMul = 0x9e3779b97f4a7c15

func mix(h uint64, x uint32) uint64 {
	h = (h ^ uint64(x)) * hashMul
	return h ^ h>>32
}

func hashFlat(op Op, kids []ClassID) uint64 {
	h := mix(0, uint32(op))
	for _, k := range kids {
		h = mix(h, k)
	}
	return h
}

// hashSlots goes on from hashFlat with what slots add; all zero adds nothing,
// so that an e-node in the slotted layout without slots equals its flat form.
func hashSlots(h uint64, own Vec, args []Vec) uint64 {
	if own != 0 {
		h = mix(h, own)
	}
	for k, v := range args {
		if v != 0 {
			h = mix(h+uint64(k), v)
		}
	}
	return h
}

// hashNode is the hash of a stored e-node.
func (g *Graph) hashNode(r NodeID, n int) uint64 {
	h := hashFlat(g.op(r), g.kids(r, n))
	if g.slotted(r) {
		at := r + nodeKids + NodeID(n) + 1
		h = hashSlots(h, g.arena[at], g.arena[at+1:at+1+NodeID(n)])
	}
	return h
}

// addFlat adds an e-node without slots; the children are leaders.
func (g *Graph) addFlat(op Op, head *Head, kids []ClassID) ClassID {
	if head.Commutative && kids[1] < kids[0] {
		kids = []ClassID{kids[1], kids[0]}
	}
	old, ok, h, i, free := g.lookupFlat(op, kids)
	if ok {
		g.met = old
		return g.Find(g.arena[old+nodeClass])
	}
	return g.newFlat(op, h, i, free, kids...)
}

// newFlat adds an e-node without slots, with hash h, that is not there; i and free
// are its place in the table.
func (g *Graph) newFlat(op Op, h uint32, i uint64, free int, kids ...ClassID) ClassID {
	c := g.newClass(0)
	r := g.room(g.nodeLen(len(kids), false))
	g.arena = append(append(g.arena, uint32(op), c, g.stamp), kids...)
	g.put(h, r, i, free)
	g.made(r, c)
	return c
}

// lookupFlat is lookup for an e-node without slots.
func (g *Graph) lookupFlat(op Op, kids []ClassID) (r NodeID, ok bool, h uint32, i uint64, free int) {
	h = uint32(hashFlat(op, kids))
	r, ok, i, free = g.table.find(h, func(r NodeID) bool { return g.isFlat(r, op, kids) })
	return r, ok, h, i, free
}

// addPair is addFlat for two children, as nearly all e-nodes have: here [table.find]
// would take a twentieth of a run more.
func (g *Graph) addPair(op Op, a, b ClassID) ClassID {
	if b < a && g.sig.heads[g.sig.ops[op]].Commutative {
		a, b = b, a
	}
	h := uint32(mix(mix(mix(0, uint32(op)), a), b))
	i, free := g.table.at(h), -1
	for {
		e := g.table.entries[i]
		if e == 0 {
			return g.newFlat(op, h, i, free, a, b)
		}
		if r := NodeID(e); uint32(e>>32) == h && r != tombstone {
			node := g.arena[r : r+nodeKids+2]
			if node[nodeKids] == a && node[nodeKids+1] == b && node[nodeOp]&(opMask|flagSlots) == uint32(op) ||
				node[nodeOp]&flagSlots != 0 && g.isFlat(r, op, []ClassID{a, b}) {
				g.met = r
				return g.Find(node[nodeClass])
			}
		} else if r == tombstone && free < 0 {
			free = int(i)
		}
		i = g.table.after(i)
	}
}

// isFlat reports whether e-node r is op(kids) and mentions no slot.
func (g *Graph) isFlat(r NodeID, op Op, kids []ClassID) bool {
	node := g.arena[r:]
	if node[nodeOp]&opMask != uint32(op) {
		return false
	}
	for k, c := range kids {
		if node[nodeKids+k] != c {
			return false
		}
	}
	return node[nodeOp]&flagSlots == 0 || g.slotless(r, len(kids))
}

// room makes room for an e-node of n words at the end of the arena, where it says
// the e-node will be.
func (g *Graph) room(n int) NodeID {
	g.arena = roomFor(g.arena, n)
	return NodeID(len(g.arena))
}

// slotless reports whether e-node r mentions no slot, in either layout.
func (g *Graph) slotless(r NodeID, n int) bool {
	if !g.slotted(r) {
		return true
	}
	at := r + nodeKids + NodeID(n) + 1
	return !slices.ContainsFunc(g.arena[at:at+1+NodeID(n)], func(v uint32) bool { return v != 0 })
}

// put enters e-node r with hash h in the table.
func (g *Graph) put(h uint32, r NodeID, i uint64, free int) {
	g.table.put(h, r, i, free)
	g.live++
	g.table.fit(g.live)
}

// made tells the recorder, analyses and lists of a new e-node with its new class.
func (g *Graph) made(r NodeID, c ClassID) {
	g.changed()
	g.added(r, c)
	if g.links != nil {
		g.links.addNode(g, r, c)
	}
	for _, a := range g.analyses {
		a.made(r, c)
	}
}

// addSlotted adds an e-node that may mention slots; all slots are names of the
// caller. It returns the class and the names passed for its slots.
func (g *Graph) addSlotted(op Op, head *Head, own []Pos, kids []ClassID, args []Vec, binders []Pos) (ClassID, Vec) {
	c := g.canonicalise(head, own, kids, args, binders)
	if !c.hasSlots() {
		return g.addFlat(op, head, c.kids), 0
	}
	if r, ok, h, i, free := g.lookup(op, c); !ok {
		n := len(c.free)
		r = g.room(g.nodeLen(len(c.kids), true))
		class := g.newClass(n)
		g.arena = append(g.arena, uint32(op)|flagSlots, class, g.stamp)
		g.arena = append(g.arena, c.kids...)
		g.arena = append(g.arena, g.vecs.Identity(n), c.own)
		g.arena = append(g.arena, c.args...)
		names := g.vecs.Intern(c.free)
		autos := slices.Clone(c.autos)
		g.put(h, r, i, free)
		g.made(r, class)
		for _, a := range autos {
			other := g.vecs.Intern(a)
			if g.union(class, names, class, other) {
				g.congruent(func() (a, b Term) { return Term{class, names}, Term{class, other} })
			}
		}
		return g.find(class, names)
	} else {
		g.met = r
		return g.classOfNode(r, c.free)
	}
}

// classOfNode is the class of e-node r, and the names passed for its slots if the
// e-node's free slots have the names free.
func (g *Graph) classOfNode(r NodeID, free []Pos) (ClassID, Vec) {
	g.updateClass(r)
	return g.arena[r+nodeClass], g.mapped(g.cmap(r, g.arity(r)), func(p Pos) Pos { return free[p] })
}

// lookup finds the e-node with canonical form c, or the place in the table for it
// and its hash.
func (g *Graph) lookup(op Op, c *canon) (r NodeID, ok bool, h uint32, i uint64, free int) {
	n := len(c.kids)
	h = uint32(hashSlots(hashFlat(op, c.kids), c.own, c.args))
	r, ok, i, free = g.table.find(h, func(r NodeID) bool {
		return g.op(r) == op && slices.Equal(g.kids(r, n), c.kids) && g.sameSlots(r, n, c)
	})
	return r, ok, h, i, free
}

func (g *Graph) sameSlots(r NodeID, n int, c *canon) bool {
	if !g.slotted(r) {
		return !c.hasSlots()
	}
	at := r + nodeKids + NodeID(n) + 1
	return g.arena[at] == c.own && slices.Equal(g.arena[at+1:at+1+NodeID(n)], c.args)
}

// remove takes e-node r, with its present contents, out of the table.
func (g *Graph) remove(r NodeID, n int) {
	if g.table.remove(uint32(g.hashNode(r, n)), r) {
		g.live--
	}
}

// AddTree adds a term.
func (g *Graph) AddTree(t *Tree) (Ref, error) {
	if err := t.Formed(g.sig); err != nil {
		return Ref{}, err
	}
	kids := make([]Ref, len(t.Kids))
	for k, u := range t.Kids {
		var err error
		if kids[k], err = g.AddTree(u); err != nil {
			return Ref{}, err
		}
	}
	return g.Add(t.Op, t.Own, t.Binders, kids), nil
}
