package routes

import (
	"slices"

	"egad/fun"
	"egad/internal/memo"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/routes/slope"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// arrayDual is an array with its Delta (Section 6.1): D of an array of reals over an
// algebra V. Other arrays have none, and a tuple has those of its parts.
type arrayDual[V any] struct {
	x     V
	typ   *types.Type
	d     *arrayDelta[V]
	parts []*arrayDual[V] // nil if nothing in a tuple changes
}

// changes reports whether there is a Delta in it.
func (a *arrayDual[V]) changes() bool { return a.d != nil || a.parts != nil }

// leaves are the Deltas of the arrays in it, in order.
func (a *arrayDual[V]) leaves(of *types.Type, into []*arrayDelta[V]) []*arrayDelta[V] {
	if of.Kind != types.KTuple {
		return append(into, a.d)
	}
	for i, t := range of.Parts {
		part := &arrayDual[V]{}
		if a.parts != nil {
			part = a.parts[i]
		}
		into = part.leaves(t, into)
	}
	return into
}

// dualArrays is the algebra of dual arrays over another one (Figs. 13 to 15, App. D): an
// operator has the Deltas that its local maps make of those of its operands. What stands
// under binders, as index functions, takes the values of what it reads (Fig. 13); a build
// alone is looked into, and has the Delta of each element.
type dualArrays[V any] struct {
	below eval.Algebra[V]
	sig   *term.Signature
	cons  *constructors
	next  int   // ids
	made  int64 // constructors
	limit int64
	ended func() error
	// factor is given the operands of constructors.
	factor func(x V)
	// trace, if not nil, is told what was differentiated.
	trace func(p *term.Program, kids []*arrayDual[V], out *arrayDual[V])
	// what is known of operators, by their types, and by their programs
	operators map[string]*term.Program
	linear    map[masked]*linearised
}

// masked is a program with marks of those of its operands that change.
type masked struct {
	p    *term.Program
	mask string
}

// mostOfArrays is how many constructors of arrays there may be at most. Each takes half a
// kilobyte with what it was made of, thirty times as much as one of numbers.
const mostOfArrays = 5_000_000

func newDualArrays[V any](below eval.Algebra[V], t *Task) *dualArrays[V] {
	sig := t.Program.Store.Signature()
	return &dualArrays[V]{
		below: below, sig: sig, cons: t.constructors(), limit: min(t.Bounds.Made, mostOfArrays), ended: t.Ended, factor: func(V) {},
		operators: make(map[string]*term.Program), linear: make(map[masked]*linearised),
	}
}

// Int has no Delta.
func (a *dualArrays[V]) Int(i int64) *arrayDual[V] {
	return &arrayDual[V]{x: a.below.Int(i), typ: types.ArrayOf(types.I)}
}

// Whole takes what binds as a whole, but for builds that can be looked into.
func (a *dualArrays[V]) Whole(op ops.Op) bool {
	below, ok := a.below.(eval.Wholly[V])
	return op.Sym != ops.SymBuild || ok && below.Whole(op)
}

// Apply is D of an operator without index functions, and of build.
func (a *dualArrays[V]) Apply(op ops.Op, kids []*arrayDual[V], body eval.Body[*arrayDual[V]], t *types.Type) (_ *arrayDual[V], err error) {
	defer raise.Caught(&err)
	if a.ended != nil {
		raise.Error(a.ended())
	}
	switch {
	case op.Sym == ops.SymProj && kids[0].parts != nil:
		return kids[0].parts[op.N], nil
	case op.Sym == ops.SymBuild:
		return a.build(op, body, t), nil
	}
	xs, changes := primals(kids)
	out := &arrayDual[V]{x: raise.Must(a.below.Apply(op, xs, nil, t)), typ: t}
	switch {
	case changes && op.Sym == ops.SymTuple:
		out.parts = kids
	case changes:
		a.differentiate(raise.Must(a.program(op, kids)), kids, xs, out)
	}
	return out, nil
}

// ApplyWhole is D of an operator with index functions, or of a loop.
func (a *dualArrays[V]) ApplyWhole(p *term.Program, kids []*arrayDual[V]) (_ *arrayDual[V], err error) {
	defer raise.Caught(&err)
	xs, changes := primals(kids)
	out := &arrayDual[V]{x: raise.Must(evaluate(a.below, p, xs)), typ: p.Store.Type(p.Root)}
	if changes {
		a.differentiate(p, kids, xs, out)
	}
	return out, nil
}

// primals are the values of dual arrays, and whether one of them changes.
func primals[V any](kids []*arrayDual[V]) (xs []V, changes bool) {
	for _, k := range kids {
		xs = append(xs, k.x)
		changes = changes || k.changes()
	}
	return xs, changes
}

// program is an operator as a program of its operands.
func (a *dualArrays[V]) program(op ops.Op, kids []*arrayDual[V]) (*term.Program, error) {
	types := slice.Map(kids, func(k *arrayDual[V]) *types.Type { return k.typ })
	return memo.Get(a.operators, slope.Key(op, types), func() (*term.Program, error) { return slope.Program(a.sig, op, types) })
}

// differentiate gives the result of an operator on operands with the values xs its Deltas.
func (a *dualArrays[V]) differentiate(p *term.Program, kids []*arrayDual[V], xs []V, out *arrayDual[V]) {
	var deltas []*arrayDelta[V]
	mask := make([]byte, len(kids))
	for i, k := range kids {
		deltas = k.leaves(k.typ, deltas)
		if mask[i] = '.'; k.changes() {
			mask[i] = 'x'
		}
	}
	l := raise.Must(memo.Get(a.linear, masked{p, string(mask)}, func() (*linearised, error) { return linearise(a.cons, p, mask) }))
	at := raise.Must(operands(a.below, l, append(xs, out.x)))
	for _, x := range at {
		a.factor(x)
	}
	if a.trace != nil {
		defer func() { a.trace(p, kids, out) }()
	}
	for _, step := range l.steps {
		deltas = append(deltas, a.shared(a.sum(step, at, deltas)))
	}
	next := l.out
	a.spread(out, func() *arrayDelta[V] {
		n := next[0]
		if next = next[1:]; n < 0 {
			return nil
		}
		return deltas[n]
	})
}

// spread gives the arrays of reals in a result their Deltas, one after the other.
func (a *dualArrays[V]) spread(out *arrayDual[V], next func() *arrayDelta[V]) {
	if out.typ.Kind != types.KTuple {
		if out.typ.Differentiable() && !out.typ.HasEmptyAxis() {
			out.d = next()
		}
		return
	}
	for i, t := range out.typ.Parts {
		part := &arrayDual[V]{x: raise.Must(a.below.Apply(ops.Op{Sym: ops.SymProj, N: i}, []V{out.x}, nil, t)), typ: t}
		a.spread(part, next)
		out.parts = append(out.parts, part)
	}
}

// sum adds Deltas, each through a local map.
func (a *dualArrays[V]) sum(of []localUse, at []V, deltas []*arrayDelta[V]) *arrayDelta[V] {
	var sum *arrayDelta[V]
	for _, u := range of {
		var d *arrayDelta[V]
		if u.sum == nil {
			d = deltas[u.of]
		} else {
			d = a.sum(u.sum, at, deltas)
		}
		sum = a.add(sum, a.through(u.by, at, d))
	}
	return sum
}

// through is the Delta that local maps make of one, the last of them first.
func (a *dualArrays[V]) through(maps []*localMap, at []V, d *arrayDelta[V]) *arrayDelta[V] {
	for _, m := range slices.Backward(maps) {
		if d != nil {
			d = a.mapped(m, at, d)
		}
	}
	return d
}

// mapped is the Delta that a local map makes of one.
func (a *dualArrays[V]) mapped(m *localMap, at []V, d *arrayDelta[V]) *arrayDelta[V] {
	switch m.kind {
	case mapZero:
		return nil
	case mapOne:
		return d
	case mapAdd:
		d := a.shared(d)
		return a.add(a.through(m.p, at, d), a.through(m.q, at, d))
	}
	return a.counted(&arrayDelta[V]{kind: deltaLinear, typ: m.to, a: d, con: m.con, at: slice.Map(m.at, func(i int) V { return at[i] })})
}

func (a *dualArrays[V]) add(d, e *arrayDelta[V]) *arrayDelta[V] {
	switch {
	case d == nil:
		return e
	case e == nil:
		return d
	}
	return a.counted(&arrayDelta[V]{kind: deltaAdd, typ: d.typ, a: d, b: e})
}

// shared gives what has none an id, larger than all before.
func (a *dualArrays[V]) shared(d *arrayDelta[V]) *arrayDelta[V] {
	if d == nil || d.kind == deltaInput || d.kind == deltaShare {
		return d
	}
	a.next++
	return a.counted(&arrayDelta[V]{kind: deltaShare, typ: d.typ, n: a.next - 1, a: d})
}

// counted counts a constructor; one too many is raised.
func (a *dualArrays[V]) counted(d *arrayDelta[V]) *arrayDelta[V] {
	if a.made++; a.made > a.limit {
		raise.Error(&fun.StoppedError{Most: a.made - 1, What: "Delta constructors"})
	}
	return d
}

// build is Build1 of Section 4.3: the Deltas of all elements.
func (a *dualArrays[V]) build(op ops.Op, body eval.Body[*arrayDual[V]], t *types.Type) *arrayDual[V] {
	var elements []*arrayDelta[V]
	changes := false
	x := raise.Must(a.below.Apply(op, nil, func(is []int64, _ ...V) []V {
		out := body(is)[0]
		elements = append(elements, out.d)
		changes = changes || out.changes()
		return []V{out.x}
	}, t))
	out := &arrayDual[V]{x: x, typ: t}
	if changes {
		out.d = a.shared(a.counted(&arrayDelta[V]{kind: deltaBuild, typ: t, of: elements}))
	}
	return out
}
