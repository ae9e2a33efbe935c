package fuse

import (
	"slices"

	"egad/kernel"
	"egad/kernel/cost"
)

// blocksFirst shares loops in another order: blocks are chosen for kernels by themselves,
// and then passes are made of those that are in the same blocks, or in none. It is nil if
// there are no blocks.
func (f *fuser) blocksFirst() *fuser {
	one := f.again()
	one.each(func(i int) { one.add(one.single(i)) })
	one.blocks()
	if len(one.groups) == 0 {
		return nil
	}
	out := f.again()
	for _, g := range one.groups {
		along := make(map[int]int)
		for p, m := range members(g.passes) {
			along[m.number] = g.axis[p]
		}
		out.group(&group{passes: g.passes, n: g.n, along: along})
	}
	out.share()
	for _, g := range out.groups {
		g.passes, g.axis = nil, make(map[*pass]int)
		for _, p := range out.passes {
			if m := p.members[0]; out.in[m.number] == g {
				g.passes, g.axis[p] = append(g.passes, p), g.loop(p, m)
			}
		}
		if !out.valid(g) {
			return nil
		}
		out.sort(g)
		if out.measure(g); g.size == 0 {
			return nil
		}
	}
	return out
}

// again begins anew, with the same units, to choose blocks first.
func (f *fuser) again() *fuser {
	g := newFuser(f.prog)
	g.Sizes, g.apart = f.Sizes, f.apart
	g.First = true
	return g
}

// loop is which loop of a pass goes along the axis of its group, for a kernel of it.
func (g *group) loop(p *pass, m *member) int {
	if p.flat {
		return 0
	}
	return m.at[g.along[m.number]]
}

// alongOne reports whether the kernels of a pass go along the axis of their group, if they
// have one, in one loop of the pass.
func (f *fuser) alongOne(p *pass) bool {
	g := f.in[p.members[0].number]
	if g == nil || g.along == nil {
		return true
	}
	at := g.loop(p, p.members[0])
	return at >= 0 && !slices.ContainsFunc(p.members, func(m *member) bool { return g.loop(p, m) != at })
}

// streams reports whether there is the whole of an array that fits no cache although nobody
// but kernels wants it.
func (f *fuser) streams() bool {
	for a, writers := range f.writers {
		if g := f.in[writers[0]]; 8*a.Len() > int(f.Weights.Of[cost.SecondBytes]) && f.whole(a) && (g == nil || !f.one(g, a)) {
			return true
		}
	}
	return false
}

// whole reports whether passes by themselves need the whole of an array, and nobody else.
func (f *fuser) whole(a *kernel.Array) bool {
	if len(f.writers[a]) == 0 || f.result[a] {
		return false
	}
	p := f.of[f.writers[a][0]]
	return p.kernel == nil && !f.dead(p)(a)
}

// room is what it takes to have memory for a large array of which passes need the whole.
func (f *fuser) room(a *kernel.Array) float64 {
	if w := f.Weights; f.whole(a) {
		return w.Of[cost.Room] * max(0, float64(8*a.Len())-w.Of[cost.KeptBytes])
	}
	return 0
}
