package kernel

import (
	"math"
	"slices"

	"egad/kernel/wasm"
)

// limiting is a condition on runs of a loop that indices of loops around it tell: sign * the
// index + konst + the sum of coef[i] * args[i] is less than 0.
type limiting struct {
	form
	sign int64 // 0: all runs are done, or none
}

// limiting are the conditions of a loop, if around are indices that are known.
func (l *Loop) limiting(exact bool, around func(v *Value) bool) []limiting {
	var out []limiting
	for _, o := range l.Only {
		rest := limiting{form: form{konst: o.Less.Const.Int}}
		known := !exact || !o.Finite
		for i, x := range o.Less.Args {
			if x == l.Var {
				rest.sign = o.Less.Coef[i]
				continue
			}
			rest.coef, rest.args = append(rest.coef, o.Less.Coef[i]), append(rest.args, x)
			known = known && around(x)
		}
		if known {
			out = append(out, rest)
		}
	}
	return out
}

// bounds sets the counter of a loop to the first run that need be done, or one before it, and
// gives a local with eight times the number after the last one, if not all need be.
func (e *emitter) bounds(l *Loop, i wasm.Local) (end *wasm.Local) {
	phases := e.phases(l)
	if l == e.part || len(phases) == 0 {
		return nil
	}
	step := phases[0].step()
	clamp := func(x wasm.Local, to func(), than wasm.Op) { // to, if x compares so with it
		to()
		e.f.Get(x)
		e.f.Get(x)
		to()
		e.f.Op(than, wasm.Select)
		e.f.Set(x)
	}
	all := l.limiting(e.exact, func(v *Value) bool {
		if v.Kind != Var {
			return e.regs[v] != nil && !e.varies(v) && !e.rows.varies(v)
		}
		_, ok := e.counters[v]
		return ok && v != l.Var
	})
	for _, rest := range all {
		x := e.f.Local(wasm.I32)
		switch rest.sign {
		case 0: // rest < 0
			e.f.I32(int32(8 * l.N))
			e.f.I32(0)
			e.least(rest.form)
			e.f.I32(0)
			e.f.Op(wasm.I32LtS, wasm.Select)
		case 1: // index < -rest
			e.f.I32(0)
			e.least(rest.form)
			e.f.Op(wasm.I32Sub)
		default: // rest + 1 <= index
			e.least(rest.form)
			e.f.OpI32(wasm.I32Add, 8)
		}
		e.f.Set(x)
		if rest.sign < 0 {
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
			continue
		}
		clamp(x, func() { e.f.I32(0) }, wasm.I32LtS)
		if end != nil {
			clamp(x, func() { e.f.Get(*end) }, wasm.I32GtS)
		}
		end = &x
	}
	if end == nil && len(all) > 0 {
		x := e.f.Local(wasm.I32)
		e.f.I32(int32(8 * l.N))
		e.f.Set(x)
		end = &x
	}
	return end
}

// least pushes eight times a form, the least that it is at the places here.
func (e *emitter) least(f form) {
	konst := f.konst
	e.f.I32(0)
	for k, a := range f.args {
		if a.Kind == Var {
			e.f.Get(e.counters[a])
		} else {
			e.f.I32(8)
			e.close(a, f.coef[k])
			e.f.Op(wasm.I32Mul)
		}
		e.f.I32(int32(f.coef[k]))
		e.f.Op(wasm.I32Mul, wasm.I32Add)
		apart := e.ahead[a]
		konst += f.coef[k] * apart
		if f.coef[k] < 0 {
			if e.vectors > 0 && e.vars[a] {
				konst += f.coef[k] * int64(2*e.vectors-1)
			}
			if e.lines > 1 && e.rows.vars[a] {
				konst += f.coef[k] * int64(e.lines-1)
			}
		}
	}
	e.f.OpI32(wasm.I32Add, int32(8*konst))
}

// close pushes an integer as I32, or what all indices of loops are less than if it is large. If
// it is so large that sums with it may overflow, coef times that is the least there is.
func (e *emitter) close(v *Value, coef int64) {
	e.push(v, place{})
	if !near(v) {
		x := e.f.Local(wasm.I64)
		e.f.Set(x)
		clamp := func(to, end int64, than wasm.Op) { // to, if x compares so with the end
			e.f.I64(to)
			e.f.Get(x)
			e.f.Get(x)
			e.f.I64(end)
			e.f.Op(than, wasm.Select)
			e.f.Set(x)
		}
		if coef < 0 {
			clamp(maxIndex, math.MinInt64/2, wasm.I64LtS)
		} else {
			clamp(-maxIndex, math.MaxInt64/2, wasm.I64GtS)
		}
		clamp(-maxIndex, -maxIndex, wasm.I64LtS)
		clamp(maxIndex, maxIndex, wasm.I64GtS)
		e.f.Get(x)
	}
	e.f.Op(wasm.I32WrapI64)
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

// outside are the indices of loops of blocks around the nests of a body by which conditions tell which
// runs of loops need be done, and how many there are.
func outside(body []Stmt) map[*Value]int {
	inside, out := make(map[*Value]bool), make(map[*Value]int)
	walk(body, func(s Stmt) {
		if l, ok := s.(*Loop); ok && !l.Order.whole() {
			inside[l.Var] = true
		}
	})
	walk(body, func(s Stmt) {
		if l, ok := s.(*Loop); ok {
			for _, o := range l.Only {
				for _, x := range o.Less.Args {
					if x.Kind == Var && !inside[x] {
						out[x] = int(x.Range.Hi) + 1
					}
				}
			}
		}
	})
	return out
}

// farthest is which integer of a condition moves it farthest.
func (x limiting) farthest(values func(v *Value) int) *Value {
	most := int64(-1)
	var by *Value
	for i, v := range x.args {
		if n := max(x.coef[i], -x.coef[i]) * int64(values(v)); n > most {
			most, by = n, v
		}
	}
	return by
}

// at is the condition where one integer is this, and others are in the middle of theirs.
func (x limiting) at(by *Value, is int, values func(v *Value) int) float64 {
	t := float64(x.konst)
	for i, v := range x.args {
		if v == by {
			t += float64(x.coef[i]) * float64(is)
		} else {
			t += float64(x.coef[i]) * float64(values(v)-1) / 2
		}
	}
	return t
}

// trips is how many runs of a loop are done on average, for indices around it that are
// equally often any of theirs; at most so many more are done than an index tells, and than all do. Where
// several tell, as those of blocks and of rows in them do, loops around are left out where there is
// nothing to do.
func (l *Loop) trips(exact bool, around func(v *Value) int, more func(by *Value) int, also int) float64 {
	n := float64(l.N)
	all := l.limiting(exact, func(v *Value) bool { return around(v) > 0 || v.Kind != Var && v.Range.Lo >= 0 && near(v) })
	count := func(v *Value) int {
		if v.Kind != Var {
			return int(v.Range.Hi) + 1
		}
		return around(v)
	}
	for i, first := range all {
		by := first.farthest(count)
		if by == nil {
			continue
		}
		same := func(x limiting) bool { return len(x.args) == 1 && x.args[0] == by }
		if one := len(first.args) == 1; one && slices.IndexFunc(all, same) < i {
			continue
		} else if !one {
			same = func(x limiting) bool { return slices.Equal(x.args, first.args) && slices.Equal(x.coef, first.coef) }
		}
		beyond := also
		for _, v := range first.args {
			beyond += more(v)
		}
		values := count(by)
		tries, some, sum := min(values, 16), 0, 0.0
		for k := range tries {
			from, to := 0.0, float64(l.N)
			for _, x := range all {
				if !same(x) {
					continue
				}
				switch at := -x.at(by, (2*k+1)*values/(2*tries), count); {
				case x.sign < 0:
					from = max(from, 1-at)
				case x.sign > 0:
					to = min(to, at)
				case at <= 0:
					to = 0
				}
			}
			if runs := min(float64(l.N), max(0, to-from+float64(beyond)/2)); runs > 0 {
				some, sum = some+1, sum+runs
			}
		}
		if len(first.args) == 1 {
			some = tries
		}
		if some > 0 {
			n = min(n, sum/float64(some))
		}
	}
	return n
}
