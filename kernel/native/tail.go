package native

import (
	"egad/kernel"
	"egad/kernel/wasm"
	"egad/term/ops"
	"egad/term/types"
)

// tailed reports whether the last runs of a loop, which fill no vectors, are done in vectors where others follow:
// which runs are done data tell, and a run does nothing but add to sums, also in memory, to which 0 is added in the
// place of what the runs that follow add. How many runs are left is another number each time, so that a loop over
// them would end where the processor does not expect it.
func (e *emitter) tailed(l *kernel.Loop, ph phase) bool {
	return l.Sure() && ph.Vectors > 0
}

// tail writes the runs of a loop that are left before the end of those that are to be done.
func (e *emitter) tail(l *kernel.Loop, folds []*accumulator, i, end wasm.Local, step int) {
	if l.N < step {
		return
	}
	e.f.On(wasm.I32LtS, i, end)
	e.f.OnI32(wasm.I32LtS, i, int32(8*(l.N-step)+1))
	e.f.Op(wasm.I32And)
	e.f.If(func() {
		e.left = e.before(i, end)
		restore, _ := e.begin(l)
		e.touch(l, l.Body, step, 1)
		e.once(l, folds)
		restore()
		e.forget(l.Body)
		e.left = nil
		e.f.Get(end)
		e.f.Set(i)
	})
}

// before makes a truth value of the runs in lock step: whether each is one before the end.
func (e *emitter) before(i, end wasm.Local) *kernel.Value {
	v, n := &kernel.Value{Kind: kernel.Folded, Elem: types.B}, e.f.Local(wasm.V128)
	e.f.On(wasm.I32Sub, end, i)
	e.f.Op(wasm.I64ExtendI32U, wasm.I64x2Splat)
	e.f.Set(n)
	e.Mark(v, true)
	e.rows.Mark(v, false)
	for u := range e.vectors {
		l := e.f.Local(wasm.V128)
		e.f.Get(n)
		e.f.I64x2Of(int64(16*u), int64(16*u+8))
		e.f.Op(wasm.I64x2GtS)
		e.f.Set(l)
		e.regs[v] = append(e.regs[v], l)
	}
	return v
}

// chosen is a value of the runs in lock step for which a truth value is one, and else another.
func (e *emitter) chosen(c, v, other *kernel.Value) *kernel.Value {
	out := &kernel.Value{Kind: kernel.Compute, Elem: v.Elem, Op: ops.SymWhere, Args: []*kernel.Value{c, v, other}}
	e.Mark(out, true)
	e.rows.Mark(out, e.rows.Varies(v))
	return out
}
