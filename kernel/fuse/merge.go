package fuse

import (
	"iter"
	"math"
	"slices"

	"egad/internal/slice"
	"egad/kernel"
)

// mergeShare is which part of the time of the shortest of passes sharing loops has to save: what it does not
// know of, as zeros around arrays that stencils read, is often lost by it.
const mergeShare = 1.0 / 4

// merged has passes share loops with those that store what they load, where that takes less time: a kernel
// is put into the pass where it saves most when it comes, and what comes after it may be a reason for more.
// If one by one they have no reason to, all that load of a pass may. It is nil if none do, and has blocks of
// its own.
func (f *fuser) merged() *fuser {
	g := newFuser(f.prog)
	g.Sizes, g.apart, g.tries = f.Sizes, f.apart, f.tries
	for _, p := range f.shared {
		q := *p
		g.add(&q)
	}
	g.merge()
	if len(g.passes) == len(f.shared) {
		return nil
	}
	g.blocks()
	return g
}

// merge has passes of f share loops.
func (f *fuser) merge() {
	type pair struct{ p, q *pass }
	tried := make(map[pair]int) // by how many kernels they had
	try := func(p *pass, qs ...*pass) bool {
		n := len(p.members) + slice.Sum(qs, func(q *pass) int { return len(q.members) })
		if of := (pair{p, qs[0]}); len(qs) > 1 || tried[of] < n {
			tried[of] = n
			return f.mergeWith(p, qs...)
		}
		return false
	}
	for again := true; again; {
		again = false
		for _, p := range slices.Clone(f.passes) {
			if qs := slices.Collect(f.around(p, f.writes, f.readers)); len(qs) > 1 {
				again = try(p, qs...) || again
			}
		}
		for _, p := range slices.Clone(f.passes) {
			for q := range f.around(p, f.reads, f.writers) {
				again = try(p, q) || again
			}
		}
	}
}

// around are the other passes of which a kernel does something with the arrays with which a kernel of p does
// something: those that store what p loads, or load what it stores.
func (f *fuser) around(p *pass, arrays [][]*kernel.Array, kernels map[*kernel.Array][]int) iter.Seq[*pass] {
	return func(yield func(*pass) bool) {
		seen := map[*pass]bool{p: true}
		for _, m := range p.members {
			for _, a := range arrays[m.number] {
				for _, i := range kernels[a] {
					if q := f.of[i]; !seen[q] && !yield(q) {
						return
					} else {
						seen[q] = true
					}
				}
			}
		}
	}
}

// mergeWith has p do what others do too as far as they can share loops, if that takes less time, and reports
// whether it does now.
func (f *fuser) mergeWith(p *pass, qs ...*pass) bool {
	all, apart, in, shortest := p, p.time, []*pass{p}, p.time
	for _, q := range qs {
		if p.kernel != nil || p.flat || q.kernel != nil || q.flat || len(all.members)+len(q.members) > maxShared || f.tries >= maxTries ||
			f.cyclic(append(in, q)) {
			continue
		}
		more, fewer := all, q
		if len(more.loops) < len(fewer.loops) {
			more, fewer = q, all
		}
		f.tries++
		if both := f.try(more, fewer, math.Inf(1), true); both != nil {
			all, apart, in, shortest = both, apart+q.time, append(in, q), min(shortest, q.time)
		}
	}
	if all == p || all.time >= apart-shortest*mergeShare-f.Least() {
		return false
	}
	*p = *all
	gone := func(r *pass) bool { return slices.Contains(in[1:], r) }
	f.passes = slices.DeleteFunc(f.passes, gone)
	for _, q := range in[1:] {
		for _, m := range q.members {
			for _, a := range slices.Concat(f.reads[m.number], f.writes[m.number]) {
				f.near[a] = slices.DeleteFunc(f.near[a], gone)
			}
			f.note(p, m.number)
		}
		*q = pass{}
	}
	return true
}
