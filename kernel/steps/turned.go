package steps

import (
	"slices"

	"egad/kernel"
)

// turned has what a kernel only puts in another order be stored in that order at once: what a loop on
// the way back makes of each of its steps, say, of which the last one is the first. What nobody would take is dropped.
func turned(p *kernel.Program) {
	for i := 0; i < len(p.Kernels); i++ {
		for _, s := range moves(p.Kernels[i]) {
			if turnedBy(p, i, s) {
				i = -1 // arrays are fewer now
				break
			}
		}
	}
}

// moves are the stores of a kernel that put elements of another array in another place, one for each run of
// some loops and each for another element of both.
func moves(k *kernel.Kernel) []*turn {
	body, loops := k.Body, []*kernel.Loop(nil)
	for len(body) == 1 {
		l, ok := body[0].(*kernel.Loop)
		if !ok || l.Order != kernel.Parallel || len(l.Folds) > 0 || l.If != nil || len(l.Only) > 0 {
			break
		}
		body, loops = l.Body, append(loops, l)
	}
	var out []*turn
	for _, s := range kernel.Among[*kernel.Store](body) {
		if s.Add || s.Checked || s.Value.Kind != kernel.Load || s.Value.Checked || len(s.At) != len(loops) || len(loops) == 0 || !s.ByLoops() {
			continue
		}
		if m := (&turn{Store: s}); m.from(s.Value.Access) {
			out = append(out, m)
		}
	}
	return out
}

// turn is such a store.
type turn struct {
	*kernel.Store
	axes []int   // of the other array, by those of the array that it stores to
	sign []int64 // index i is konst[i] + sign[i] * that of its axis
	base []int64
}

// from finds out from where a store takes an element.
func (m *turn) from(a kernel.Access) bool {
	if len(a.At) != len(m.At) || a.Array == m.Array {
		return false
	}
	m.axes, m.sign, m.base = slices.Repeat([]int{-1}, len(m.At)), make([]int64, len(m.At)), make([]int64, len(m.At))
	for axis, x := range a.At {
		f := kernel.FormOf(x)
		if len(f.Args) != 1 || !kernel.IsUnit(f.Coef[0]) {
			return false
		}
		i := slices.Index(m.At, f.Args[0])
		if i < 0 || m.axes[i] >= 0 {
			return false
		}
		m.axes[i], m.sign[i], m.base[i] = axis, f.Coef[0], f.Const
	}
	return true
}

// to is where an element of the other array goes.
func (m *turn) to(a kernel.Access) kernel.Access {
	b := kernel.NewBuilder(nil)
	out := kernel.Access{Array: m.Array}
	for i, axis := range m.axes {
		out.At = append(out.At, b.Linear(-m.sign[i]*m.base[i], []int64{m.sign[i]}, []*kernel.Value{a.At[axis]}))
	}
	out.Checked = !kernel.Fits(out)
	return out
}

// turnedBy has kernels before kernel i store where a store of that one would put what they store, if nobody
// needs it in the place where it is.
func turnedBy(p *kernel.Program, i int, m *turn) bool {
	first, ok := turns(p, i, m)
	if !ok {
		return false
	}
	from := m.Value.Array
	for n, k := range p.Kernels[:i+1] {
		if !slices.Contains(k.Writes(), from) && !slices.Contains(k.Reads(), from) {
			continue
		}
		value := kernel.Remade(make(map[*kernel.Value]*kernel.Value), func(v, of *kernel.Value) *kernel.Value {
			switch {
			case v.Kind != kernel.Load || v.Array != from:
				return of
			case first[v] != nil:
				return first[v]
			}
			moved := *of
			moved.Access = m.to(of.Access)
			return &moved
		})
		body := kernel.Clone(k.Body)
		if n == i { // what else it takes from there is in the other array by now
			body = kernel.DropUnused(kernel.WithoutStores(body, func(s *kernel.Store) bool { return s.Array == m.Array }))
		}
		now := k.With(kernel.WithoutStores(kernel.MapValues(body, make(map[*kernel.Value]bool), value), func(s *kernel.Store) bool { return s.Array == from && m.to(s.Access).Outside() }))
		for s := range kernel.All[*kernel.Store](now.Body) {
			if s.Array == from {
				s.Access = m.to(s.Access)
			}
		}
		p.Kernels[n] = now
	}
	p.Kernels = slices.DeleteFunc(p.Kernels, func(k *kernel.Kernel) bool {
		return k.Steps == nil && len(kernel.DropUnused(kernel.Clone(k.Body))) == 0
	})
	p.Arrays = slices.DeleteFunc(p.Arrays, func(a *kernel.Array) bool { return a == from })
	return true
}

// turns reports whether kernels may store so: only those before load what they store, where all is that goes
// anywhere or what was there at first, and no one else has to do with either array. It gives what was there at first.
func turns(p *kernel.Program, i int, m *turn) (first map[*kernel.Value]*kernel.Value, ok bool) {
	from := m.Value.Array
	first = make(map[*kernel.Value]*kernel.Value)
	if from.Role != kernel.Temp || m.Array.Role != kernel.Temp || from.Padded != nil || m.Array.Padded != nil || slices.Contains(p.Result.Arrays(), from) {
		return nil, false
	}
	for n, k := range p.Kernels {
		// What goes along neighbours does not go along them the other way.
		back := slices.Contains(m.sign, -1) && !slices.Contains(k.Writes(), from)
		uses := func(a *kernel.Array) bool { return slices.Contains(k.Reads(), a) || slices.Contains(k.Writes(), a) }
		all, ok := 0, (k.Steps == nil && !k.Calls() || !uses(from)) && (n <= i || !uses(from)) && (n >= i || !uses(m.Array))
		kernel.Walk(k.Body, func(s kernel.Stmt) {
			switch s := s.(type) {
			case *kernel.Let:
				if v := s.Value; v.Kind == kernel.Load && v.Array == from {
					all++
					if n == i || !back && !v.Checked && kernel.Fits(m.to(v.Access)) {
						return
					}
					first[v] = firstOf(p, v.Access)
					ok = ok && first[v] != nil
				}
			case *kernel.Store:
				if s.Array == from || s.Array == m.Array {
					all++
					ok = ok && !(s.Add && s.Array == from)
				}
			}
		})
		if !ok || n == i && all > 2 {
			return nil, false
		}
	}
	return first, true
}

// firstOf is what an element of an array is, if it is stored once, before all loops, and is a number or an element
// of an input; or nil.
func firstOf(p *kernel.Program, a kernel.Access) (is *kernel.Value) {
	literal := func(a kernel.Access) bool {
		return !slices.ContainsFunc(a.At, func(x *kernel.Value) bool { return x.Kind != kernel.Lit })
	}
	stores := 0
	for _, k := range p.Kernels {
		kernel.Walk(k.Body, func(t kernel.Stmt) {
			s, ok := t.(*kernel.Store)
			if !ok || s.Array != a.Array {
				return
			}
			for i, x := range s.At {
				if x.Range.Meet(a.At[i].Range).Empty() {
					return
				}
			}
			v := s.Value
			if stores++; literal(s.Access) && !s.Add && slices.Contains(k.Body, t) && (v.Kind == kernel.Lit || v.Kind == kernel.Load && v.Array.Role == kernel.Input && literal(v.Access)) {
				is = v
			}
		})
	}
	if stores != 1 || !literal(a) {
		return nil
	}
	return is
}
