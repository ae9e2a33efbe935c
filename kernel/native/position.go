package native

import (
	"egad/kernel/schedule"
	"egad/kernel/wasm"
	"egad/term/ops"
)

// spread makes vectors of the best of all lanes.
func (a *accumulator) spread() {
	e := a.e
	for row := range e.lines {
		if row == len(a.both) {
			a.both = append(a.both, e.f.Local(wasm.V128))
		}
		a.spreadRow(row)
	}
}

func (a *accumulator) spreadRow(row int) {
	a.e.push(a.best, place{row: row})
	a.e.f.Op(wasm.F64x2Splat)
	a.e.f.Set(a.both[row])
}

// positions writes the search of one run of the loop, or of one for each lane. Where numbers are
// seldom better it is jumped over, for all vectors of a row at once.
func (a *accumulator) positions(lanes bool) {
	e := a.e
	wide := e.varying(a.best)
	for row := range e.lines {
		places := []place{{row: row}}
		if e.vectors > 0 && (lanes || wide) {
			places = nil
			for u := range e.vectors {
				places = append(places, place{row: row, u: u})
			}
		}
		search := func() {
			for _, p := range places {
				if !lanes {
					a.position(p)
					continue
				}
				a.position(p.in(0))
				a.position(p.in(1))
			}
		}
		switch {
		case lanes && schedule.Seldom(a.loop, e.vectors, true):
			a.perhaps(places, func(p place) { e.f.Get(a.both[row]) }, func() {
				search()
				a.spreadRow(row)
			})
		case wide && schedule.Seldom(a.loop, e.vectors, false):
			a.perhaps(places, func(p place) { e.f.Get(e.reg(a.best, p)) }, search)
		default:
			search()
		}
	}
}

// perhaps writes what then does, to be done if a number at one of some places may be better than
// the best there, which a function pushes.
func (a *accumulator) perhaps(places []place, best func(p place), then func()) {
	e := a.e
	for i, p := range places {
		best(p)
		e.pushVector(a.Value, p)
		e.f.Op(a.asGood(wasm.F64x2Le, wasm.F64x2Ge))
		if i > 0 {
			e.f.Op(wasm.V128And)
		}
	}
	e.f.Op(wasm.I64x2Bitmask)
	e.f.OpI32(wasm.I32Ne, 3)
	e.f.If(then)
}

// asGood is the comparison of the best with a number that is as good at most, and not NaN.
func (a *accumulator) asGood(min, max wasm.Op) wasm.Op {
	if a.Op == ops.SymArgmin {
		return min
	}
	return max
}

// position writes, at a place: if v is better than the best, it is the best, of which nothing is
// better if it is NaN. Where the best is a vector, that is so for each of its lanes.
func (a *accumulator) position(p place) {
	e, best, at := a.e, a.e.reg(a.best, p), a.e.reg(a.acc, p)
	v := e.local(a.best)
	wide := e.varying(a.best)
	if wide {
		e.pushVector(a.Value, p)
	} else {
		e.pushLane(a.Value, p)
	}
	e.f.Set(v)
	if !wide {
		e.f.On(a.asGood(wasm.F64Le, wasm.F64Ge), best, v)
		e.f.IfElse(func() {}, func() {
			e.f.On(wasm.F64Eq, best, best)
			e.f.If(func() {
				e.f.Get(v)
				e.f.Set(best)
				e.pushLane(a.loop.Var, p)
				e.f.Set(at)
			})
		})
		return
	}
	mask := e.f.Local(wasm.V128)
	e.f.On(wasm.F64x2Eq, best, best)
	e.f.On(a.asGood(wasm.F64x2Le, wasm.F64x2Ge), best, v)
	e.f.Op(wasm.V128AndNot)
	e.f.Set(mask)
	choose := func(to wasm.Local, x func()) {
		x()
		e.f.Get(to)
		e.f.Get(mask)
		e.f.Op(wasm.V128Bitselect)
		e.f.Set(to)
	}
	choose(best, func() { e.f.Get(v) })
	choose(at, func() { e.pushVector(a.loop.Var, p) })
}
