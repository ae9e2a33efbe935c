package egraph

import "slices"

// links are lists of the e-nodes of each class and of the e-nodes that use each class,
// kept up to date by every change. Directed runs, which look at a few classes at
// a time, need them; runs that look at everything use an [index].
type links struct {
	nodes   []list // by class
	parents []list // by class: an e-node is once among the parents of each of its children
	open    []list // by class, in a directed run: e-nodes that no rule has rewritten
	next    []cell

	marked []uint32 // by class, and by turns
	turn   uint32
	old    []ClassID
}

// list is a linked list of cells; 0 is no cell.
type list struct {
	head, tail uint32
	n          uint32
}

type cell struct {
	node NodeID
	next uint32
}

// bytes is the memory of the lists, about.
func (l *links) bytes() int {
	if l == nil {
		return 0
	}
	return 12*(cap(l.nodes)+cap(l.parents)+cap(l.open)) + 8*cap(l.next) + 4*(cap(l.marked)+cap(l.old))
}

func (l *links) newClass() {
	l.nodes = append(l.nodes, list{})
	l.parents = append(l.parents, list{})
	if l.open != nil {
		l.open = append(l.open, list{})
	}
}

func (l *links) push(to *list, r NodeID) {
	l.next = append(l.next, cell{node: r})
	l.attach(to, uint32(len(l.next)-1))
}

// attach makes cell c the last one of a list.
func (l *links) attach(to *list, c uint32) {
	if to.head == 0 {
		to.head = c
	} else {
		l.next[to.tail].next = c
	}
	to.tail = c
	to.n++
}

// join appends from to to and empties from.
func (l *links) join(to, from *list) {
	switch {
	case from.head == 0:
		return
	case to.head == 0:
		*to = *from
	default:
		l.next[to.tail].next = from.head
		to.tail = from.tail
		to.n += from.n
	}
	*from = list{}
}

func (l *links) addNode(g *Graph, r NodeID, c ClassID) {
	l.push(&l.nodes[c], r)
	if l.open != nil {
		l.push(&l.open[c], r)
	}
	l.addParent(g, r, nil)
}

// addParent enters e-node r among the parents of its children, but for those of
// listed, where it is.
func (l *links) addParent(g *Graph, r NodeID, listed []ClassID) {
	l.turn++
	for _, c := range listed {
		l.mark(c)
	}
	for _, c := range g.kids(r, g.arity(r)) {
		if l.mark(c) {
			l.push(&l.parents[c], r)
		}
	}
}

// mark marks a class and reports whether it was not marked in this turn.
func (l *links) mark(c ClassID) bool {
	if column(l.marked, c) == l.turn {
		return false
	}
	set(&l.marked, c, l.turn)
	return true
}

// refreshParents refreshes the e-nodes that use class c, and enters them among the
// parents of what their children are now.
func (l *links) refreshParents(g *Graph, c ClassID) {
	parents := l.parents[c]
	l.parents[c] = list{}
	for x := parents.head; x != 0; x = l.next[x].next {
		r := l.next[x].node
		if g.arena[r]&flagDead != 0 {
			continue
		}
		n := g.arity(r)
		l.old = append(l.old[:0], g.kids(r, n)...)
		g.rebuilt++
		g.remove(r, n)
		g.refresh(r, n)
		if g.arena[r]&flagDead == 0 {
			l.addParent(g, r, slices.DeleteFunc(l.old, func(k ClassID) bool { return k == c }))
		}
	}
}

// merged moves the e-nodes of b to a. The parents of b stay with b until they have
// been brought up to date.
func (l *links) merged(a, b ClassID) {
	l.join(&l.nodes[a], &l.nodes[b])
	if l.open != nil {
		l.join(&l.open[a], &l.open[b])
	}
}

// Link has the graph keep lists of the parents of classes from now on: rebuilding it after a few
// unions takes the time of these, and not of the whole graph.
func (g *Graph) Link() {
	if g.links != nil {
		return
	}
	l := &links{next: make([]cell, 1)}
	g.links = l
	for range g.unionFind {
		l.newClass()
	}
	g.eachNode(func(r NodeID, n int) {
		g.updateClass(r)
		l.addNode(g, r, g.arena[r+nodeClass])
	})
}

// nodesOf lists the e-nodes of a leader that are not dead. The result is valid until
// the next call or change.
func (g *Graph) nodesOf(c ClassID) []NodeID {
	if g.scanning {
		return g.scan(c)
	}
	if g.current && g.index == nil && g.links == nil {
		g.buildIndex()
	}
	if g.index != nil {
		return g.index.nodesOf(c)
	}
	g.Link()
	return g.links.nodesOf(g, c)
}

func (l *links) nodesOf(g *Graph, c ClassID) []NodeID { return l.without(g, &l.nodes[c], flagDead) }

// first is an e-node of a leader that is not dead. It drops those before it, so that nobody looks at them again.
func (l *links) first(g *Graph, c ClassID) NodeID {
	head := &l.nodes[c].head
	for g.arena[l.next[*head].node]&flagDead != 0 {
		*head = l.next[*head].next
	}
	return l.next[*head].node
}

// openNodes lists the e-nodes of a leader that a directed run has to look at: those
// that are not dead and that no rule has rewritten.
func (l *links) openNodes(g *Graph, c ClassID) []NodeID {
	return l.without(g, &l.open[c], flagDead|flagPassed)
}

// without drops the e-nodes with one of the flags from a list and gives the others.
func (l *links) without(g *Graph, from *list, flags uint32) []NodeID {
	var out []NodeID
	var kept list
	for x := from.head; x != 0; x = l.next[x].next {
		r := l.next[x].node
		if g.arena[r]&flags != 0 {
			continue
		}
		out = append(out, r)
		l.attach(&kept, x)
	}
	if kept.tail != 0 {
		l.next[kept.tail].next = 0
	}
	*from = kept
	return out
}

// keepOpen begins the lists of a directed run. An e-node that is rewritten stays in
// its class, and a class to which very much is rewritten, a truth value or a zero,
// is looked at very often.
func (l *links) keepOpen(g *Graph) {
	l.open = make([]list, len(l.nodes))
	for c := range l.nodes {
		for _, r := range l.nodesOf(g, ClassID(c)) {
			l.push(&l.open[c], r)
		}
	}
}
