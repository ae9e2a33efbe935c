package fuse

import (
	"fmt"
	"maps"
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/term/types"
)

// Bounds on arrays that are taken apart by their components.
const (
	maxComponents = 4   // along the axis of components
	minPairs      = 8   // runs of each of the loops around
	maxApart      = 128 // kernels that there are then
)

// byComponents is a program in which arrays of short vectors are an array for each component, and loops along
// components are written out, where a kernel folds the components of a vector for each pair of runs of
// other loops, as in
//
//	build n (\i -> build n (\j -> sumsq (x[i] - x[j])))
//
// Then all that is done for a pair can be done in one run of two loops, without loops inside these, which
// cannot be shared. It is nil if there are no such arrays.
func byComponents(p *kernel.Program, in Sizes, by kernel.Names) *kernel.Program {
	c := &components{prog: p, alone: in.Alone, members: make([]*member, len(p.Kernels)), axis: make(map[*kernel.Array]int), written: make([]map[*kernel.Value]bool, len(p.Kernels)), parts: make(map[*kernel.Array][]*kernel.Array)}
	for i, k := range p.Kernels {
		c.members[i] = newMember(i, k)
		c.written[i] = make(map[*kernel.Value]bool)
	}
	for i, m := range c.members {
		if v := m.pairs(); v != nil {
			c.writeOut(i, v)
		}
	}
	if len(c.axis) == 0 {
		return nil
	}
	out := *p
	out.Arrays, out.Kernels = slices.Clone(p.Arrays), nil
	for _, a := range p.Arrays {
		axis, ok := c.axis[a]
		if !ok {
			continue
		}
		for i := range a.Shape[axis] {
			b := *a
			b.Name = by.Like(fmt.Sprintf("%s_%d", a.Name, i))
			b.Shape = slices.Delete(slices.Clone(a.Shape), axis, axis+1)
			c.parts[a] = append(c.parts[a], &b)
		}
		at := slices.Index(out.Arrays, a)
		out.Arrays = slices.Replace(out.Arrays, at, at+1, c.parts[a]...)
	}
	for i, k := range p.Kernels {
		out.Kernels = append(out.Kernels, c.apart(i, k)...)
	}
	if len(out.Kernels) > maxApart {
		return nil
	}
	return &out
}

// components are what is taken apart of a program.
type components struct {
	prog    *kernel.Program
	alone   map[*kernel.Array]bool   // arrays that stay as they are
	members []*member                // its kernels
	axis    map[*kernel.Array]int    // along which arrays are taken apart
	written []map[*kernel.Value]bool // by kernel: the indices of loops that are written out
	parts   map[*kernel.Array][]*kernel.Array
}

// pairs is the index of the loop along which a kernel folds the components of vectors, one for each pair of
// runs of other loops, or nil.
func (m *member) pairs() *kernel.Value {
	if m == nil || m.fold == nil || m.fold.Positional() || len(m.loops) < 3 {
		return nil
	}
	last := m.loops[len(m.loops)-1]
	if last.N < 2 || last.N > maxComponents {
		return nil
	}
	for _, v := range m.loads {
		around := 0
		for _, l := range m.loops[:len(m.loops)-1] {
			if l.N >= minPairs && slices.Contains(v.At, l.Var) {
				around++
			}
		}
		if v.Array.Role == kernel.Temp && v.Elem == types.R && around > 1 && slices.Contains(v.At, last.Var) {
			return last.Var
		}
	}
	return nil
}

// writeOut has a loop of a kernel be written out, with all arrays along whose axis it goes, and the loops of
// other kernels that go along these.
func (c *components) writeOut(i int, index *kernel.Value) {
	if c.written[i][index] {
		return
	}
	c.written[i][index] = true
	c.accesses(i, func(a kernel.Access) {
		axis := slices.Index(a.At, index)
		if axis < 0 || !c.separable(a.Array, axis) {
			return
		}
		if _, ok := c.axis[a.Array]; ok {
			return
		}
		c.axis[a.Array] = axis
		for j := range c.members {
			c.accesses(j, func(b kernel.Access) {
				if x := b.At; b.Array == a.Array && x[axis].Kind == kernel.Var {
					c.writeOut(j, x[axis])
				}
			})
		}
	})
}

// accesses calls f with those of a kernel.
func (c *components) accesses(i int, f func(kernel.Access)) {
	if m := c.members[i]; m != nil {
		for _, v := range m.loads {
			f(v.Access)
		}
		f(m.store.Access)
	}
}

// separable reports whether there may be an array for each index along an axis of one: whether all kernels
// access it along a loop that can be written out, or at a number.
func (c *components) separable(a *kernel.Array, axis int) bool {
	if a.Role != kernel.Temp || c.alone[a] || len(a.Shape) < 2 || slices.Contains(c.prog.Result.Arrays(), a) {
		return false
	}
	ok := true
	for i, k := range c.prog.Kernels {
		m := c.members[i]
		if m == nil {
			ok = ok && !slices.Contains(k.Reads(), a) && !slices.Contains(k.Writes(), a)
			continue
		}
		c.accesses(i, func(b kernel.Access) {
			if b.Array != a {
				return
			}
			x := b.At[axis]
			at := slices.IndexFunc(m.loops, func(l *kernel.Loop) bool { return l.Var == x })
			switch {
			case b.Checked || slices.Index(b.At, x) != axis || slices.Contains(b.At[axis+1:], x):
				ok = false
			case at >= 0:
				l := m.loops[at]
				ok = ok && l.N == a.Shape[axis] && (l.Order == kernel.Parallel || l.Order == kernel.Folding && !m.fold.Positional())
			default: // what no kernel would store to has no memory
				ok = ok && x.Kind == kernel.Lit && m.store.Array != a
			}
		})
	}
	return ok
}

// apart are the kernels in whose place one is.
func (c *components) apart(i int, k *kernel.Kernel) (out []*kernel.Kernel) {
	if len(c.written[i]) == 0 && !slices.ContainsFunc(slices.Concat(k.Reads(), k.Writes()), func(a *kernel.Array) bool { return c.parts[a] != nil }) {
		return []*kernel.Kernel{k}
	}
	m := c.members[i]
	var sizes []int
	var vars []*kernel.Value
	for _, l := range m.loops {
		if c.written[i][l.Var] && l.Order == kernel.Parallel {
			sizes, vars = append(sizes, l.N), append(vars, l.Var)
		}
	}
	each(sizes, -1, func(at []int) {
		b := kernel.NewBuilder(nil)
		n := &member{number: m.number}
		done := make(map[*kernel.Value]*kernel.Value)
		for j, v := range vars {
			done[v] = b.Int(int64(at[j]))
		}
		foldsOut := false
		for _, l := range m.loops {
			switch {
			case c.written[i][l.Var] && l.Order == kernel.Folding:
				foldsOut = true
			case !c.written[i][l.Var]:
				made := &kernel.Loop{Name: l.Name, Var: b.Variable(l.N, len(n.loops)+1), N: l.N, Order: l.Order}
				done[l.Var] = made.Var
				n.at, n.loops = append(n.at, len(n.loops)), append(n.loops, made)
			}
		}
		copied := func() *kernel.Copier {
			return &kernel.Copier{Builder: b, Done: maps.Clone(done), Load: func(a kernel.Access) *kernel.Value { return b.Load(c.access(a)) }}
		}
		one := copied()
		n.store = &kernel.Store{Access: c.access(kernel.Access{Array: m.store.Array, At: slice.Map(m.store.At, one.Value)}), Add: m.store.Add}
		switch {
		case m.fold == nil:
			n.store.Value = one.Value(m.store.Value)
		case !foldsOut:
			n.fold = &kernel.Fold{Op: m.fold.Op, Value: one.Value(m.fold.Value), Result: m.fold.Result}
			n.store.Value = m.fold.Result
		default:
			n.store.Value = m.foldOut(b, copied)
		}
		out = append(out, &kernel.Kernel{Body: n.pass().body(func(*kernel.Array) bool { return false })})
	})
	return out
}

// access is where an element is of an array that may be taken apart.
func (c *components) access(a kernel.Access) kernel.Access {
	parts := c.parts[a.Array]
	if parts == nil {
		return a
	}
	axis := c.axis[a.Array]
	a.Array = parts[a.At[axis].Const.Int]
	a.At = slices.Delete(slices.Clone(a.At), axis, axis+1)
	return a
}
