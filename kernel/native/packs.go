package native

import (
	"maps"
	"slices"

	"egad/kernel"
	"egad/kernel/schedule"
	"egad/kernel/vecmath"
	"egad/kernel/wasm"
)

// packed finds packs among statements, by their values, and has the values of each one after the
// other, as soon as they are all known. Between are no stores and no loops.
func (e *emitter) packed(body []kernel.Stmt) ([]kernel.Stmt, map[*kernel.Value]*schedule.Pack) {
	packs := make(map[*kernel.Value]*schedule.Pack)
	if e.Exact || e.vectors > 0 || e.lines > 1 || e.filling != nil {
		return body, packs
	}
	var out []kernel.Stmt
	for from := 0; from < len(body); {
		to := from
		for to < len(body) {
			if _, ok := body[to].(*kernel.Let); !ok {
				break
			}
			to++
		}
		some := schedule.PacksOf(body[from:to], e.defined)
		maps.Copy(packs, some)
		out = append(out, inPacks(body[from:to], some)...)
		if to < len(body) {
			out = append(out, body[to])
			to++
		}
		from = to
	}
	return out, packs
}

// inPacks are statements that compute values, those of a pack one after the other, as soon as all
// that they are computed of is known.
func inPacks(lets []kernel.Stmt, packs map[*kernel.Value]*schedule.Pack) []kernel.Stmt {
	if len(packs) == 0 {
		return lets
	}
	var out []kernel.Stmt
	waiting := make(map[*kernel.Value]kernel.Stmt)
	for _, s := range lets {
		waiting[s.(*kernel.Let).Value] = s
	}
	var write func(v *kernel.Value)
	write = func(v *kernel.Value) {
		if v.Kind == kernel.Linear {
			for _, a := range v.Args {
				write(a)
			}
		}
		if waiting[v] == nil {
			return
		}
		members := []*kernel.Value{v}
		if p := packs[v]; p != nil {
			members = p.Members
		}
		var own []kernel.Stmt
		for _, m := range members {
			own = append(own, waiting[m])
			delete(waiting, m)
		}
		for _, m := range members {
			for _, a := range slices.Concat(m.Args, m.At) {
				write(a)
			}
		}
		out = append(out, own...)
	}
	for _, s := range lets {
		write(s.(*kernel.Let).Value)
	}
	return out
}

// functionsOf writes the values of a pack.
func (e *emitter) functionsOf(p *schedule.Pack) {
	m := vecmath.Vectors{Library: e.library, Func: e.f, Wide: (len(p.Members) + 1) / 2}
	first := p.Members[0]
	for i := range first.Args {
		for lanes := range slices.Chunk(p.Members, 2) {
			e.push(lanes[0].Args[i], place{})
			e.f.Op(wasm.F64x2Splat)
			if len(lanes) > 1 {
				e.push(lanes[1].Args[i], place{})
				e.f.Lane(wasm.F64x2ReplaceLane, 1)
			}
		}
	}
	e.f.Call(e.library.Function(first.Op, first.N, len(first.Args), m.Wide))
	vectors := m.Pop()
	for i, v := range p.Members {
		l := e.local(v)
		e.f.Get(vectors[i/2])
		e.f.Lane(wasm.F64x2ExtractLane, byte(i%2))
		e.f.Set(l)
		e.keep(v, []wasm.Local{l})
	}
}
