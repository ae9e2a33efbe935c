package egraph

// Modifier is a [Lattice] that adds to the graph what a fact says: constant
// folding adds the constant to its class. The zero value says nothing.
type Modifier[D any] interface {
	// Modify may add e-nodes and unite classes. It is called, during a rebuild,
	// for every class whose fact is new, and may look at the nodes of classes.
	Modify(g *Graph, class Ref, d D)
}

// fresh notes that the fact about a class is new, if someone wants to know.
func (c *Column[D]) fresh(id ClassID) {
	var zero D
	if _, ok := c.l.(Modifier[D]); ok && !c.l.Equal(c.data[id], zero) {
		c.news = append(c.news, id)
		c.g.stale = true
	}
}

// modify calls Modify for the new facts.
func (c *Column[D]) modify() {
	m, ok := c.l.(Modifier[D])
	if !ok {
		return
	}
	news := c.news
	c.news = nil
	if c.g.links == nil {
		defer func() { c.g.links = nil }()
	}
	c.g.scans = 0
	for _, id := range news {
		id = c.g.Find(id)
		m.Modify(c.g, Ref{ID: id, Args: c.g.FreshN(c.g.Slots(id))}, c.data[id])
	}
}

// scan lists the e-nodes of a leader during a rebuild. It goes over all e-nodes, but if
// it is called often it lists those of every class.
func (g *Graph) scan(c ClassID) []NodeID {
	if g.scans++; g.scans > g.patience {
		g.Link()
	}
	if g.links != nil {
		return g.links.nodesOf(g, c)
	}
	return g.scanNodes(c)
}

// scanNodes lists the e-nodes of a leader without an index or lists.
func (g *Graph) scanNodes(c ClassID) []NodeID {
	var nodes []NodeID
	g.rebuilt += g.live
	g.eachNode(func(r NodeID, n int) {
		if g.Find(g.arena[r+nodeClass]) == c {
			nodes = append(nodes, r)
		}
	})
	return nodes
}
