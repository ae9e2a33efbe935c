package egraph

import "slices"

// links are lists of the rows of each class and of the rows that use each class,
// kept up to date by every change. Directed runs, which look at a few classes at
// a time, need them; runs that look at everything use an [index].
type links struct {
	rows  []list // by class
	users []list // by class: a row is once among the users of each of its children
	open  []list // by class, in a directed run: rows that no rule has rewritten
	next  []cell

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
	row  RowID
	next uint32
}

// bytes is the memory of the lists, about.
func (l *links) bytes() int {
	if l == nil {
		return 0
	}
	return 12*(cap(l.rows)+cap(l.users)+cap(l.open)) + 8*cap(l.next) + 4*(cap(l.marked)+cap(l.old))
}

func (l *links) newClass() {
	l.rows = append(l.rows, list{})
	l.users = append(l.users, list{})
	if l.open != nil {
		l.open = append(l.open, list{})
	}
}

func (l *links) push(to *list, r RowID) {
	l.next = append(l.next, cell{row: r})
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

func (l *links) addRow(g *Graph, r RowID, c ClassID) {
	l.push(&l.rows[c], r)
	if l.open != nil {
		l.push(&l.open[c], r)
	}
	l.addUser(g, r, nil)
}

// addUser enters row r among the users of its children, but for those of
// listed, where it is.
func (l *links) addUser(g *Graph, r RowID, listed []ClassID) {
	l.turn++
	for _, c := range listed {
		l.mark(c)
	}
	for _, c := range g.kids(r, g.arity(r)) {
		if l.mark(c) {
			l.push(&l.users[c], r)
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

// refreshUsers refreshes the rows that use class c, and enters them among the
// users of what their children are now.
func (l *links) refreshUsers(g *Graph, c ClassID) {
	users := l.users[c]
	l.users[c] = list{}
	for x := users.head; x != 0; x = l.next[x].next {
		r := l.next[x].row
		if g.arena[r]&flagDead != 0 {
			continue
		}
		n := g.arity(r)
		l.old = append(l.old[:0], g.kids(r, n)...)
		g.rebuilt++
		g.remove(r, n)
		g.refresh(r, n)
		if g.arena[r]&flagDead == 0 {
			l.addUser(g, r, slices.DeleteFunc(l.old, func(k ClassID) bool { return k == c }))
		}
	}
}

// merged moves the rows of b to a. The users of b stay with b until they have
// been brought up to date.
func (l *links) merged(a, b ClassID) {
	l.join(&l.rows[a], &l.rows[b])
	if l.open != nil {
		l.join(&l.open[a], &l.open[b])
	}
}

// link builds the lists.
func (g *Graph) link() {
	if g.links != nil {
		return
	}
	l := &links{next: make([]cell, 1)}
	g.links = l
	for range g.parent {
		l.newClass()
	}
	g.eachRow(func(r RowID, n int) {
		g.updateClass(r)
		l.addRow(g, r, g.arena[r+rowClass])
	})
}

// rowsOf lists the rows of a leader that are not dead. The result is valid until
// the next call or change.
func (g *Graph) rowsOf(c ClassID) []RowID {
	if g.scanning {
		return g.scan(c)
	}
	if g.current && g.index == nil && g.links == nil {
		g.buildIndex()
	}
	if g.index != nil {
		return g.index.rowsOf(c)
	}
	g.link()
	return g.links.rowsOf(g, c)
}

func (l *links) rowsOf(g *Graph, c ClassID) []RowID { return l.without(g, &l.rows[c], flagDead) }

// openRows lists the rows of a leader that a directed run has to look at: those
// that are not dead and that no rule has rewritten.
func (l *links) openRows(g *Graph, c ClassID) []RowID {
	return l.without(g, &l.open[c], flagDead|flagPassed)
}

// without drops the rows with one of the flags from a list and gives the others.
func (l *links) without(g *Graph, from *list, flags uint32) []RowID {
	var out []RowID
	var kept list
	for x := from.head; x != 0; x = l.next[x].next {
		r := l.next[x].row
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

// keepOpen begins the lists of a directed run. A row that is rewritten stays in
// its class, and a class to which very much is rewritten, a truth value or a zero,
// is looked at very often.
func (l *links) keepOpen(g *Graph) {
	l.open = make([]list, len(l.rows))
	for c := range l.rows {
		for _, r := range l.rowsOf(g, ClassID(c)) {
			l.push(&l.open[c], r)
		}
	}
}
