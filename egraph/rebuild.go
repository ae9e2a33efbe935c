package egraph

import "slices"

// Rebuild restores congruence after unions: e-nodes with the same operator and
// equal children are one e-node of one class. It also brings analyses up to date.
func (g *Graph) Rebuild() {
	if g.links != nil {
		g.rebuildLinked()
		return
	}
	if len(g.pending) > 0 || g.stale {
		g.rebuildAll()
	}
	g.current = true
}

// rebuildAll goes over all e-nodes until nothing changes: over all of their contents
// if many classes have been merged, else over those that mention a class that
// changed. One change may lead to another, all the way up a deep term: after some
// rounds it is worth while to list the parents of each class, and to look at those
// only.
func (g *Graph) rebuildAll() {
	g.flatten()
	g.scanning = true
	defer func() { g.scanning = false }()
	for g.rounds = 0; len(g.pending) > 0 || g.stale; {
		switch {
		case g.rounds >= g.patience:
			g.scanning = false
			g.Link()
			g.rebuildLinked()
			g.links = nil
			return
		case len(g.pending)*8 > g.live:
			g.pending = g.pending[:0]
			g.refreshAll()
		case len(g.pending) > 0:
			g.rounds++
			g.refreshSome()
		}
		if g.stale {
			g.updateFacts()
		}
	}
}

// flatten makes every merged class point to its leader.
func (g *Graph) flatten() {
	for c, p := range g.unionFind {
		if g.unionFind[p] != p {
			g.flattenClass(ClassID(c))
		}
	}
}

func (g *Graph) flattenClass(c ClassID) {
	p := g.unionFind[c]
	if g.unionFind[p] == p {
		return
	}
	g.flattenClass(p)
	if m := g.unionArgsOf(c); m != 0 {
		set(&g.unionArgs, c, g.vecs.Compose(m, g.unionArgsOf(p)))
	}
	g.unionFind[c] = g.unionFind[p]
}

// refreshAll refreshes every e-node and closes the gaps that dead e-nodes leave.
func (g *Graph) refreshAll() {
	g.table.empty(g.live)
	g.live = 0
	to := NodeID(2)
	for r := NodeID(2); int(r) < len(g.arena); {
		n := g.arity(r)
		size := NodeID(g.nodeLen(n, g.slotted(r)))
		if g.arena[r]&flagDead == 0 {
			if to != r {
				copy(g.arena[to:], g.arena[r:r+size])
			}
			g.refresh(to, n)
			if g.arena[to]&flagDead == 0 {
				to += size
			}
			g.rebuilt++
		}
		r += size
	}
	g.arena = g.arena[:to]
}

// refreshSome refreshes the e-nodes of which a child is pending. Dead e-nodes stay
// where they are.
func (g *Graph) refreshSome() {
	marked := make([]bool, len(g.unionFind))
	for _, c := range g.pending {
		marked[c] = true
	}
	g.pending = g.pending[:0]
	g.rebuilt += g.live
	g.eachNode(func(r NodeID, n int) {
		for _, k := range g.kids(r, n) {
			if int(k) < len(marked) && marked[k] || g.unionFind[k] != k {
				g.remove(r, n)
				g.refresh(r, n)
				return
			}
		}
		g.updateClass(r)
	})
}

// refresh rewrites e-node r, which is not in the table, in terms of leaders and
// enters it, or merges its class with that of the e-node it equals.
func (g *Graph) refresh(r NodeID, n int) {
	g.updateClass(r)
	if !g.slotted(r) {
		g.refreshFlat(r, n)
		return
	}
	op := g.op(r)
	head := &g.sig.heads[g.sig.ops[op]]
	// The e-node's own slots are the names 0, 1, …; its binders come after.
	nf := g.nodeSlots(r, n)
	kids := make([]ClassID, n)
	args := make([]Vec, n)
	named := func(p Pos) Pos {
		if p&bound != 0 {
			return Pos(nf) + p&^bound
		}
		return p
	}
	for k, c := range g.kids(r, n) {
		kids[k], args[k] = g.find(c, g.mapped(g.arg(r, n, k), named))
	}
	binders := make([]Pos, g.sig.Binders(op))
	for i := range binders {
		binders[i] = Pos(nf + i)
	}
	own := g.vecs.Get(g.own(r, n))
	c := g.canonicalise(head, own, kids, args, binders)
	class, cmap := g.arena[r+nodeClass], g.cmap(r, n)
	// A slot of the class that the e-node no longer mentions is redundant.
	if lost := g.mapped(cmap, func(p Pos) Pos { return among(c.free, p, p+Pos(nf)+maxBinders) }); lost != cmap {
		if g.union(class, cmap, class, lost) {
			g.congruent(func() (a, b Term) {
				a = g.itself(r)
				return a, Term{a.ID, g.mapped(a.Args, func(p Pos) Pos { return among(c.free, p, AnyPos) })}
			})
		}
		class, cmap = g.find(class, cmap)
		// The working memory may have been used again.
		c = g.canonicalise(head, own, kids, args, binders)
	}
	if r2, ok, h, i, free := g.lookup(op, c); ok {
		g.arena[r] |= flagDead
		c2, v2 := g.classOfNode(r2, c.free)
		free := slices.Clone(c.free)
		if g.union(class, cmap, c2, v2) {
			g.congruent(func() (a, b Term) { return g.itself(r), g.termOf(r2, free) })
		}
	} else {
		names := slices.Clone(c.free)
		autos := slices.Clone(c.autos)
		if g.store(r, n, c, cmap, class) || slices.ContainsFunc(c.kids, g.hasGrown) {
			g.arena[r+nodeStamp] = g.stamp
		}
		g.put(h, r, i, free)
		g.symmetries(r, class, cmap, g.renumbered(r, names), names, autos)
	}
}

// hasGrown reports whether class c has got symmetries since the stamp last
// changed.
func (g *Graph) hasGrown(c ClassID) bool { return column(g.grown, c) == g.stamp }

// maxBinders keeps new names apart from those of binders.
const maxBinders = 1 << 10

// symmetries records that other orders of an e-node's names give the same e-node. The
// slots of the e-node's term have the names own, if there is a tracer.
func (g *Graph) symmetries(r NodeID, class ClassID, v, own Vec, names []Pos, autos [][]Pos) {
	for _, a := range autos {
		out, ok := g.reorder(v, names, a)
		if !ok {
			return // a redundant slot
		}
		if g.union(class, v, class, out) {
			g.congruent(func() (Term, Term) {
				other, _ := g.reorder(own, names, a)
				id, _ := g.traced(r)
				return Term{id, own}, Term{id, other}
			})
		}
	}
}

// reorder replaces in v each of names by the one in its place in to. It is false
// if v has others; they stay.
func (g *Graph) reorder(v Vec, names, to []Pos) (Vec, bool) {
	all := true
	out := g.mapped(v, func(p Pos) Pos {
		if i := slices.Index(names, p); i >= 0 {
			return to[i]
		}
		all = false
		return p
	})
	return out, all
}

// store writes the canonical form c over e-node r and reports whether it differs.
func (g *Graph) store(r NodeID, n int, c *canon, cmap Vec, class ClassID) bool {
	changed := false
	set := func(at NodeID, v uint32) {
		if g.arena[at] != v {
			g.arena[at] = v
			changed = true
		}
	}
	for k := range n {
		set(r+nodeKids+NodeID(k), c.kids[k])
	}
	at := r + nodeKids + NodeID(n)
	set(at, g.mapped(cmap, func(p Pos) Pos { return Pos(slices.Index(c.free, p)) }))
	set(at+1, c.own)
	for k := range n {
		set(at+2+NodeID(k), c.args[k])
	}
	set(r+nodeClass, class)
	return changed
}

func (g *Graph) refreshFlat(r NodeID, n int) {
	op := g.op(r)
	kids := g.kids(r, n)
	changed := false
	for k, c := range kids {
		if g.unionFind[c] != c {
			kids[k] = g.Find(c)
			changed = true
		}
	}
	if n == 2 && kids[1] < kids[0] && g.sig.heads[g.sig.ops[op]].Commutative {
		kids[0], kids[1] = kids[1], kids[0]
	}
	r2, ok, h, i, free := g.lookupFlat(op, kids)
	if ok {
		g.arena[r] |= flagDead
		g.updateClass(r2)
		if g.union(g.arena[r+nodeClass], 0, g.arena[r2+nodeClass], 0) {
			g.congruent(func() (a, b Term) { return g.itself(r), g.itself(r2) })
		}
		return
	}
	if changed {
		g.arena[r+nodeStamp] = g.stamp
	}
	g.put(h, r, i, free)
}

// rebuildLinked brings up to date the parents of classes that changed.
func (g *Graph) rebuildLinked() {
	for len(g.pending) > 0 || g.stale {
		for len(g.pending) > 0 {
			c := g.pending[len(g.pending)-1]
			g.pending = g.pending[:len(g.pending)-1]
			g.links.refreshParents(g, c)
		}
		if g.stale {
			g.updateFacts()
		}
	}
}
