package native

import (
	"math"

	"egad/kernel"
	"egad/kernel/schedule"
	"egad/kernel/strength"
	"egad/kernel/wasm"
)

// checked writes a run of a loop, or those in lock step.
func (e *emitter) checked(l *kernel.Loop, in *schedule.CheckedFirst, folds []*accumulator) {
	e.checking = in
	e.body(in.First, l)
	e.checking = nil
	write := func(of *kernel.Loop) {
		for i, f := range folds {
			f.Value = of.Folds[i].Value
		}
		e.merge(of.Body, of.Folds, of.Carries, l)
		e.body(of.Body, l)
		for _, f := range folds {
			f.fold()
		}
		e.leave(of)
		e.forget(of.Body)
	}
	all := e.areIn(in.Rows)
	if len(folds) > 0 {
		all = append([]func(){e.mostlyIn}, all...)
	}
	var where func(holds []func())
	where = func(holds []func()) {
		if len(holds) == 0 {
			for i, x := range in.Is {
				if regs, ok := e.regs[in.Rows[i].Index]; ok { // else it is computed where it is needed
					e.regs[x] = regs
				}
				if each := e.scalars[in.Rows[i].Index]; each != nil {
					e.scalars[x] = each
				}
				e.indexed(x)
			}
			write(in.All)
			e.f.Break(uint32(len(all)))
			return
		}
		holds[0]()
		e.f.If(func() { where(holds[1:]) })
	}
	e.f.Block(func() {
		where(all)
		if len(folds) > 0 {
			e.f.AddI32(*e.outside, -1)
		}
		write(in.Other)
	})
	e.forget(in.First)
}

// mostOutside is how often an index may be out of range in a function until sums check none first any more: where
// many are, as in rows that are padded, nobody foretells which, and what is read there is chosen without a branch.
const mostOutside = 1 << 10

// mostlyIn pushes whether indices have been in range so far, but for few.
func (e *emitter) mostlyIn() { e.f.OnI32(wasm.I32GtS, *e.outside, 0) }

// areIn are functions that push whether indices are in range: those of lanes all at once.
func (e *emitter) areIn(rows []strength.RowOf) (holds []func()) {
	var vectors []strength.RowOf
	for _, r := range rows {
		if e.inVector(r.Index) {
			vectors = append(vectors, r)
			continue
		}
		for _, p := range e.lanePlaces(r.Index) {
			holds = append(holds, func() {
				e.pushLane(r.Index, p)
				e.f.OpI64(wasm.I64LtU, int64(r.N))
			})
		}
	}
	if len(vectors) == 0 {
		return holds
	}
	return append(holds, func() {
		any := false
		for _, r := range vectors {
			for _, p := range e.places(r.Index) {
				e.areBelow(r.Index, r.N, p)
				if any {
					e.f.Op(wasm.V128And)
				}
				any = true
			}
		}
		e.f.Op(wasm.I64x2Bitmask)
		e.f.OpI32(wasm.I32Eq, 3)
	})
}

// areBelow pushes whether the indices of both lanes are in range of an axis.
func (e *emitter) areBelow(v *kernel.Value, n int, p place) {
	e.f.I64x2(math.MinInt64 + int64(n)) // as there is no comparison without signs
	e.pushVector(v, p)
	e.f.I64x2(math.MinInt64)
	e.f.Op(wasm.I64x2Add, wasm.I64x2GtS)
}
