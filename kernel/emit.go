package kernel

import (
	"egad/kernel/wasm"
	"egad/term"
)

// emitter writes a kernel as a function of a WebAssembly module. One loop, the lane
// loop, is run for some vectors of two lanes at once: what depends on its variable is
// in vectors there, and the last runs, which fill no vectors, are done one by one.
type emitter struct {
	*module
	f *wasm.Func
	*variance
	vectors int // in lock step, in the lane loop; else 0
	// regs are where values are: one local, or one for each vector.
	regs map[*Value][]wasm.Local
	// wide are copies for both lanes of values that do not vary.
	wide   map[*Value]wasm.Local
	spread map[*Value]bool // the values that need such copies
	// counters hold eight times the index of a loop: the distance in memory.
	counters map[*Value]wasm.Local
	// begun are sums of those terms of addresses that are known around a loop.
	begun   map[string]begun
	flats   map[string]form // positions of accesses
	ids     map[*Value]int
	moving  map[*Array]*Value // where the rows of states are, as if it were the index of a loop
	fuel    wasm.Local
	scratch *wasm.Local // an address
}

// lockstep is how many vectors go in lock step: the time of one instruction is hidden
// behind that of others.
const lockstep = 2

// kernel writes a function that fills arrays with zeros and computes k, and gives its
// number. It results in whether the process is to end.
func (m *module) kernel(k *Kernel, zeroed []*Array) uint32 {
	e := &emitter{module: m, f: m.Func("", nil, wasm.I32), regs: make(map[*Value][]wasm.Local), wide: make(map[*Value]wasm.Local),
		spread: make(map[*Value]bool), counters: make(map[*Value]wasm.Local), begun: make(map[string]begun),
		flats: make(map[string]form), ids: make(map[*Value]int), moving: make(map[*Array]*Value)}
	e.variance = newVariance(k, chooseLane(k, 2*lockstep))
	walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Let:
			e.spreads(s.Value, s.Value.Args)
		case *Store:
			e.spreads(s.Value, []*Value{s.Value})
		case *Loop:
			for _, f := range s.Folds {
				e.spreads(f.Result, []*Value{f.Value})
			}
		}
	})
	e.fuel = e.f.Local(wasm.I32)
	m.clears(e.f, zeroed)
	e.f.I32(fuel)
	e.f.Set(e.fuel)
	for _, a := range append(k.Reads(), k.Writes()...) {
		if cell, ok := e.layout.moving[a]; ok && e.moving[a] == nil {
			e.moving[a] = e.row(cell)
		}
	}
	e.body(k.Body)
	e.f.I32(0)
	return e.f.Index
}

// clears writes zeros to arrays.
func (m *module) clears(f *wasm.Func, arrays []*Array) {
	for _, a := range arrays {
		f.I32(int32(m.at[a]))
		f.I32(0)
		f.I32(int32(8 * a.Len()))
		f.Fill()
	}
}

// row is the distance in a cell, in elements.
func (e *emitter) row(cell uint32) *Value {
	v, l := &Value{Kind: Var, Elem: term.I, Range: term.Range{Hi: term.DefaultMaxElements}}, e.f.Local(wasm.I32)
	e.f.I32(int32(cell))
	e.f.Memory(wasm.I64Load, 0)
	e.f.Op(wasm.I32WrapI64)
	e.f.Set(l)
	e.counters[v] = l
	return v
}

// spreads notes that lanes may need copies of args.
func (e *emitter) spreads(v *Value, args []*Value) {
	for _, a := range args {
		if !e.varies(a) {
			e.spread[a] = true
		}
	}
}

func (e *emitter) body(stmts []Stmt) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *Let:
			e.define(s.Value)
		case *Store:
			e.store(s)
		case *Loop:
			e.loop(s)
		}
	}
}

// localType is the type of a value of one lane: truth values are 0 and 1.
func localType(t term.Elem) wasm.Type {
	switch t {
	case term.R:
		return wasm.F64
	case term.B:
		return wasm.I32
	}
	return wasm.I64
}

// define computes v and keeps it.
func (e *emitter) define(v *Value) {
	if e.vectors == 0 || !e.varies(v) {
		l := e.f.Local(localType(v.Elem))
		e.compute(v)
		e.f.Set(l)
		e.keep(v, l)
		return
	}
	var out []wasm.Local
	for u := range e.vectors {
		l := e.f.Local(wasm.V128)
		e.vector(v, u)
		e.f.Set(l)
		out = append(out, l)
	}
	e.regs[v] = out
}

// keep says that a value that does not vary is in a local, and makes a copy for both
// lanes where one will be needed.
func (e *emitter) keep(v *Value, l wasm.Local) {
	e.regs[v] = []wasm.Local{l}
	if e.spread[v] && e.lane != nil {
		w := e.f.Local(wasm.V128)
		e.splat(v)
		e.f.Set(w)
		e.wide[v] = w
	}
}

// splat pushes a copy for both lanes of a value that does not vary.
func (e *emitter) splat(v *Value) {
	e.push(v)
	switch v.Elem {
	case term.R:
		e.f.Op(wasm.F64x2Splat)
		return
	case term.B: // all bits
		e.f.Op(wasm.I64ExtendI32U)
		e.f.Op(wasm.I64x2Splat)
		e.f.Op(wasm.I64x2Neg)
		return
	}
	e.f.Op(wasm.I64x2Splat)
}

// fuel is how many runs of innermost loops go between two questions to the host
// whether to end.
const fuel = 1 << 22

// poll asks the host whether to end, before the n runs of an innermost loop.
func (e *emitter) poll(n int) {
	e.f.Get(e.fuel)
	e.f.I32(int32(n))
	e.f.Op(wasm.I32Sub)
	e.f.Tee(e.fuel)
	e.f.I32(0)
	e.f.Op(wasm.I32LtS)
	e.f.If(func() {
		e.f.I32(fuel)
		e.f.Set(e.fuel)
		e.f.Call(e.host[hostAsks])
		e.f.If(func() {
			e.f.I32(1)
			e.f.Op(wasm.Return)
		})
	})
}

func (e *emitter) loop(l *Loop) {
	innermost := true
	walk(l.Body, func(s Stmt) {
		if _, ok := s.(*Loop); ok {
			innermost = false
		}
	})
	if innermost {
		e.poll(l.N)
	}
	restore := e.begin(l)
	defer restore()
	i := e.f.Local(wasm.I32)
	e.counters[l.Var] = i
	folds := make([]*accumulator, len(l.Folds))
	for k, f := range l.Folds {
		folds[k] = e.accumulate(f, l)
	}
	e.f.I32(0)
	e.f.Set(i)
	rest := l.N
	if vectors := min(lockstep, l.N/2); l == e.lane && vectors > 0 {
		e.vectors = vectors
		for _, f := range folds {
			f.start()
		}
		rest = e.run(l, folds, 2*vectors)
		for _, f := range folds {
			f.join()
		}
		e.vectors = 0
	}
	if rest > 0 { // as if there were no lanes
		lanes := e.variance
		if l == e.lane {
			e.variance = &variance{vary: make(map[*Value]bool)}
		}
		e.run(l, folds, 1)
		e.variance = lanes
	}
	for _, f := range folds {
		if e.vectors > 0 {
			e.regs[f.Result] = e.regs[f.acc]
		} else {
			e.keep(f.Result, e.regs[f.acc][0])
		}
	}
}

// run writes a loop of steps of so many runs each, as long as whole steps are left,
// and gives how many runs are left then.
func (e *emitter) run(l *Loop, folds []*accumulator, step int) (rest int) {
	i := e.counters[l.Var]
	whole := l.N - l.N%step
	if whole == 0 {
		return l.N
	}
	e.f.Loop(func() {
		e.body(l.Body)
		for _, f := range folds {
			f.fold()
		}
		e.f.Get(i)
		e.f.I32(int32(8 * step))
		e.f.Op(wasm.I32Add)
		e.f.Tee(i)
		e.f.I32(int32(8 * whole))
		e.f.Op(wasm.I32LtU)
		e.f.BreakIf(0)
	})
	e.forget(l.Body)
	return l.N - whole
}

// forget forgets what is known inside a loop only.
func (e *emitter) forget(body []Stmt) {
	walk(body, func(s Stmt) {
		switch s := s.(type) {
		case *Let:
			delete(e.regs, s.Value)
			delete(e.wide, s.Value)
		case *Loop:
			delete(e.counters, s.Var)
			for _, f := range s.Folds {
				delete(e.regs, f.Result)
				delete(e.wide, f.Result)
			}
		}
	})
}
