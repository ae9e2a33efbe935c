package lower

import (
	"container/heap"
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/kernel"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// lower makes the kernels of a program that is not fused, to see which arrays they keep in
// memory.
func lower(p *term.Program) (*lowering, error) {
	p, err := p.Clone().Expand(nil)
	if err != nil {
		return nil, err
	}
	if err := supported(p.Store, p.Root); err != nil {
		return nil, err
	}
	l := &lowering{
		making:  newMaking(p, nil),
		nodes:   make(map[uint32]*node),
		weights: make(map[uint32]int),
		readers: make(map[uint32]bool),
		left:    make(map[uint32]bool),
	}
	l.l, l.graph.uses = l, make(map[uint32]int)
	if err := overflow.Guard(func() error { return l.run(p) }); err != nil {
		return nil, err
	}
	return l, nil
}

type lowering struct {
	making
	root  *parts
	nodes map[uint32]*node
	queue waiting[*node]
	// weights and readers are what is known of views.
	weights map[uint32]int
	readers map[uint32]bool
	left    map[uint32]bool // what stands where it is read, but is not read
}

// node is a term that is kept in memory, or that computes.
type node struct {
	numbered
	requests []*request
	kept     bool // whatever the number of its uses is
	sum      []sent
	array    *kernel.Array
}

// request is a use of an element of a node.
type request struct {
	nest  *nest
	hole  *kernel.Value
	slots []*kernel.Value // the index variables on which the node depends
	at    []*kernel.Value
	test  kernel.Conditions
}

func (l *lowering) run(p *term.Program) error {
	names := make(map[uint32]term.Hint, len(p.Names))
	for id, h := range p.Names {
		names[id] = h
	}
	c := &components{store: l.store, names: names, done: make(map[uint32]*parts)}
	l.root = c.of(p.Root.ID)
	l.namer = newNamer(p, names, term.NameSet{})
	if err := l.takes(p.Inputs); err != nil {
		return err
	}
	l.count(p.Root.ID)
	l.keepAll(l.root)
	for l.queue.Len() > 0 {
		l.decide(heap.Pop(&l.queue).(*node))
	}
	l.ordered()
	l.named()
	return nil
}

// keepAll has the results kept in memory, but for inputs, which are there.
func (l *lowering) keepAll(p *parts) {
	for _, k := range p.tuple {
		l.keepAll(k)
	}
	if p.tuple == nil && l.store.Op(p.array).Sym != ops.SymVar {
		l.node(p.array.ID).kept = true
	}
}

func (l *lowering) node(id uint32) *node {
	return memo.Of(l.nodes, id, func() *node {
		n := &node{numbered: l.numbered(id)}
		heap.Push(&l.queue, n)
		return n
	})
}

// keeps reports whether a node is always kept in memory.
func keeps(sym ops.Sym) bool {
	o := ops.Builtin(sym)
	return o.Reduction || o.Whole || sym == ops.SymScatter || sym == ops.SymStack ||
		sym == ops.SymStates || sym == ops.SymProj
}

// Bounds on the program that comes of computing a node where it is used.
const (
	maxUses  = 64 // places
	maxTests = 32 // tests in one place
)

// simple reports whether the uses of a node are few, and under few tests.
func (n *node) simple() bool {
	return len(n.requests) <= maxUses && !slices.ContainsFunc(n.requests, func(r *request) bool { return len(r.test) > maxTests })
}

// decide keeps a node in memory, or computes it where it is used. All its uses
// are known.
func (l *lowering) decide(n *node) {
	outer := l.outer(n.id)
	if l.typ(n.id).Kind == types.KTuple {
		l.loop(n, outer)
		return
	}
	shape, skip := l.shape(n.id), 0
	if l.onlyLast(n) {
		shape, skip = shape[1:], 1
	}
	full := append(outer[:len(outer):len(outer)], shape...)
	elements := 1.0
	for _, s := range full {
		elements *= float64(s)
	}
	n.sum = l.sum(n.id)
	if !n.kept && !keeps(l.op(n.id).Sym) && n.sum == nil {
		evaluations := 0.0
		for _, r := range n.requests {
			evaluations += kernel.Runs(r.nest.loops[:r.hole.Level])
		}
		if (evaluations <= elements*l.again(n.id, elements) || l.compares(n.id)) && n.simple() {
			for _, r := range n.requests {
				r.hole.Is = r.nest.define(n.id, r.slots, r.at, r.test)
			}
			return
		}
	}
	n.array = l.temp(n.id, l.typ(n.id).Elem, full, l.store.Range(term.Term{ID: n.id}))
	for _, r := range n.requests {
		at := append(r.slots[:len(r.slots):len(r.slots)], r.at[skip:]...)
		r.hole.Is = r.nest.trialFetch(n.array, at, r.test)
	}
	l.fill(n, outer)
}

// Bounds on what is computed where it is used although that is more often than it has elements.
const (
	maxAgain = 1.5     // times as often
	minOuter = 8       // times as many elements as what it is made of has
	minSpare = 1 << 17 // elements
)

// again is how much more often than it has elements a node may be computed. It is 1 but for the product of
// smaller arrays, as each element of one with each of another, that fits no cache: these are kept instead.
func (l *lowering) again(id uint32, elements float64) float64 {
	if elements >= minSpare && l.across(id) {
		return maxAgain
	}
	return 1
}

// across reports whether a node is the product, sum or difference of smaller arrays, as of each element of one with
// each of another.
func (l *lowering) across(id uint32) bool {
	if sym := l.op(id).Sym; sym != ops.SymMul && sym != ops.SymAdd && sym != ops.SymSub {
		return false
	}
	return !slices.ContainsFunc(l.kids(id), func(k slot.Kid) bool { return l.distinct(k.ID)*minOuter > l.all(id) })
}

// distinct is at most how many elements of what is kept a node shows.
func (l *lowering) distinct(id uint32) float64 {
	kids := l.kids(id)
	n := l.all(id)
	switch l.op(id).Sym {
	case ops.SymReplicate, ops.SymTr, ops.SymReshape, ops.SymBuild, ops.SymGather, ops.SymIndex:
		n = min(n, l.distinct(kids[0].ID))
	}
	return n
}

// all is how many elements a node has for all values of the index variables on which it depends.
func (l *lowering) all(id uint32) float64 {
	return float64(slice.Product(l.shape(id)) * slice.Product(l.outer(id)))
}

// fill makes the kernels that compute an array.
func (l *lowering) fill(n *node, outer []int) {
	op, kids := l.op(n.id), l.kids(n.id)
	if s, ok := l.shows(n); ok {
		l.show(n.array, s)
		return
	}
	for _, s := range n.sum {
		l.scatter(n.array, outer, s, nil)
	}
	if n.sum != nil {
		return
	}
	switch op.Sym {
	case ops.SymStates:
		l.keepState(n.id, 0, n.array)
		l.loop(n, outer)
		return
	case ops.SymProj: // of the states of a loop
		of := kids[0].ID
		l.keepState(of, op.N, n.array)
		l.node(of)
		return
	case ops.SymScatter:
		l.scatter(n.array, outer, l.whole(n.id), nil)
		return
	case ops.SymStack:
		l.stack(n.array, n.id, outer)
		return
	}
	o := ops.Builtin(op.Sym)
	if o.Whole {
		l.call(n.array, n.id, outer, false)
		return
	}
	k, p := l.nest(n.array, n.id, outer)
	at := k.addLoops(l.shape(n.id), kernel.Parallel)
	k.target = append(k.target, at...)
	if o.Reduction {
		k.reduce(p, at)
	} else {
		k.value = k.define(n.id, p.slots, at, nil)
	}
}
