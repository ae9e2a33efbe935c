package fuse

import (
	"maps"

	"egad/internal/slice"
	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// weaver writes the statements of several kernels as one.
type weaver struct {
	kernel.Nest
	b      *kernel.Builder
	stored map[kernel.Element]*kernel.Value
	dead   func(a *kernel.Array) bool // nobody will load from it
	rows   *blockRows                 // nil where there are no blocks
	local  map[*kernel.Array]int      // the arrays of which a row is known, where there is one
	// inlined are arrays that are not there: what makes an element of one is computed where it is
	// loaded.
	inlined map[*kernel.Array]*member
	masks   map[*kernel.Array]mask
}

// mask says at which indices an element of an array may be another than a literal.
type mask struct {
	holds func(at []*kernel.Value) *kernel.Value
	other ops.Scalar
}

func newWeaver(dead func(a *kernel.Array) bool) *weaver {
	return &weaver{Nest: kernel.NewNest(), b: kernel.NewBuilder(nil), stored: make(map[kernel.Element]*kernel.Value), dead: dead}
}

// open begins loops inside the innermost open one.
func (w *weaver) open(loops ...*kernel.Loop) {
	for range loops {
		w.Begin()
	}
}

// close ends the innermost open loop. What is computed there is not known after it, though an element
// without an index of the loop, which has one run then, be it.
func (w *weaver) close(l *kernel.Loop) {
	level := len(w.Bodies) - 1
	maps.DeleteFunc(w.stored, func(_ kernel.Element, v *kernel.Value) bool { return v.Level >= level })
	w.Close(l)
}

// element is the element of an access.
func (w *weaver) element(a kernel.Access) kernel.Element { return kernel.ElementAt(a, 0) }

// load is an element, or what has been stored there.
func (w *weaver) load(a kernel.Access) *kernel.Value {
	if m := w.inlined[a.Array]; m != nil {
		if v, ok := w.stored[w.element(a)]; ok {
			return v
		}
		c := kernel.NewCopier(w.b, w.load)
		for i, l := range m.loops {
			c.Done[l.Var] = a.At[i]
		}
		v := w.b.Guarded(w.b.InRange(a.At, a.Array.Shape), c.Value(m.store.Value))
		w.stored[w.element(a)] = v
		return v
	}
	_, local := w.local[a.Array]
	a = w.rows.access(a)
	if v, ok := w.stored[w.element(a)]; ok {
		return v
	}
	if local { // nobody stored there
		return w.b.Lit(ops.ScalarZero(a.Array.Elem))
	}
	v := w.b.Load(a)
	m, masked := w.masks[a.Array]
	switch {
	case !masked:
		return v
	case v.Elem == types.B:
		return w.b.Op(ops.Op{Sym: ops.SymAnd}, types.B, m.holds(a.At), v)
	}
	return w.b.Op(ops.Op{Sym: ops.SymWhere}, v.Elem, m.holds(a.At), v, w.b.Lit(m.other))
}

// store writes a store of a member, unless nobody would see it.
func (w *weaver) store(m *member, a kernel.Access, v *kernel.Value) {
	if m.store.Add {
		for k := range w.stored {
			if k.Array == a.Array {
				delete(w.stored, k)
			}
		}
	} else if !a.Checked {
		w.stored[w.element(a)] = v
	}
	if w.dead != nil && w.dead(m.store.Array) {
		return
	}
	w.Need(a.At...)
	w.Need(v)
	w.Add(&kernel.Store{Access: a, Value: v, Add: m.store.Add})
}

// target is where a member stores.
func (w *weaver) target(m *member, c *kernel.Copier) kernel.Access {
	a := w.rows.access(kernel.Access{Array: m.store.Array, At: slice.Map(m.store.At, c.Value)})
	a.Checked = !kernel.Fits(a)
	return a
}

// pass writes the loops of a pass.
func (w *weaver) pass(p *pass) {
	if p.flat {
		w.flat(p)
		return
	}
	outer := len(w.Bodies) - 1
	loops, index := make([]*kernel.Loop, len(p.loops)), make([]*kernel.Value, len(p.loops))
	for i, l := range p.loops {
		loops[i], index[i] = w.loop(l, w.rows != nil && i == p.axis, outer+1+i)
	}
	w.open(loops...)
	last := len(loops) - 1
	var inside []*kernel.Loop // as the pass has them, those of loops[last+1:]
	after := make([][]func(), len(loops))
	closeTo := func(n int) {
		for i := len(loops) - 1; i >= n; i-- {
			w.close(loops[i])
			for _, f := range after[i] {
				f()
			}
		}
		loops, index, after = loops[:n], index[:n], after[:n]
	}
	for _, m := range p.members {
		for i, l := range inside {
			if i == len(m.in) || m.in[i] != l {
				closeTo(last + 1 + i)
				inside = inside[:i]
				break
			}
		}
		for _, l := range m.in[len(inside):] {
			made, v := w.loop(l, false, outer+1+len(loops))
			made.Order = kernel.Folding
			w.open(made)
			loops, index, after, inside = append(loops, made), append(index, v), append(after, nil), append(inside, l)
		}
		c := kernel.NewCopier(w.b, w.load)
		for j, l := range m.loops {
			if i := m.at[j]; i >= 0 {
				c.Done[l.Var] = index[i]
			} else {
				c.Done[l.Var] = index[last-i]
			}
		}
		if m.fold == nil {
			v := c.Value(m.store.Value)
			w.store(m, w.target(m, c), v)
			continue
		}
		n := len(loops) - 1
		after[n] = append(after[n], w.fold(m, c, loops[n], outer+n, w.rows != nil && p.axis == n))
	}
	closeTo(0)
}

// loop is a loop of a pass at a level, with its index: over the rows of a block, if byRows is
// set.
func (w *weaver) loop(l *kernel.Loop, byRows bool, level int) (made *kernel.Loop, index *kernel.Value) {
	n := l.N
	if byRows {
		n = w.rows.count
	}
	v := w.b.Variable(n, level)
	if index = v; byRows {
		w.rows.row, index = v, w.b.Add(w.rows.base, v)
	}
	return &kernel.Loop{Name: l.Name, Var: v, N: n, Order: l.Order}, index
}

// fold gives a loop the fold of a member, with a result at a level, and returns what stores
// that after the loop. If goesOn is set, the loop is one of several over parts of the runs, and
// the fold goes on from what is stored.
func (w *weaver) fold(m *member, c *kernel.Copier, l *kernel.Loop, level int, goesOn bool) (after func()) {
	f := kernel.Fold{Op: m.fold.Op, Value: c.Value(m.fold.Value)}
	result := folded(l, f)
	if result == nil {
		result = w.b.Atom(&kernel.Value{Kind: kernel.Folded, Elem: m.fold.Result.Elem, Range: m.fold.Result.Range, Level: level, Plus: m.fold.Op == ops.SymSum})
		f.Result = result
		if goesOn {
			f.From = w.b.Atom(&kernel.Value{Kind: kernel.Load, Elem: result.Elem, Range: ops.AnyInt, Access: w.target(m, c), Level: level})
			w.Need(f.From)
		}
		w.Need(f.Value)
		l.Folds = append(l.Folds, f)
	}
	return func() { w.store(m, w.target(m, c), result) }
}

// folded is the result of an equal fold of the loop, nil if there is none.
func folded(l *kernel.Loop, f kernel.Fold) *kernel.Value {
	for _, g := range l.Folds {
		if g.Op == f.Op && g.Value == f.Value && g.From == nil {
			return g.Result
		}
	}
	return nil
}
