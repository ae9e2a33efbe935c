package kernel

import "slices"

// deepFirst shares loops in another order: kernels in more loops come before those in fewer as far as they
// can, so that what is folded in the loops of others, and then folded again, does not keep more from
// being done in the same loops. It is nil if nothing is kept so.
func (f *fuser) deepFirst() *fuser {
	if !slices.ContainsFunc(f.passes, f.keepsOut) {
		return nil
	}
	order := f.deep()
	if slices.Equal(order, f.apart) {
		return nil
	}
	g := f.again()
	g.first, g.apart = f.first, order
	g.share()
	g.blocks()
	return g
}

// keepsOut reports whether a pass folds in loops inside its own, and another one in as many loops goes through the
// same arrays.
func (f *fuser) keepsOut(p *pass) bool {
	inner := 0
	for _, m := range p.members {
		inner = max(inner, len(m.in))
	}
	return inner > 0 && slices.ContainsFunc(p.members, func(m *member) bool {
		return slices.ContainsFunc(slices.Concat(f.reads[m.number], f.writes[m.number]), func(a *Array) bool {
			return len(a.Shape) > 0 && slices.ContainsFunc(f.near[a], func(q *pass) bool {
				return q != p && len(q.loops) > len(p.loops) && len(q.loops) <= len(p.loops)+inner
			})
		})
	})
}

// deep are the units with those in most loops first, each after what it needs.
func (f *fuser) deep() (out []*pass) {
	unit := make(map[int]*pass)
	for _, u := range f.apart {
		for _, m := range u.members {
			unit[m.number] = u
		}
	}
	depth := func(u *pass) (n int) {
		for _, m := range u.members {
			if m := f.member(m.number); m != nil && !u.flat {
				n = max(n, len(m.loops))
			}
		}
		return n
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
			if ready(u) && (best < 0 || depth(u) > depth(left[best])) {
				best = i
			}
		}
		done[left[best]] = true
		out = append(out, left[best])
		left = slices.Delete(left, best, best+1)
	}
	return out
}
