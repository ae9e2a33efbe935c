package native

import (
	"maps"
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/schedule"
	"egad/kernel/vecmath"
	"egad/kernel/wasm"
	"egad/term/ops"
	"egad/term/types"
)

// emitter writes a kernel as a function of a WebAssembly module. A lane loop is run for
// some vectors of two lanes at once: what depends on its variable is in vectors there, and
// the last runs, which fill no vectors, are done one by one. A loop around it, or in it,
// may be jammed: some rows, which are runs of it, go in lock step.
type emitter struct {
	*module
	f *wasm.Func
	*kernel.Variance
	vectors int              // in lock step, in the lane loop; else 0
	rows    *kernel.Variance // tells what differs from row to row
	lines   int              // rows in lock step, in the jammed loop; else 1
	rest    bool             // in what the most vectors or rows have left
	*schedule.Schedule
	// regs are where values are: one local, or one for each row and vector.
	regs map[*kernel.Value][]wasm.Local
	// scalars are where the integers of vectors are one by one, as indices are needed. Of these
	// and of the vectors the compiler of the module computes what is used.
	scalars map[*kernel.Value][]wasm.Local
	// wide are copies for both lanes of values that do not vary, one for each row.
	wide   map[*kernel.Value][]wasm.Local
	spread map[*kernel.Value]bool // the values that need such copies
	// counters hold eight times the index of a loop: the distance in memory. Where some
	// runs are written one after the other, ahead is how far this one is.
	counters map[*kernel.Value]wasm.Local
	ahead    map[*kernel.Value]int64
	alone    map[*kernel.Value]int64 // the indices of loops of which each run is written for itself
	// begun are sums of those terms of addresses that are known around a loop.
	begun  map[string]begun
	flats  map[string]kernel.Form // positions of accesses
	ids    map[*kernel.Value]int
	moving map[*kernel.Array]*kernel.Value // where the rows of states are, as if it were the index of a loop
	// pointers are where in panels the values of a run of a fold are.
	pointers map[*kernel.Panel]wasm.Local
	room     wasm.Local // where panels are
	filling  *kernel.Panel
	part     *kernel.Loop // of which the function does a part, or nil
	// indices are what accesses need of indices, reaches how far they reach from there, and
	// indexLocals where it is.
	indices     map[*kernel.Value][]indexUse
	reaches     map[*kernel.Value]map[indexUse]reach
	indexLocals map[*kernel.Value]map[indexLocal]wasm.Local
	// fixed is what is known before all loops, and rests what is known then of positions, by [indexUse.rest].
	fixed    map[*kernel.Value]bool
	rests    map[string]kernel.Form
	merged   map[*kernel.Value]bool          // computed where they are used
	last     map[*kernel.Value]*kernel.Value // what uses last what a run of the loop makes
	shared   map[*kernel.Value]*schedule.Twins
	checking *schedule.CheckedFirst // whose indices are being loaded
	outside  *wasm.Local            // how often more an index may be out of range: see [mostOutside]
	left     *kernel.Value          // which of the runs in lock step are to be done, or nil
	packs    map[*kernel.Value]*schedule.Pack
	made     map[*kernel.Loop]wasm.Local // where it is whether runs of a loop are to be done: see [schedule.Rare]
	fuel     wasm.Local
	scratch  *wasm.Local // an address
}

// place is a row of the jammed loop, a vector of the lane loop, and a lane of it.
type place struct {
	row, u int
	lane   byte
}

// in is a lane of a place.
func (p place) in(lane byte) place {
	p.lane = lane
	return p
}

// places are those where v has values of its own.
func (e *emitter) places(v *kernel.Value) []place {
	rows, vectors := 1, 1
	if e.jammed(v) {
		rows = e.lines
	}
	if e.varying(v) {
		vectors = e.vectors
	}
	return grid(rows, vectors)
}

// all are the places here.
func (e *emitter) all() []place { return grid(e.lines, max(1, e.vectors)) }

// grid are places in rows, one after the other.
func grid(rows, vectors int) []place {
	out := make([]place, 0, rows*vectors)
	for row := range rows {
		for u := range vectors {
			out = append(out, place{row: row, u: u})
		}
	}
	return out
}

// reg is the local of v for a place.
func (e *emitter) reg(v *kernel.Value, p place) wasm.Local { return e.regs[v][e.number(v, p)] }

// number is the number of a place among those where v has values of its own.
func (e *emitter) number(v *kernel.Value, p place) int {
	i := 0
	if e.jammed(v) {
		i = p.row
	}
	if e.varying(v) {
		i = i*e.vectors + p.u
	}
	return i
}

// kernel writes a function that fills arrays with zeros and computes k, and gives its
// number. It results in whether the process is to end.
func (m *module) kernel(k *kernel.Kernel, by *schedule.Scheduler, zeroed []*kernel.Array) uint32 {
	f := m.Func("", nil, wasm.I32)
	f.I32(0)
	f.I64(int64(len(m.named)))
	f.Memory(wasm.I64Store, NameCell)
	m.named = append(m.named, k)
	m.clears(f, zeroed)
	parts := by.Pieces(k)
	if len(parts) > 1 && m.changed(k.Body) {
		parts = []*kernel.Kernel{by.Whole(k)}
	}
	for _, part := range parts {
		m.own[part] = m.own[k]
	}
	for _, part := range parts[:len(parts)-1] {
		g := m.Func("", nil, wasm.I32)
		m.piece(part, by, g)
		f.Call(g.Index)
		ends(f)
	}
	m.piece(parts[len(parts)-1], by, f)
	return f.Index
}

// piece writes to a function what a kernel does, or an end of it: a call that shares it
// between goroutines, where that pays.
func (m *module) piece(k *kernel.Kernel, by *schedule.Scheduler, f *wasm.Func) {
	s := by.Schedule(k)
	if l := by.Shared(s); l != nil && m.Threads > 1 && !m.changed(s.Body) {
		name := m.fork(f, s, l)
		m.emit(k, s, m.Func(name, []wasm.Type{wasm.I32, wasm.I32, wasm.I32}, wasm.I32), l)
	} else {
		m.emit(k, s, f, nil)
	}
}

// emit writes all of a kernel to a function, or a part of its outermost loop, which the
// parameters of the function tell.
func (m *module) emit(k *kernel.Kernel, s *schedule.Schedule, f *wasm.Func, part *kernel.Loop) {
	e := &emitter{module: m, f: f, regs: make(map[*kernel.Value][]wasm.Local), scalars: make(map[*kernel.Value][]wasm.Local), wide: make(map[*kernel.Value][]wasm.Local),
		spread: make(map[*kernel.Value]bool), counters: make(map[*kernel.Value]wasm.Local), ahead: make(map[*kernel.Value]int64), alone: make(map[*kernel.Value]int64), begun: make(map[string]begun),
		flats: make(map[string]kernel.Form), ids: make(map[*kernel.Value]int), moving: make(map[*kernel.Array]*kernel.Value), Schedule: s, lines: 1,
		pointers: make(map[*kernel.Panel]wasm.Local), merged: make(map[*kernel.Value]bool), part: part,
		indexLocals: make(map[*kernel.Value]map[indexLocal]wasm.Local), made: make(map[*kernel.Loop]wasm.Local)}
	e.Variance, e.rows = kernel.NewVariance(s.Body, slices.Collect(maps.Keys(s.Lanes))...), kernel.NewVariance(s.Body, slices.Collect(maps.Keys(s.Rows))...)
	e.spreads(s.Body, false)
	for _, r := range s.Rare {
		e.spreads(r.Never, true)
	}
	for _, in := range s.First {
		e.spreads(in.All.Body, true)
	}
	for _, p := range s.Panels {
		e.spreads([]kernel.Stmt{p.Filled}, false)
	}
	if s.Room > 0 {
		e.room = f.Local(wasm.I32)
		distance(f, roomCell)
		if part != nil {
			f.OnI32(wasm.I32Mul, partThread, int32(s.Room))
			f.Op(wasm.I32Add)
			m.room = max(m.room, int64(s.Room)*int64(m.Threads))
		}
		f.Set(e.room)
		m.room = max(m.room, int64(s.Room))
	}
	e.fuel = f.Local(wasm.I32)
	f.SetI32(e.fuel, fuel)
	for l := range s.First {
		if len(l.Folds) > 0 && e.outside == nil {
			x := f.Local(wasm.I32)
			f.SetI32(x, mostOutside)
			e.outside = &x
		}
	}
	for _, a := range append(k.Reads(), k.Writes()...) {
		if cell, ok := e.layout.moving[a]; ok && e.moving[a] == nil {
			e.moving[a] = e.row(cell)
		}
	}
	if private := k.Private(); len(private) > 0 && part != nil {
		v, at := e.index(int64(m.Threads) * e.own[k] / 8)
		f.OnI32(wasm.I32Mul, partThread, int32(e.own[k]))
		f.Set(at)
		for _, a := range private {
			e.moving[a] = v
		}
	}
	e.indexings(s.All())
	e.body(s.Body, nil)
	f.I32(0)
}

// The parameters of a function that does a part of a loop.
const (
	partFrom wasm.Local = iota
	partTo
	partThread
)

// clears writes zeros to arrays.
func (m *module) clears(f *wasm.Func, arrays []*kernel.Array) {
	for _, a := range arrays {
		f.I32(int32(m.at[a]))
		if cell, ok := m.moving[a]; ok {
			distance(f, cell)
			f.Op(wasm.I32Add)
		}
		f.I32(0)
		f.I32(int32(8 * m.Size(a)))
		f.Fill()
	}
}

// distance pushes what is in a cell.
func distance(f *wasm.Func, cell uint32) {
	f.I32(int32(cell))
	f.Memory(wasm.I64Load, 0)
	f.Op(wasm.I32WrapI64)
}

// row is the distance in a cell, in elements.
func (e *emitter) row(cell uint32) *kernel.Value {
	v, at := e.index(e.far[cell])
	distance(e.f, cell)
	e.f.Set(at)
	return v
}

// index makes an index that is in a local, in bytes.
func (e *emitter) index(most int64) (*kernel.Value, wasm.Local) {
	v, l := &kernel.Value{Kind: kernel.Var, Elem: types.I, Range: ops.Range{Hi: most}}, e.f.Local(wasm.I32)
	e.counters[v] = l
	return v, l
}

// merge notes which values in a loop are computed where they are used: once, in the same
// loop, by an instruction or a fold that has as many of them. Sums are added to at once
// then, and fewer registers are needed.
func (e *emitter) merge(body []kernel.Stmt, folds []kernel.Fold, carries []kernel.Carry, l *kernel.Loop) {
	uses := make(map[*kernel.Value]int)
	at := make(map[*kernel.Value]bool)            // used by what computes it as often as it is
	last := make(map[*kernel.Value]*kernel.Value) // what uses a value last
	use := func(by *kernel.Value, args []*kernel.Value, once bool) {
		for _, a := range args {
			uses[a]++
			last[a] = by
			at[a] = once && e.Varies(a) == e.Varies(by) && e.rows.Varies(a) == e.rows.Varies(by)
		}
	}
	var walkAll func(body []kernel.Stmt, here bool)
	walkAll = func(body []kernel.Stmt, here bool) {
		for _, s := range body {
			switch s := s.(type) {
			case *kernel.Let:
				use(s.Value, s.Value.Args, here && s.Value.Merges())
				use(s.Value, s.Value.At, false)
			case *kernel.Store:
				use(s.Value, append(s.At[:len(s.At):len(s.At)], s.Value), false)
			case *kernel.Loop:
				walkAll(s.Body, false)
				for _, f := range s.Folds {
					use(f.Result, []*kernel.Value{f.Value}, false)
					if f.From != nil {
						use(f.Result, []*kernel.Value{f.From}, false)
					}
				}
				for _, c := range s.Carries {
					use(c.Value, []*kernel.Value{c.From, c.Next}, false)
				}
			case kernel.Packing:
				use(s.Values[0], s.Values, false)
			}
		}
	}
	walkAll(body, true)
	for _, f := range folds {
		v := f.Value
		uses[v]++
		last[v] = f.Result
		at[v] = !f.Positional() && e.Varies(v) == (e.Varies(f.Result) || e.Schedule.Lanes[l] > 0) && e.rows.Varies(v) == e.rows.Varies(f.Result)
	}
	for _, c := range carries {
		use(c.Value, []*kernel.Value{c.Next}, false)
	}
	written := kernel.Stores(body)
	stored := func(a *kernel.Array) bool {
		for b := range written {
			if e.overlap(a, b) {
				return true
			}
		}
		return false
	}
	e.last = make(map[*kernel.Value]*kernel.Value)
	for _, s := range kernel.Among[*kernel.Let](body) {
		if e.last[s.Value] = last[s.Value]; s.Value.Mergeable(stored) {
			e.merged[s.Value] = uses[s.Value] == 1 && at[s.Value]
		}
	}
}

// spreads notes of which values lanes need copies.
func (e *emitter) spreads(body []kernel.Stmt, inside bool) {
	need := func(vs ...*kernel.Value) {
		for _, v := range vs {
			if !e.Varies(v) {
				e.spread[v] = true
			}
		}
	}
	for _, s := range body {
		switch s := s.(type) {
		case *kernel.Let:
			if e.Varies(s.Value) {
				need(s.Value.Args...)
			}
		case *kernel.Store:
			if inside {
				need(s.Value)
			}
		case *kernel.Loop:
			lanes := inside || e.Schedule.Lanes[s] > 0
			e.spreads(s.Body, lanes)
			if m := e.Masked[s.Var]; m != nil && m != s {
				e.spreads([]kernel.Stmt{m}, lanes)
			}
			for _, f := range s.Folds {
				if lanes {
					need(f.Value)
				}
				if inside && f.From != nil {
					need(f.From)
				}
			}
			for _, c := range s.Carries {
				if inside {
					need(c.From, c.Next)
				}
			}
		}
	}
}

// body writes the statements of a kernel, or of a loop.
func (e *emitter) body(stmts []kernel.Stmt, of *kernel.Loop) {
	around, packs := e.shared, e.packs
	if e.shared = nil; !e.Exact {
		e.shared = schedule.TwinsOf(stmts, func(v *kernel.Value) bool { return e.varying(v) && e.defined(v) })
	}
	stmts, e.packs = e.packed(stmts)
	defer func() { e.shared, e.packs = around, packs }()
	for i, s := range stmts {
		switch s := s.(type) {
		case *kernel.Let:
			e.let(s.Value)
		case *kernel.Store:
			e.store(s)
		case kernel.Packing:
			e.pack(s.Panel)
		case *kernel.Loop:
			e.loop(s)
			if of != nil {
				e.touch(of, stmts[i+1:], 1, 1)
			}
		}
	}
}

// localType is the type of a value of one lane: truth values are 0 and 1.
func localType(t types.Elem) wasm.Type {
	switch t {
	case types.R:
		return wasm.F64
	case types.B:
		return wasm.I32
	}
	return wasm.I64
}

// local makes a local for v at one place.
func (e *emitter) local(v *kernel.Value) wasm.Local {
	if e.varying(v) {
		return e.f.Local(wasm.V128)
	}
	return e.f.Local(localType(v.Elem))
}

// define computes v and keeps it.
func (e *emitter) define(v *kernel.Value) {
	var out []wasm.Local
	if e.varying(v) && v.IsFunction() {
		e.functions(v)
		return
	}
	if p := e.packs[v]; p != nil {
		if v == p.Members[0] {
			e.functionsOf(p)
		}
		return
	}
	delete(e.scalars, v)
	single := e.single(v)
	for _, p := range e.places(v) {
		l := e.local(v)
		switch {
		case single:
			e.oneByOne(v, p)
		case e.varying(v):
			e.vector(v, p)
		default:
			e.compute(v, p)
		}
		e.f.Set(l)
		out = append(out, l)
	}
	e.keep(v, out)
}

// functions computes v, which is what a function makes of reals, for several vectors at
// once, and its twins: they are computed where the first of them is.
func (e *emitter) functions(v *kernel.Value) {
	members, args := []*kernel.Value{v}, v.Args
	number := func(wide int) uint32 { return e.library.Function(v.Op, v.N, len(args), wide) }
	if t := e.shared[v]; t != nil {
		if v != t.Members[0] {
			return
		}
		members, args = t.Members, []*kernel.Value{t.Of}
		number = func(wide int) uint32 { return e.module.twins(t, wide) }
	}
	outs := make([][]wasm.Local, len(members))
	for at := range slices.Chunk(e.places(v), schedule.VectorsAtOnce) {
		for _, a := range args {
			for _, p := range at {
				e.pushVector(a, p)
			}
		}
		m := vecmath.Vectors{Library: e.library, Func: e.f, Wide: len(at)}
		if len(members) == 1 && inlined[v.Op] && !e.Exact {
			outs[0] = append(outs[0], m.Set(vecmath.Functions[v.Op](m, m.Of(m.Pop())))...)
			continue
		}
		e.f.Call(number(m.Wide))
		for i := range slices.Backward(members) {
			outs[i] = append(outs[i], m.Pop()...)
		}
	}
	for i, v := range members {
		e.keep(v, outs[i])
	}
}

// keep says that a value is in locals, and makes copies for both lanes where they will
// be needed.
func (e *emitter) keep(v *kernel.Value, ls []wasm.Local) {
	e.regs[v] = ls
	e.indexed(v)
	delete(e.wide, v)
	if !e.spread[v] || len(e.Variance.Lanes) == 0 || e.varying(v) {
		return
	}
	e.widen(v)
}

// widen makes the copies of a value for both lanes.
func (e *emitter) widen(v *kernel.Value) {
	var wide []wasm.Local
	for _, p := range e.places(v) {
		w := e.f.Local(wasm.V128)
		if e.filling == nil && e.known(v) {
			e.f.Memory(wasm.V128Load64Zero, e.scaled(e.flat(v.Access), int64(e.at[v.Array]), p, true))
			e.push(v, p)
			e.f.Lane(wasm.F64x2ReplaceLane, 1)
		} else {
			e.splat(v, p)
		}
		e.f.Set(w)
		wide = append(wide, w)
	}
	e.wide[v] = wide
}

// known reports whether v is a real of which the address is known but for a constant: to load it
// once more is cheaper than to copy it within a register.
func (e *emitter) known(v *kernel.Value) bool {
	if v.Kind != kernel.Load || v.Elem != types.R || v.Checked {
		return false
	}
	f := e.flat(v.Access)
	return len(e.begun[e.key(f)].terms) == len(f.Args)
}

// splat pushes a copy for both lanes of a value that does not vary.
func (e *emitter) splat(v *kernel.Value, p place) {
	e.push(v, p)
	switch v.Elem {
	case types.R:
		e.f.Op(wasm.F64x2Splat)
		return
	case types.B: // all bits
		e.f.Op(wasm.I64ExtendI32U, wasm.I64x2Splat, wasm.I64x2Neg)
		return
	}
	e.f.Op(wasm.I64x2Splat)
}

// fuel is how many runs of innermost loops go between two questions to the host
// whether to end.
const fuel = 1 << 20

// calling is for how many runs one counts that calls a function, which may be the host's.
const calling = 64

// weight is for how many runs one counts of an innermost loop, with all that are done in
// lock step.
func (e *emitter) weight(l *kernel.Loop) int64 {
	each := int64(1)
	for let := range kernel.All[*kernel.Let](l.Body) {
		if let.Value.IsFunction() {
			each += calling
		}
	}
	return each * int64(max(1, 2*e.vectors)*max(1, e.lines))
}

// spend writes what takes so many runs off the fuel in a local, and asks the host whether to
// end when none is left.
func (m *module) spend(f *wasm.Func, left wasm.Local, runs int64) {
	m.spending(f, left, func() { f.I32(int32(min(fuel, runs))) })
}

// spending is spend of as many runs as a function pushes.
func (m *module) spending(f *wasm.Func, left wasm.Local, runs func()) {
	f.Get(left)
	runs()
	f.Op(wasm.I32Sub)
	f.Tee(left)
	f.OpI32(wasm.I32LtS, 0)
	f.If(func() {
		f.SetI32(left, fuel)
		f.Call(m.host[HostAsks])
		ends(f)
	})
}

// ends writes a return that says that the process is to end, if the number on the stack is
// not 0.
func ends(f *wasm.Func) {
	f.If(func() {
		f.I32(1)
		f.Op(wasm.Return)
	})
}

// phase is a way to run a loop, up to a number of runs: so many vectors and rows in lock step,
// or so many runs one after the other. If alone is set, it is one run of the loop that is written.
type phase struct {
	schedule.Together
	unroll, to int
	alone      bool
}

// phases are the ways to run a loop, each for what those before have left.
func (e *emitter) phases(l *kernel.Loop) []phase {
	var ways []phase
	one := schedule.Together{Lines: 1}
	switch lanes, rows := e.Schedule.Lanes[l], e.Schedule.Rows[l]; {
	case lanes > 0 || rows > 0:
		if n := e.Schedule.Often[l]; n > 1 && e.filling == nil {
			ways = append(ways, phase{Together: schedule.Together{Vectors: lanes, Lines: 1}, unroll: n})
		}
		for w := range schedule.Ways(l, lanes, rows) {
			ways = append(ways, phase{Together: w, unroll: 1})
		}
	case e.filling != nil && e.filling.Narrow && e.filling.Filled == l: // no less than its fold reads
		if lane := e.phases(e.filling.Before); len(lane) > 0 {
			ways = append(ways, phase{Together: one, unroll: schedule.Repeated(e.filling.Fold, lane[0].Vectors, e.lines)})
		}
	case !e.rest:
		ways = append(ways, phase{Together: one, unroll: schedule.Repeated(l, e.vectors, e.lines)})
	}
	done, all := e.span(l)
	if n := all - done; n > 0 && n < l.N && l.Innermost() && e.Schedule.Lanes[l] == 0 {
		ways = []phase{{Together: one, unroll: n}}
	}
	var out []phase
	for _, p := range append(ways, phase{Together: one, unroll: 1}) {
		p.to = all - (all-done)%p.step()
		switch {
		case e.Schedule.Written[l] && l != e.part:
			p.alone = true
			for to := p.to; done < to; out = append(out, p) {
				done += p.step()
				p.to = done
			}
		case p.to > done || l.Sure() && done > 0 && p.step() < out[len(out)-1].step(): // of fewer runs some may be left
			out, done = append(out, p), p.to
		}
	}
	return out
}

// step is how many runs are done before it is asked whether there are more.
func (p phase) step() int { return p.Step() * p.unroll }

func (e *emitter) loop(l *kernel.Loop) {
	if c := e.Contracted[l]; c != nil {
		e.contract(c, l)
		return
	}
	limited := len(e.limiting(l)) > 0
	if l.Innermost() && !limited {
		from, to := e.span(l)
		e.spend(e.f, e.fuel, min(int64(to-from), e.strip(l))*e.weight(l))
	}
	if l.If == nil {
		e.every(l, limited)
		return
	}
	if limited {
		e.spend(e.f, e.fuel, 1) // where nothing else is done
	}
	e.push(l.If, place{})
	e.f.If(func() { e.every(l, limited) })
}

// every writes a loop of which all runs are done that need be; bounded says that its bounds tell which.
func (e *emitter) every(l *kernel.Loop, bounded bool) {
	e.fill(l)
	restore, _ := e.begin(l)
	defer restore()
	defer func(last map[*kernel.Value]*kernel.Value) { e.last = last }(e.last)
	e.merge(l.Body, l.Folds, l.Carries, l)
	i := e.f.Local(wasm.I32)
	e.counters[l.Var] = i
	folds := slice.Map(l.Folds, func(f kernel.Fold) *accumulator { return e.accumulate(f, l) })
	for _, c := range l.Carries {
		e.initial(c.Value, c.From)
	}
	defer e.widened(l)()
	e.start(l, i)
	end := e.bounds(l, i)
	if l.Innermost() && bounded {
		e.spending(e.f, e.fuel, func() { e.between(l, i, *end) })
	}
	if made, ok := e.made[l]; ok { // else no run is done
		x := e.f.Local(wasm.I32)
		if end != nil {
			e.f.Get(*end)
		} else {
			e.f.I32(int32(8 * l.N))
		}
		e.f.I32(0)
		e.f.Get(made)
		e.f.Op(wasm.Select)
		e.f.Set(x)
		end = &x
	}
	phases := e.phases(l)
	for n, ph := range phases {
		step, to := ph.step(), ph.to
		if ph.alone {
			e.alone[l.Var] = int64(to - step)
		}
		limited := func(write func(to func())) { write(func() { e.f.I32(int32(8 * to)) }) }
		switch {
		case l == e.part:
			limited = func(write func(to func())) { e.limited(l, n, to, write) }
		case end != nil && l.Sure():
			more := step - 1 // of which there are others after a step
			if e.tailed(l, ph) {
				more = step // so that there is a tail
			}
			limited = func(write func(to func())) { e.full(i, *end, more, write) }
		case end != nil:
			limited = func(write func(to func())) { e.within(i, *end, to, write) }
		}
		rest := e.rest
		e.rest = rest || n > 0
		switch lanes := e.Variance; {
		case e.Schedule.Lanes[l] > 0:
			e.vectors = ph.Vectors
			if e.vectors == 0 { // as if there were no lanes
				e.Variance = kernel.NewVariance(nil)
			}
			for _, f := range folds {
				if e.vectors > 0 && (n == 0 || phases[n-1].Vectors != ph.Vectors) {
					f.start()
				}
			}
			limited(func(to func()) { e.run(l, folds, to, step, ph.unroll) })
			if end != nil && e.tailed(l, ph) {
				e.tail(l, folds, i, *end, step)
			}
			for _, f := range folds {
				if n+1 == len(phases) || phases[n+1].Vectors != ph.Vectors {
					f.join()
				}
			}
			e.Variance, e.vectors = lanes, 0
		case e.Schedule.Rows[l] > 0:
			e.lines = ph.Lines
			limited(func(to func()) { e.run(l, folds, to, step, 1) })
			e.lines = 1
		default:
			limited(func(to func()) { e.run(l, folds, to, step, ph.unroll) })
		}
		e.rest = rest
	}
	delete(e.counters, l.Var)
	delete(e.alone, l.Var)
	if m := e.Masked[l.Var]; m != nil && m != l && e.filling == nil {
		e.again(l, m, folds)
	}
	for _, f := range folds {
		e.keep(f.Result, e.regs[f.acc])
	}
	for _, c := range l.Carries {
		e.keep(c.Result, e.regs[c.Value])
	}
}

// widened spreads to lanes, before an innermost loop, the indices that vectors in it need and
// that are the same in all of its runs: undo forgets them.
func (e *emitter) widened(l *kernel.Loop) (undo func()) {
	var all []*kernel.Value
	if l.Innermost() && (e.vectors > 0 || e.Schedule.Lanes[l] > 0) {
		inside := kernel.NewVariance([]kernel.Stmt{l}, l)
		for _, let := range kernel.Among[*kernel.Let](l.Body) {
			if let.Value.Kind != kernel.Compute || !e.Varies(let.Value) {
				continue
			}
			for _, a := range let.Value.Args {
				if _, done := e.wide[a]; done || a.Elem != types.I || a.Kind != kernel.Linear && a.Kind != kernel.Var || e.Varies(a) || inside.Varies(a) {
					continue
				}
				e.widen(a)
				all = append(all, a)
			}
		}
	}
	return func() {
		for _, a := range all {
			delete(e.wide, a)
		}
	}
}

// again writes what is done where a sum of a loop is NaN: the loop in whose place it is.
func (e *emitter) again(l, masked *kernel.Loop, folds []*accumulator) {
	any := false
	for i, f := range folds {
		if l.Folds[i].Value == masked.Folds[i].Value {
			continue
		}
		vector := e.varying(f.acc)
		for _, p := range e.places(f.acc) {
			e.f.Get(e.reg(f.acc, p))
			e.f.Get(e.reg(f.acc, p))
			if vector {
				e.f.Op(wasm.F64x2Ne)
			} else {
				e.f.Op(wasm.F64Ne)
			}
			if any {
				e.either(vector, wasm.I32Or, wasm.V128Or)
			}
			any = true
		}
	}
	if e.vectors > 0 {
		e.f.Op(wasm.V128AnyTrue)
	}
	lanes := e.Variance
	if e.Schedule.Lanes[l] > 0 { // as if there were no lanes
		e.Variance = kernel.NewVariance(nil)
	}
	e.f.If(func() {
		e.loop(masked)
		for _, f := range folds {
			for i, r := range e.regs[f.Result] {
				e.f.Get(r)
				e.f.Set(e.regs[f.acc][i])
			}
			delete(e.regs, f.Result)
			delete(e.wide, f.Result)
		}
	})
	e.Variance = lanes
}

// start sets the counter of a loop to its begin.
func (e *emitter) start(l *kernel.Loop, i wasm.Local) {
	from, _ := e.span(l)
	e.f.I32(int32(8 * from))
	if l == e.part {
		e.f.OnI32(wasm.I32Shl, partFrom, 3)
		e.f.Op(wasm.I32Add)
	}
	e.f.Set(i)
}

// limited writes phase n of the loop of which a part is done, up to number to, or to the
// end of the part: later phases are done by the part at the end of the loop.
func (e *emitter) limited(l *kernel.Loop, n, to int, write func(to func())) {
	end := e.f.Local(wasm.I32)
	e.f.SetI32(end, int32(8*to))
	if n > 0 {
		e.f.OnI32(wasm.I32Eq, partTo, int32(l.N))
	} else {
		e.f.OnI32(wasm.I32LtU, partTo, int32(to))
		e.f.If(func() {
			e.f.OnI32(wasm.I32Shl, partTo, 3)
			e.f.Set(end)
		})
		e.f.On(wasm.I32LtU, e.counters[l.Var], end)
	}
	e.f.If(func() { write(func() { e.f.Get(end) }) })
}

// strip is how many runs of an innermost loop are done between two questions to the host: a
// multiple of all steps.
func (e *emitter) strip(l *kernel.Loop) int64 {
	return max(1, fuel/e.weight(l)/schedule.MostRuns) * schedule.MostRuns
}

// run writes a loop up to eight times a number that a function pushes, of steps of so many
// runs each, some of them written one after the other. An innermost loop that is long asks
// now and then whether to end.
func (e *emitter) run(l *kernel.Loop, folds []*accumulator, to func(), step, unroll int) {
	strip := e.strip(l)
	if !l.Innermost() || int64(l.N) <= strip {
		e.runs(l, folds, to, step, unroll)
		return
	}
	i, end := e.counters[l.Var], e.f.Local(wasm.I32)
	e.f.Loop(func() {
		to()
		e.f.OnI32(wasm.I32Add, i, int32(8*strip))
		e.f.Tee(end)
		e.f.Op(wasm.I32LtU)
		e.f.If(func() {
			to()
			e.f.Set(end)
		})
		e.runs(l, folds, func() { e.f.Get(end) }, step, unroll)
		e.f.Get(i)
		to()
		e.f.Op(wasm.I32LtU)
		e.f.If(func() { // what has been done was paid before
			e.spend(e.f, e.fuel, strip*e.weight(l))
			e.f.Break(1)
		})
	})
}

// runs writes a loop of which all runs are done without a question. Addresses go on from run
// to run.
func (e *emitter) runs(l *kernel.Loop, folds []*accumulator, to func(), step, unroll int) {
	i := e.counters[l.Var]
	restore, moving := e.begin(l)
	moving = append(moving, e.point(l)...)
	if _, alone := e.alone[l.Var]; alone {
		e.touch(l, l.Body, step, unroll)
		e.once(l, folds)
		e.f.AddI32(i, int32(8*step))
		restore()
		e.forget(l.Body)
		return
	}
	e.f.Loop(func() {
		e.touch(l, l.Body, step, unroll)
		for n := range unroll {
			e.ahead[l.Var] = int64(n * step / unroll)
			e.once(l, folds)
		}
		delete(e.ahead, l.Var)
		if l.N > step {
			for _, m := range moving {
				e.f.AddI32(m.local, int32(8*int64(step)*m.coef))
			}
		}
		e.f.OnI32(wasm.I32Add, i, int32(8*step))
		e.f.Tee(i)
		to()
		e.f.Op(wasm.I32LtU)
		e.f.Again()
	})
	restore()
	e.forget(l.Body)
}

// forget forgets what is known inside a loop only.
func (e *emitter) forget(body []kernel.Stmt) {
	kernel.Walk(body, func(s kernel.Stmt) {
		switch s := s.(type) {
		case *kernel.Let:
			delete(e.regs, s.Value)
			delete(e.scalars, s.Value)
			delete(e.wide, s.Value)
			delete(e.indexLocals, s.Value)
		case *kernel.Loop:
			for _, f := range s.Folds {
				delete(e.regs, f.Result)
				delete(e.wide, f.Result)
			}
			for _, c := range s.Carries {
				for _, v := range []*kernel.Value{c.Value, c.Result} {
					delete(e.regs, v)
					delete(e.wide, v)
					delete(e.indexLocals, v)
				}
			}
		}
	})
}

// inlined are functions that are written where they are needed: they are short, and have
// the registers of the loop around them, which a call would store.
var inlined = map[ops.Sym]bool{ops.SymExp: true, ops.SymLog: true}
