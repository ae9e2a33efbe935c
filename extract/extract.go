package extract

import (
	"container/heap"
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
	Rows map[egraph.RowID]bool
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
	var best map[state]choice
	bestCost := math.Inf(1)
	share := map[state]float64{}
	for range rounds {
		chosen := x.choose(share)
		if _, ok := chosen[state{g.Find(root.ID), gr.start}]; !ok {
			return nil, x.stuck(root)
		}
		cost, uses := x.measure(chosen, root)
		if best == nil || cost < bestCost {
			best, bestCost = chosen, cost
		}
		changed := false
		for s, n := range uses {
			if share[s] != n {
				changed = true
			}
		}
		if share = uses; !changed {
			break
		}
	}
	b := &termBuilder{x: x, chosen: best, memo: make(map[state]term.Term), names: make(map[uint32]term.Hint),
		rows: make(map[egraph.RowID]bool),
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

// state is a class to be derived from a nonterminal.
type state struct {
	class egraph.ClassID
	nt    int
}

// choice is how a state is derived: a node, or another nonterminal (chain).
type choice struct {
	node  *node
	rule  *production
	chain int // the nonterminal, if node is nil
}

// node is a row of a class, over names of the class.
type node struct {
	egraph.Node
	op     term.Op
	queued bool // in slotSizes
}

// user is a node of a class.
type user struct {
	class *class
	node  *node
}

type class struct {
	id    egraph.ClassID
	names []slot.Name // of its slots
	sizes []float64   // ranges of its slots
	nodes []*node
	users []user // the nodes that have it as a child
}

type extractor struct {
	g       *saturate.Graph
	gr      *Grammar
	store   *term.Store
	classes map[egraph.ClassID]*class
	order   []egraph.ClassID
}

// collect finds the classes that the root reaches.
func (x *extractor) collect(root egraph.Ref) {
	x.classes = make(map[egraph.ClassID]*class)
	var queue []egraph.ClassID
	need := func(id egraph.ClassID) *class {
		c, ok := x.classes[id]
		if !ok {
			c = &class{id: id}
			for range x.g.Slots(id) {
				c.names = append(c.names, x.g.Fresh())
				c.sizes = append(c.sizes, 0)
			}
			x.classes[id] = c
			x.order = append(x.order, id)
			queue = append(queue, id)
		}
		return c
	}
	need(root.ID)
	for len(queue) > 0 {
		c := x.classes[queue[0]]
		queue = queue[1:]
		x.g.Graph.Nodes(egraph.Ref{ID: c.id, Args: c.names}, func(n egraph.Node) bool {
			for i, k := range n.Kids {
				n.Kids[i] = x.g.FindRef(k)
				need(n.Kids[i].ID)
			}
			c.nodes = append(c.nodes, &node{Node: n, op: x.g.TermOp(n.Op)})
			return true
		})
	}
	for _, id := range x.order {
		c := x.classes[id]
		for _, n := range c.nodes {
			for _, k := range n.Kids {
				kid := x.classes[k.ID]
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
		if !u.node.queued {
			u.node.queued = true
			queue = append(queue, u)
		}
	}
	for _, id := range x.order {
		for _, n := range x.classes[id].nodes {
			push(user{x.classes[id], n})
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
		for _, k := range n.Kids {
			for i, a := range k.Args {
				set(a, x.classes[k.ID].sizes[i])
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
func (x *extractor) own(c *class, n *node, r *production) float64 {
	elems := x.elements(c.id)
	first := elems
	if len(n.Kids) > 0 {
		first = x.elements(n.Kids[0].ID)
	}
	return c.trips() * (r.cost.n*elems + r.cost.m*first + r.cost.c)
}

func (x *extractor) elements(id egraph.ClassID) float64 {
	t := x.g.Type(egraph.Ref{ID: id})
	if t == nil || t.Kind == term.KLin {
		return 1
	}
	return sizeOf(t.Elements())
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

// item is a state with a cost, in the queue of Knuth's algorithm.
type item struct {
	cost float64
	s    state
	c    choice
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
func (x *extractor) choose(share map[state]float64) map[state]choice {
	chosen := make(map[state]choice)
	price := make(map[state]float64) // what a use of the state costs
	q := &queue{}
	seq := 0
	push := func(cost float64, s state, c choice) {
		seq++
		heap.Push(q, item{cost, s, c, seq})
	}
	derive := func(c *class, n *node, s state, r *production) {
		cost := x.own(c, n, r)
		seen := map[state]bool{}
		for i, k := range n.Kids {
			ks := state{k.ID, r.kid(i)}
			p, ok := price[ks]
			if !ok {
				return
			}
			if !seen[ks] { // a child used twice is shared
				seen[ks] = true
				cost += p
			}
		}
		push(cost, s, choice{node: n, rule: r})
	}
	try := func(c *class, n *node) {
		for nt := range x.gr.names {
			s := state{c.id, nt}
			if _, done := chosen[s]; done {
				continue
			}
			for _, r := range x.productions(nt, n) {
				derive(c, n, s, r)
			}
		}
	}
	for _, id := range x.order {
		c := x.classes[id]
		for _, n := range c.nodes {
			if len(n.Kids) == 0 {
				try(c, n)
			}
		}
	}
	for q.Len() > 0 {
		it := heap.Pop(q).(item)
		if _, done := chosen[it.s]; done {
			continue
		}
		chosen[it.s] = it.c
		price[it.s] = it.cost / max(share[it.s], 1)
		c := x.classes[it.s.class]
		for i := range x.gr.rules {
			r := &x.gr.rules[i]
			if r.op == "" && r.to == it.s.nt && (!r.named || x.isNamed(it.s.class)) {
				push(it.cost, state{it.s.class, r.from}, choice{rule: r, chain: r.to})
			}
		}
		for _, u := range c.users {
			try(u.class, u.node)
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
func (x *extractor) measure(chosen map[state]choice, root egraph.Ref) (float64, map[state]float64) {
	uses := make(map[state]float64)
	done := make(map[string]bool)
	total := 0.0
	var visit func(r egraph.Ref, nt int)
	visit = func(r egraph.Ref, nt int) {
		s := state{r.ID, nt}
		c := chosen[s]
		for c.node == nil {
			uses[s]++
			s.nt = c.chain
			c = chosen[s]
		}
		uses[s]++
		key := fmt.Sprint(s.nt) + term.TermKey(r)
		if done[key] {
			return
		}
		done[key] = true
		cl := x.classes[r.ID]
		total += x.own(cl, c.node, c.rule)
		for i, k := range c.node.Kids {
			visit(k.RenameFrom(cl.names, r.Args), c.rule.kid(i))
		}
	}
	visit(x.g.FindRef(root), x.gr.start)
	return total, uses
}

// stuck explains why there is no term.
func (x *extractor) stuck(root egraph.Ref) error {
	return fmt.Errorf("no term of the grammar %s is in the class of the result", x.gr.Name)
}

type termBuilder struct {
	x      *extractor
	chosen map[state]choice
	memo   map[state]term.Term // over the names of the class
	names  map[uint32]term.Hint
	rows   map[egraph.RowID]bool
	err    error
}

// term builds the chosen term of a class with given arguments.
func (b *termBuilder) term(r egraph.Ref, nt int) term.Term {
	s := state{r.ID, nt}
	c := b.chosen[s]
	for c.node == nil {
		s.nt = c.chain
		c = b.chosen[s]
	}
	cl := b.x.classes[r.ID]
	t, ok := b.memo[s]
	if !ok {
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
func (b *termBuilder) make(cl *class, c choice) term.Term {
	n := c.node
	b.rows[n.Row] = true
	if n.op.Sym == term.SymIvar && !slices.Contains(cl.names, n.Own[0]) {
		return b.x.store.LitInt(0)
	}
	kids := make([]term.Term, len(n.Kids))
	for i, k := range n.Kids {
		kids[i] = b.term(k, c.rule.kid(i))
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
