package egraph

import (
	"slices"

	"egad/slot"
)

// Add adds the row op(kids) and returns its class. Own names the slots of the
// operator itself, binders what it binds in the children it scopes over.
func (g *Graph) Add(op Op, own, binders []slot.Name, kids []Ref) Ref {
	head := &g.sig.heads[g.sig.ops[op]]
	// Names become small numbers for the time of this call.
	var names []slot.Name
	number := func(ns []slot.Name) []Pos {
		out := make([]Pos, len(ns))
		for i, n := range ns {
			k := slices.Index(names, n)
			if k < 0 {
				k = len(names)
				names = append(names, n)
			}
			out[i] = Pos(k)
		}
		return out
	}
	ids, args := make([]ClassID, len(kids)), make([]Vec, len(kids))
	slotted := len(own) > 0
	for k, r := range kids {
		r = g.FindRef(r)
		ids[k], args[k] = r.ID, g.vecs.intern(number(r.Args))
		slotted = slotted || args[k] != 0
	}
	if !slotted {
		return Ref{ID: g.addFlat(op, head, ids)}
	}
	c, v := g.addSlotted(op, head, number(own), ids, args, number(binders))
	r := Ref{ID: c}
	for _, p := range g.vecs.get(v) {
		r.Args = append(r.Args, names[p])
	}
	return r
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
// so that a row in the slotted layout without slots equals its flat form.
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

// hashRow is the hash of a stored row.
func (g *Graph) hashRow(r RowID, n int) uint64 {
	h := hashFlat(g.op(r), g.kids(r, n))
	if g.slotted(r) {
		at := r + rowKids + RowID(n) + 1
		h = hashSlots(h, g.arena[at], g.arena[at+1:at+1+RowID(n)])
	}
	return h
}

// addFlat adds a row without slots; the children are leaders.
func (g *Graph) addFlat(op Op, head *Head, kids []ClassID) ClassID {
	if head.Commutative && kids[1] < kids[0] {
		kids = []ClassID{kids[1], kids[0]}
	}
	h := hashFlat(op, kids)
	mask := uint64(len(g.table) - 1)
	i := h & mask
	free := -1
	for {
		r := g.table[i]
		if r == 0 {
			break
		}
		if r == tombstone {
			if free < 0 {
				free = int(i)
			}
		} else if g.arena[r]&opMask == uint32(op) && slices.Equal(g.kids(r, len(kids)), kids) && g.slotless(r, len(kids)) {
			return g.Find(g.arena[r+rowClass])
		}
		i = (i + 1) & mask
	}
	r := RowID(len(g.arena))
	c := g.newClass(0)
	g.arena = append(g.arena, uint32(op), c, g.stamp)
	g.arena = append(g.arena, kids...)
	g.put(r, i, free)
	g.made(r, c)
	return c
}

// slotless reports whether row r mentions no slot, in either layout.
func (g *Graph) slotless(r RowID, n int) bool {
	if !g.slotted(r) {
		return true
	}
	at := r + rowKids + RowID(n) + 1
	return !slices.ContainsFunc(g.arena[at:at+1+RowID(n)], func(v uint32) bool { return v != 0 })
}

// put enters row r in the table at the free entry i, or at an earlier tombstone.
func (g *Graph) put(r RowID, i uint64, free int) {
	if free >= 0 {
		g.table[free] = r
	} else {
		g.table[i] = r
		g.filled++
	}
	g.live++
	if g.filled*2 > len(g.table) {
		g.growTable()
	}
}

// growTable doubles the table, or cleans it of tombstones if it is mostly those.
func (g *Graph) growTable() {
	size := len(g.table)
	for g.live*3 > size {
		size *= 2
	}
	old := g.table
	g.table = make([]RowID, size)
	g.filled = 0
	mask := uint64(size - 1)
	for _, r := range old {
		if r <= tombstone {
			continue
		}
		i := g.hashRow(r, g.arity(r)) & mask
		for g.table[i] != 0 {
			i = (i + 1) & mask
		}
		g.table[i] = r
		g.filled++
	}
}

// made tells analyses and lists of a new row with its new class.
func (g *Graph) made(r RowID, c ClassID) {
	g.index = nil
	if g.links != nil {
		g.links.addRow(g, r, c)
	}
	for _, a := range g.analyses {
		a.made(r, c)
	}
}

// addSlotted adds a row that may mention slots; all slots are names of the
// caller. It returns the class and the names passed for its slots.
func (g *Graph) addSlotted(op Op, head *Head, own []Pos, kids []ClassID, args []Vec, binders []Pos) (ClassID, Vec) {
	c := g.canonicalise(head, own, kids, args, binders)
	if !c.hasSlots() {
		return g.addFlat(op, head, c.kids), 0
	}
	if r, ok, i, free := g.lookup(op, c); !ok {
		r = RowID(len(g.arena))
		n := len(c.free)
		class := g.newClass(n)
		g.arena = append(g.arena, uint32(op)|flagSlots, class, g.stamp)
		g.arena = append(g.arena, c.kids...)
		g.arena = append(g.arena, g.vecs.identity(n), c.own)
		g.arena = append(g.arena, c.args...)
		names := g.vecs.intern(c.free)
		autos := cloneAll(c.autos)
		g.put(r, i, free)
		g.made(r, class)
		for _, a := range autos {
			g.union(class, names, class, g.vecs.intern(a))
		}
		return g.find(class, names)
	} else {
		return g.classOfRow(r, c.free)
	}
}

func cloneAll(s [][]Pos) [][]Pos {
	if len(s) == 0 {
		return nil
	}
	out := make([][]Pos, len(s))
	for i, x := range s {
		out[i] = slices.Clone(x)
	}
	return out
}

// classOfRow is the class of row r, and the names passed for its slots if the
// row's free slots have the names free.
func (g *Graph) classOfRow(r RowID, free []Pos) (ClassID, Vec) {
	g.updateClass(r)
	m := g.vecs.get(g.cmap(r, g.arity(r)))
	var buf [16]Pos
	out := buf[:0]
	for _, p := range m {
		out = append(out, free[p])
	}
	return g.arena[r+rowClass], g.vecs.intern(out)
}

// lookup finds the row with canonical form c, or the place in the table for it.
func (g *Graph) lookup(op Op, c *canon) (r RowID, ok bool, i uint64, free int) {
	n := len(c.kids)
	mask := uint64(len(g.table) - 1)
	i = hashSlots(hashFlat(op, c.kids), c.own, c.args) & mask
	free = -1
	for {
		r := g.table[i]
		switch {
		case r == 0:
			return 0, false, i, free
		case r == tombstone:
			if free < 0 {
				free = int(i)
			}
		case g.arena[r]&opMask == uint32(op) && slices.Equal(g.kids(r, n), c.kids) && g.sameSlots(r, n, c):
			return r, true, i, free
		}
		i = (i + 1) & mask
	}
}

func (g *Graph) sameSlots(r RowID, n int, c *canon) bool {
	if !g.slotted(r) {
		return !c.hasSlots()
	}
	at := r + rowKids + RowID(n) + 1
	return g.arena[at] == c.own && slices.Equal(g.arena[at+1:at+1+RowID(n)], c.args)
}

// remove takes row r, with its present contents, out of the table.
func (g *Graph) remove(r RowID, n int) {
	mask := uint64(len(g.table) - 1)
	i := g.hashRow(r, n) & mask
	for g.table[i] != r {
		if g.table[i] == 0 {
			return
		}
		i = (i + 1) & mask
	}
	g.table[i] = tombstone
	g.live--
}
