package eval

import (
	"encoding/binary"

	"egad/internal/raise"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// Staged is an algebra of arrays that is asked once for each operator of a program how to
// compute it, before its operands have values. [InterpretStaged] runs programs in it.
type Staged[S any] interface {
	Algebra[*Value[S]]
	// Prepare gives the place of what op results in, as Apply does, and what computes it there
	// from what its operands are then; nil if it is what they are. Operands are those that no
	// binder scopes over, and stay the same values: the element of a scalar stays where it is,
	// and the elements of an array may be elsewhere each time.
	Prepare(op ops.Op, operands []*Value[S], body Body[*Value[S]], t *types.Type) (*Value[S], Step)
}

// Costing is a staged algebra that counts what is computed, where a [Runner] tells it.
type Costing[S any] interface {
	// Costs returns what an operator with these operands and this result costs each time.
	Costs(op ops.Op, operands []*Value[S], result *Value[S]) Counts
	// Count adds costs n times.
	Count(costs Counts, n int64)
}

// Step computes an operator that was prepared. An error of it is raised, as that of Prepare.
type Step func()

// InterpretStaged is [Interpret] in an algebra of arrays, with the same value: operators are
// applied in the same order to the same operands. Each body is interpreted once, and after
// that is a list of steps, where Interpret finds operator, memory and memo anew in each run.
func InterpretStaged[S any](s *term.Store, t term.Term, alg Staged[S], env Env[*Value[S]]) (*Value[S], error) {
	r, err := NewRunner(s, t, alg)
	if err != nil {
		return nil, err
	}
	r.once = true
	v, err := r.Run(env)
	return v.Copy(), err
}

// Runner runs a program in a staged algebra again and again, in the same memory.
type Runner[S any] struct {
	*interpreter[*Value[S]]
	alg    Staged[S]
	costs  Costing[S] // alg, if it counts, else nil
	blocks []*block[S]
	once   bool // it runs once, and what was used may be forgotten
	serial uint64
	main   *block[S]
	places map[string]*place[S]
	vars   int // so many were made
	loaded []*place[S]
}

// NewRunner prepares a term without free index variables.
func NewRunner[S any](s *term.Store, t term.Term, alg Staged[S]) (_ *Runner[S], err error) {
	defer raise.Caught(&err)
	s, t, err = s.Expanded(t)
	raise.Error(err)
	in := newInterpreter(s, t, Algebra[*Value[S]](alg))
	r := &Runner[S]{interpreter: in, alg: alg, places: make(map[string]*place[S])}
	r.costs, _ = alg.(Costing[S])
	r.main = r.block(block[S]{in: &region{}})
	r.main.wanted = []*place[S]{r.place(t.ID, nil)}
	return r, nil
}

// Run is the value of the program. It is good until the next run, and may share memory with
// env.
func (r *Runner[S]) Run(env Env[*Value[S]]) (_ *Value[S], err error) {
	defer raise.Caught(&err)
	r.env = env
	r.checkEnv()
	for _, p := range r.loaded {
		p.val.follow(r.input(p))
	}
	r.serial++
	r.main.in.run = r.serial
	defer r.count()
	return r.run(r.main)[0], nil
}

// count counts the runs of blocks.
func (r *Runner[S]) count() {
	if r.costs == nil {
		return
	}
	for _, b := range r.blocks {
		if b.runs > 0 {
			r.costs.Count(b.costs, b.runs)
			b.runs = 0
		}
	}
}

// region is the body of a binder, of which one run is going on.
type region struct {
	depth int
	run   uint64
}

// variable is a variable of a binder; its value is overwritten by each run of the body.
type variable[S any] struct {
	id     int
	region *region
	val    *Value[S]
}

// place is a node with the variables that its slots stand for.
type place[S any] struct {
	id   uint32
	vars []*variable[S]
	home *region   // the innermost one of its variables
	val  *Value[S] // of a leaf, or if own computes it
	// own computes a node that is asked for from more than one place, unless it has been
	// computed in this run of home.
	own *block[S]
	run uint64
}

// place gives a node with these variables its place.
func (r *Runner[S]) place(id uint32, vars []*variable[S]) *place[S] {
	var buf [64]byte
	key := binary.AppendUvarint(buf[:0], uint64(id))
	for _, v := range vars {
		key = binary.AppendUvarint(key, uint64(v.id))
	}
	p, ok := r.places[string(key)]
	if ok {
		return p
	}
	p = &place[S]{id: id, vars: vars, home: r.main.in}
	for _, v := range vars {
		if v.region.depth > p.home.depth {
			p.home = v.region
		}
	}
	r.places[string(key)] = p
	return p
}

func (r *Runner[S]) kid(p *place[S], i int, bound []*variable[S]) *place[S] {
	k := r.store.Kids(ref(p.id))[i]
	return r.place(k.ID, slot.Names(k.Args, p.vars, bound))
}

func (r *Runner[S]) op(p *place[S]) ops.Op { return r.store.Op(ref(p.id)) }

// block is a list of steps that are always taken one after the other. It is written when it
// is first run, in the order in which that asks for operands.
type block[S any] struct {
	in     *region
	wanted []*place[S] // what it computes
	out    []*Value[S]
	code   []instruction[S]
	// known is what has been computed after so many instructions, and within are those
	// of the block that this one is a part of, as far as that has come where it is run.
	known  map[*place[S]]known[S]
	within *block[S]
	at     int
	ready  bool
	costs  Counts // of a run
	runs   int64  // that were not counted yet
}

// block is one of the runner's.
func (r *Runner[S]) block(b block[S]) *block[S] {
	r.blocks = append(r.blocks, &b)
	return &b
}

type known[S any] struct {
	val   *Value[S]
	after int
}

// instruction is a step, or a place that is to be computed unless it has been.
type instruction[S any] struct {
	step  Step
	guard *place[S]
}

// run is what a block computes.
func (r *Runner[S]) run(b *block[S]) []*Value[S] {
	b.runs++
	if !b.ready {
		b.code, b.out, b.known, b.costs = nil, nil, make(map[*place[S]]known[S]), Counts{}
		for _, p := range b.wanted {
			b.out = append(b.out, r.demand(b, p))
		}
		b.ready = true
		return b.out
	}
	for i := range b.code {
		in := &b.code[i]
		if in.guard == nil {
			in.step()
		} else if p := in.guard; p.run != p.home.run {
			r.guarded(p)
		}
	}
	return b.out
}

// find is the value of what has been computed whenever b is run so far.
func (b *block[S]) find(p *place[S]) *Value[S] {
	for at := len(b.code); b != nil; at, b = b.at, b.within {
		if k, ok := b.known[p]; ok && k.after <= at {
			return k.val
		}
	}
	return nil
}

// demand computes a place, and adds to the block what does so.
func (r *Runner[S]) demand(b *block[S], p *place[S]) *Value[S] {
	if v := b.find(p); v != nil {
		return v
	}
	if len(r.store.Kids(ref(p.id))) == 0 {
		return r.leaf(p)
	}
	if p.home == b.in && r.uses[p.id] == 1 {
		v := r.compute(b, p)
		b.known[p] = known[S]{v, len(b.code)}
		return v
	}
	b.code = append(b.code, instruction[S]{guard: p})
	if p.run != p.home.run {
		r.guarded(p)
	}
	b.known[p] = known[S]{p.val, len(b.code)}
	return p.val
}

// guarded computes a place that has a block of its own, which knows nothing of those that it
// is asked for from.
func (r *Runner[S]) guarded(p *place[S]) {
	if p.own == nil {
		p.own = r.block(block[S]{in: p.home})
	}
	p.run = p.home.run
	if p.own.ready {
		r.run(p.own)
		return
	}
	p.own.runs++
	p.own.code, p.own.known, p.own.costs = nil, make(map[*place[S]]known[S]), Counts{}
	p.val = r.compute(p.own, p)
	p.own.ready = true
}

// leaf is the value of a node without children: a variable, an input, or what is always the
// same.
func (r *Runner[S]) leaf(p *place[S]) *Value[S] {
	if p.val != nil {
		return p.val
	}
	switch op := r.op(p); op.Sym {
	case ops.SymIvar, ops.SymLocal:
		p.val = p.vars[0].val
	case ops.SymVar:
		p.val = r.input(p).room()
		p.val.follow(r.input(p))
		r.loaded = append(r.loaded, p)
	default:
		p.val = raise.Must(r.alg.Apply(op, nil, nil, r.store.Type(ref(p.id))))
	}
	return p.val
}

func (r *Runner[S]) input(p *place[S]) *Value[S] { return r.env[r.op(p).Name] }

// compute finds the operands of a node and what computes it, which it adds to the block.
func (r *Runner[S]) compute(b *block[S], p *place[S]) *Value[S] {
	op := r.op(p)
	o := r.store.Signature().Operator(op.Sym)
	var operands []*Value[S]
	for i := range r.store.Kids(ref(p.id)) {
		if o.Under(i) {
			break
		}
		if i == 1 && r.chooser != nil && r.chooser.Chooses(op) {
			return r.choice(b, p, operands[0])
		}
		operands = append(operands, r.demand(b, r.kid(p, i, nil)))
	}
	var body Body[*Value[S]]
	if o.Binds() {
		valued(op.Sizes)
		body = r.body(b, p, len(operands))
	}
	v, step := r.alg.Prepare(op, operands, body, r.store.Type(ref(p.id)))
	if step == nil {
		return v
	}
	if r.costs != nil {
		b.costs.AddTimes(r.costs.Costs(op, operands, v), 1)
	}
	b.code = append(b.code, instruction[S]{step: step})
	if step(); r.once && p.home == r.main.in {
		r.forget(p, operands)
	}
	return v
}

// forget drops the elements of operands that nobody else asks for.
func (r *Runner[S]) forget(p *place[S], operands []*Value[S]) {
	for i, v := range operands {
		k := ref(r.store.Kids(ref(p.id))[i].ID)
		// A component has the elements of its tuple.
		if r.uses[k.ID] == 1 && len(v.Shape) > 0 && r.store.Op(k).Sym != ops.SymProj && len(r.store.Kids(k)) > 0 {
			v.R, v.N = nil, nil
		}
	}
}

// choice computes a node of which one of the other operands is the value, by the first one.
func (r *Runner[S]) choice(b *block[S], p *place[S], first *Value[S]) *Value[S] {
	op := r.op(p)
	branches := make([]*block[S], len(r.store.Kids(ref(p.id))))
	for i := range branches {
		branches[i] = r.block(block[S]{in: b.in, within: b, at: len(b.code), wanted: []*place[S]{r.kid(p, i, nil)}})
	}
	var chosen *Value[S]
	step := func() {
		out := r.run(branches[r.chooser.Choose(op, first)])
		if chosen == nil {
			chosen = out[0].room()
		}
		chosen.follow(out[0])
	}
	b.code = append(b.code, instruction[S]{step: step})
	step()
	return chosen
}

// body is what stands under the binders of a node, from child first on.
func (r *Runner[S]) body(within *block[S], p *place[S], first int) Body[*Value[S]] {
	in := &region{depth: p.home.depth + 1}
	b := r.block(block[S]{in: in, within: within, at: len(within.code)})
	var bound []*variable[S]
	entered := false
	return func(is []int64, others ...*Value[S]) []*Value[S] {
		if !entered {
			entered = true
			for range is {
				bound = append(bound, r.variable(in, &Value[S]{Elem: types.I, N: make([]int64, 1)}))
			}
			for _, v := range others {
				bound = append(bound, r.variable(in, v.Copy()))
			}
			for i := first; i < len(r.store.Kids(ref(p.id))); i++ {
				b.wanted = append(b.wanted, r.kid(p, i, bound))
			}
		}
		r.serial++
		in.run = r.serial
		for i, v := range is {
			bound[i].val.N[0] = v
		}
		for i, v := range others {
			bound[len(is)+i].val.assign(v)
		}
		return r.run(b)
	}
}

func (r *Runner[S]) variable(in *region, v *Value[S]) *variable[S] {
	r.vars++
	return &variable[S]{r.vars, in, v}
}

// room is a place for values of the type of v.
func (v *Value[S]) room() *Value[S] {
	to := *v
	if len(v.Shape) == 0 {
		to.R, to.N = make([]S, len(v.R)), make([]int64, len(v.N))
	}
	return &to
}

// follow makes v what w is, a value of the same type: a scalar where it is, and an array
// with the elements of w.
func (v *Value[S]) follow(w *Value[S]) {
	if len(v.Shape) == 0 {
		copy(v.R, w.R)
		copy(v.N, w.N)
		return
	}
	v.R, v.N = w.R, w.N
}

// assign gives v the elements of w, a value of the same type.
func (v *Value[S]) assign(w *Value[S]) {
	copy(v.R, w.R)
	copy(v.N, w.N)
	for i, p := range v.Parts {
		p.assign(w.Parts[i])
	}
}
