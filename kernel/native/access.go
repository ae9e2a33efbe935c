package native

import (
	"fmt"
	"math"
	"slices"

	"egad/internal/memo"
	"egad/kernel"
	"egad/kernel/wasm"
	"egad/term/ops"
	"egad/term/types"
)

// key tells forms apart, but for what is constant.
func (e *emitter) key(f kernel.Form) string {
	key := ""
	for i, a := range f.Args {
		key += fmt.Sprintf("%d*%d ", f.Coef[i], e.id(a))
	}
	return key
}

// id is a number for a value.
func (e *emitter) id(v *kernel.Value) int {
	return memo.Of(e.ids, v, func() int { return len(e.ids) })
}

// begun is a sum, in bytes, of those terms of a form that are known where a loop
// begins: of an index that may be below 0, of its distance from the least that it may be. There
// is one for each row if a term differs from row to row, and not by an equal distance.
type begun struct {
	rows  []wasm.Local
	terms map[*kernel.Value]bool
	// more is how many elements more the sum is, so that it is not negative where an index is taken away;
	// wraps says that it may be nevertheless.
	more  int64
	wraps bool
}

// at is the sum at a place.
func (b begun) at(p place) wasm.Local { return b.rows[min(p.row, len(b.rows)-1)] }

// flat is the row-major position of an access that is in range, in elements.
func (e *emitter) flat(a kernel.Access) kernel.Form {
	shape := e.Shape(a.Array)
	key := fmt.Sprint(shape)
	for _, x := range a.At {
		key += fmt.Sprint(" ", e.id(x))
	}
	f := memo.Of(e.flats, key, func() kernel.Form { return kernel.FormOf(a.Position(shape)) })
	if row := e.moving[a.Array]; row != nil {
		f = kernel.Form{Const: f.Const, Coef: append(f.Coef[:len(f.Coef):len(f.Coef)], 1), Args: append(f.Args[:len(f.Args):len(f.Args)], row)}
	}
	return f
}

// forms are the sums of which the addresses of an access are made.
func (e *emitter) forms(a kernel.Access) []kernel.Form {
	out := []kernel.Form{e.flat(a)}
	if a.Checked {
		if _, u, _, ok := e.partOf(a); ok && u.rest != "" {
			out = append(out, e.rests[u.rest])
		}
		for i, x := range a.At {
			if !kernel.FitsAxis(x, a.Array.Shape[i]) && x.Near() {
				out = append(out, kernel.FormOf(x))
			}
		}
	}
	return out
}

// moving is an address, or a part of one, that moves by so many elements with the index of a
// loop.
type moving struct {
	local wasm.Local
	coef  int64
}

// begin adds up, before the runs of a loop, what is known of the addresses in them, and gives
// what moves with the index of the loop, if that is known, and what forgets the sums after the
// loop.
func (e *emitter) begin(l *kernel.Loop) (restore func(), all []moving) {
	old := make(map[string]begun, len(e.begun))
	for k, b := range e.begun {
		old[k] = b
	}
	kernel.Accesses(l.Body, func(a kernel.Access) {
		for _, f := range e.forms(a) {
			if b, ok := e.beginForm(f); ok && b.terms[l.Var] {
				coef := f.Coef[slices.Index(f.Args, l.Var)]
				for _, local := range b.rows {
					all = append(all, moving{local, coef})
				}
			}
		}
	})
	return func() { e.begun = old }, all
}

// beginForm adds up what is known of a form, if that is more than before.
func (e *emitter) beginForm(f kernel.Form) (b begun, more bool) {
	key := e.key(f)
	have := e.begun[key]
	rows := max(1, len(have.rows))
	b.terms = make(map[*kernel.Value]bool)
	for _, a := range f.Args {
		_, reg := e.regs[a]
		_, counter := e.counters[a]
		if !reg && !counter || a.Kind == kernel.Carried { // which another run has another of
			continue
		}
		if !e.steady(a) {
			if e.varying(a) {
				continue
			}
			rows = e.lines
		}
		b.terms[a] = true
	}
	if len(b.terms) == len(have.terms) || len(b.terms) == 0 {
		return b, false
	}
	b.more, b.wraps = have.more, have.wraps
	for i, a := range f.Args {
		switch most := -f.Coef[i]; {
		case most <= 0 || !b.terms[a] || have.terms[a]:
		case !a.Near() || most > kernel.MaxIndex || most*(a.Range.Hi+below(a)) > kernel.MaxIndex-b.more:
			b.wraps = true
		default:
			b.more += most * (a.Range.Hi + below(a))
		}
	}
	for row := range rows {
		l := e.f.Local(wasm.I32)
		e.terms(f, have, place{row: row}, func(a *kernel.Value) bool { return b.terms[a] })
		e.addBytes(8 * (b.more - have.more))
		e.f.Set(l)
		b.rows = append(b.rows, l)
	}
	e.begun[key] = b
	return b, true
}

// varying reports whether there is one value of v for each lane here.
func (e *emitter) varying(v *kernel.Value) bool { return e.vectors > 0 && e.Varies(v) }

// jammed reports whether there is one value of v for each row here.
func (e *emitter) jammed(v *kernel.Value) bool { return e.lines > 1 && e.rows.Varies(v) }

// steady reports whether a value is one, or the index of a loop of which the first is
// known and others are at equal distances.
func (e *emitter) steady(v *kernel.Value) bool {
	return (!e.varying(v) || e.Vars[v]) && (!e.jammed(v) || e.rows.Vars[v])
}

// terms pushes the sum, in bytes, of those terms of f that are wanted at a place: of what is
// begun, and the rest. It reports whether there were any.
func (e *emitter) terms(f kernel.Form, have begun, p place, want func(a *kernel.Value) bool) bool {
	first := true
	if have.terms != nil {
		e.f.Get(have.at(p))
		first = false
	}
	for i, a := range f.Args {
		if have.terms[a] || !want(a) {
			continue
		}
		if c, ok := e.counters[a]; ok {
			e.f.Get(c)
			if f.Coef[i] != 1 {
				e.f.OpI32(wasm.I32Mul, int32(f.Coef[i]))
			}
		} else {
			e.pushIndex(a, indexUse{kind: indexMultiple, n: f.Coef[i]}, p)
		}
		if !first {
			e.f.Op(wasm.I32Add)
		}
		first = false
	}
	return !first
}

// scaled pushes eight times f plus a number of bytes, at a place, and gives what is
// still to be added to it as the offset of a load or store: it is added here unless it
// may be.
func (e *emitter) scaled(f kernel.Form, bytes int64, p place, offset bool) uint32 {
	have := e.begun[e.key(f)]
	any := e.terms(f, have, p, e.steady)
	for i, a := range f.Args {
		if e.steady(a) || have.terms[a] {
			continue
		}
		e.pushIndex(a, indexUse{kind: indexMultiple, n: f.Coef[i]}, p)
		if any {
			e.f.Op(wasm.I32Add)
		}
		any = true
	}
	if !any {
		e.f.I32(0)
	}
	if bytes += e.apart(f, p); offset && bytes >= 0 && bytes < 1<<32 && e.natural(f) {
		return uint32(bytes)
	}
	e.addBytes(bytes)
	return 0
}

// apart is how many bytes eight times f is at a place from what is known of it.
func (e *emitter) apart(f kernel.Form, p place) int64 {
	bytes := 8 * (f.Const - e.begun[e.key(f)].more)
	for i, a := range f.Args {
		bytes += 8 * f.Coef[i] * (e.ahead[a] - below(a))
		switch {
		case e.varying(a) && e.Vars[a]:
			bytes += 8 * f.Coef[i] * int64(2*p.u+int(p.lane))
		case e.jammed(a) && e.rows.Vars[a]:
			bytes += 8 * f.Coef[i] * int64(p.row)
		}
	}
	return bytes
}

// natural reports whether what is not constant in f, of distances from the least that indices
// may be, is at least 0: an offset is added without wrapping around.
func (e *emitter) natural(f kernel.Form) bool {
	have := e.begun[e.key(f)]
	least := int64(0)
	for i, a := range f.Args {
		if !a.Near() || f.Coef[i] > 1<<30 || f.Coef[i] < -1<<30 || have.wraps {
			return false
		}
		if have.terms[a] {
			continue
		}
		least += min(f.Coef[i]*(a.Range.Lo+below(a)), f.Coef[i]*(a.Range.Hi+below(a)))
	}
	return least >= 0
}

// touch loads, and drops, what is farthest off among what statements up to the next loop
// access from one address: then it is known that the other accesses are to memory that is
// there. They are those of the next runs of l, of a step, of which so many are written.
func (e *emitter) touch(l *kernel.Loop, body []kernel.Stmt, step, written int) {
	type most struct {
		local wasm.Local
		bytes int64
		n     int
	}
	far := make(map[wasm.Local]*most)
	var order []*most
	add := func(local wasm.Local, bytes int64) {
		m := far[local]
		if m == nil {
			m = &most{local: local}
			far[local] = m
			order = append(order, m)
		}
		m.bytes, m.n = max(m.bytes, bytes), m.n+1
	}
	access := func(a kernel.Access, at []place) {
		f := e.flat(a)
		b := e.begun[e.key(f)]
		if a.Checked || b.terms == nil || len(b.terms) != len(f.Args) || !e.natural(f) {
			return
		}
		for n := range written {
			e.ahead[l.Var] = int64(n * step / written)
			for _, p := range at {
				bytes := int64(e.at[a.Array]) + e.apart(f, p)
				if bytes < 0 {
					continue
				}
				if e.vectors > 0 && e.neighbours(a) {
					bytes += 8
				}
				add(b.at(p), bytes)
			}
		}
		delete(e.ahead, l.Var)
	}
	if i := kernel.FirstLoop(body); i >= 0 {
		body = body[:i]
	}
	for _, s := range body {
		switch s := s.(type) {
		case *kernel.Let:
			if v := s.Value; v.Kind == kernel.Load && (e.filling != nil || !e.Dead[v] && e.panelOf(v) == nil) {
				access(v.Access, e.places(v))
			}
		case *kernel.Store:
			access(s.Access, e.all())
		}
	}
	for _, p := range e.Panels {
		if ptr, ok := e.pointers[p]; ok && p.Fold.Var == l.Var && (e.filling == nil || e.filling == p) {
			for n := range written {
				e.ahead[l.Var] = int64(n * step / written)
				for i, v := range p.Values {
					for _, at := range e.places(v) {
						add(ptr, int64(e.offset(p, i, at))+8)
					}
				}
			}
			delete(e.ahead, l.Var)
		}
	}
	for _, m := range order {
		if m.n > 1 && m.bytes < 1<<32 {
			e.touchAt(m.local, uint32(m.bytes))
		}
	}
}

// inRange pushes whether those indices of an access that are asked for are in range, at
// a place, and reports whether there were any.
func (e *emitter) inRange(a kernel.Access, p place, ask func(x *kernel.Value) bool) bool {
	any := false
	for i, x := range a.At {
		n := a.Array.Shape[i]
		if kernel.FitsAxis(x, n) || !ask(x) {
			continue
		}
		if x.Near() {
			e.scaled(kernel.FormOf(x), 0, p, false)
			e.f.OpI32(wasm.I32LtU, int32(8*n))
		} else {
			e.pushIndex(x, indexUse{kind: indexBelow, n: int64(n)}, p)
		}
		if any {
			e.f.Op(wasm.I32And)
		}
		any = true
	}
	return any
}

func every(*kernel.Value) bool { return true }

// neighbours reports whether lanes access neighbours, if they are in range.
func (e *emitter) neighbours(a kernel.Access) bool {
	step := func(f kernel.Form) int64 {
		n := int64(0)
		for i, x := range f.Args {
			switch {
			case e.Vars[x]:
				n = f.Coef[i]
			case e.Varies(x):
				return math.MaxInt64
			}
		}
		return n
	}
	if a.Checked { // what is in range for both lanes is, and says where
		for _, x := range a.At {
			if n := step(kernel.FormOf(x)); n != 0 && n != 1 || !x.Near() {
				return false
			}
		}
	}
	return step(e.flat(a)) == 1
}

// both writes what all writes if both lanes of an access are in range, else what each
// writes.
func (e *emitter) both(a kernel.Access, p place, all, each func()) {
	if !a.Checked {
		all()
		return
	}
	first := e.inRange(a, p.in(0), every)
	if e.inRange(a, p.in(1), e.Varies) && first {
		e.f.Op(wasm.I32And)
	}
	e.f.IfElse(all, each)
}

// load pushes the element of v, for the lanes of a place if it varies.
func (e *emitter) load(v *kernel.Value, p place) {
	if !e.varying(v) {
		e.loadOne(v, p)
		return
	}
	lanes := func() {
		if x, u, at, ok := e.partOf(v.Access); ok && e.inVector(x) {
			to := e.parts(x, u, p)
			offset := e.at[v.Array] + uint32(8*at)
			e.f.Get(to[0])
			e.f.Memory(wasm.V128Load64Zero, offset)
			e.f.Get(to[1])
			e.f.Memory(wasm.F64Load, offset)
		} else {
			e.loadAs(wasm.V128Load64Zero, v, p.in(0))
			e.loadAs(wasm.F64Load, v, p.in(1))
		}
		e.f.Lane(wasm.F64x2ReplaceLane, 1)
		if v.Elem == types.B {
			e.f.Op(wasm.I64x2Neg)
		}
	}
	if !e.neighbours(v.Access) {
		lanes()
		return
	}
	all := func() {
		e.f.Memory(wasm.V128Load, e.scaled(e.flat(v.Access), int64(e.at[v.Array]), p.in(0), true))
		if v.Elem == types.B {
			e.f.Op(wasm.I64x2Neg)
		}
	}
	if !v.Checked {
		all()
		return
	}
	l := e.f.Local(wasm.V128)
	e.both(v.Access, p, func() { all(); e.f.Set(l) }, func() { lanes(); e.f.Set(l) })
	e.f.Get(l)
}

// loadOne pushes an element.
func (e *emitter) loadOne(v *kernel.Value, p place) {
	if v.Elem == types.R {
		e.loadAs(wasm.F64Load, v, p)
		return
	}
	e.loadAs(wasm.I64Load, v, p)
	if v.Elem == types.B {
		e.f.Op(wasm.I32WrapI64)
	}
}

// loadAs pushes an element by an instruction. What is out of range is at address 0, where a 0 is.
func (e *emitter) loadAs(op wasm.Op, v *kernel.Value, p place) {
	var offset uint32
	if x, u, at, ok := e.partOf(v.Access); ok {
		e.pushIndex(x, u, p)
		offset = e.at[v.Array] + uint32(8*at)
	} else {
		offset = e.scaled(e.flat(v.Access), int64(e.at[v.Array]), p, !v.Checked)
		if v.Checked {
			e.f.I32(0)
			e.inRange(v.Access, p, every)
			e.f.Op(wasm.Select)
		}
	}
	e.f.Memory(op, offset)
}

// store writes a store, or an addition to an element, at all places.
func (e *emitter) store(s *kernel.Store) {
	if e.left != nil {
		left := *s
		left.Value = e.chosen(e.left, s.Value, literalOf(ops.ScalarZero(s.Value.Elem)))
		s = &left
	}
	for row := range e.lines {
		if e.vectors == 0 {
			e.storeOne(s, place{row: row})
		}
		for u := range e.vectors {
			e.storeVector(s, place{row: row, u: u})
		}
	}
}

func (e *emitter) storeVector(s *kernel.Store, p place) {
	lanes := func() {
		for lane := range byte(2) {
			e.storeOne(s, p.in(lane))
		}
	}
	if s.Add && s.Checked || !e.neighbours(s.Access) {
		lanes()
		return
	}
	if s.Add {
		e.addVector(s, p)
		return
	}
	e.both(s.Access, p, func() {
		offset := e.scaled(e.flat(s.Access), int64(e.at[s.Array]), p, true)
		e.pushVector(s.Value, p)
		if s.Array.Elem == types.B {
			e.f.Op(wasm.I64x2Neg)
		}
		e.f.Memory(wasm.V128Store, offset)
	}, lanes)
}

// addVector adds to two neighbours.
func (e *emitter) addVector(s *kernel.Store, p place) {
	at, add := e.address(), wasm.F64x2Add
	if s.Array.Elem != types.R {
		add = wasm.I64x2Add
	}
	offset := e.scaled(e.flat(s.Access), int64(e.at[s.Array]), p, true)
	e.f.Tee(at)
	e.f.Get(at)
	e.f.Memory(wasm.V128Load, offset)
	e.pushVector(s.Value, p)
	e.f.Op(add)
	e.f.Memory(wasm.V128Store, offset)
}

func (e *emitter) storeOne(s *kernel.Store, p place) {
	if s.Checked {
		e.inRange(s.Access, p, every)
		e.f.If(func() { e.storeInRange(s, p) })
		return
	}
	e.storeInRange(s, p)
}

func (e *emitter) storeInRange(s *kernel.Store, p place) {
	f, base := e.flat(s.Access), int64(e.at[s.Array])
	offset := e.scaled(f, base, p, true)
	load, save, add := wasm.F64Load, wasm.F64Store, wasm.F64Add
	if s.Array.Elem != types.R {
		load, save, add = wasm.I64Load, wasm.I64Store, wasm.I64Add
	}
	if s.Add {
		at := e.address()
		e.f.Tee(at)
		e.f.Get(at)
		e.f.Memory(load, offset)
	}
	e.pushLane(s.Value, p)
	if s.Array.Elem == types.B {
		e.f.Op(wasm.I64ExtendI32U)
	}
	if s.Add {
		e.f.Op(add)
	}
	e.f.Memory(save, offset)
}

// address is a local for an address that is used twice.
func (e *emitter) address() wasm.Local {
	if e.scratch == nil {
		l := e.f.Local(wasm.I32)
		e.scratch = &l
	}
	return *e.scratch
}
