package extract

import (
	"container/heap"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"egad/egraph"
	"egad/saturate"
	"egad/slot"
	"egad/term"
)

// Result is an extracted term.
type Result struct {
	Root  term.Term
	Names map[uint32]term.Hint // of its nodes, from the names of the classes
	Cost  float64              // of the term, its shared parts counted once
	// Rows are the e-nodes that were chosen, valid until the e-graph changes.
	Rows map[egraph.NodeID]bool
}

// Extract finds a cheap term of the class of root that the grammar derives, and
// makes it in store. Costs count instances: a class used with other index
// variables is evaluated again, what does not depend on a loop is evaluated once
// outside it, and what is used twice with the same variables is evaluated once.
//
// Choices are made by least tree costs (Knuth's algorithm), in which the cost of
// a shared class is divided among its uses of the round before; the best of a
// few rounds counts.
func Extract(g *saturate.Graph, root egraph.Ref, gr *Grammar, store *term.Store) (*Result, error) {
	x := &extractor{g: g, gr: gr, store: store}
	x.collect(g.FindRef(root))
	x.derive()
	var best []*derivation
	bestCost := math.Inf(1)
	share := make([]float64, x.states())
	for range rounds {
		chosen := x.choose(share)
		if chosen[x.state(x.classes[g.Find(root.ID)], gr.start)] == nil {
			return nil, x.stuck(root)
		}
		cost, uses := x.measure(chosen, root)
		if best == nil || cost < bestCost {
			best, bestCost = chosen, cost
		}
		changed := false
		for s, n := range uses {
			changed = changed || n > 0 && share[s] != n
		}
		if share = uses; !changed {
			break
		}
	}
	b := &termBuilder{x: x, chosen: best, memo: make([]term.Term, x.states()), names: make(map[uint32]term.Hint),
		rows: make(map[egraph.NodeID]bool),
	}
	var t term.Term
	err := term.Guard(func() error {
		t = b.term(g.FindRef(root), gr.start)
		return b.err
	})
	if err != nil {
		return nil, err
	}
	return &Result{Root: t, Names: b.names, Cost: bestCost, Rows: b.rows}, nil
}

// rounds is how often the costs of shared classes are divided anew.
const rounds = 4

// state is a class to be derived from a nonterminal: the number of the class times
// that of nonterminals, plus the nonterminal.
type state int32

// derivation is a way to derive a state: by a node, or by a chain from another
// nonterminal.
type derivation struct {
	to     state
	node   *node // nil for a chain
	rule   *production
	kids   []state // each once: a child used twice is shared
	cost   float64 // of the node itself
	number int     // of those by nodes
}

// node is a row of a class, over names of the class.
type node struct {
	egraph.Node
	op      term.Op
	kids    []*class
	queued  bool // in slotSizes
	derived []*derivation
}

// user is a node of a class.
type user struct {
	class *class
	node  *node
}

type class struct {
	id       egraph.ClassID
	number   int
	names    []slot.Name // of its slots
	sizes    []float64   // ranges of its slots
	elements float64
	nodes    []*node
	users    []user // the nodes that have it as a child
	chains   []*derivation
}

type extractor struct {
	g       *saturate.Graph
	gr      *Grammar
	store   *term.Store
	classes map[egraph.ClassID]*class
	order   []*class
	nodal   int // derivations by nodes
}

func (x *extractor) states() int { return len(x.order) * len(x.gr.names) }

func (x *extractor) state(c *class, nt int) state { return state(c.number*len(x.gr.names) + nt) }

// collect finds the classes that the root reaches.
func (x *extractor) collect(root egraph.Ref) {
	x.classes = make(map[egraph.ClassID]*class)
	need := func(id egraph.ClassID) *class {
		c, ok := x.classes[id]
		if !ok {
			c = &class{id: id, number: len(x.order), elements: x.elements(id)}
			for range x.g.Slots(id) {
				c.names = append(c.names, x.g.Fresh())
				c.sizes = append(c.sizes, 0)
			}
			x.classes[id] = c
			x.order = append(x.order, c)
		}
		return c
	}
	need(root.ID)
	for i := 0; i < len(x.order); i++ {
		c := x.order[i]
		x.g.Graph.Nodes(egraph.Ref{ID: c.id, Args: c.names}, func(n egraph.Node) bool {
			kids := make([]*class, len(n.Kids))
			for i, k := range n.Kids {
				n.Kids[i] = x.g.FindRef(k)
				kids[i] = need(n.Kids[i].ID)
			}
			c.nodes = append(c.nodes, &node{Node: n, op: x.g.TermOp(n.Op), kids: kids})
			return true
		})
	}
	for _, c := range x.order {
		for _, n := range c.nodes {
			for _, kid := range n.kids {
				if u := len(kid.users); u == 0 || kid.users[u-1].node != n {
					kid.users = append(kid.users, user{c, n})
				}
			}
		}
	}
	x.slotSizes()
}

// slotSizes finds the ranges of the slots of all classes, from index variables
// upwards.
func (x *extractor) slotSizes() {
	var queue []user
	push := func(u user) {
		if len(u.class.names) > 0 && !u.node.queued {
			u.node.queued = true
			queue = append(queue, u)
		}
	}
	for _, c := range x.order {
		for _, n := range c.nodes {
			push(user{c, n})
		}
	}
	for len(queue) > 0 {
		c, n := queue[0].class, queue[0].node
		queue = queue[1:]
		n.queued = false
		changed := false
		set := func(n slot.Name, size float64) {
			for i, m := range c.names {
				if m == n && c.sizes[i] == 0 && size > 0 {
					c.sizes[i] = size
					changed = true
				}
			}
		}
		for _, o := range n.Own {
			set(o, sizeOf(n.op.Sizes[0]))
		}
		for j, k := range n.Kids {
			for i, a := range k.Args {
				set(a, n.kids[j].sizes[i])
			}
		}
		if changed {
			for _, u := range c.users {
				push(u)
			}
		}
	}
}

func sizeOf(s term.Size) float64 {
	if c, ok := s.Const(); ok {
		return float64(c)
	}
	return 1
}

// trips is how often a class is evaluated for one choice of its free names: the
// product of the ranges.
func (c *class) trips() float64 {
	t := 1.0
	for _, s := range c.sizes {
		t *= max(s, 1)
	}
	return t
}

// own is the cost of a node itself, over all runs of the loops around it.
func (c *class) own(n *node, r *production) float64 {
	first := c.elements
	if len(n.kids) > 0 {
		first = n.kids[0].elements
	}
	return c.trips() * (r.cost.n*c.elements + r.cost.m*first + r.cost.c)
}

func (x *extractor) elements(id egraph.ClassID) float64 {
	t := x.g.Type(egraph.Ref{ID: id})
	if t == nil || t.Kind == term.KLin {
		return 1
	}
	return sizeOf(t.Elements())
}

// derive lists the derivations of all states.
func (x *extractor) derive() {
	type form struct {
		sym  term.Sym
		kids int
	}
	forms := make(map[form][]*production)
	for _, c := range x.order {
		for i := range x.gr.rules {
			r := &x.gr.rules[i]
			if r.op == "" && (!r.named || x.isNamed(c.id)) {
				c.chains = append(c.chains, &derivation{to: x.state(c, r.from), rule: r, kids: []state{x.state(c, r.to)}})
			}
		}
		for _, n := range c.nodes {
			f := form{n.op.Sym, len(n.kids)}
			rules, ok := forms[f]
			if !ok {
				for nt := range x.gr.names {
					rules = append(rules, x.productions(nt, n)...)
				}
				forms[f] = rules
			}
			for _, r := range rules {
				d := &derivation{to: x.state(c, r.from), node: n, rule: r, cost: c.own(n, r), number: x.nodal}
				for i, k := range n.kids {
					if s := x.state(k, r.kid(i)); !slices.Contains(d.kids, s) {
						d.kids = append(d.kids, s)
					}
				}
				x.nodal++
				n.derived = append(n.derived, d)
			}
		}
	}
}

// productions lists the rules by which a nonterminal derives n. A rule for
// elementwise operators does not count beside one that names the operator.
func (x *extractor) productions(nt int, n *node) []*production {
	o := x.g.Signature().Operator(n.op.Sym)
	var out []*production
	for i := range x.gr.rules {
		r := &x.gr.rules[i]
		if r.from != nt || r.op == "" || !r.accepts(o, len(n.Kids)) {
			continue
		}
		if r.op == "elementwise" && len(out) > 0 {
			continue
		}
		out = append(out, r)
	}
	return out
}

// item is a derivation with a cost, in the queue of Knuth's algorithm.
type item struct {
	cost float64
	d    *derivation
	seq  int // ties go to what came first
}

type queue []item

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if q[i].cost != q[j].cost {
		return q[i].cost < q[j].cost
	}
	return q[i].seq < q[j].seq
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(v any)   { *q = append(*q, v.(item)) }
func (q *queue) Pop() any {
	old := *q
	v := old[len(old)-1]
	*q = old[:len(old)-1]
	return v
}

// choose derives every state at least tree cost. Costs of shared states are
// divided by their uses.
func (x *extractor) choose(share []float64) []*derivation {
	chosen := make([]*derivation, x.states())
	price := make([]float64, x.states()) // what a use of the state costs
	priced := make([]int, x.nodal)       // by derivation: how many of its children are
	q := &queue{}
	seq := 0
	push := func(cost float64, d *derivation) {
		if chosen[d.to] == nil {
			seq++
			heap.Push(q, item{cost, d, seq})
		}
	}
	ready := func(d *derivation) {
		cost := d.cost
		for _, s := range d.kids {
			cost += price[s]
		}
		push(cost, d)
	}
	for _, c := range x.order {
		for _, n := range c.nodes {
			for _, d := range n.derived {
				if len(d.kids) == 0 {
					ready(d)
				}
			}
		}
	}
	for q.Len() > 0 {
		it := heap.Pop(q).(item)
		s := it.d.to
		if chosen[s] != nil {
			continue
		}
		chosen[s] = it.d
		price[s] = it.cost / max(share[s], 1)
		c := x.order[int(s)/len(x.gr.names)]
		for _, d := range c.chains {
			if d.kids[0] == s {
				push(it.cost, d)
			}
		}
		for _, u := range c.users {
			for _, d := range u.node.derived {
				if !slices.Contains(d.kids, s) {
					continue
				}
				if priced[d.number]++; priced[d.number] == len(d.kids) {
					ready(d)
				}
			}
		}
	}
	return chosen
}

func (x *extractor) isNamed(c egraph.ClassID) bool {
	_, ok := x.g.Hint(c)
	return ok
}

// measure is the cost of a choice with its instances counted once, and how many
// uses each state has in it.
func (x *extractor) measure(chosen []*derivation, root egraph.Ref) (float64, []float64) {
	uses := make([]float64, x.states())
	done := make([]bool, x.states()) // those without index variables
	instances := make(map[string]bool)
	total := 0.0
	var visit func(cl *class, r egraph.Ref, nt int)
	visit = func(cl *class, r egraph.Ref, nt int) {
		s := x.state(cl, nt)
		c := chosen[s]
		for c.node == nil {
			uses[s]++
			s = c.kids[0]
			c = chosen[s]
		}
		uses[s]++
		if len(r.Args) == 0 {
			if done[s] {
				return
			}
			done[s] = true
		} else {
			key := string(binary.AppendUvarint([]byte(term.TermKey(r)), uint64(s)))
			if instances[key] {
				return
			}
			instances[key] = true
		}
		total += c.cost
		for i, k := range c.node.Kids {
			visit(c.node.kids[i], k.RenameFrom(cl.names, r.Args), c.rule.kid(i))
		}
	}
	r := x.g.FindRef(root)
	visit(x.classes[r.ID], r, x.gr.start)
	return total, uses
}

// stuck explains why there is no term.
func (x *extractor) stuck(root egraph.Ref) error {
	return fmt.Errorf("no term of the grammar %s is in the class of the result", x.gr.Name)
}

type termBuilder struct {
	x      *extractor
	chosen []*derivation
	memo   []term.Term // by state, over the names of the class; of id 0 if there is none
	names  map[uint32]term.Hint
	rows   map[egraph.NodeID]bool
	err    error
}

// term builds the chosen term of a class with given arguments.
func (b *termBuilder) term(r egraph.Ref, nt int) term.Term {
	return b.of(b.x.classes[r.ID], r, nt)
}

func (b *termBuilder) of(cl *class, r egraph.Ref, nt int) term.Term {
	s := b.x.state(cl, nt)
	c := b.chosen[s]
	for c.node == nil {
		s = c.kids[0]
		c = b.chosen[s]
	}
	t := b.memo[s]
	if t.ID == 0 {
		t = b.make(cl, c)
		b.memo[s] = t
		if h, named := b.x.g.Hint(r.ID); named && len(c.node.Kids) > 0 && b.err == nil {
			if old, has := b.names[t.ID]; !has || h.Before(old) {
				b.names[t.ID] = h
			}
		}
	}
	return t.RenameFrom(cl.names, r.Args)
}

// make builds a node. A slot of the row that the class does not have can be
// anything in range: 0.
func (b *termBuilder) make(cl *class, c *derivation) term.Term {
	n := c.node
	b.rows[n.ID] = true
	if n.op.Sym == term.SymIvar && !slices.Contains(cl.names, n.Own[0]) {
		return b.x.store.LitInt(0)
	}
	kids := make([]term.Term, len(n.Kids))
	for i, k := range n.Kids {
		kids[i] = b.of(n.kids[i], k, c.rule.kid(i))
		if b.err != nil {
			return term.Term{}
		}
		kids[i] = b.close(kids[i], cl, n)
	}
	t, err := b.x.store.Make(n.op, n.Own, n.Binders, kids)
	if err != nil {
		b.err = fmt.Errorf("extraction makes an ill-typed %s: %s", b.x.g.Signature().Operator(n.op.Sym).Name, err.Msg)
		return term.Term{}
	}
	return t
}

func (b *termBuilder) close(t term.Term, cl *class, n *node) term.Term {
	env := make(map[slot.Name]term.Term)
	for _, a := range t.Args {
		if !slices.Contains(cl.names, a) && !slices.Contains(n.Binders, a) {
			env[a] = b.x.store.LitInt(0)
		}
	}
	if len(env) == 0 {
		return t
	}
	return b.x.store.Subst(t, env)
}
