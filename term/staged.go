package term

import "encoding/binary"

// Staged is an algebra of arrays that is asked once for each operator of a program how to
// compute it, before its operands have values. [InterpretStaged] runs programs in it.
type Staged[S any] interface {
	Algebra[*Value[S]]
	// Prepare gives what computes op on operands of these types, which no binder scopes
	// over, as Apply does.
	Prepare(op Op, operands []*Type, body Body[*Value[S]], t *Type) (Step[S], error)
}

// Step computes an operator that was prepared. The result is good until the step is run
// again, and may be an operand, or have operands as parts.
type Step[S any] func(operands []*Value[S]) (*Value[S], error)

// InterpretStaged is [Interpret] in an algebra of arrays, with the same value: operators are
// applied in the same order to the same operands. A node that depends on the same variables
// is prepared once and has one place for its value, where Interpret finds operator, memory and
// memo anew in each run of a binder's body.
func InterpretStaged[S any](s *Store, t Term, alg Staged[S], env Env[*Value[S]]) (*Value[S], error) {
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
	of     *place[S]
	alg    Staged[S]
	once   bool // it runs once, and what was used may be forgotten
	serial uint64
	// always is where what no input has part in has its value, and root what depends on no variable.
	always, root *region[S]
	places       map[string]*place[S]
	vars         int // so many were made
}

// NewRunner prepares a term without free index variables.
func NewRunner[S any](s *Store, t Term, alg Staged[S]) (*Runner[S], error) {
	s, t, err := s.expanded(t)
	if err != nil {
		return nil, err
	}
	in, err := newInterpreter(s, t, Algebra[*Value[S]](alg))
	if err != nil {
		return nil, err
	}
	r := &Runner[S]{interpreter: in, alg: alg, places: make(map[string]*place[S])}
	r.always, r.root = &region[S]{run: 1}, &region[S]{}
	r.of = r.place(t.ID, nil)
	return r, nil
}

// Run is the value of the program. It is good until the next run, and may share memory with
// env.
func (r *Runner[S]) Run(env Env[*Value[S]]) (*Value[S], error) {
	r.env = env
	if err := r.checkEnv(); err != nil {
		return nil, err
	}
	r.serial++
	r.root.run = r.serial
	return r.eval(r.of)
}

// region is the body of a binder, of which one run is going on.
type region[S any] struct {
	depth int
	run   uint64
}

// variable is a variable of a binder; its value is overwritten by each run of the body.
type variable[S any] struct {
	id     int
	region *region[S]
	val    *Value[S]
}

// place is a node with the variables that its slots stand for, and its value in the run of
// home, its innermost region, that is noted.
type place[S any] struct {
	id       uint32
	vars     []*variable[S]
	home     *region[S]
	run      uint64
	val      *Value[S]
	step     Step[S] // nil before the first run
	chooses  bool
	kids     []*place[S]
	operands []*Value[S]
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
	p = &place[S]{id: id, vars: vars, home: r.root}
	for _, v := range vars {
		if v.region.depth > p.home.depth {
			p.home = v.region
		}
	}
	r.places[string(key)] = p
	return p
}

func (r *Runner[S]) kid(p *place[S], i int, bound []*variable[S]) *place[S] {
	k := r.store.nodes[p.id].kids[i]
	return r.place(k.ID, kidSlots(k, p.vars, bound))
}

func (r *Runner[S]) eval(p *place[S]) (*Value[S], error) {
	if p.run == p.home.run {
		return p.val, nil
	}
	if p.step == nil {
		if err := r.prepare(p); err != nil || p.run == p.home.run {
			return p.val, err
		}
	}
	for i, k := range p.kids {
		if i == 1 && p.chooses {
			v, err := r.eval(p.kids[r.chooser.Choose(r.op(p), p.operands[0])])
			p.val, p.run = v, p.home.run
			return v, err
		}
		v := k.val
		if k.run != k.home.run {
			var err error
			if v, err = r.eval(k); err != nil {
				return nil, err
			}
		}
		// It mostly is where it was, and not to write a pointer saves the collector's barrier.
		if p.operands[i] != v {
			p.operands[i] = v
		}
	}
	v, err := p.step(p.operands)
	if err != nil {
		return nil, err
	}
	if p.run = p.home.run; p.val != v {
		p.val = v
	}
	if r.once && p.home == r.root {
		r.forget(p)
	}
	return v, nil
}

// forget drops what is not run again, and operands that nobody else asks for.
func (r *Runner[S]) forget(p *place[S]) {
	for _, k := range p.kids {
		if k.home == r.root && r.uses[k.id] == 1 {
			k.val = nil
		}
	}
	p.kids, p.operands, p.step = nil, nil, nil
}

func (r *Runner[S]) op(p *place[S]) Op { return r.store.ops[r.store.nodes[p.id].op] }

// prepare finds the operands of a node and what computes it, or its value if that is
// always the same.
func (r *Runner[S]) prepare(p *place[S]) error {
	n := &r.store.nodes[p.id]
	op := r.op(p)
	if len(n.kids) == 0 {
		return r.leaf(p)
	}
	o := r.store.sig.ops[op.Sym]
	var types []*Type
	for i, k := range n.kids {
		if o.Under(i) {
			break
		}
		types = append(types, r.store.nodes[k.ID].typ)
		p.kids = append(p.kids, r.kid(p, i, nil))
	}
	p.operands = make([]*Value[S], len(p.kids))
	p.chooses = r.chooser != nil && r.chooser.Chooses(op)
	var body Body[*Value[S]]
	if o.binds {
		if _, err := constSizes(op.Sizes); err != nil {
			return err
		}
		body = r.body(p, len(p.kids))
	}
	var err error
	p.step, err = r.alg.Prepare(op, types, body, n.typ)
	return err
}

// leaf prepares a node without children: a variable, an input, or what is always the same.
func (r *Runner[S]) leaf(p *place[S]) (err error) {
	n := &r.store.nodes[p.id]
	op := r.op(p)
	switch op.Sym {
	case SymIvar, SymLocal:
		p.val = p.vars[0].val
	case SymVar:
		p.step = func([]*Value[S]) (*Value[S], error) { return r.env[op.Name], nil }
		return nil
	default:
		p.val, err = r.alg.Apply(op, nil, nil, n.typ)
	}
	p.home, p.run = r.always, r.always.run
	return err
}

// body is what stands under the binders of a node, from child first on.
func (r *Runner[S]) body(p *place[S], first int) Body[*Value[S]] {
	n := &r.store.nodes[p.id]
	in := &region[S]{depth: p.home.depth + 1}
	var bound []*variable[S]
	var kids []*place[S]
	out := make([]*Value[S], len(n.kids)-first)
	return func(is []int64, others ...*Value[S]) ([]*Value[S], error) {
		if kids == nil {
			for range is {
				bound = append(bound, r.variable(in, &Value[S]{Elem: I, N: make([]int64, 1)}))
			}
			for _, v := range others {
				bound = append(bound, r.variable(in, v.Copy()))
			}
			for i := range out {
				kids = append(kids, r.kid(p, first+i, bound))
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
		for i, k := range kids {
			var err error
			if out[i], err = r.eval(k); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
}

func (r *Runner[S]) variable(in *region[S], v *Value[S]) *variable[S] {
	r.vars++
	return &variable[S]{r.vars, in, v}
}

// assign gives v the elements of w, a value of the same type.
func (v *Value[S]) assign(w *Value[S]) {
	copy(v.R, w.R)
	copy(v.N, w.N)
	for i, p := range v.Parts {
		p.assign(w.Parts[i])
	}
}
