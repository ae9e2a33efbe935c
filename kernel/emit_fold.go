package kernel

import (
	"egad/kernel/wasm"
	"egad/term"
)

// accumulator is a fold that is being written.
type accumulator struct {
	e *emitter
	Fold
	loop *Loop
	// acc is the value so far, and best that at the position so far, for each lane of
	// each vector if they vary.
	acc, best *Value
	// part is acc for each lane of the loop that folds: they are joined after it.
	part *Value
}

// accumulate writes the start of a fold.
func (e *emitter) accumulate(f Fold, l *Loop) *accumulator {
	a := &accumulator{e: e, Fold: f, loop: l, acc: &Value{Kind: Folded, Elem: f.Result.Elem}}
	nothing := foldFrom(f)
	e.initial(a.acc, nothing)
	if positional(f.Op) {
		// Of values that are all as bad as can be the first is the best.
		a.best = &Value{Kind: Folded, Elem: term.R}
		e.initial(a.best, term.ScalarR(term.NumInf(map[bool]int{true: -1, false: 1}[f.Op == term.SymArgmax])))
	}
	return a
}

// initial sets the locals of v, one for each vector in the lane loop.
func (e *emitter) initial(v *Value, from term.Scalar) {
	lit := &Value{Kind: Lit, Elem: v.Elem, Const: from}
	if e.vectors == 0 {
		l := e.f.Local(localType(v.Elem))
		e.push(lit)
		e.f.Set(l)
		e.regs[v] = []wasm.Local{l}
		e.vary[v] = false
		return
	}
	e.vary[v], e.vary[lit] = true, false
	ls := make([]wasm.Local, e.vectors)
	for u := range ls {
		ls[u] = e.f.Local(wasm.V128)
		e.pushWide(lit)
		e.f.Set(ls[u])
	}
	e.regs[v] = ls
}

// start begins folding along lanes: for each lane what it meets, unless the order
// of a rounded operation has to be kept.
func (a *accumulator) start() {
	if positional(a.Op) || a.e.exact && a.Result.Elem == term.R && (a.Op == term.SymSum || a.Op == term.SymProd) {
		return
	}
	a.part = &Value{Kind: Folded, Elem: a.Result.Elem}
	a.e.initial(a.part, foldFrom(a.Fold))
}

// join folds what the lanes have met.
func (a *accumulator) join() {
	if a.part == nil {
		return
	}
	for u := range a.e.vectors {
		for lane := range byte(2) {
			a.along(a.part, u, lane)
		}
	}
	a.part = nil
}

// of is acc folded with v.
func (a *accumulator) of(acc, v *Value) *Value {
	return &Value{Kind: Compute, Elem: acc.Elem, Op: term.Builtin(a.Op).Fold, Args: []*Value{acc, v}}
}

// along folds one lane of v.
func (a *accumulator) along(v *Value, u int, lane byte) {
	e, step := a.e, a.of(a.acc, v)
	e.operation(step, func(i int) {
		if i == 0 {
			e.push(a.acc)
		} else {
			e.pushLane(v, u, lane)
		}
	})
	e.f.Set(e.regs[a.acc][0])
}

// fold writes the folding of one run of the loop, or of one for each lane.
func (a *accumulator) fold() {
	e := a.e
	lanes := e.vectors > 0 && a.loop == e.lane
	switch {
	case a.best != nil && e.vectors > 0 && !lanes:
		for u := range e.vectors {
			a.positions(u)
		}
	case a.best != nil:
		for u := range max(1, e.vectors) {
			for lane := range byte(min(2, 1+e.vectors)) {
				a.position(u, lane)
			}
		}
	case e.vectors == 0:
		e.operation(a.of(a.acc, a.Value), func(i int) { e.push([]*Value{a.acc, a.Value}[i]) })
		e.f.Set(e.regs[a.acc][0])
	case lanes && a.part == nil:
		for u := range e.vectors {
			for lane := range byte(2) {
				a.along(a.Value, u, lane)
			}
		}
	default:
		acc := a.acc
		if lanes {
			acc = a.part
		}
		step := a.of(acc, a.Value)
		for u, l := range e.regs[acc] {
			e.vector(step, u)
			e.f.Set(l)
		}
	}
}

// position writes, for one lane: if v is better than the best, it is the best.
func (a *accumulator) position(u int, lane byte) {
	e, best, at := a.e, a.e.regs[a.best][0], a.e.regs[a.acc][0]
	v := e.f.Local(wasm.F64)
	e.pushLane(a.Value, u, lane)
	e.f.Set(v)
	compare := func(x, y wasm.Local, op wasm.Op) {
		e.f.Get(x)
		e.f.Get(y)
		e.f.Op(op)
	}
	compare(best, v, a.better(wasm.F64Lt, wasm.F64Gt))
	compare(v, v, wasm.F64Ne)
	e.f.Op(wasm.I32Or)
	compare(best, best, wasm.F64Eq)
	e.f.Op(wasm.I32And)
	e.f.If(func() {
		e.f.Get(v)
		e.f.Set(best)
		e.pushLane(a.loop.Var, u, lane)
		e.f.Set(at)
	})
}

// positions is position for the lanes of a vector, all of the same run.
func (a *accumulator) positions(u int) {
	e, best, at := a.e, a.e.regs[a.best][u], a.e.regs[a.acc][u]
	v, mask := e.f.Local(wasm.V128), e.f.Local(wasm.V128)
	e.pushVector(a.Value, u)
	e.f.Set(v)
	compare := func(x, y wasm.Local, op wasm.Op) {
		e.f.Get(x)
		e.f.Get(y)
		e.f.Op(op)
	}
	compare(best, v, a.better(wasm.F64x2Lt, wasm.F64x2Gt))
	compare(v, v, wasm.F64x2Ne)
	e.f.Op(wasm.V128Or)
	compare(best, best, wasm.F64x2Eq)
	e.f.Op(wasm.V128And)
	e.f.Set(mask)
	choose := func(to wasm.Local, x func()) {
		x()
		e.f.Get(to)
		e.f.Get(mask)
		e.f.Op(wasm.V128Bitselect)
		e.f.Set(to)
	}
	choose(best, func() { e.f.Get(v) })
	choose(at, func() { e.pushVector(a.loop.Var, u) })
}

// better is the comparison that says that the best is not the best any more.
func (a *accumulator) better(largest, smallest wasm.Op) wasm.Op {
	if a.Op == term.SymArgmax {
		return largest
	}
	return smallest
}
