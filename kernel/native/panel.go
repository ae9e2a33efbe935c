package native

import (
	"egad/kernel"
	"egad/kernel/wasm"
)

// fill fills the panels that are filled before a loop.
func (e *emitter) fill(l *kernel.Loop) {
	for _, p := range e.Panels {
		if p.Before == l {
			e.filling = p
			e.loop(p.Filled)
			e.filling = nil
		}
	}
}

// slots are how many numbers a narrow panel has for a run of the fold, and where those of
// value number i begin.
func (e *emitter) slots(p *kernel.Panel, i int) (all, from int) {
	for k, v := range p.Values {
		if k == i {
			from = all
		}
		all += 2 * len(e.places(v))
	}
	return all, from
}

// width is how many numbers a value has in a run of the fold, in a panel for lanes.
func (e *emitter) width() int { return max(1, 2*e.vectors) }

// point sets the pointers into those panels that a loop fills or reads, which move with it.
func (e *emitter) point(l *kernel.Loop) (all []moving) {
	for _, p := range e.Panels {
		if p.Fold.Var == l.Var && (e.filling == nil || e.filling == p) {
			m := e.pointer(p)
			e.pointers[p] = m.local
			all = append(all, m)
		}
	}
	return all
}

// pointer computes where in a panel the values of a run of the fold are.
func (e *emitter) pointer(p *kernel.Panel) moving {
	l, step := e.f.Local(wasm.I32), e.width()
	if p.Narrow {
		step, _ = e.slots(p, 0)
	}
	e.f.Get(e.room)
	e.f.OnI32(wasm.I32Mul, e.counters[p.Fold.Var], int32(step))
	e.f.Op(wasm.I32Add)
	if !p.Narrow {
		e.f.OnI32(wasm.I32Mul, e.counters[p.Lane.Var], int32(p.Fold.N))
		e.f.Op(wasm.I32Add)
	}
	e.f.Set(l)
	return moving{l, int64(step)}
}

// offset is the distance from the pointer of value number i, at a place.
func (e *emitter) offset(p *kernel.Panel, i int, at place) uint32 {
	ahead := int(e.ahead[p.Fold.Var])
	if p.Narrow {
		all, from := e.slots(p, i)
		return p.At + uint32(8*(all*ahead+from+2*at.row))
	}
	return p.At + uint32(8*(i*p.Fold.N*p.Lane.N+e.width()*ahead+2*at.u))
}

// pack stores the values of a panel.
func (e *emitter) pack(p *kernel.Panel) {
	for i, v := range p.Values {
		for _, at := range e.places(v) {
			offset := e.offset(p, i, at)
			e.f.Get(e.pointers[p])
			e.pushAny(v, at)
			switch {
			case e.varying(v):
				e.f.Memory(wasm.V128Store, offset)
			case p.Narrow:
				e.f.Op(wasm.F64x2Splat)
				e.f.Memory(wasm.V128Store, offset)
			default:
				e.f.Memory(wasm.F64Store, offset)
			}
		}
	}
}

// pushAny pushes v at a place, be it a vector or not.
func (e *emitter) pushAny(v *kernel.Value, at place) {
	e.pushAs(v, v, at)
}

// let computes a value, or takes it from a panel.
func (e *emitter) let(v *kernel.Value) {
	if e.defined(v) {
		e.define(v)
	} else if p := e.panelOf(v); p != nil && e.filling == nil {
		e.unpack(p, p.Index(v))
	}
}

// defined reports whether v is computed where it stands, and not in a panel, or where it is
// used, or never.
func (e *emitter) defined(v *kernel.Value) bool {
	return e.filling != nil || !e.Dead[v] && !e.merged[v] && e.panelOf(v) == nil
}

// panelOf is the panel that has the values of v, if there is one.
func (e *emitter) panelOf(v *kernel.Value) *kernel.Panel {
	for _, p := range e.Panels {
		if p.Index(v) >= 0 {
			return p
		}
	}
	return nil
}

// unpack takes a value from a panel.
func (e *emitter) unpack(p *kernel.Panel, i int) {
	v := p.Values[i]
	load := func(op wasm.Op, at place, l wasm.Local) wasm.Local {
		e.f.Get(e.pointers[p])
		e.f.Memory(op, e.offset(p, i, at))
		e.f.Set(l)
		return l
	}
	delete(e.regs, v)
	delete(e.wide, v)
	var one, two []wasm.Local
	for _, at := range e.places(v) {
		switch {
		case e.varying(v):
			one = append(one, load(wasm.V128Load, at, e.f.Local(wasm.V128)))
		default:
			if e.vectors == 0 || p.Single[v] || !p.Narrow {
				one = append(one, load(wasm.F64Load, at, e.local(v)))
			}
			if e.vectors > 0 {
				two = append(two, load(wasm.V128Load, at, e.f.Local(wasm.V128)))
			}
		}
	}
	if one != nil {
		e.regs[v] = one
	}
	if two != nil {
		e.wide[v] = two
	}
}
