package native

import (
	"fmt"
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/wasm"
)

// What accesses need of an index that was computed, as it is needed again and again:
// eight times a multiple of its distance from the least it may be, whether it is in range of an
// axis, and where the part of an array lies that has it as its only index that may be out of
// range.
type indexUse struct {
	kind  indexKind
	n     int64         // the multiple, or the size
	array *kernel.Array // of a part, and the axis of which it is the index
	axis  int
	// rest tells what else the position of a part is made of, which is known before all loops: see [emitter.rests].
	rest string
}

// rowsOf is how many elements apart the parts of an array are.
func (l *layout) rowsOf(u indexUse) int64 { return int64(slice.Product(l.Shape(u.array)[u.axis+1:])) }

type indexKind uint8

const (
	indexMultiple indexKind = iota
	indexBelow
	indexPart
)

// indexLocal is a use at a place, for which there is a local as long as there is one for the
// index.
type indexLocal struct {
	indexUse
	place place
}

// reach is how many bytes from an address the element is that is accessed first, and the
// farthest one.
type reach struct{ first, farthest int64 }

// indexings notes what more than one access in statements needs of indices, and how far from
// there they reach.
func (e *emitter) indexings(body []kernel.Stmt) {
	e.fix()
	e.indices, e.reaches = make(map[*kernel.Value][]indexUse), make(map[*kernel.Value]map[indexUse]reach)
	uses := make(map[*kernel.Value]map[indexUse]int)
	add := func(v *kernel.Value, u indexUse) {
		if uses[v] == nil {
			uses[v], e.reaches[v] = make(map[indexUse]int), make(map[indexUse]reach)
		}
		if uses[v][u]++; uses[v][u] == 2 {
			e.indices[v] = append(e.indices[v], u)
		}
	}
	reaches := func(v *kernel.Value, u indexUse, bytes int64) {
		r, ok := e.reaches[v][u]
		if !ok {
			r.first = bytes
		}
		r.farthest = max(r.farthest, bytes)
		e.reaches[v][u] = r
	}
	access := func(a kernel.Access, load bool) {
		if v, u, at, ok := e.partOf(a); ok && load {
			add(v, u)
			reaches(v, u, int64(e.at[a.Array])+8*at)
			return
		}
		f := e.flat(a)
		for i, v := range f.Args {
			u := indexUse{kind: indexMultiple, n: f.Coef[i]}
			add(v, u)
			if len(f.Args) == 1 && !a.Checked && e.natural(f) {
				reaches(v, u, int64(e.at[a.Array])+e.apart(f, place{}))
			}
		}
		for i, v := range a.At {
			if n := a.Array.Shape[i]; a.Checked && !kernel.FitsAxis(v, n) && !v.Near() {
				add(v, indexUse{kind: indexBelow, n: int64(n)})
			}
		}
	}
	kernel.Walk(body, func(s kernel.Stmt) {
		switch s := s.(type) {
		case *kernel.Let:
			if s.Value.Kind == kernel.Load {
				access(s.Value.Access, true)
			}
		case *kernel.Store:
			access(s.Access, false)
		}
	})
}

// partOf is the index of an access that is the only one that may be out of range, and where
// in the part of the array that has this index the element is. Where there is no such part
// there are zeros in its place.
func (e *emitter) partOf(a kernel.Access) (v *kernel.Value, u indexUse, at int64, ok bool) {
	if !a.Checked {
		return nil, u, 0, false
	}
	for i, x := range a.At {
		if kernel.FitsAxis(x, a.Array.Shape[i]) {
			continue
		}
		if v != nil || x.Kind != kernel.Load && x.Kind != kernel.Compute {
			return nil, u, 0, false
		}
		v, u = x, indexUse{kind: indexPart, array: a.Array, axis: i}
	}
	f := e.flat(a) // which has the index also where it is that of another axis, where it is in range
	coef, rest := f.Without(v)
	if coef == 0 || coef != e.rowsOf(u) {
		return nil, u, 0, false
	}
	if len(f.Args) == 1 && f.Const < zeros {
		return v, u, f.Const, true
	}
	shape := e.Shape(a.Array)
	for axis := u.axis + 1; axis < len(shape); axis++ {
		if a.At[axis].Kind != kernel.Lit {
			return nil, u, 0, false
		}
		at += a.At[axis].Const.Int * int64(slice.Product(shape[axis+1:]))
	}
	if e.fixed[v] || at >= zeros || slices.ContainsFunc(rest.Args, func(x *kernel.Value) bool { return !e.fixed[x] }) {
		return nil, u, 0, false
	}
	rest.Const -= at
	u.rest = fmt.Sprint(rest.Const, " ", e.key(rest))
	e.rests[u.rest] = rest
	return v, u, at, true
}

// fix notes what is known before all loops: which row of an array is meant, and what is computed there.
func (e *emitter) fix() {
	e.fixed, e.rests = make(map[*kernel.Value]bool), make(map[string]kernel.Form)
	for _, row := range e.moving {
		e.fixed[row] = true
	}
	for _, let := range kernel.Among[*kernel.Let](e.Body) {
		e.fixed[let.Value] = true
	}
}

// addRest adds to the position of a part what is known of it before all loops, in bytes.
func (e *emitter) addRest(u indexUse) {
	if u.rest == "" {
		return
	}
	e.scaled(e.rests[u.rest], 0, place{}, false)
	e.f.Op(wasm.I32Add)
}

// indexed keeps of an index what is needed again and again.
func (e *emitter) indexed(v *kernel.Value) {
	if len(e.indices[v]) == 0 {
		return
	}
	locals := make(map[indexLocal]wasm.Local)
	e.indexLocals[v] = locals
	for _, u := range e.indices[v] {
		for _, p := range e.lanePlaces(v) {
			l, ok := locals[indexLocal{u, p}]
			switch {
			case ok:
			case u.kind == indexPart && e.inVector(v):
				both := e.parts(v, u, p)
				l, locals[indexLocal{u, p.in(1)}] = both[0], both[1]
			default:
				e.pushIndex(v, u, p)
				l = e.f.Local(wasm.I32)
				e.f.Set(l)
			}
			locals[indexLocal{u, p}] = l
			if r := e.reaches[v][u]; r.farthest > r.first && r.farthest < 1<<32 {
				e.touchAt(l, uint32(r.farthest))
			}
		}
	}
}

// lanePlaces are the places, with lanes, where v has values of its own.
func (e *emitter) lanePlaces(v *kernel.Value) []place {
	out := e.places(v)
	if e.varying(v) {
		for _, p := range slices.Clone(out) {
			out = append(out, p.in(1))
		}
	}
	return out
}

// indexLocal is the local with what is needed of an index at a place, if there is one.
func (e *emitter) indexLocal(v *kernel.Value, u indexUse, p place) (wasm.Local, bool) {
	if !e.jammed(v) {
		p.row = 0
	}
	if !e.varying(v) {
		p.u, p.lane = 0, 0
	}
	l, ok := e.indexLocals[v][indexLocal{u, p}]
	return l, ok
}

// pushIndex pushes what is needed of an index at a place.
func (e *emitter) pushIndex(v *kernel.Value, u indexUse, p place) {
	if l, ok := e.indexLocal(v, u, p); ok {
		e.f.Get(l)
		return
	}
	switch u.kind {
	case indexMultiple:
		if e.inVector(v) {
			e.pushVector(v, p)
			e.f.Lane(wasm.I32x4ExtractLane, 2*p.lane)
		} else {
			e.pushLane(v, p)
			e.f.Op(wasm.I32WrapI64)
		}
		e.f.OpI32(wasm.I32Mul, int32(8*u.n))
		e.addBytes(8 * u.n * below(v))
	case indexBelow:
		e.pushLane(v, p)
		e.f.OpI64(wasm.I64LtU, u.n)
	default:
		e.pushIndex(v, indexUse{kind: indexMultiple, n: e.rowsOf(u)}, p)
		e.addBytes(-8 * e.rowsOf(u) * below(v))
		e.addRest(u)
		e.f.I32(int32(e.zeros - e.at[u.array]))
		e.pushIndex(v, indexUse{kind: indexBelow, n: int64(u.array.Shape[u.axis])}, p)
		e.f.Op(wasm.Select)
	}
}

// inVector reports whether a value is in vectors, with all lanes at once.
func (e *emitter) inVector(v *kernel.Value) bool {
	_, ok := e.regs[v]
	return ok && e.varying(v) && e.scalars[v] == nil
}

// parts is [emitter.pushIndex] of a part for both lanes of a vector of indices, in locals: there is less to do
// for both at once.
func (e *emitter) parts(v *kernel.Value, u indexUse, p place) (out [2]wasm.Local) {
	if l, ok := e.indexLocal(v, u, p); ok {
		out[0] = l
		out[1], _ = e.indexLocal(v, u, p.in(1))
		return out
	}
	at := e.f.Local(wasm.V128)
	rows, zeros := e.rowsOf(u), int64(e.zeros-e.at[u.array])
	e.pushVector(v, p) // where the part is, if there is one, from the zeros
	e.f.I64x2(8 * rows)
	e.f.Op(wasm.I32x4Mul)
	if u.rest == "" {
		e.f.I64x2(-zeros)
	} else {
		e.f.I32(int32(-zeros))
		e.addRest(u)
		e.f.Op(wasm.I64ExtendI32U, wasm.I64x2Splat)
	}
	e.f.Op(wasm.I64x2Add)
	e.areBelow(v, u.array.Shape[u.axis], p)
	e.f.Op(wasm.V128And)
	e.f.I64x2(zeros)
	e.f.Op(wasm.I64x2Add)
	e.f.Set(at)
	for lane := range out {
		out[lane] = e.f.Local(wasm.I32)
		e.f.Get(at)
		e.f.Lane(wasm.I32x4ExtractLane, byte(2*lane))
		e.f.Set(out[lane])
	}
	return out
}

// below is how far below 0 an index may be, if that is known and near.
func below(v *kernel.Value) int64 {
	if !v.Near() {
		return 0
	}
	return max(0, -v.Range.Lo)
}

// addBytes adds to the address on the stack.
func (e *emitter) addBytes(n int64) {
	if n != 0 {
		e.f.OpI32(wasm.I32Add, int32(n))
	}
}

// touchAt loads, and drops, what is so many bytes from an address: then it is known that what
// is nearer is there.
func (e *emitter) touchAt(l wasm.Local, bytes uint32) {
	e.f.Get(l)
	e.f.Memory(wasm.F64Load, bytes)
	e.f.Op(wasm.Drop)
}
