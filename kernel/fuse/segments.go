package fuse

import (
	"maps"
	"slices"

	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/schedule"
	"egad/term/types"
)

// maxSegment is how many values a loop over a segment computes at most, of what need not be stored then.
const maxSegment = 400

// inSegments computes where they are read the elements of arrays of which each loop reads those only of a part that data
// say, as the elements of a row of a sparse matrix, where an estimate says that this takes less time than to fill the arrays: all such
// arrays at once, as they are made of one another.
func inSegments(p *kernel.Program, in Sizes, w *cost.Weights) {
	s := &segments{p: p, members: make([]*member, len(p.Kernels)), made: make(map[*kernel.Array]*member)}
	for i, k := range p.Kernels {
		s.members[i] = newMember(i, k)
	}
	for _, a := range p.Arrays {
		if 8*a.Len() < in.Temp {
			continue
		}
		if m := s.maker(a); m != nil {
			s.made[a] = m
		}
	}
	for len(s.made) > 0 && !s.settled() {
	}
	s.inline(w)
}

// segments are arrays that are read in segments only, and what makes each.
type segments struct {
	p       *kernel.Program
	members []*member
	made    map[*kernel.Array]*member
}

// maker is the kernel that stores each element of an array once, of what stays as it is, or nil.
func (s *segments) maker(a *kernel.Array) *member {
	at := kernel.Writer(s.p.Kernels, a)
	if at < 0 || a.Role != kernel.Temp || a.Elem != types.R || slices.Contains(s.p.Result.Arrays(), a) {
		return nil
	}
	m := s.members[at]
	if m == nil || !m.each() {
		return nil
	}
	for _, v := range m.loads { // at other indices, elements of elements might be as many as 2 to the number of arrays
		if v.Array.Role == kernel.Temp && slices.ContainsFunc(v.At, func(x *kernel.Value) bool { return x.Kind != kernel.Var && x.Kind != kernel.Lit }) {
			return nil
		}
	}
	reads := s.p.Kernels[at].Reads()
	for _, k := range s.p.Kernels[at+1:] {
		if slices.ContainsFunc(k.Writes(), func(b *kernel.Array) bool { return b == a || slices.Contains(reads, b) }) {
			return nil
		}
	}
	return m
}

// settled reports whether each loop that reads one of the arrays reads segments, if it computes them; one that is not
// read so is none of them any more.
func (s *segments) settled() bool {
	n := len(s.made)
	for i, k := range s.p.Kernels {
		m := s.members[i]
		reads := slices.DeleteFunc(k.Reads(), func(a *kernel.Array) bool { return s.made[a] == nil })
		if len(reads) == 0 || m != nil && s.made[m.store.Array] == m {
			continue
		}
		var along []int
		if m != nil {
			if woven := newMember(i, s.woven(m)); woven != nil {
				along = woven.segments()
			}
		}
		for _, a := range reads {
			if len(along) == 0 || !m.readsAlong(a, along) {
				delete(s.made, a)
			}
		}
	}
	return len(s.made) == n
}

// readsAlong reports whether all that a kernel reads of an array is at indices of some of its loops.
func (m *member) readsAlong(a *kernel.Array, loops []int) bool {
	return !slices.ContainsFunc(m.loads, func(v *kernel.Value) bool {
		return v.Array == a && (slices.ContainsFunc(v.At, func(x *kernel.Value) bool { return !byLoops(x) }) ||
			!slices.ContainsFunc(loops, func(i int) bool { return slices.Contains(v.At, m.loops[i].Var) }))
	})
}

// woven is a kernel that computes the arrays that it reads.
func (s *segments) woven(m *member) *kernel.Kernel {
	w := newWeaver(nil)
	w.inlined = s.made
	w.pass(m.pass())
	return &kernel.Kernel{Body: w.Bodies[0]}
}

// inline has the kernels that read segments compute them.
func (s *segments) inline(w *cost.Weights) {
	before, after := 0.0, 0.0
	kernels := make(map[int]*kernel.Kernel) // nil where there is none any more
	for i, k := range s.p.Kernels {
		m := s.members[i]
		switch {
		case m == nil:
		case s.made[m.store.Array] == m:
			fill := m.filling()
			before += schedule.Cost(w, fill) + schedule.Traffic(w, fill)
			kernels[i] = nil
		case slices.ContainsFunc(m.loads, func(v *kernel.Value) bool { return s.made[v.Array] != nil }):
			kernels[i] = s.woven(m)
			if kernel.CountStatements(kernels[i].Body) > maxSegment {
				return
			}
			_, was := termwise(i, k, w)
			_, is := termwise(i, kernels[i], w)
			before, after = before+was, after+is
		}
	}
	if after >= before {
		return
	}
	for _, i := range slices.Backward(slices.Sorted(maps.Keys(kernels))) {
		if k := kernels[i]; k != nil {
			s.p.Kernels[i] = k
		} else {
			s.p.Kernels = slices.Delete(s.p.Kernels, i, i+1)
		}
	}
	s.p.Arrays = slices.DeleteFunc(s.p.Arrays, func(a *kernel.Array) bool { return s.made[a] != nil })
}
