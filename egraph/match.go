package egraph

import (
	"slices"
	"sort"

	"egad/slot"
)

// Match is one way in which a left side matches. It is valid during the call
// that passes it.
type Match struct {
	g       *Graph
	prog    *Program
	cls     []ClassID // registers
	arg     []Vec
	names   []Pos // of the bound variables
	statics Statics
	ops     []Op // by position; then those of spreads
	// The stack, the lists on it, and the lists of bound variables.
	items []value
	spans []span
	lists []names
	// Chosen has the alternatives.
	chosen []uint16
	// Note is what Guard leaves for Apply.
	Note uint32
	// Side, if Apply sets it, is what equals what it gives, in the place of what matched.
	Side *Ref
	past bool // classes are those that there were
}

// Graph returns the graph in which the left side matched.
func (m *Match) Graph() *Graph { return m.g }

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

func (m *Match) ref(reg int) Ref { return m.refOf(m.cls[reg], m.arg[reg]) }

func (m *Match) refOf(c ClassID, v Vec) Ref {
	if !m.past {
		c, v = m.g.find(c, v)
	}
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
	// In a directed run, operands that are made of their own class are passed over unless own is set; metOwn
	// notes that there was one.
	own, metOwn bool
	atom        func(*Graph, ClassID) bool
	found       func() bool // called for each match; false ends the search
	// refused is that the guard did not accept the match for which found was called last.
	refused bool
	// Only matches with an e-node that has changed after the stamp since are looked
	// for; fresh is how many of the e-nodes bound so far have.
	since uint32
	fresh int
	plan  *plan
	last  int // the last instruction that may find an e-node which has changed after since
	given int // the e-nodes of plan.given that have changed after since
	rule  *Rule
	place int // in a spread
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
	p := r.Lhs
	m.prog, m.rule, m.atom, m.since, m.Note = p, r, r.Atom, 0, 0
	m.plan, m.last, m.given = &p.full, p.full.lastSearch, 0
	m.cls = slices.Grow(m.cls[:0], p.regs)[:p.regs]
	m.arg = slices.Grow(m.arg[:0], p.regs)[:p.regs]
	m.names = slices.Grow(m.names[:0], p.bound)[:p.bound]
	m.ops = slices.Grow(m.ops[:0], p.positions)[:p.positions]
	m.statics.Sig, m.statics.Constants = m.g.sig, r.Constants
	m.statics.Vars = slices.Grow(m.statics.Vars[:0], p.statics)[:p.statics]
	clear(m.statics.Vars)
	m.items = m.items[:0]
	m.spans = slices.Grow(m.spans[:0], p.spans)[:p.spans]
	m.lists = slices.Grow(m.lists[:0], p.boundLists)[:p.boundLists]
	m.chosen = slices.Grow(m.chosen[:0], p.choices)[:p.choices]
}

// node looks for matches whose root is node r. It returns false if found did.
func (m *machine) node(r NodeID) bool {
	g := m.g
	if g.index == nil {
		g.updateClass(r)
	}
	c := g.arena[r+nodeClass]
	if m.prog.choices > 0 {
		clear(m.arg) // not all registers are filled
	}
	m.cls[0], m.arg[0], m.next = c, 0, 0
	m.tighten(0, 0)
	if n := g.slotsOf(c); n > 0 {
		m.arg[0], m.next = g.vecs.Identity(n), Pos(n)
	}
	m.fresh = m.given
	i := &m.plan.code[0]
	if i.kind == iClass {
		return m.tooOld(r, 0) || m.with(r, 1)
	}
	if !m.accepts(i, r) || m.tooOld(r, 0) || i.opaque && m.atom != nil && m.atom(m.g, c) {
		return true
	}
	return m.bind(i, r, m.arg[0], 1)
}

// tooOld reports whether, with e-node r found by instruction pc, no e-node of a match
// can be new.
func (m *machine) tooOld(r NodeID, pc int) bool {
	return m.fresh == 0 && pc >= m.last && m.g.arena[r+nodeStamp] <= m.since
}

// accepts reports whether the operator of e-node r is what instruction i wants.
func (m *machine) accepts(i *instr, r NodeID) bool {
	w := m.g.arena[r]
	if w&flagDead != 0 || m.directed && !i.joined && w&flagPassed != 0 {
		return false
	}
	h := m.g.sig.ops[w&opMask]
	if i.kind != iBindAny && h != i.head || i.kind == iBindAny && !m.g.sig.heads[h].is(i) {
		return false
	}
	return !i.checked || m.g.sig.fits(i, Op(w&opMask))
}

// step runs the program from instruction pc.
func (m *machine) step(pc int) bool {
	if pc == len(m.plan.code) {
		for _, r := range m.prog.repeats {
			copy(m.ops[r.to:r.to+r.n], m.ops[r.from:])
		}
		if len(m.flex) > 0 {
			return m.complete()
		}
		return m.found()
	}
	g := m.g
	i := &m.plan.code[pc]
	var c ClassID
	if i.kind < iEither || i.kind > iNext {
		c = m.cls[i.in]
	}
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
		if args := g.vecs.Get(m.arg[i.in]); len(args) == 0 || args[0] == n {
			ok = m.with(r, pc+1)
		} else if len(m.flex) > 0 {
			ok = m.take(args[0], n, func() bool { return m.with(r, pc+1) })
		}
		return ok
	case iEither:
		m.chosen[i.spread] = i.out
		if !m.step(pc + 1) {
			return false
		}
		m.chosen[i.spread] = i.out + 1 // the last one, unless another iEither is there
		return m.step(int(i.to))
	case iJump:
		return m.fresh == 0 && int(i.to) > m.last || m.step(int(i.to))
	case iSame:
		x, y := m.spans[i.in], m.spans[i.out]
		return x.n != y.n || m.same(x, y, 0, pc+1)
	case iSlots:
		return m.variables(i, 0, pc)
	case iEach:
		return m.eachPlace(i, pc)
	case iNext:
		return m.nextPlace(i, pc)
	case iKeep:
		if m.place == 0 {
			m.cls[i.out], m.arg[i.out] = c, m.arg[i.in]
			return m.step(pc + 1)
		}
		return m.equal(value{c, m.arg[i.in]}, value{m.cls[i.out], m.arg[i.out]}, func() bool { return m.step(pc + 1) })
	case iElem:
		s := m.spans[i.out]
		return m.equal(value{c, m.arg[i.in]}, m.at(s, m.place), func() bool { return m.step(pc + 1) })
	case iFind:
		return m.find(i, pc)
	}
	if i.opaque && m.atom != nil && m.atom(m.g, c) {
		return true
	}
	if g.index != nil {
		x := &g.index.classes[c]
		if m.fresh == 0 && pc >= m.last && x.newest <= m.since || i.kind == iBind && x.heads&headBit(i.head) == 0 {
			return true
		}
	}
	nodes, keyed := m.nodesWith(c, i), len(i.keys) > 0
	m.spent += len(nodes)
	for _, r := range nodes {
		if keyed && g.arena[r+nodeClass] != c || !m.accepts(i, r) || m.tooOld(r, pc) {
			continue
		}
		if m.directed && !m.own && g.ofOwnClass(r) {
			m.metOwn = true
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

// nodesWith lists the e-nodes of a class that instruction i may accept, and perhaps some of other
// classes. Those of an index are in the order of their heads.
func (m *machine) nodesWith(c ClassID, i *instr) []NodeID {
	g := m.g
	if m.directed && !i.joined {
		return g.links.openNodes(g, c)
	}
	nodes := g.nodesOf(c)
	if g.index == nil || i.kind != iBind || len(nodes) < manyNodes {
		return nodes
	}
	from := sort.Search(len(nodes), func(k int) bool { return g.sig.ops[g.op(nodes[k])] >= i.head })
	to := from + sort.Search(len(nodes)-from, func(k int) bool { return g.sig.ops[g.op(nodes[from+k])] > i.head })
	if nodes = nodes[from:to]; len(i.keys) > 0 {
		return m.using(i, nodes)
	}
	return nodes
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
	if m.spent++; m.spent >= workUnit && !m.worked() { // not a call of looked, for speed
		return false
	}
	g := m.g
	n := int(i.arity)
	op := g.arena[r]
	m.ops[i.position] = Op(op & opMask)
	saved, flex, apart := m.next, len(m.flex), len(m.apart)
	known := 0
	if i.statics != nil {
		known = m.statics.mark()
	}
	ok := true
	switch {
	case len(i.again) > 0 && !m.open(i, Op(op&opMask)) || !m.statics.carried(i.statics, Op(op&opMask)):
	case i.items != nil:
		ok = m.bindLists(i, r, args, pc)
	default:
		switch {
		case op&flagSlots != 0:
			m.slots(i, r, n, args, m.cls[i.out:], m.arg[i.out:])
		case n == 2:
			node, cls, arg := g.arena[r+nodeKids:r+nodeKids+2], m.cls[i.out:i.out+2], m.arg[i.out:i.out+2]
			cls[0], cls[1], arg[0], arg[1] = node[0], node[1], 0, 0
		default:
			copy(m.cls[i.out:], g.kids(r, n))
			clear(m.arg[i.out : int(i.out)+n])
		}
		ok = m.with(r, pc)
		if ok && n == 2 && g.sig.heads[g.sig.ops[op&opMask]].Commutative {
			a, b := i.out, i.out+1 // no later instruction writes these registers
			if m.cls[a] != m.cls[b] || m.arg[a] != m.arg[b] {
				m.cls[a], m.cls[b] = m.cls[b], m.cls[a]
				m.arg[a], m.arg[b] = m.arg[b], m.arg[a]
				ok = m.with(r, pc)
			}
		}
	}
	if i.statics != nil {
		m.statics.back(known)
	}
	m.next = saved
	m.tighten(flex, apart)
	return ok
}

// accepted reports whether the guard of the rule accepts the match.
func (m *machine) accepted() bool {
	m.refused = m.rule.Guard != nil && !m.rule.Guard(&m.Match)
	return !m.refused
}

// looked counts a way to take names that is looked at. It is false if the search is to end.
func (m *machine) looked() bool {
	m.spent++
	return m.spent < workUnit || m.worked()
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

// slots puts the children of an e-node that mentions slots into registers. A slot of
// the e-node that its class does not have gets a flexible name.
func (m *machine) slots(i *instr, r NodeID, n int, args Vec, cls []ClassID, arg []Vec) {
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
		m.loosen(i, g.op(r), free, first)
	}
	var out [16]Pos
	for k, c := range g.kids(r, n) {
		ps := out[:0]
		for _, p := range g.vecs.Get(g.arg(r, n, k)) {
			if p&bound != 0 {
				ps = append(ps, m.binder(i, int(p&^bound)))
			} else {
				ps = append(ps, free[p])
			}
		}
		cls[k], arg[k] = c, g.vecs.Intern(ps)
	}
}

// Matches calls f for every match of the left side of a rule in the graph, in the
// order of their roots, until f returns false. The graph must have been rebuilt.
func (g *Graph) Matches(r *Rule, f func(*Match) bool) {
	m := g.machine()
	m.load(r)
	m.found = func() bool { return f(&m.Match) }
	if p := r.Lhs; g.index == nil && p.nodes == 1 && p.full.code[0].kind == iBind {
		// An index would cost more.
		more := true
		g.eachNode(func(r NodeID, n int) { more = more && m.node(r) })
		return
	}
	m.roots()
}

// roots looks for matches at the e-nodes that may be the root of one. What a guard adds
// makes an index invalid, and is found by the next search.
func (m *machine) roots() {
	g := m.g
	if g.index == nil {
		g.buildIndex()
	}
	x := g.index
	if !m.choose() {
		return
	}
	if m.last = m.lastNew(); m.last < 0 && m.given == 0 {
		return
	}
	i := &m.plan.code[0]
	switch i.kind {
	case iClass:
		for c := range g.unionFind {
			if nodes := x.nodesOf(ClassID(c)); len(nodes) > 0 && !m.node(nodes[0]) {
				return
			}
		}
	case iBind:
		for _, r := range x.nodesOfHead(i.head) {
			if !m.node(r) {
				return
			}
		}
	default:
		for h := range g.sig.heads {
			if !g.sig.heads[h].is(i) {
				continue
			}
			for _, r := range x.nodesOfHead(HeadID(h)) {
				if !m.node(r) {
					return
				}
			}
		}
	}
}

// is reports whether a head has the class that instruction i wants.
func (h *Head) is(i *instr) bool { return h.Class&i.class == i.class }

// lastNew is the last instruction of the plan that may find an e-node which has changed after since, -1 if
// there is none. The index is valid.
func (m *machine) lastNew() int {
	pc := m.plan.lastSearch
	for ; pc >= 0; pc-- {
		switch i := &m.plan.code[pc]; {
		case i.kind != iBind && i.kind != iFind && i.searches():
			return pc
		case i.searches() && m.g.index.newest(i.head) > m.since:
			return pc
		}
	}
	return pc
}

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
		if g.arena[r+nodeStamp] > m.since {
			m.given++
		}
	}
	return true
}
