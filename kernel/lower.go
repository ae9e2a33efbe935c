package kernel

import (
	"container/heap"
	"fmt"
	"slices"

	"egad/term"
)

// Lower makes the kernels of a program without linear maps.
//
// Reductions, scatters, sums of scatters and stacks are always kept in memory, and
// so is the result. Index, gather, replicate, tr, reshape and build are not, nor is light
// integer arithmetic: they say where elements come from. An elementwise operation,
// a conditional, an index array that is looked up in another one, or a view of very
// many is computed where it is used if that takes at most as many evaluations, over
// all uses, as it has elements, else it would be computed more often than by the
// evaluator, which keeps every array; and if its uses are few, so that the kernels
// are about as long as the program. What depends on index variables and is kept has
// an axis for each of them.
//
// Declared operators are lowered as their meanings. Memory is not taken before a
// program is run: see [Machine.Allow].
func Lower(p *term.Program) (*Program, error) {
	if err := p.Made(); err != nil {
		return nil, err
	}
	return programOf(lower(p, nil, term.NameSet{}, usualSizes))
}

func programOf(l *lowering, err error) (*Program, error) {
	if err != nil {
		return nil, err
	}
	return l.out, nil
}

// lower is Lower of a program some of whose inputs have ranges, and none of whose
// arrays are called by names that are used.
func lower(p *term.Program, ranges map[string]term.Range, used term.NameSet, in sizes) (*lowering, error) {
	p, err := p.Clone().Expand(nil)
	if err != nil {
		return nil, err
	}
	if err := supported(p.Store, p.Root); err != nil {
		return nil, err
	}
	l := &lowering{
		store:  p.Store,
		out:    &Program{Name: p.Name},
		nodes:  make(map[uint32]*node),
		shapes: make(map[uint32][]int),
		lights: make(map[uint32]int),
		inputs: make(map[string]*Array),

		weights:  make(map[uint32]int),
		readers:  make(map[uint32]bool),
		uses:     make(map[uint32]int),
		literals: make(map[uint32]*Array),
		ranges:   ranges,
		loops:    make(map[uint32]map[int]*Array),
	}
	if err := term.Guard(func() error { return l.run(p, used, in) }); err != nil {
		return nil, err
	}
	return l, nil
}

type lowering struct {
	store  *term.Store
	root   *parts
	namer  *namer
	out    *Program
	nodes  map[uint32]*node
	queue  queue
	nests  []*nest
	shapes map[uint32][]int
	lights map[uint32]int
	inputs map[string]*Array
	values int // of all kernels that were made
	// weights and readers are what is known of views.
	weights map[uint32]int
	readers map[uint32]bool
	// uses is how often each node is an operand.
	uses map[uint32]int
	// literals are the arrays of literals, by node.
	literals map[uint32]*Array
	made     []made
	// ranges are those of inputs, and loops the arrays of the states of loops that have
	// been asked for.
	ranges map[string]term.Range
	loops  map[uint32]map[int]*Array
}

// made is an array and its node.
type made struct {
	id    uint32
	array *Array
}

// node is a term that is kept in memory, or that computes.
type node struct {
	id       uint32
	requests []*request
	kept     bool // whatever the number of its uses is
	sum      []sent
	array    *Array
}

// request is a use of an element of a node.
type request struct {
	nest  *nest
	hole  *Value
	slots []*Value // the index variables on which the node depends
	at    []*Value
	test  tests
}

// queue holds nodes that are waiting, users before what they use: a node has a
// greater number than its children.
type queue []*node

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].id > q[j].id }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(*node)) }
func (q *queue) Pop() any {
	n := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return n
}

func (l *lowering) run(p *term.Program, used term.NameSet, in sizes) error {
	names := make(map[uint32]term.Hint, len(p.Names))
	for id, h := range p.Names {
		names[id] = h
	}
	c := &components{store: l.store, names: names, done: make(map[uint32]*parts)}
	l.root = c.of(p.Root.ID)
	l.namer = newNamer(p, names, used)
	for _, in := range p.Inputs {
		for _, leaf := range in.Leaves() {
			if err := l.input(leaf); err != nil {
				return err
			}
		}
	}
	l.count(p.Root.ID)
	l.keepAll(l.root)
	for l.queue.Len() > 0 {
		if err := l.decide(heap.Pop(&l.queue).(*node)); err != nil {
			return err
		}
	}
	// Nodes were met users first.
	slices.Reverse(l.made)
	for _, m := range l.made {
		l.out.Arrays = append(l.out.Arrays, m.array)
	}
	for _, k := range l.nests {
		if k.steps != nil {
			k.steps.resolve()
		}
	}
	slices.Reverse(l.nests)
	for _, k := range l.nests {
		l.out.Kernels = append(l.out.Kernels, k.kernel())
	}
	l.out.Result = l.result(l.root)
	removed := l.out.removeCopies()
	for _, m := range l.made {
		if removed[m.array] == nil {
			m.array.Name = l.namer.array(m.id)
		}
	}
	for _, k := range l.nests {
		l.namer.loops(k.loops)
		if k.steps != nil {
			if err := k.steps.lower(l.namer.used.Clone(), in); err != nil {
				return err
			}
		}
	}
	l.out.fuse(in)
	return nil
}

func (l *lowering) input(in term.Input) error {
	shape, _, err := term.ShapeOf(in.Type, term.DefaultMaxElements)
	if err != nil {
		return fmt.Errorf("input %s: %w", in.Name, err)
	}
	a := &Array{Name: in.Name, Elem: in.Type.Elem, Shape: shape, Role: Input, Range: term.AnyInt}
	if r, ok := l.ranges[in.Name]; ok {
		a.Range = r
	}
	l.inputs[in.Name] = a
	l.out.Arrays = append(l.out.Arrays, a)
	return nil
}

// keepAll has the results kept in memory, but for inputs, which are there.
func (l *lowering) keepAll(p *parts) {
	for _, k := range p.tuple {
		l.keepAll(k)
	}
	if p.tuple == nil && l.store.Op(p.array).Sym != term.SymVar {
		l.node(p.array.ID).kept = true
	}
}

func (l *lowering) result(p *parts) Result {
	var r Result
	for _, k := range p.tuple {
		r.Parts = append(r.Parts, l.result(k))
	}
	if p.tuple != nil {
		return r
	}
	if op := l.store.Op(p.array); op.Sym == term.SymVar {
		return Result{Array: l.inputs[op.Name]}
	}
	return Result{Array: l.nodes[p.array.ID].array}
}

func (l *lowering) node(id uint32) *node {
	n, ok := l.nodes[id]
	if !ok {
		n = &node{id: id}
		l.nodes[id] = n
		heap.Push(&l.queue, n)
	}
	return n
}

func (l *lowering) op(id uint32) term.Op { return l.store.Op(term.Term{ID: id}) }

func (l *lowering) typ(id uint32) *term.Type { return l.store.Type(term.Term{ID: id}) }

// shape is the shape of a node.
func (l *lowering) shape(id uint32) []int {
	s, ok := l.shapes[id]
	if !ok {
		s = constShape(l.typ(id).Shape)
		l.shapes[id] = s
	}
	return s
}

// axes are the ranges of index variables.
func axes(vars []term.VarType) []term.Size {
	out := make([]term.Size, len(vars))
	for i, v := range vars {
		out[i] = v.Size
	}
	return out
}

func constShape(sizes []term.Size) []int {
	out := make([]int, len(sizes))
	for i, s := range sizes {
		c, ok := s.Const()
		if !ok || c < 0 || c > term.DefaultMaxElements {
			panic(&term.Overflow{Msg: fmt.Sprintf("an axis has size %s", s)})
		}
		out[i] = int(c)
	}
	return out
}

// keeps reports whether a node is always kept in memory.
func keeps(sym term.Sym) bool {
	o := term.Builtin(sym)
	return o.Reduction || o.Whole || sym == term.SymScatter || sym == term.SymStack ||
		sym == term.SymStates || sym == term.SymProj
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
func (l *lowering) decide(n *node) error {
	outer := constShape(axes(l.store.Vars(term.Term{ID: n.id})))
	if l.typ(n.id).Kind == term.KTuple {
		l.loop(n, outer)
		return nil
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
			evaluations += r.nest.trips(r.hole.level)
		}
		if evaluations <= elements && n.simple() {
			for _, r := range n.requests {
				r.hole.is = r.nest.define(n.id, r.slots, r.at, r.test)
			}
			return nil
		}
	}
	n.array = l.temp(n.id, l.typ(n.id).Elem, full, l.store.Range(term.Term{ID: n.id}))
	for _, r := range n.requests {
		at := append(r.slots[:len(r.slots):len(r.slots)], r.at[skip:]...)
		r.hole.is = r.nest.fetch(n.array, at, r.test)
	}
	l.fill(n, outer)
	return nil
}

// temp is an array for a node, which kernels fill.
func (l *lowering) temp(id uint32, elem term.Elem, shape []int, r term.Range) *Array {
	elements := 1.0
	for _, n := range shape {
		elements *= float64(n)
	}
	if elements > maxElements {
		panic(&term.Overflow{Msg: fmt.Sprintf("the kernels of %s keep an array of %.3g elements, more than the %d that any may have",
			l.out.Name, elements, int64(maxElements))})
	}
	a := &Array{Elem: elem, Shape: shape, Role: Temp, Range: r}
	l.made = append(l.made, made{id, a})
	return a
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
	case term.SymStates:
		l.loops[n.id] = map[int]*Array{0: n.array}
		l.loop(n, outer)
		return
	case term.SymProj: // of the states of a loop
		of := kids[0].ID
		if l.loops[of] == nil {
			l.loops[of] = make(map[int]*Array)
		}
		l.loops[of][op.N] = n.array
		l.node(of)
		return
	case term.SymScatter:
		l.scatter(n.array, outer, l.whole(n.id), nil)
		return
	case term.SymStack:
		for i := len(kids) - 1; i >= 0; i-- {
			k := l.nest(n.array)
			slots := k.addLoops(outer, Parallel)
			at := k.addLoops(l.shape(n.id)[1:], Parallel)
			k.target = append(append(k.target, slots...), k.b.int(int64(i)))
			k.target = append(k.target, at...)
			k.value = k.element(kids[i].ID, kidSlots(kids[i].Args, slots, nil), at, nil)
		}
		return
	}
	o := term.Builtin(op.Sym)
	if o.Whole {
		l.call(n, op, kids, outer)
		return
	}
	k := l.nest(n.array)
	slots := k.addLoops(outer, Parallel)
	at := k.addLoops(l.shape(n.id), Parallel)
	k.target = append(append(k.target, slots...), at...)
	if o.Reduction {
		k.reduce(n.id, slots, at)
	} else {
		k.value = k.define(n.id, slots, at, nil)
	}
}

// reduce folds what makes the element at of a reduction.
func (k *nest) reduce(id uint32, slots, at []*Value) {
	kid := k.l.kids(id)[0]
	along := k.addLoops(k.l.shape(kid.ID)[:1], Folding)
	k.fold = k.l.op(id).Sym
	k.value = k.element(kid.ID, kidSlots(kid.Args, slots, nil), append(along, at...), nil)
}
