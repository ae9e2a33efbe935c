package egraph

import (
	"maps"
	"slices"

	"egad/slot"
)

// proofs is the log from which [Graph.Explain] makes proofs. Every e-node was once
// made together with a class; that class, its origin, stands for the term that
// the e-node was then, whatever has become of both. An edge says why the terms of
// two origins are equal. Nothing is ever looked up in the log during a run.
type proofs struct {
	start log[uint32] // by class: where its term is in words, if it has one
	// Words holds terms, operator and children, with slots own slots and
	// arguments too; and what there is to say of edges that are made by rules.
	words log[uint32]
	// Classes that lost slots have no term: theirs is that of the class they
	// were made from.
	shrunk map[ClassID]shrunkClass

	edges  log[loggedEdge]
	args   log[edgeArgs] // of the edges that have some
	edged  int           // edges so far
	given  []equation
	rules  map[*Rule]int32
	list   []*Rule
	latest int32 // in list, the one that was asked for last

	classes ClassID // so far, in start

	last    site // of the e-node that was added or found last
	lastRef Ref  // the same with the names of the caller of Add
}

type shrunkClass struct {
	of   ClassID
	keep Vec
}

// loggedEdge says that classes a and b are equal, by a rule or for one of the
// other reasons.
type loggedEdge struct {
	a, b ClassID
	rule int32  // in list
	data uint32 // of a rule, where words says more
}

// edgeArgs is the arguments of the classes of an edge.
type edgeArgs struct {
	edge   int
	av, bv Vec
}

// edge is an edge with all there is to it.
type edge struct {
	loggedEdge
	av, bv Vec
}

// Reasons that are no rules.
const (
	byCongruence = -1
	byUser       = -2
)

// noSlot stands for a slot that an e-node has lost: any name would do.
const noSlot Pos = bound - 1

// site is an e-node, named by its origin, with names for the origin's slots.
type site struct {
	id   ClassID
	args Vec
}

// KeepProofs has the graph keep what [Graph.Explain] needs. It must be called
// before anything is added.
func (g *Graph) KeepProofs() {
	if len(g.unionFind) > 0 {
		panic("egraph: proofs are kept from the beginning or not at all")
	}
	g.proofs = &proofs{shrunk: make(map[ClassID]shrunkClass), rules: make(map[*Rule]int32)}
}

// KeepsProofs reports whether the graph keeps proofs.
func (g *Graph) KeepsProofs() bool { return g.proofs != nil }

// made logs a new e-node with its class.
func (p *proofs) made(g *Graph, r NodeID, c ClassID, names Vec) {
	n := g.arity(r)
	for ; p.classes < c; p.classes++ {
		p.start.add(0)
	}
	p.classes++
	if !g.slotted(r) {
		words, at := p.words.room(1 + n)
		*words = append(append(*words, uint32(g.op(r))), g.kids(r, n)...)
		p.start.add(at)
	} else {
		words, at := p.words.room(2 + 2*n)
		*words = append(*words, uint32(g.op(r))|flagSlots, g.own(r, n))
		for k, id := range g.kids(r, n) {
			*words = append(*words, id, g.arg(r, n, k))
		}
		p.start.add(at)
	}
	p.last = site{c, names}
}

// roomFor makes room for n more. Append alone would grow long lists in small
// steps.
func roomFor[T any](list []T, n int) []T {
	if len(list)+n > cap(list) {
		list = slices.Grow(list, max(n, cap(list)))
	}
	return list
}

// origin is the origin of e-node r, and for each slot of it the slot of the e-node.
func (g *Graph) origin(r NodeID) (ClassID, Vec) {
	n := g.arity(r)
	if !g.slotted(r) {
		return g.arena[r+nodeKids+NodeID(n)], 0
	}
	at := r + NodeID(g.nodeLen(n, true)) - 2
	return g.arena[at], g.arena[at+1]
}

func (g *Graph) setOrigin(r NodeID, c ClassID, names Vec) {
	at := r + NodeID(g.nodeLen(g.arity(r), true)) - 2
	g.arena[at], g.arena[at+1] = c, names
}

// site is the origin of e-node r, whose slots have the names free.
func (g *Graph) site(r NodeID, free []Pos) site {
	c, names := g.origin(r)
	if names == 0 {
		return site{id: c}
	}
	return site{c, g.placed(names, free)}
}

// placed is the names of slots, of which some are lost.
func (g *Graph) placed(slots Vec, free []Pos) Vec {
	ps := g.vecs.Get(slots)
	if len(ps) == 0 {
		return 0
	}
	out := make([]Pos, len(ps))
	for k, s := range ps {
		out[k] = noSlot
		if s != noSlot {
			out[k] = free[s]
		}
	}
	return g.vecs.Intern(out)
}

// matchNames is names of a match, of which some are fresh, as small numbers.
func (g *Graph) matchNames(names []slot.Name) Vec {
	out := make([]Pos, len(names))
	for k, n := range names {
		out[k] = Pos(n)
		if n >= ownNames {
			out[k] = Pos(ownNames + slices.Index(names, n))
		}
	}
	return g.vecs.Intern(out)
}

// connect logs why two sites are equal.
func (p *proofs) connect(a, b site, rule int32, data uint32) {
	p.edges.add(loggedEdge{a.id, b.id, rule, data})
	if a.args|b.args != 0 {
		p.args.add(edgeArgs{p.edged, a.args, b.args})
	}
	p.edged++
}

// rule numbers a rule.
func (p *proofs) rule(r *Rule) int32 {
	if n := len(p.list); n > 0 && p.list[p.latest] == r {
		return p.latest
	}
	i, ok := p.rules[r]
	if !ok {
		i = int32(len(p.list))
		p.rules[r] = i
		p.list = append(p.list, r)
	}
	p.latest = i
	return i
}

// applied logs an application of a rule: the sites of the left side and of the
// e-nodes that were added, for each metavariable its class, and the names of bound
// variables. Arguments are logged if there are any.
func (g *Graph) applied(r *Rule, m *Match, run *templateRun, out site) {
	p := g.proofs
	sites := append(run.log[:0], m.sites...)
	for _, reg := range m.prog.vars {
		sites = append(sites, site{m.cls[reg], m.arg[reg]})
	}
	root := site{m.cls[0], m.arg[0]} // of a rule for any class
	if len(m.sites) > 0 {
		root = m.sites[0]
	}
	names := m.names
	if r.Apply == nil {
		names = run.names
		sites = append(sites, run.sites...)
	}
	if r.From != nil {
		root = run.fromSite
		sites = append(sites, run.from...)
	}
	run.log = sites
	var args Vec
	for _, s := range sites {
		args |= s.args
	}
	if args == 0 && len(names) == 0 {
		words, at := p.words.room(1 + len(sites))
		list := append(*words, 0)
		for _, s := range sites {
			list = append(list, s.id)
		}
		*words = list
		p.connect(root, out, p.rule(r), at)
		return
	}
	words, at := p.words.room(1 + 2*len(sites) + len(names))
	list := append(*words, 1+uint32(len(names)))
	for _, s := range sites {
		list = append(list, s.id)
	}
	for _, s := range sites {
		list = append(list, s.args)
	}
	for _, n := range names {
		list = append(list, uint32(n))
	}
	*words = list
	p.connect(root, out, p.rule(r), at)
}

// lose is the names of an e-node's origin when the e-node keeps the slots free, in that
// order.
func (g *Graph) lose(names Vec, free []Pos) Vec {
	ps := g.vecs.Get(names)
	if len(ps) == 0 {
		return 0
	}
	out := make([]Pos, len(ps))
	for k, s := range ps {
		out[k] = noSlot
		if i := slices.Index(free, s); s != noSlot && i >= 0 {
			out[k] = Pos(i)
		}
	}
	return g.vecs.Intern(out)
}

// lostName is the name of a slot that an e-node has lost.
const lostName = ^slot.Name(0)

// nameSite is a site in the names of the caller of Add.
func (g *Graph) nameSite(s site, names []slot.Name) Ref {
	r := Ref{ID: s.id}
	for _, p := range g.vecs.Get(s.args) {
		n := lostName
		if p != noSlot {
			n = names[p]
		}
		r.Args = append(r.Args, n)
	}
	return r
}

// marks says how long the lists of the log are.
type marks struct {
	start, words, edges, args logEnd
	classes                   ClassID
	edged, given              int
}

func (p *proofs) marks() marks {
	if p == nil {
		return marks{}
	}
	return marks{p.start.end(), p.words.end(), p.edges.end(), p.args.end(), p.classes, p.edged, len(p.given)}
}

// back forgets what was logged since; classes are the class numbers there were.
func (p *proofs) back(m marks, classes int) {
	if p == nil {
		return
	}
	p.start.cut(m.start)
	p.words.cut(m.words)
	p.edges.cut(m.edges)
	p.args.cut(m.args)
	p.classes, p.edged, p.given = m.classes, m.edged, p.given[:m.given]
	maps.DeleteFunc(p.shrunk, func(c ClassID, _ shrunkClass) bool { return int(c) >= classes })
}

// allEdges lists the edges.
func (p *proofs) allEdges() []edge {
	out := make([]edge, 0, p.edged)
	for _, e := range p.edges.all() {
		out = append(out, edge{loggedEdge: e})
	}
	for _, a := range p.args.all() {
		out[a.edge].av, out[a.edge].bv = a.av, a.bv
	}
	return out
}

// term is what start says of a class.
func (p *proofs) term(c ClassID) []uint32 { return p.words.from(p.start.from(c)[0]) }

// givenBytes is the memory of an equation with small terms, about.
const givenBytes = 1000

// bytes is the memory of the log, and of what makes proofs of it, about.
func (p *proofs) bytes() int {
	if p == nil {
		return 0
	}
	log := 4*p.start.cap() + 4*p.words.cap() + 16*p.edges.cap() + 16*p.args.cap() + givenBytes*len(p.given)
	return log + 56*int(p.classes) + 48*p.edged // what an Explainer takes
}
