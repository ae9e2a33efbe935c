package egraph

import "slices"

// Lattice says what is known of a class: a fact for every row, and how facts of
// equal rows go together. Facts only grow: Merge gives at least as much as each
// of its arguments.
type Lattice[D any] interface {
	// Make is the fact about row r given the facts about its children.
	Make(c *Column[D], n Node) D
	// Merge combines facts about one class. An error is a contradiction: the
	// rows cannot be equal.
	Merge(a, b D) (D, error)
	Equal(a, b D) bool
}

// Column holds a fact for every class.
type Column[D any] struct {
	g    *Graph
	l    Lattice[D]
	data []D
}

// Attach adds an analysis to the e-graph. Rows that are there already are
// analysed, children first.
func Attach[D any](g *Graph, l Lattice[D]) *Column[D] {
	c := &Column[D]{g: g, l: l}
	g.analyses = append(g.analyses, c)
	if g.live > 0 {
		g.eachRow(func(r RowID, n int) { c.made(r, g.arena[r+rowClass]) })
	}
	return c
}

// Get is the fact about a class.
func (c *Column[D]) Get(id ClassID) D { return c.data[c.g.Find(id)] }

// Set merges a fact that comes from outside into what is known of a class.
func (c *Column[D]) Set(id ClassID, d D) { c.set(c.g.Find(id), d) }

// analysis is a Column of any type.
type analysis interface {
	made(r RowID, c ClassID)
	merged(a, b ClassID)
	moved(to, from ClassID)
	update(r RowID, c ClassID)
}

func (c *Column[D]) fact(r RowID, id ClassID) D {
	class := Ref{ID: id}
	for range c.g.Slots(id) {
		class.Args = append(class.Args, c.g.Fresh())
	}
	return c.l.Make(c, c.g.open(r, class))
}

func (c *Column[D]) made(r RowID, id ClassID) {
	for len(c.data) < len(c.g.parent) {
		var zero D
		c.data = append(c.data, zero)
	}
	c.data[id] = c.fact(r, id)
}

func (c *Column[D]) merged(a, b ClassID) {
	d, err := c.l.Merge(c.data[a], c.data[b])
	if err != nil {
		c.g.contradiction(a, err)
		return
	}
	if !c.l.Equal(d, c.data[a]) || !c.l.Equal(d, c.data[b]) {
		c.g.stale = append(c.g.stale, a)
	}
	c.data[a] = d
}

func (c *Column[D]) moved(to, from ClassID) {
	for len(c.data) < len(c.g.parent) {
		var zero D
		c.data = append(c.data, zero)
	}
	c.data[to] = c.data[from]
}

// set merges d into the fact about leader id.
func (c *Column[D]) set(id ClassID, d D) {
	m, err := c.l.Merge(c.data[id], d)
	if err != nil {
		c.g.contradiction(id, err)
		return
	}
	if !c.l.Equal(m, c.data[id]) {
		c.data[id] = m
		c.g.stale = append(c.g.stale, id)
	}
}

func (c *Column[D]) update(r RowID, id ClassID) { c.set(id, c.fact(r, id)) }

// updateFacts passes changed facts on to the rows that use the classes.
func (g *Graph) updateFacts() {
	if g.links == nil {
		for len(g.stale) > 0 {
			changed := make([]bool, len(g.parent))
			for _, c := range g.stale {
				changed[g.Find(c)] = true
			}
			g.stale = g.stale[:0]
			g.eachRow(func(r RowID, n int) {
				if slices.ContainsFunc(g.kids(r, n), func(k ClassID) bool { return changed[g.Find(k)] }) {
					g.reanalyse(r)
				}
			})
		}
		return
	}
	for len(g.stale) > 0 {
		c := g.Find(g.stale[len(g.stale)-1])
		g.stale = g.stale[:len(g.stale)-1]
		for x := g.links.users[c].head; x != 0; x = g.links.next[x].next {
			if r := g.links.next[x].row; g.arena[r]&flagDead == 0 {
				g.reanalyse(r)
			}
		}
	}
}

func (g *Graph) reanalyse(r RowID) {
	g.updateClass(r)
	for _, a := range g.analyses {
		a.update(r, g.arena[r+rowClass])
	}
}
