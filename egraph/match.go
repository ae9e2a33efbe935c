package egraph

import (
	"slices"
	"sort"

	"egad/slot"
)

// Match is one way in which a left side matches. It is valid during the call
// that passes it.
type Match struct {
	g     *Graph
	prog  *Program
	cls   []ClassID // registers
	arg   []Vec
	names []Pos  // of the bound variables
	ops   []Op   // by position
	terms []Term // by the number of the e-node, if the graph is recorded
	// Note is what Guard leaves for Apply.
	Note uint32
	// Side, if Apply sets it, is what equals what it gives, in the place of what matched.
	Side *Ref
}

// Root returns the class that the left side matched.
func (m *Match) Root() Ref { return m.ref(0) }

// RootClass returns the class of [Match.Root].
func (m *Match) RootClass() ClassID { return m.g.Find(m.cls[0]) }

// Var returns the class that metavariable i stands for.
func (m *Match) Var(i int) Ref { return m.ref(int(m.prog.vars[i])) }

// VarClass returns the class of [Match.Var].
func (m *Match) VarClass(i int) ClassID { return m.g.Find(m.cls[m.prog.vars[i]]) }

// Bound returns the name of bound variable i.
func (m *Match) Bound(i int) slot.Name { return slot.Name(m.names[i]) }

// Op returns the operator found at a position.
func (m *Match) Op(position int) Op { return m.ops[position] }

func (m *Match) ref(reg int) Ref {
	c, v := m.g.find(m.cls[reg], m.arg[reg])
	r := Ref{ID: c}
	for _, p := range m.g.vecs.Get(v) {
		r.Args = append(r.Args, slot.Name(p))
	}
	return r
}

// machine runs programs on a graph that does not change meanwhile.
type machine struct {
	Match
	next     Pos  // the next name that is not in use
	directed bool // e-nodes that have been rewritten do not count
	atom     func(ClassID) bool
	found    func() bool // called for each match; false ends the search
	// Only matches with an e-node that has changed after the stamp since are looked
	// for; fresh is how many of the e-nodes bound so far have.
	since uint32
	fresh int
	plan  *plan
	given int   // the e-nodes of plan.given that have changed after since
	rule  *Rule // nil if it is only looked for matches
	// Flex has the flexible names, and apart the names of each e-node that has some.
	flex  []flexible
	apart [][]Pos
	// work, unless it is nil, is called for every workUnit e-nodes; false ends the
	// search.
	work  func() bool
	spent int
}

func (g *Graph) machine() *machine { return &machine{Match: Match{g: g}} }

// load prepares for matches of a rule.
func (m *machine) load(r *Rule) {
	m.program(r.Lhs)
	m.rule, m.atom, m.since = r, r.Atom, 0
}

// program prepares for matches of p.
func (m *machine) program(p *Program) {
	m.prog, m.rule, m.atom = p, nil, nil
	m.plan, m.given = &p.full, 0
	m.cls = slices.Grow(m.cls[:0], p.regs)[:p.regs]
	m.arg = slices.Grow(m.arg[:0], p.regs)[:p.regs]
	m.names = slices.Grow(m.names[:0], p.bound)[:p.bound]
	m.ops = slices.Grow(m.ops[:0], p.positions)[:p.positions]
	if m.g.recording != nil {
		m.terms = slices.Grow(m.terms[:0], p.nodes)[:p.nodes]
	}
}

// node looks for matches whose root is node r. It returns false if found did.
func (m *machine) node(r NodeID) bool {
	g := m.g
	if g.index == nil {
		g.updateClass(r)
	}
	c := g.arena[r+nodeClass]
	m.cls[0], m.arg[0], m.next = c, 0, 0
	m.tighten(0, 0)
	if n := g.slotsOf(c); n > 0 {
		m.arg[0], m.next = g.vecs.Identity(n), Pos(n)
	}
	m.fresh = m.given
	i := &m.plan.code[0]
	if i.kind == iClass {
		return m.tooOld(r, 0) || m.found()
	}
	if !m.accepts(i, r) || m.tooOld(r, 0) || i.opaque && m.atom != nil && m.atom(c) {
		return true
	}
	return m.bind(i, r, m.arg[0], 1)
}

// tooOld reports whether, with e-node r found by instruction pc, no e-node of a match
// can be new.
func (m *machine) tooOld(r NodeID, pc int) bool {
	return m.fresh == 0 && pc >= m.plan.lastSearch && m.g.arena[r+nodeStamp] <= m.since
}

// accepts reports whether the operator of e-node r is what instruction i wants.
func (m *machine) accepts(i *instr, r NodeID) bool {
	w := m.g.arena[r]
	if w&flagDead != 0 || m.directed && w&flagPassed != 0 {
		return false
	}
	h := m.g.sig.ops[w&opMask]
	if i.kind == iBind {
		return h == i.head
	}
	return m.g.sig.heads[h].is(i)
}

// step runs the program from instruction pc.
func (m *machine) step(pc int) bool {
	if pc == len(m.plan.code) {
		if len(m.flex) > 0 {
			return m.complete()
		}
		return m.found()
	}
	g := m.g
	i := &m.plan.code[pc]
	c := m.cls[i.in]
	switch i.kind {
	case iCompare:
		switch {
		case c != m.cls[i.out]:
			return true
		case len(m.flex) > 0:
			return m.unify(c, m.arg[i.in], m.arg[i.out], func() bool { return m.step(pc + 1) })
		case !g.sameArgs(c, m.arg[i.in], m.arg[i.out]):
			return true
		}
		return m.step(pc + 1)
	case iSlot:
		r, ok := m.slotNode(c)
		if !ok || m.tooOld(r, pc) {
			return true
		}
		n := m.names[i.out]
		m.note(i, r, []Pos{n})
		if args := g.vecs.Get(m.arg[i.in]); len(args) > 0 && args[0] != n {
			return len(m.flex) == 0 || m.take(args[0], n, func() bool { return m.with(r, pc+1) })
		}
		return m.with(r, pc+1)
	}
	if i.opaque && m.atom != nil && m.atom(c) {
		return true
	}
	if g.index != nil {
		x := &g.index.classes[c]
		if m.fresh == 0 && pc == m.plan.lastSearch && x.newest <= m.since || i.kind == iBind && x.heads&headBit(i.head) == 0 {
			return true
		}
	}
	nodes := m.nodesWith(c, i)
	m.spent += len(nodes)
	for _, r := range nodes {
		if !m.accepts(i, r) || m.tooOld(r, pc) {
			continue
		}
		if g.index == nil {
			g.updateClass(r)
		}
		if !m.bind(i, r, m.arg[i.in], pc+1) {
			return false
		}
		if g.groupOf(c) == 0 {
			continue
		}
		ways := g.waysOf(r)
		for k := 1; ways.grow(g, k); k++ {
			if !m.bind(i, r, g.vecs.Compose(m.arg[i.in], ways.list[k]), pc+1) {
				return false
			}
		}
	}
	return true
}

// with goes on at pc with e-node r bound.
func (m *machine) with(r NodeID, pc int) bool {
	if m.g.arena[r+nodeStamp] <= m.since {
		return m.step(pc)
	}
	m.fresh++
	ok := m.step(pc)
	m.fresh--
	return ok
}

// nodesWith lists the e-nodes of a class that instruction i may accept. Those of an
// index are in the order of their heads.
func (m *machine) nodesWith(c ClassID, i *instr) []NodeID {
	g := m.g
	if m.directed {
		return g.links.openNodes(g, c)
	}
	nodes := g.nodesOf(c)
	if g.index == nil || i.kind != iBind || len(nodes) < manyNodes {
		return nodes
	}
	from := sort.Search(len(nodes), func(k int) bool { return g.sig.ops[g.op(nodes[k])] >= i.head })
	to := from + sort.Search(len(nodes)-from, func(k int) bool { return g.sig.ops[g.op(nodes[from+k])] > i.head })
	return nodes[from:to]
}

// manyNodes is from how many e-nodes on a search for a head is faster than a look at
// all of them.
const manyNodes = 32

// slotNode finds an e-node of the class that only names a slot: that of the class, or
// any if the class has none.
func (m *machine) slotNode(c ClassID) (NodeID, bool) {
	g := m.g
	if g.slotsOf(c) > 1 {
		return 0, false
	}
	for _, r := range g.nodesOf(c) {
		if h := &g.sig.heads[g.sig.ops[g.op(r)]]; h.Arity == 0 && h.Own == 1 {
			return r, true
		}
	}
	return 0, false
}

// bind puts the children of e-node r, whose class is passed args, into registers
// and goes on at pc.
func (m *machine) bind(i *instr, r NodeID, args Vec, pc int) bool {
	if m.spent++; m.spent >= workUnit && !m.worked() {
		return false
	}
	g := m.g
	n := int(i.arity)
	op := g.arena[r]
	m.ops[i.position] = Op(op & opMask)
	saved, flex, apart := m.next, len(m.flex), len(m.apart)
	for _, b := range i.binders {
		m.names[b] = m.next
		m.next++
	}
	switch {
	case op&flagSlots != 0:
		m.slots(i, r, n, args)
	case n == 2:
		m.note(i, r, nil)
		node, cls, arg := g.arena[r+nodeKids:r+nodeKids+2], m.cls[i.out:i.out+2], m.arg[i.out:i.out+2]
		cls[0], cls[1], arg[0], arg[1] = node[0], node[1], 0, 0
	default:
		m.note(i, r, nil)
		copy(m.cls[i.out:], g.kids(r, n))
		clear(m.arg[i.out : int(i.out)+n])
	}
	ok := m.with(r, pc)
	if ok && n == 2 && g.sig.heads[g.sig.ops[op&opMask]].Commutative {
		a, b := i.out, i.out+1 // no later instruction writes these registers
		if m.cls[a] != m.cls[b] || m.arg[a] != m.arg[b] {
			m.cls[a], m.cls[b] = m.cls[b], m.cls[a]
			m.arg[a], m.arg[b] = m.arg[b], m.arg[a]
			ok = m.with(r, pc)
		}
	}
	m.next = saved
	m.tighten(flex, apart)
	return ok
}

// worked is called for every workUnit e-nodes that were looked at. It is false if the
// search is to end.
func (m *machine) worked() bool {
	if m.work == nil {
		return true
	}
	m.spent = 0
	return m.work()
}

// slots is bind for an e-node that mentions slots. A slot of the e-node that its class
// does not have gets a flexible name.
func (m *machine) slots(i *instr, r NodeID, n int, args Vec) {
	g := m.g
	var buf [16]Pos
	var free []Pos
	if nf := g.nodeSlots(r, n); nf <= len(buf) {
		free = buf[:nf]
	} else {
		free = make([]Pos, nf)
	}
	const none = ^Pos(0)
	for k := range free {
		free[k] = none
	}
	a := g.vecs.Get(args)
	for k, p := range g.vecs.Get(g.cmap(r, n)) {
		free[p] = a[k]
	}
	first := m.next
	for k, f := range free {
		if f == none {
			free[k] = m.next
			m.next++
		}
	}
	if m.next > first {
		m.loosen(i, free, first)
	}
	m.note(i, r, free)
	var out [16]Pos
	for k, c := range g.kids(r, n) {
		ps := out[:0]
		for _, p := range g.vecs.Get(g.arg(r, n, k)) {
			if p&bound != 0 {
				ps = append(ps, m.names[i.binders[p&^bound]])
			} else {
				ps = append(ps, free[p])
			}
		}
		m.cls[int(i.out)+k], m.arg[int(i.out)+k] = c, g.vecs.Intern(ps)
	}
}

// Matches calls f for every match of p in the graph, in the order of their roots,
// until f returns false. The graph must have been rebuilt.
func (g *Graph) Matches(p *Program, f func(*Match) bool) {
	m := g.machine()
	m.program(p)
	m.found = func() bool { return f(&m.Match) }
	if g.index == nil && p.nodes == 1 && p.full.code[0].kind == iBind {
		// An index would cost more.
		more := true
		g.eachNode(func(r NodeID, n int) { more = more && m.node(r) })
		return
	}
	if g.index == nil {
		g.buildIndex()
	}
	m.roots()
}

// roots looks for matches at the e-nodes that may be the root of one. The index is
// valid.
func (m *machine) roots() {
	g := m.g
	if !m.choose() {
		return
	}
	i := &m.plan.code[0]
	switch i.kind {
	case iClass:
		for c := range g.unionFind {
			if nodes := g.index.nodesOf(ClassID(c)); len(nodes) > 0 && !m.node(nodes[0]) {
				return
			}
		}
	case iBind:
		for _, r := range g.index.nodesOfHead(i.head) {
			if !m.node(r) {
				return
			}
		}
	default:
		for h := range g.sig.heads {
			if !g.sig.heads[h].is(i) {
				continue
			}
			for _, r := range g.index.nodesOfHead(HeadID(h)) {
				if !m.node(r) {
					return
				}
			}
		}
	}
}

// is reports whether a head has the class and the arity that instruction i wants.
func (h *Head) is(i *instr) bool { return h.Class&i.class == i.class && h.Arity == int(i.arity) }

// choose chooses a plan. It is false if the graph lacks an operator that a match
// must have. The index is valid.
func (m *machine) choose() bool {
	g, p := m.g, m.prog
	for _, h := range p.heads {
		if len(g.index.nodesOfHead(h)) == 0 {
			return false
		}
	}
	for _, i := range p.leaves.given {
		if len(g.index.nodesOfHead(i.head)) > 1 {
			return true
		}
	}
	if len(p.leaves.given) == 0 {
		return true
	}
	m.plan = &p.leaves
	for k := range m.plan.given {
		i := &m.plan.given[k]
		r := g.index.nodesOfHead(i.head)[0]
		m.cls[i.out], m.arg[i.out] = g.Find(g.arena[r+nodeClass]), 0
		m.ops[i.position] = g.op(r)
		m.note(i, r, nil)
		if g.arena[r+nodeStamp] > m.since {
			m.given++
		}
	}
	return true
}
