package native

import (
	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/plan"
	"egad/kernel/schedule"
	"egad/kernel/wasm"
)

// stepper writes a loop of the program as a function: it moves the cells of the layout
// from row to row, and calls the kernels of a step.
type stepper struct {
	*module
	*kernel.Steps
	f        *wasm.Func
	sub      *plan.Planned
	round, i wasm.Local // I32: which of the Outer indices, and the number of the step
	fuel     wasm.Local
}

// steps writes a loop of the program as a function, which results in whether the process
// is to end.
func (m *module) steps(s *kernel.Steps, sub *plan.Planned, by *schedule.Scheduler, zeroed []*kernel.Array) uint32 {
	kernels := m.kernels(sub, by.Inside(s, sub.Program))
	f := m.Func("", nil, wasm.I32)
	w := &stepper{module: m, Steps: s, f: f, sub: sub, round: f.Local(wasm.I32), i: f.Local(wasm.I32), fuel: f.Local(wasm.I32)}
	m.clears(f, zeroed)
	f.SetI32(w.fuel, fuel)
	if rounds := slice.Product(s.Outer); rounds > 0 {
		w.count(w.round, func() { f.I32(int32(rounds)) }, func() { w.rounds(kernels) })
	}
	f.I32(0)
	return f.Index
}

// count writes a loop that counts from where a local stands, at least once.
func (w *stepper) count(i wasm.Local, to, body func()) {
	w.f.Loop(func() {
		body()
		w.f.OnI32(wasm.I32Add, i, 1)
		w.f.Tee(i)
		to()
		w.f.Op(wasm.I32LtU)
		w.f.Again()
	})
}

// rounds writes the steps for one value of the outer indices.
func (w *stepper) rounds(kernels []uint32) {
	f, steps := w.f, w.f.Local(wasm.I32)
	stride := 1
	for j := len(w.Outer) - 1; j >= 0; j-- {
		w.variable(j+1, func() {
			f.OnI32(wasm.I32DivU, w.round, int32(stride))
			f.OpI32(wasm.I32RemU, int32(w.Outer[j]))
		})
		stride *= w.Outer[j]
	}
	if w.Count == nil {
		f.SetI32(steps, int32(w.N))
	} else {
		count := f.Local(wasm.I64)
		f.OnI32(wasm.I32Mul, w.round, 8)
		f.Memory(wasm.I64Load, w.at[w.Count])
		f.Set(count)
		number := func() {
			f.Op(wasm.I32WrapI64)
			f.Set(steps)
		}
		f.Get(count)
		f.OpI64(wasm.I64LtU, int64(w.N)+1)
		f.IfElse(func() {
			f.Get(count)
			number()
		}, func() { // less than 0 or too many
			f.I64(int64(w.N))
			f.Get(count)
			f.Call(w.host[HostCount])
			number()
		})
	}
	f.SetI32(w.i, 0)
	f.Get(steps)
	f.If(func() { w.count(w.i, func() { f.Get(steps) }, func() { w.step(kernels) }) })
	if w.Count == nil {
		return
	}
	// Later states are copies of the last one.
	f.OnI32(wasm.I32LtU, w.i, int32(w.N))
	f.If(func() {
		w.count(w.i, func() { f.I32(int32(w.N)) }, func() {
			for k, all := range w.All {
				if all {
					w.copy(w.bytes(k), func() { w.row(k, 1) }, w.at[w.States[k]], func() { w.row(k, 0) }, w.at[w.States[k]])
				}
			}
		})
	})
}

// variable stores a value, on the stack as I32, as variable number n.
func (w *stepper) variable(n int, value func()) {
	for i, a := range w.sub.Inputs {
		if w.Inputs[i].Variable == n {
			w.f.I32(int32(w.at[a]))
			value()
			w.f.Op(wasm.I64ExtendI32U)
			w.f.Memory(wasm.I64Store, 0)
		}
	}
}

// bytes are those of state k.
func (w *stepper) bytes(k int) int { return 8 * w.sub.Results[k].Len() }

// row pushes the distance of a row of state k from the first, in bytes: that of this
// step, or of the next.
func (w *stepper) row(k, next int) {
	w.f.Get(w.round)
	if w.All[k] {
		w.f.OpI32(wasm.I32Mul, int32(w.N+1))
		w.f.Get(w.i)
		w.f.Op(wasm.I32Add)
		w.f.OpI32(wasm.I32Add, int32(next))
	}
	w.f.OpI32(wasm.I32Mul, int32(w.bytes(k)))
}

// step writes a step.
func (w *stepper) step(kernels []uint32) {
	f := w.f
	w.variable(len(w.Outer)+1, func() { f.Get(w.i) })
	for k, cell := range w.layout.rows[w.Steps].cells {
		if cell != 0 {
			f.I32(int32(cell))
			w.row(k, 0)
			f.Op(wasm.I64ExtendI32U)
			f.Memory(wasm.I64Store, 0)
		}
	}
	for _, g := range kernels {
		f.Call(g)
		ends(f)
	}
	work := w.sub.Counts()
	w.spend(f, w.fuel, work.Float+work.Int+work.Selected+64)
	w.next()
}

// next writes the next state. A part of the state that is a part of the one before is
// put aside, as that may be overwritten.
func (w *stepper) next() {
	none := func() { w.f.I32(0) }
	type source struct {
		move func()
		at   uint32
	}
	from := make([]source, len(w.States))
	for k, a := range w.sub.Results {
		from[k] = source{none, w.at[a]}
		if cell, ok := w.moving[a]; ok {
			from[k].move = func() { distance(w.f, cell) }
		}
	}
	for k, a := range w.sub.Results {
		if a.Role == kernel.Input && a != w.State(k) {
			aside := w.take(int64(a.Len()))
			w.copy(w.bytes(k), none, aside, from[k].move, from[k].at)
			from[k] = source{none, aside}
		}
	}
	for k, a := range w.sub.Results {
		if (a != w.State(k) || w.All[k]) && !w.layout.rows[w.Steps].there[k] {
			w.copy(w.bytes(k), func() { w.row(k, 1) }, w.at[w.States[k]], from[k].move, from[k].at)
		}
	}
}

// maxMoves is how many elements are copied one by one.
const maxMoves = 8

// copy copies n bytes. Both places are a number and what a function pushes.
func (w *stepper) copy(n int, toMove func(), to uint32, fromMove func(), from uint32) {
	f := w.f
	if n > 8*maxMoves {
		for _, p := range []struct {
			move func()
			at   uint32
		}{{toMove, to}, {fromMove, from}} {
			p.move()
			f.OpI32(wasm.I32Add, int32(p.at))
		}
		f.I32(int32(n))
		f.Copy()
		return
	}
	for i := 0; i < n; i += 8 {
		toMove()
		fromMove()
		f.Memory(wasm.I64Load, from+uint32(i))
		f.Memory(wasm.I64Store, to+uint32(i))
	}
}
