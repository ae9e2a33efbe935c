package lower

import (
	"container/heap"
	"fmt"
	"math"

	"egad/internal/memo"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/fuse"
	"egad/kernel/improve"
	"egad/kernel/sparsity"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Lower reads the kernels of a fused program, as [egad/fusion.Fuse] makes them: arrays
// that are built of scalars. An array that is read by index is kept in memory, as is a
// reduction, and a closed scalar that several kernels need; what depends on index
// variables and is kept has an axis for each of them. All else is computed where it
// stands.
//
// Loops are shared where that takes less time by an estimate, which counts by weights, those
// of egad if they are nil. Memory is not taken before a program is run: see [egad/kernel/machine.Machine.Allow].
func Lower(p *term.Program, weights *cost.Weights) (*kernel.Program, error) {
	return By(p, fuse.Usual(weights))
}

// By is [Lower] by other sizes of what loops share.
func By(p *term.Program, in fuse.Sizes) (*kernel.Program, error) {
	if err := p.Made(); err != nil {
		return nil, err
	}
	return read(p, nil, nil, term.NameSet{}, in)
}

// read is Lower of a program some of whose inputs have ranges, and none of whose arrays
// are called by names that are used: the step of a loop, if that is not nil.
func read(p *term.Program, of *kernel.Steps, ranges map[string]ops.Range, used term.NameSet, in fuse.Sizes) (*kernel.Program, error) {
	r := &reading{
		making: newMaking(p, ranges),
		step:   of != nil,
		nodes:  make(map[uint32]*stored),
		seen:   make(map[[2]uint32]bool),
		steps:  make(map[uint32]*readStep),
	}
	in.Weigh(r.out)
	r.r = r
	r.namer = newNamer(p, p.Names, used)
	if err := overflow.Guard(func() error { return r.run(p, of, in) }); err != nil {
		return nil, err
	}
	return r.out, nil
}

// reading is a program of which the kernels are being read.
type reading struct {
	making
	step  bool // it is the step of a loop
	nodes map[uint32]*stored
	queue waiting[*stored]
	seen  map[[2]uint32]bool // a node, and the kept one or the part of one for which it was looked through
	parts uint32             // of kept nodes, that have kernels of their own
	order []*stored
	steps map[uint32]*readStep
}

// stored is a node that may be kept in memory.
type stored struct {
	numbered
	must  bool            // whatever uses it
	users map[uint32]bool // the kept nodes, or the parts of such, that need it
	whole bool            // of the states of a loop not only the last is read
	array *kernel.Array
}

func (r *reading) run(p *term.Program, of *kernel.Steps, in fuse.Sizes) error {
	if err := r.takes(p.Inputs); err != nil {
		return err
	}
	if of != nil {
		of.NameInputs(r.out.Arrays)
	}
	r.bounded(p)
	root := sent{id: p.Root.ID}
	r.results(root)
	for r.queue.Len() > 0 {
		r.decide(heap.Pop(&r.queue).(*stored))
	}
	for _, n := range r.order {
		r.fill(n)
	}
	r.ordered()
	r.out.Result = r.result(p.Root.ID)
	r.named()
	if of != nil {
		sparsity.FiniteStates(of, r.out)
	}
	b := sparsity.BounderOf(r.out)
	for _, k := range r.nests {
		r.namer.Loops(k.loops)
		if k.steps != nil {
			b.NoteFinite(k.steps.Steps)
			if err := k.steps.read(r.namer.used.Clone(), in); err != nil {
				return err
			}
		}
	}
	improve.Improve(r.out, of, in, r.namer)
	return r.runs()
}

// maxRuns bounds one loop: machine code counts bytes of the elements of a vector, in 32 bits.
const maxRuns = kernel.MaxIndex

// runs refuses a loop of too many runs.
func (r *reading) runs() error {
	most := 0
	for _, k := range r.out.Kernels {
		if k.Steps != nil {
			most = max(most, k.Steps.N)
		}
		for l := range kernel.All[*kernel.Loop](k.Body) {
			most = max(most, l.N)
		}
	}
	if most > maxRuns {
		return fmt.Errorf("a loop of %s has %d runs, more than the %d of one loop of kernels", r.out.Name, most, maxRuns)
	}
	return nil
}

// results has the results kept in memory, but for inputs, which are there.
func (r *reading) results(of sent) {
	switch op := r.op(of.id); {
	case op.Sym == ops.SymTuple:
		for _, k := range r.kids(of.id) {
			r.results(of.of(k))
		}
	case op.Sym == ops.SymVar:
	case r.typ(of.id).Kind == types.KTuple:
		for _, id := range r.components(of.id) {
			r.must(id)
		}
	default:
		r.must(of.id)
	}
}

// components are the components of a tuple that is not written as one, as all states of a
// loop.
func (r *reading) components(id uint32) []uint32 {
	out := make([]uint32, len(r.typ(id).Parts))
	for i := range out {
		out[i] = r.store.Proj(i, term.Term{ID: id}).ID
	}
	return out
}

func (r *reading) result(id uint32) kernel.Result {
	var out kernel.Result
	switch op := r.op(id); {
	case op.Sym == ops.SymTuple:
		for _, k := range r.kids(id) {
			out.Parts = append(out.Parts, r.result(k.ID))
		}
		return out
	case op.Sym == ops.SymVar:
		return kernel.Result{Array: r.inputs[op.Name]}
	case r.typ(id).Kind == types.KTuple:
		for _, id := range r.components(id) {
			out.Parts = append(out.Parts, r.result(id))
		}
		return out
	}
	return kernel.Result{Array: r.nodes[id].array}
}

// node is what is known of a node that may be kept.
func (r *reading) node(id uint32) *stored {
	return memo.Of(r.nodes, id, func() *stored {
		n := &stored{numbered: r.numbered(id), users: make(map[uint32]bool)}
		heap.Push(&r.queue, n)
		return n
	})
}

// must has a node kept, with all that is in it.
func (r *reading) must(id uint32) {
	n := r.node(id)
	n.must, n.whole = true, true
}

// decide says whether a node is kept. All that uses it is known.
func (r *reading) decide(n *stored) {
	if !n.must && len(n.users) == 1 {
		for user := range n.users {
			if _, ok := r.reduced(n.id); ok {
				r.body(n.id, user)
			} else {
				r.within(n.id, user)
			}
		}
		return
	}
	r.order = append(r.order, n)
	if typ := r.typ(n.id); typ.Kind != types.KTuple {
		shape := r.shape(n.id)
		if _, ok := r.states(n.id); ok && !n.whole {
			shape = shape[1:]
		}
		n.array = kernel.NewTemp(r.out.Name, typ.Elem, append(r.outer(n.id), shape...), r.rangeOf(n.id))
	}
	r.needs(n.id, n.id)
}

// needs looks for what the kernels of a kept node need, in what it is made of.
func (r *reading) needs(id, user uint32) {
	kids, op := r.kids(id), r.op(id)
	switch o := ops.Builtin(op.Sym); {
	case op.Sym == ops.SymProj:
		r.must(kids[0].ID)
	case op.Sym == ops.SymStates:
		for _, k := range r.begins(r.whole(id)) {
			r.part(k.id)
		}
		r.part(kids[1].ID)
		for _, t := range r.stepOf(id).outside {
			if r.op(t.ID).Sym != ops.SymVar {
				r.must(t.ID)
			}
		}
	case o.Whole || op.Sym == ops.SymStack:
		for _, k := range kids {
			r.part(k.ID)
		}
	default:
		id, _ = r.shows(id)
		if sum, ok := r.summed(id); ok {
			for _, s := range sum {
				for _, k := range r.kids(s.id) {
					in, _ := r.built(k.ID)
					r.uses(in, user)
				}
			}
		} else if _, ok := r.reduced(id); ok || r.op(id).Sym == ops.SymBuild {
			r.body(id, user)
		} else {
			r.within(id, user)
		}
	}
}

// part is needs of what is put beside others, or into memory for an operator, by a kernel of its own: a
// reduction is made there, unless more kernels need it.
func (r *reading) part(id uint32) {
	r.parts++
	user := math.MaxUint32 - r.parts
	if _, ok := r.reduced(id); ok {
		r.node(id).users[user] = true
	} else {
		r.body(id, user)
	}
}

// body is needs of what loops run through.
func (r *reading) body(id, user uint32) {
	if red, ok := r.reduced(id); ok {
		id = r.kids(red)[0].ID
	}
	id, _ = r.built(id)
	r.uses(id, user)
}

// built is what is in the builds around it, and whether it is another one for each of their
// elements.
func (r *reading) built(id uint32) (in uint32, each bool) {
	n := len(r.store.Vars(term.Term{ID: id}))
	for ; r.op(id).Sym == ops.SymBuild; n++ {
		id = r.kids(id)[0].ID
	}
	return id, len(r.store.Vars(term.Term{ID: id})) == n
}

// shows is what a node shows transposed or in another shape, by views, if loops may go through that in its place.
func (r *reading) shows(id uint32) (shown uint32, views []uint32) {
	reshaped := false
	for shown = id; r.op(shown).Sym == ops.SymTr || r.op(shown).Sym == ops.SymReshape; shown = r.kids(shown)[0].ID {
		reshaped = reshaped || r.op(shown).Sym == ops.SymReshape
		views = append(views, shown)
	}
	// Of a reshaped array an index that is out of range may be in range.
	_, sum := r.summed(shown)
	if _, ok := r.reduced(shown); !ok && r.op(shown).Sym != ops.SymBuild && (reshaped || !sum) {
		return id, nil
	}
	return shown, views
}

// reduced is a reduction that is another one for each element of the builds around it.
func (r *reading) reduced(id uint32) (uint32, bool) {
	id, each := r.built(id)
	o := ops.Builtin(r.op(id).Sym)
	return id, o.Reduction && !o.Whole && each
}

// uses is a use of a node in a scalar, or as an array.
func (r *reading) uses(id, user uint32) {
	if key := [2]uint32{id, user}; r.seen[key] {
		return
	} else {
		r.seen[key] = true
	}
	op, typ := r.op(id), r.typ(id)
	closed := len(r.store.Vars(term.Term{ID: id})) == 0
	switch {
	case leaf(op.Sym):
	case op.Sym == ops.SymIndex:
		r.within(id, user)
	case keeps(op.Sym) || len(typ.Shape) > 0 && !r.elementwise(op.Sym):
		r.must(id)
	case closed && len(typ.Shape) == 0 && r.light(id) > maxLight:
		r.node(id).users[user] = true
	default:
		r.within(id, user)
	}
}

// within is uses of what a scalar is made of.
func (r *reading) within(id, user uint32) {
	kids := r.kids(id)
	if n, ok := r.chosen(id); ok {
		r.uses(r.kids(kids[0].ID)[n].ID, user)
		return
	}
	if r.op(id).Sym == ops.SymIndex {
		if r.last(id) {
			r.node(kids[0].ID).must = true
		} else if !leaf(r.op(kids[0].ID).Sym) {
			r.must(kids[0].ID)
		}
		kids = kids[1:]
	}
	for _, k := range kids {
		r.uses(k.ID, user)
	}
}

// chosen is the number of the scalar that a node is, of those of an array literal: rules may leave others there that
// nobody reads.
func (r *reading) chosen(id uint32) (n int, ok bool) {
	kids := r.kids(id)
	if r.op(id).Sym != ops.SymIndex || len(kids) != 2 || len(r.shape(id)) > 0 || r.op(kids[0].ID).Sym != ops.SymStack {
		return 0, false
	}
	at := r.store.Range(term.Term{ID: kids[1].ID})
	return int(at.Lo), at.Lo == at.Hi && 0 <= at.Lo && at.Lo < int64(len(r.kids(kids[0].ID)))
}

// states are the number of steps of a loop of which a node is an array of all states.
func (g *graph) states(id uint32) (n int, ok bool) {
	if g.op(id).Sym == ops.SymProj {
		id = g.kids(id)[0].ID
	}
	if g.op(id).Sym != ops.SymStates {
		return 0, false
	}
	return constShape(g.op(id).Sizes)[0], true
}

// last reports whether a node is the last state of a loop, or a part of it.
func (g *graph) last(id uint32) bool {
	kids := g.kids(id)
	n, ok := g.states(kids[0].ID)
	if !ok || len(kids) < 2 {
		return false
	}
	return g.store.Range(term.Term{ID: kids[1].ID}) == ops.Range{Lo: int64(n), Hi: int64(n)}
}
