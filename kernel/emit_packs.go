package kernel

import (
	"slices"

	"egad/kernel/wasm"
	"egad/term"
)

// pack is values of one function of reals, each of one number, that do not depend on each other:
// they are computed in the lanes of vectors at once, which takes little longer than to compute one.
type pack struct{ members []*Value }

// packed finds packs among statements, by their values, and has the values of each one after the
// other, as soon as they are all known. Between are no stores and no loops.
func (e *emitter) packed(body []Stmt) ([]Stmt, map[*Value]*pack) {
	packs := make(map[*Value]*pack)
	if e.exact || e.vectors > 0 || e.lines > 1 || e.filling != nil {
		return body, packs
	}
	var out []Stmt
	for from := 0; from < len(body); {
		to := from
		for to < len(body) && isLet(body[to]) {
			to++
		}
		out = append(out, e.packLets(body[from:to], packs)...)
		if to < len(body) {
			out = append(out, body[to])
			to++
		}
		from = to
	}
	return out, packs
}

func isLet(s Stmt) bool {
	_, ok := s.(*Let)
	return ok
}

// packKey is what values of a pack have in common: how many functions are computed one after the
// other before them, so that none depends on another one.
type packKey struct {
	op    term.Sym
	n     int
	depth int
}

// packLets is packed for statements that compute values.
func (e *emitter) packLets(lets []Stmt, packs map[*Value]*pack) []Stmt {
	depth := make(map[*Value]int) // functions up to a value
	var before func(v *Value) int
	before = func(v *Value) (n int) {
		for _, a := range slices.Concat(v.Args, v.At) {
			d := depth[a]
			if a.Kind == Linear { // which no statement computes
				d = before(a)
			}
			n = max(n, d)
		}
		return n
	}
	there := make(map[*Value]Stmt)
	groups := make(map[packKey]*pack)
	for _, s := range lets {
		v := s.(*Let).Value
		there[v] = s
		depth[v] = before(v)
		if !v.function() || !e.defined(v) {
			continue
		}
		k := packKey{v.Op, v.N, depth[v]}
		depth[v]++
		if p := groups[k]; p == nil || len(p.members) == 2*wide {
			groups[k] = &pack{[]*Value{v}}
		} else {
			p.members = append(p.members, v)
			packs[p.members[0]], packs[v] = p, p
		}
	}
	if len(packs) == 0 {
		return lets
	}
	var out []Stmt
	done := make(map[*Value]bool)
	var write func(v *Value)
	write = func(v *Value) {
		s, ok := there[v]
		if done[v] || !ok && v.Kind != Linear {
			return
		}
		members := []*Value{v}
		if p := packs[v]; p != nil {
			members = p.members
		}
		for _, m := range members {
			done[m] = true
			for _, a := range slices.Concat(m.Args, m.At) {
				write(a)
			}
		}
		for _, m := range members {
			if s, ok = there[m]; ok {
				out = append(out, s)
			}
		}
	}
	for _, s := range lets {
		write(s.(*Let).Value)
	}
	return out
}

// functionsOf writes the values of a pack.
func (e *emitter) functionsOf(p *pack) {
	m := vmath{module: e.module, f: e.f, wide: (len(p.members) + 1) / 2}
	first := p.members[0]
	for i := range first.Args {
		for lanes := range slices.Chunk(p.members, 2) {
			e.push(lanes[0].Args[i], place{})
			e.f.Op(wasm.F64x2Splat)
			if len(lanes) > 1 {
				e.push(lanes[1].Args[i], place{})
				e.f.Lane(wasm.F64x2ReplaceLane, 1)
			}
		}
	}
	e.f.Call(e.function(first.Op, first.N, len(first.Args), m.wide))
	vectors := m.pop()
	for i, v := range p.members {
		l := e.local(v)
		e.f.Get(vectors[i/2])
		e.f.Lane(wasm.F64x2ExtractLane, byte(i%2))
		e.f.Set(l)
		e.keep(v, []wasm.Local{l})
	}
}
