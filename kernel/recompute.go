package kernel

import (
	"slices"

	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// Bounds on arrays that are computed where they are read.
const (
	maxRecomputed = 16 // values that make an element
	maxRereads    = 4  // places where they are read
)

// recompute computes the elements of arrays where they are read, each as often as it is, where an
// estimate says that this takes less time than to store and load them: those of arrays that fit
// no small cache, and are read at other indices than those of the loops around, as neighbours are,
// so that no loop can be shared with what makes them, and copies that several loops read. By what loops compare indices they know which
// of their runs need be done, so that is always computed there.
func (p *Program) recompute(in Sizes) {
	if in.eager {
		return
	}
	w := in.weights.own.apart()
	if in.recompute {
		in.temp = 0
	}
	for i := 0; i < len(p.Arrays); {
		if p.recomputed(p.Arrays[i], in, w) {
			i = 0
		} else {
			i++
		}
	}
}

// recomputed has the readers of an array compute its elements, and reports whether they do now.
func (p *Program) recomputed(a *Array, in Sizes, weights *Weights) bool {
	if a.Role != Temp || a.Elem == types.I || a.Elem == types.R && 8*a.Len() < in.temp || slices.Contains(p.Result.Arrays(), a) {
		return false
	}
	at := writer(p.Kernels, a)
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
	ragged := false           // in each run of a loop as many elements are read as data say
	for i, k := range p.Kernels[at+1:] {
		if slices.ContainsFunc(k.Writes(), func(b *Array) bool { return b == a || slices.Contains(reads, b) }) {
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
				other = other || slices.ContainsFunc(v.At, func(x *Value) bool { return x.Kind != Var })
				ragged = ragged || m.parts(v)
				if slices.ContainsFunc(v.At, func(x *Value) bool { return !x.byLoops() }) {
					return false
				}
			}
		}
		readers = append(readers, m)
	}
	// Loops that what is computed may be shared with do without most of the array in any case.
	copies := made.store.Value.Kind == Load && len(readers) > 1
	if places > maxRereads || !other && !ragged && !copies && a.Elem == types.R {
		return false
	}
	fill := made.filling()
	if ragged && places == 1 { // no loop may be shared with what computes them, so that it need not be done besides
		fill = p.Kernels[at].Body
	}
	before, after := weights.cost(fill)+weights.traffic(fill), 0.0 // lines are loaded before they are stored to
	bodies := slice.Map(readers, func(m *member) []Stmt {
		w := newWeaver(nil)
		w.inlined = map[*Array]*member{a: made}
		w.pass(m.pass())
		before, after = before+weights.cost(p.Kernels[m.number].Body), after+weights.cost(w.bodies[0])
		return w.bodies[0]
	})
	if !in.recompute && a.Elem == types.R && after >= before {
		return false
	}
	for i, m := range readers {
		p.Kernels[m.number] = &Kernel{Body: bodies[i]}
	}
	p.Kernels = slices.Delete(p.Kernels, at, at+1)
	p.Arrays = slices.DeleteFunc(p.Arrays, func(b *Array) bool { return a == b })
	return true
}

// cheap reports whether a kernel stores each element of an array once, and computes it from few
// values.
func (m *member) cheap() bool {
	ok := m.fold == nil && !m.store.Add && !m.store.Checked && m.size-m.once <= maxRecomputed && len(m.store.At) == len(m.loops)
	for i, l := range m.loops {
		ok = ok && l.Order == Parallel && m.store.At[i] == l.Var
	}
	return ok && !slices.ContainsFunc(m.loads, func(v *Value) bool { return v.Array == m.store.Array })
}

// compares reports whether what a kernel stores is made of indices, of numbers that are the same in
// all runs of one of its loops, as data may say where each row begins and ends, without arithmetic on reals.
func (m *member) compares() bool {
	for v := range needed(m.store.Value) {
		if v.Kind == Compute && v.Elem == types.R {
			return false
		}
	}
	return !slices.ContainsFunc(m.loads, func(v *Value) bool {
		at := needed(v.At...)
		return !slices.ContainsFunc(m.loops, func(l *Loop) bool { return !at[l.Var] })
	})
}

// byLoops reports whether an index is made of those of loops by sums, and division by literals.
func (v *Value) byLoops() bool {
	if _, x, _, ok := v.division(); ok {
		return x.byLoops()
	}
	return v.Kind == Var || v.Kind == Lit || v.Kind == Linear && !slices.ContainsFunc(v.Args, func(x *Value) bool { return !x.byLoops() })
}

// filling is the body of a kernel that stores as many elements, 0.
func (m *member) filling() []Stmt {
	fill, store := *m, *m.store
	store.Value = &Value{Kind: Lit, Elem: types.R, Const: ops.ScalarZero(types.R)}
	fill.store = &store
	return fill.pass().body(func(*Array) bool { return false })
}

// pass is a pass of one kernel.
func (m *member) pass() *pass { return &pass{loops: slices.Clone(m.loops), members: []*member{m}} }
