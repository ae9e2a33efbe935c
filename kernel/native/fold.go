package native

import (
	"slices"

	"egad/kernel"
	"egad/kernel/wasm"
	"egad/term/ops"
	"egad/term/types"
)

// accumulator is a fold that is being written.
type accumulator struct {
	e *emitter
	kernel.Fold
	loop *kernel.Loop
	// acc is the value so far, and best that at the position so far, for each lane of
	// each vector and for each row if they vary.
	acc, best *kernel.Value
	// part is acc for each lane of the loop that folds: they are joined after it.
	part *kernel.Value
	// both are, for each row, vectors of the best of all lanes, while they fold along lanes.
	both []wasm.Local
}

// accumulate writes the start of a fold.
func (e *emitter) accumulate(f kernel.Fold, l *kernel.Loop) *accumulator {
	a := &accumulator{e: e, Fold: f, loop: l, acc: &kernel.Value{Kind: kernel.Folded, Elem: f.Result.Elem}}
	if f.From != nil {
		e.initial(a.acc, f.From)
		return a
	}
	e.initial(a.acc, literalOf(f.Nothing()))
	if f.Positional() {
		// Of values that are all as bad as can be the first is the best.
		a.best = &kernel.Value{Kind: kernel.Folded, Elem: types.R}
		e.initial(a.best, literalOf(f.Neutral()))
	}
	return a
}

func literalOf(c ops.Scalar) *kernel.Value {
	return &kernel.Value{Kind: kernel.Lit, Elem: c.Elem, Const: c}
}

// initial sets the locals of v, one for each place here.
func (e *emitter) initial(v, from *kernel.Value) {
	e.Mark(v, e.vectors > 0)
	e.rows.Mark(v, e.lines > 1)
	delete(e.regs, v)
	ls := make([]wasm.Local, 0, 8)
	for _, p := range e.places(v) {
		l := e.local(v)
		e.pushAs(v, from, p)
		e.f.Set(l)
		ls = append(ls, l)
	}
	e.regs[v] = ls
}

// start begins folding along lanes: for each lane what it meets, unless the order
// of a rounded operation has to be kept.
func (a *accumulator) start() {
	if a.best != nil {
		a.spread()
		return
	}
	if a.e.Exact && a.Rounds() {
		return
	}
	a.part = &kernel.Value{Kind: kernel.Folded, Elem: a.Result.Elem}
	from := literalOf(a.Nothing())
	if a.Joint() == ops.SymSum && from.Elem == types.R { // -0, which a sum of nothing but -0 stays
		from = &kernel.Value{Kind: kernel.Compute, Elem: types.R, Op: ops.SymNeg, Args: []*kernel.Value{from}}
	}
	a.e.initial(a.part, from)
}

// join folds what the lanes have met: that of the first vector with those of the others, and
// then its lanes one by one.
func (a *accumulator) join() {
	if a.part == nil {
		return
	}
	e, joint := a.e, ops.Builtin(a.Joint()).Fold
	for u := 1; u < e.vectors; u++ {
		other := &kernel.Value{Kind: kernel.Folded, Elem: a.part.Elem}
		e.Mark(other, true)
		e.rows.Mark(other, e.rows.Varies(a.part))
		for _, p := range e.places(other) {
			e.regs[other] = append(e.regs[other], e.reg(a.part, place{row: p.row, u: u}))
		}
		for row := range e.lines {
			e.vector(a.of(joint, a.part, other), place{row: row})
			e.f.Set(e.reg(a.part, place{row: row}))
		}
		delete(e.regs, other)
	}
	a.lanes(joint, a.part, 1)
	a.part = nil
}

// of is acc folded with v by an operator.
func (a *accumulator) of(by ops.Sym, acc, v *kernel.Value) *kernel.Value {
	return &kernel.Value{Kind: kernel.Compute, Elem: acc.Elem, Op: by, Args: []*kernel.Value{acc, v}}
}

// lanes folds v, in so many vectors, lane by lane.
func (a *accumulator) lanes(by ops.Sym, v *kernel.Value, vectors int) {
	e, step := a.e, a.of(by, a.acc, v)
	for row := range e.lines {
		for u := range vectors {
			for lane := range byte(2) {
				p := place{row, u, lane}
				e.operation(step, func(i int) {
					if i == 0 {
						e.push(a.acc, p)
					} else {
						e.pushLane(v, p)
					}
				})
				e.f.Set(e.reg(a.acc, p))
			}
		}
	}
}

// fold writes the folding of one run of the loop, or of one for each lane.
func (a *accumulator) fold() {
	e := a.e
	lanes := e.vectors > 0 && e.Schedule.Lanes[a.loop] > 0
	acc, value := a.acc, a.Value
	if e.left != nil {
		value = e.chosen(e.left, value, literalOf(a.Nothing()))
	}
	switch {
	case a.best != nil:
		a.positions(lanes)
		return
	case lanes && a.part == nil:
		a.lanes(a.Step(), value, e.vectors)
		return
	case lanes:
		acc = a.part
	}
	step := a.of(a.Step(), acc, value)
	for _, p := range e.places(acc) {
		if e.varying(acc) {
			e.vector(step, p)
		} else {
			e.operation(step, func(i int) { e.push(step.Args[i], p) })
		}
		e.f.Set(e.reg(acc, p))
	}
}

// either is an instruction for vectors, or that for one lane.
func (e *emitter) either(wide bool, one, two wasm.Op) {
	if wide {
		one = two
	}
	e.f.Op(one)
}

// carriedIndices writes, at the begin of a run, what accesses need of the indices that it carries.
func (e *emitter) carriedIndices(l *kernel.Loop) {
	for _, c := range l.Carries {
		e.indexed(c.Value)
	}
}

// leave writes, at the end of a run, what it leaves: all of it before any is changed.
func (e *emitter) leave(l *kernel.Loop) {
	var to []wasm.Local
	for _, c := range l.Carries {
		for _, p := range e.places(c.Value) {
			e.pushAs(c.Value, c.Next, p)
			to = append(to, e.reg(c.Value, p))
		}
	}
	for _, l := range slices.Backward(to) {
		e.f.Set(l)
	}
}
