package egraph

import (
	"slices"

	"egad/internal/slice"
)

// Facts says how facts of equal e-nodes go together. Facts only grow: Merge gives at
// least as much as each of its arguments.
type Facts[D any] interface {
	// Merge combines facts about one class. An error is a contradiction: the
	// e-nodes cannot be equal.
	Merge(a, b D) (D, error)
	Equal(a, b D) bool
}

// Lattice says what is known of a class: a fact for every e-node, and how facts of
// equal e-nodes go together. A fact rests on facts of the same lattice about the
// children, and on facts of others only where those do not change.
type Lattice[D any] interface {
	Facts[D]
	// Make is the fact about an e-node given the facts about its children. The node
	// is valid during the call.
	Make(c *Column[D], n Node) D
}

// OpLattice is a [Lattice] for which variables make no difference: e-nodes need not
// be opened for it, which takes less time.
type OpLattice[D any] interface {
	Facts[D]
	// MakeOp is the fact about an e-node with an operator and children of these
	// classes, which it must not change.
	MakeOp(c *Column[D], op Op, kids []ClassID) D
}

// Column holds a fact for every class.
type Column[D any] struct {
	g      *Graph
	l      Facts[D]
	data   []D
	stale  []ClassID  // classes whose facts changed since the last rebuild
	queued []bool     // by class: whether it is in stale
	news   []ClassID  // classes whose facts a Modifier has not seen
	kids   []Ref      // a buffer
	asked  bool       // guards ask for the facts
	node   Lattice[D] // l as one of the two
	op     OpLattice[D]
}

// Attach adds an analysis to the e-graph. If there are e-nodes already the graph is
// rebuilt, and they are analysed, children first.
func Attach[D any](g *Graph, l Lattice[D]) *Column[D] {
	return attach(g, &Column[D]{g: g, l: l, node: l})
}

// AttachOp is [Attach] for an analysis that looks at operators only.
func AttachOp[D any](g *Graph, l OpLattice[D]) *Column[D] {
	return attach(g, &Column[D]{g: g, l: l, op: l})
}

func attach[D any](g *Graph, c *Column[D]) *Column[D] {
	if g.live > 0 {
		g.Rebuild()
	}
	g.analyses = append(g.analyses, c)
	if g.live > 0 {
		c.start()
		g.Rebuild()
	}
	return c
}

// start analyses the e-nodes that are there. Every class has an e-node whose children
// have facts before it; what the others add is then passed on.
func (c *Column[D]) start() {
	g := c.g
	c.grow()
	known, done := make([]bool, len(g.unionFind)), make([]bool, len(g.arena))
	for more := true; more; {
		more = false
		g.eachNode(func(r NodeID, n int) {
			if done[r] || slices.ContainsFunc(g.kids(r, n), func(k ClassID) bool { return !known[g.Find(k)] }) {
				return
			}
			g.updateClass(r)
			done[r], more = true, true
			id := g.arena[r+nodeClass]
			if known[id] {
				c.set(id, c.fact(r, id))
				return
			}
			known[id], c.data[id] = true, c.fact(r, id)
			c.fresh(id)
			c.changed(id)
		})
	}
}

// Get returns the fact about a class.
func (c *Column[D]) Get(id ClassID) D { return c.data[c.g.Find(id)] }

// Asked says that guards of rules ask for facts about what matched. An e-node has
// changed then when a fact about one of its children has, so that such rules may be
// [Rule.Stable].
func (c *Column[D]) Asked() { c.asked = true }

// Set merges a fact that comes from outside into what is known of a class.
func (c *Column[D]) Set(id ClassID, d D) { c.set(c.g.Find(id), d) }

// analysis is what the graph does with a Column of any type.
type analysis interface {
	made(r NodeID, c ClassID)
	merged(a, b ClassID)
	moved(to, from ClassID)
	spread()
	modify()
	save() any
	restore(any)
	bytes() int
}

func (c *Column[D]) save() any { return slices.Clone(c.data) }

func (c *Column[D]) restore(s any) {
	c.data = append(c.data[:0], s.([]D)...)
	c.queued = make([]bool, len(c.data))
	c.stale, c.news = nil, nil
}

func (c *Column[D]) fact(r NodeID, id ClassID) D {
	if c.op != nil {
		return c.op.MakeOp(c, c.g.op(r), c.g.kids(r, c.g.arity(r)))
	}
	n := c.g.openIn(r, Ref{ID: id, Args: c.g.FreshN(c.g.Slots(id))}, c.kids)
	c.kids = n.Kids
	return c.node.Make(c, n)
}

// Of returns the fact about an e-node that need not be one of the graph.
func (c *Column[D]) Of(n Node) D {
	if c.op == nil {
		return c.node.Make(c, n)
	}
	return c.op.MakeOp(c, n.Op, slice.Map(n.Kids, func(k Ref) ClassID { return k.ID }))
}

func (c *Column[D]) made(r NodeID, id ClassID) {
	c.grow()
	c.data[id] = c.fact(r, id)
	c.fresh(id)
}

// grow makes room for all classes.
func (c *Column[D]) grow() {
	c.data, c.queued = lengthen(c.data, len(c.g.unionFind)), lengthen(c.queued, len(c.g.unionFind))
}

// lengthen appends zeros up to length n.
func lengthen[T any](list []T, n int) []T {
	old := len(list)
	if n <= old {
		return list
	}
	list = roomFor(list, n-old)[:n]
	clear(list[old:])
	return list
}

// changed notes that the parents of class id have to be looked at.
func (c *Column[D]) changed(id ClassID) {
	c.g.stale = true
	if !c.queued[id] {
		c.queued[id] = true
		c.stale = append(c.stale, id)
	}
}

func (c *Column[D]) merged(a, b ClassID) {
	d, err := c.l.Merge(c.data[a], c.data[b])
	if err != nil {
		c.g.Contradict(a, err)
		return
	}
	if !c.l.Equal(d, c.data[a]) || !c.l.Equal(d, c.data[b]) {
		c.changed(a)
	}
	known := c.l.Equal(d, c.data[a]) || c.l.Equal(d, c.data[b])
	c.data[a] = d
	if !known {
		c.fresh(a)
	}
}

func (c *Column[D]) moved(to, from ClassID) {
	c.grow()
	c.data[to] = c.data[from]
}

// set merges d into the fact about leader id.
func (c *Column[D]) set(id ClassID, d D) {
	m, err := c.l.Merge(c.data[id], d)
	if err != nil {
		c.g.Contradict(id, err)
		return
	}
	if !c.l.Equal(m, c.data[id]) {
		c.data[id] = m
		c.changed(id)
		c.fresh(id)
	}
}

// update merges what e-node r says, of which a child has another fact now, into the
// fact about its class.
func (c *Column[D]) update(r NodeID) {
	c.g.updateClass(r)
	if c.asked {
		c.g.arena[r+nodeStamp] = c.g.stamp
	}
	id := c.g.arena[r+nodeClass]
	c.set(id, c.fact(r, id))
}

// updateFacts passes changed facts on to the e-nodes that use the classes, and adds
// to the graph what facts say.
func (g *Graph) updateFacts() {
	g.stale = false
	for _, a := range g.analyses {
		a.spread()
	}
	for _, a := range g.analyses {
		a.modify()
	}
}

// spread passes changed facts on. First come first served: last come first
// served would go over the parents of a class once for every path to it.
func (c *Column[D]) spread() {
	g := c.g
	for g.links == nil && len(c.stale) > 0 && g.rounds < g.patience {
		changed := make([]bool, len(g.unionFind))
		for _, id := range c.takeStale() {
			changed[g.Find(id)] = true
		}
		g.rounds++
		g.rebuilt += g.live
		g.eachNode(func(r NodeID, n int) {
			if slices.ContainsFunc(g.kids(r, n), func(k ClassID) bool { return changed[g.Find(k)] }) {
				c.update(r)
			}
		})
	}
	if g.links == nil {
		g.stale = g.stale || len(c.stale) > 0 // the rounds are used up
		return
	}
	for len(c.stale) > 0 {
		for _, id := range c.takeStale() {
			for x := g.links.parents[g.Find(id)].head; x != 0; x = g.links.next[x].next {
				if r := g.links.next[x].node; g.arena[r]&flagDead == 0 {
					g.rebuilt++
					c.update(r)
				}
			}
		}
	}
}

// takeStale empties the list of changed classes.
func (c *Column[D]) takeStale() []ClassID {
	out := c.stale
	c.stale = nil
	for _, id := range out {
		c.queued[id] = false
	}
	return out
}
