package fuse

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/schedule"
	"egad/term/ops"
	"egad/term/types"
)

// Bounds on arrays that are computed where they are read.
const (
	maxRecomputed = 16 // values that make an element
	maxRereads    = 4  // places where they are read
	maxCompared   = 16 // of truth values
)

// Recompute computes the elements of arrays where they are read, each as often as it is, where an
// estimate says that this takes less time than to store and load them: those of arrays that fit
// no small cache, and are read at other indices than those of the loops around, as neighbours are,
// so that no loop can be shared with what makes them, and copies that several loops read. By what loops compare indices they know which
// of their runs need be done, so that is always computed there.
func Recompute(p *kernel.Program, in Sizes) {
	if in.Eager {
		return
	}
	w := in.Weights.Own.Apart()
	if in.Recompute {
		in.Temp = 0
	}
	inSegments(p, in, w)
	for i := 0; i < len(p.Arrays); {
		if recomputed(p, p.Arrays[i], in, w) {
			i = 0
		} else {
			i++
		}
	}
}

// recomputed has the readers of an array compute its elements, and reports whether they do now.
func recomputed(p *kernel.Program, a *kernel.Array, in Sizes, weights *cost.Weights) bool {
	if a.Role != kernel.Temp || a.Elem == types.I || a.Elem == types.R && 8*a.Len() < in.Temp || slices.Contains(p.Result.Arrays(), a) {
		return false
	}
	at := kernel.Writer(p.Kernels, a)
	if at < 0 {
		return false
	}
	made := newMember(at, p.Kernels[at])
	if made == nil || !made.cheap() || a.Elem == types.B && !made.compares() {
		return false
	}
	reads := p.Kernels[at].Reads()
	var readers []*member
	places, other := 0, false // indices than those of loops
	for i, k := range p.Kernels[at+1:] {
		if slices.ContainsFunc(k.Writes(), func(b *kernel.Array) bool { return b == a || slices.Contains(reads, b) }) {
			return false
		}
		if !slices.Contains(k.Reads(), a) {
			continue
		}
		m := newMember(at+1+i, k)
		if m == nil {
			return false
		}
		for _, v := range m.loads {
			if v.Array == a {
				places++
				other = other || slices.ContainsFunc(v.At, func(x *kernel.Value) bool { return x.Kind != kernel.Var })
				if (a.Elem == types.R || v.Checked) && slices.ContainsFunc(v.At, func(x *kernel.Value) bool { return !byLoops(x) }) {
					return false
				}
			}
		}
		readers = append(readers, m)
	}
	// Loops that what is computed may be shared with do without most of the array in any case.
	copies := made.store.Value.Kind == kernel.Load && len(readers) > 1
	if a.Elem == types.R && (places > maxRereads || !other && !copies) || places > maxCompared {
		return false
	}
	fill := made.filling()
	before, after := schedule.Cost(weights, fill)+schedule.Traffic(weights, fill), 0.0 // lines are loaded before they are stored to
	bodies := slice.Map(readers, func(m *member) []kernel.Stmt {
		w := newWeaver(nil)
		w.inlined = map[*kernel.Array]*member{a: made}
		w.pass(m.pass())
		before, after = before+schedule.Cost(weights, p.Kernels[m.number].Body), after+schedule.Cost(weights, w.Bodies[0])
		return w.Bodies[0]
	})
	if !in.Recompute && a.Elem == types.R && after >= before {
		return false
	}
	for i, m := range readers {
		p.Kernels[m.number] = &kernel.Kernel{Body: bodies[i]}
	}
	p.Kernels = slices.Delete(p.Kernels, at, at+1)
	p.Arrays = slices.DeleteFunc(p.Arrays, func(b *kernel.Array) bool { return a == b })
	return true
}

// cheap reports whether a kernel stores each element of an array once, and computes it from few
// values.
func (m *member) cheap() bool { return m.size-m.once <= maxRecomputed && m.each() }

// each reports whether a kernel stores each element of an array once, and computes it from no others of them.
func (m *member) each() bool {
	ok := m.fold == nil && !m.store.Add && !m.store.Checked && len(m.store.At) == len(m.loops)
	for i, l := range m.loops {
		ok = ok && l.Order == kernel.Parallel && m.store.At[i] == l.Var
	}
	return ok && !slices.ContainsFunc(m.loads, func(v *kernel.Value) bool { return v.Array == m.store.Array })
}

// compares reports whether what a kernel stores is made of indices, of numbers that are the same in
// all runs of one of its loops, as data may say where each row begins and ends, without arithmetic on reals.
func (m *member) compares() bool {
	for v := range kernel.Needed(m.store.Value) {
		if v.Kind == kernel.Compute && v.Elem == types.R {
			return false
		}
	}
	return !slices.ContainsFunc(m.loads, func(v *kernel.Value) bool {
		at := kernel.Needed(v.At...)
		return !slices.ContainsFunc(m.loops, func(l *kernel.Loop) bool { return !at[l.Var] })
	})
}

// byLoops reports whether an index is made of those of loops by sums, and division by literals.
func byLoops(v *kernel.Value) bool {
	if _, x, _, ok := v.Division(); ok {
		return byLoops(x)
	}
	return v.Kind == kernel.Var || v.Kind == kernel.Lit || v.Kind == kernel.Linear && !slices.ContainsFunc(v.Args, func(x *kernel.Value) bool { return !byLoops(x) })
}

// filling is the body of a kernel that stores as many elements, 0.
func (m *member) filling() []kernel.Stmt {
	fill, store := *m, *m.store
	store.Value = &kernel.Value{Kind: kernel.Lit, Elem: types.R, Const: ops.ScalarZero(types.R)}
	fill.store = &store
	return fill.pass().body(func(*kernel.Array) bool { return false })
}

// pass is a pass of one kernel.
func (m *member) pass() *pass { return &pass{loops: slices.Clone(m.loops), members: []*member{m}} }
