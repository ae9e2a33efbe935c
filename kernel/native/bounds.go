package native

import (
	"math"

	"egad/kernel"
	"egad/kernel/schedule"
	"egad/kernel/wasm"
)

// bounds sets the counter of a loop to the first run that need be done, or one before it, and
// gives a local with eight times the number after the last one, if not all need be.
func (e *emitter) bounds(l *kernel.Loop, i wasm.Local) (end *wasm.Local) {
	all := e.limiting(l)
	if len(all) == 0 {
		return nil
	}
	step := e.phases(l)[0].step()
	if l.Sure() {
		step = 1
	}
	clamp := func(x wasm.Local, to func(), than wasm.Op) { e.limit(x, to, to, than) } // to, if x compares so with it
	begins := false                                                                   // whether i may be another than 0
	var none []schedule.Limiting
	for _, rest := range all {
		x := e.f.Local(wasm.I32)
		if e.byOne(l, rest) {
			e.f.Set(x)
			switch {
			case rest.Sign > 0 && end == nil:
				end = &x
			case rest.Sign > 0:
				clamp(*end, func() { e.f.Get(x) }, wasm.I32GtS)
			case begins:
				clamp(i, func() { e.f.Get(x) }, wasm.I32LtS)
			default:
				e.f.Get(x)
				e.f.Set(i)
				begins = true
			}
			continue
		}
		if rest.Sign == 0 && e.one(rest) {
			none = append(none, rest)
			continue
		}
		switch rest.Sign {
		case 0: // rest < 0
			e.f.I32(int32(8 * l.N))
			e.f.I32(0)
			e.least(rest)
			e.f.I32(0)
			e.f.Op(wasm.I32LtS, wasm.Select)
		case 1: // index < -rest
			e.f.I32(0)
			e.least(rest)
			e.f.Op(wasm.I32Sub)
		default: // rest + 1 <= index
			e.least(rest)
			e.f.OpI32(wasm.I32Add, 8)
		}
		e.f.Set(x)
		if rest.Sign < 0 {
			clamp(x, func() { e.f.Get(i) }, wasm.I32LtS)
			clamp(x, func() { e.f.I32(int32(8 * l.N)) }, wasm.I32GtS)
			e.f.Get(x)
			if step&(step-1) == 0 {
				e.f.OpI32(wasm.I32And, int32(-8*step))
			} else {
				e.f.OnI32(wasm.I32RemU, x, int32(8*step))
				e.f.Op(wasm.I32Sub)
			}
			e.f.Set(i)
			begins = true
			continue
		}
		clamp(x, func() { e.f.I32(0) }, wasm.I32LtS)
		if end != nil {
			clamp(x, func() { e.f.Get(*end) }, wasm.I32GtS)
		} else if l.Sure() {
			clamp(x, func() { e.f.I32(int32(8 * l.N)) }, wasm.I32GtS)
		}
		end = &x
	}
	if end == nil {
		x := e.f.Local(wasm.I32)
		e.f.SetI32(x, int32(8*l.N))
		end = &x
	}
	for _, rest := range none {
		e.push(rest.Args[0], place{})
		if rest.Coef[0] < 0 { // the integer is to be more than the constant
			e.f.OpI64(wasm.I64LeS, rest.Const)
		} else {
			e.f.OpI64(wasm.I64GtS, -rest.Const-1)
		}
		e.f.If(func() {
			e.f.SetI32(*end, 0)
		})
	}
	return end
}

// one reports whether one integer alone tells for sure which runs of a loop are done.
func (e *emitter) one(x schedule.Limiting) bool {
	return x.Sure && len(x.Args) == 1 && x.Args[0].Kind != kernel.Var && (x.Sign == 0 || x.Coef[0] == -x.Sign)
}

// byOne pushes eight times the number of the first run of a loop, or of the one after the last, that one integer
// alone tells, and reports whether one does. Most integers tell a run that there is.
func (e *emitter) byOne(l *kernel.Loop, x schedule.Limiting) bool {
	if x.Sign == 0 || !e.one(x) {
		return false
	}
	v, least := e.f.Local(wasm.I64), x.Const // of the integer, for which it is 0
	if x.Sign < 0 {
		least = -x.Const - 1
	}
	most := least + int64(l.N)
	e.push(x.Args[0], place{})
	e.f.Tee(v)
	if least != 0 {
		e.f.OpI64(wasm.I64Sub, least)
	}
	e.f.OpI64(wasm.I64GeU, int64(l.N)+1)
	e.f.If(func() {
		e.f.I64(least)
		e.f.I64(most)
		e.f.Get(v)
		e.f.OpI64(wasm.I64LtS, least)
		e.f.Op(wasm.Select)
		e.f.Set(v)
	})
	e.f.Get(v)
	e.f.Op(wasm.I32WrapI64)
	e.f.OpI32(wasm.I32Sub, int32(least))
	e.f.OpI32(wasm.I32Shl, 3)
	return true
}

// limiting are the conditions by which not all runs of a loop are done.
func (e *emitter) limiting(l *kernel.Loop) []schedule.Limiting {
	if l == e.part || len(e.phases(l)) == 0 {
		return nil
	}
	if from, to := e.span(l); to-from < l.N {
		return nil
	}
	return schedule.LimitingOf(l, e.Exact, func(v *kernel.Value) bool {
		if v.Kind != kernel.Var {
			return e.regs[v] != nil && !e.Varies(v) && !e.rows.Varies(v)
		}
		_, ok := e.counters[v]
		return ok && v != l.Var
	})
}

// span is which runs of a loop need be done, from one up to another: all, unless they are known by
// indices of loops around of which each run is written for itself.
func (e *emitter) span(l *kernel.Loop) (from, to int) {
	if len(l.Only) == 0 || len(e.alone) == 0 || l.Sure() {
		return 0, l.N
	}
	return schedule.Span(l.N, schedule.All(l, e.Exact), func(v *kernel.Value) (least, most int64, ok bool) {
		least, ok = e.alone[v]
		if most = least; e.rows.Vars[v] {
			most += int64(e.lines - 1)
		}
		return least, most, ok
	})
}

// between pushes how many runs of an innermost loop, in all that is done in lock step, are to be done until it is
// asked again whether to end, and one more: its counter is i, and the end is eight times a number.
func (e *emitter) between(l *kernel.Loop, i, end wasm.Local) {
	n := e.f.Local(wasm.I32)
	e.f.On(wasm.I32Sub, end, i)
	e.f.Tee(n)
	e.f.OpI32(wasm.I32LtS, 0)
	e.f.If(func() {
		e.f.SetI32(n, 0)
	})
	if most := e.strip(l); int64(l.N) > most || !l.Sure() {
		most := func() { e.f.I32(int32(8 * min(int64(l.N), most))) }
		e.limit(n, most, most, wasm.I32GtS)
	}
	e.f.OnI32(wasm.I32ShrU, n, 3)
	e.f.OpI32(wasm.I32Mul, int32(e.weight(l)))
	e.f.OpI32(wasm.I32Add, 1)
}

// least pushes eight times the form of a condition, the least that it is at the places here.
func (e *emitter) least(f schedule.Limiting) {
	konst := f.Const
	e.f.I32(0)
	for k, a := range f.Args {
		if a.Kind == kernel.Var {
			e.f.Get(e.counters[a])
		} else {
			e.close(a, f.Coef[k], f.Sure)
			e.f.OpI32(wasm.I32Mul, 8)
		}
		e.f.OpI32(wasm.I32Mul, int32(f.Coef[k]))
		e.f.Op(wasm.I32Add)
		apart := e.ahead[a]
		konst += f.Coef[k] * apart
		if f.Coef[k] < 0 {
			if e.vectors > 0 && e.Vars[a] {
				konst += f.Coef[k] * int64(2*e.vectors-1)
			}
			if e.lines > 1 && e.rows.Vars[a] {
				konst += f.Coef[k] * int64(e.lines-1)
			}
		}
	}
	e.f.OpI32(wasm.I32Add, int32(8*konst))
}

// close pushes an integer as I32, or what all indices of loops are less than if it is large. If
// it is so large that sums with it may overflow, coef times that is the least there is, unless it is sure that
// there are none.
func (e *emitter) close(v *kernel.Value, coef int64, sure bool) {
	e.push(v, place{})
	if !v.Near() {
		x := e.f.Local(wasm.I64)
		e.f.Set(x)
		switch {
		case sure:
		case coef < 0:
			e.limitI64(x, kernel.MaxIndex, math.MinInt64/2, wasm.I64LtS)
		default:
			e.limitI64(x, -kernel.MaxIndex, math.MaxInt64/2, wasm.I64GtS)
		}
		e.limitI64(x, -kernel.MaxIndex, -kernel.MaxIndex, wasm.I64LtS)
		e.limitI64(x, kernel.MaxIndex, kernel.MaxIndex, wasm.I64GtS)
		e.f.Get(x)
	}
	e.f.Op(wasm.I32WrapI64)
}

// limit gives a local what a function pushes, if it compares with an end as an instruction says.
func (e *emitter) limit(x wasm.Local, to, end func(), compares wasm.Op) {
	to()
	e.f.Get(x)
	e.f.Get(x)
	end()
	e.f.Op(compares, wasm.Select)
	e.f.Set(x)
}

// limitI64 is limit of an integer of 64 bits by numbers.
func (e *emitter) limitI64(x wasm.Local, to, end int64, compares wasm.Op) {
	e.limit(x, func() { e.f.I64(to) }, func() { e.f.I64(end) }, compares)
}

// within writes a phase of a loop up to number to, or to the end of what need be done.
func (e *emitter) within(i, end wasm.Local, to int, write func(to func())) {
	last := e.f.Local(wasm.I32)
	e.f.Get(end)
	e.f.I32(int32(8 * to))
	e.f.OnI32(wasm.I32LtU, end, int32(8*to))
	e.f.Op(wasm.Select)
	e.f.Set(last)
	e.f.On(wasm.I32LtU, i, last)
	e.f.If(func() { write(func() { e.f.Get(last) }) })
}

// full writes a phase of so many runs at once of a loop, as often as that many are left before the end.
func (e *emitter) full(i, end wasm.Local, more int, write func(to func())) {
	last := e.f.Local(wasm.I32)
	e.f.OnI32(wasm.I32Sub, end, int32(8*more))
	e.f.Set(last)
	e.f.On(wasm.I32LtS, i, last)
	e.f.If(func() { write(func() { e.f.Get(last) }) })
}
