package fuse

import "slices"

// deepFirst shares loops in another order: kernels in more loops come before those in fewer as far as they
// can, so that what is folded in the loops of others, and then folded again, does not keep more from
// being done in the same loops. It is nil if nothing is kept so.
func (f *fuser) deepFirst() *fuser {
	if !f.late {
		return nil
	}
	order := f.deep()
	if slices.Equal(order, f.apart) {
		return nil
	}
	g := f.again()
	g.First, g.apart = f.First, order
	g.share()
	g.blocks()
	return g
}

// keepsOut reports whether a kernel in more loops than a pass has might share loops inside those.
func (p *pass) keepsOut(m *member) bool {
	return p.kernel == nil && !p.flat && len(m.loops) > len(p.loops) && slices.ContainsFunc(p.members, func(old *member) bool {
		return len(m.loops) <= len(p.loops)+len(old.in)
	})
}

// deep are the units with those in most loops first, each after what it needs.
func (f *fuser) deep() (out []*pass) {
	unit, depth := make(map[int]*pass), make(map[*pass]int)
	for _, u := range f.apart {
		for _, m := range u.members {
			unit[m.number] = u
			if m := f.member(m.number); m != nil && !u.flat {
				depth[u] = max(depth[u], len(m.loops))
			}
		}
	}
	left := slices.Clone(f.apart)
	done := make(map[*pass]bool)
	ready := func(u *pass) bool {
		return !slices.ContainsFunc(u.members, func(m *member) bool {
			return slices.ContainsFunc(f.deps[m.number], func(d int) bool { return unit[d] != u && !done[unit[d]] })
		})
	}
	for len(left) > 0 {
		best := -1
		for i, u := range left {
			if ready(u) && (best < 0 || depth[u] > depth[left[best]]) {
				best = i
			}
		}
		done[left[best]] = true
		out = append(out, left[best])
		left = slices.Delete(left, best, best+1)
	}
	return out
}
