package kernel

import (
	"encoding/binary"
	"maps"

	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// weaver writes the statements of several kernels as one.
type weaver struct {
	nest
	b      *Builder
	stored map[element]*Value
	dead   func(a *Array) bool // nobody will load from it
	rows   *blockRows          // nil where there are no blocks
	local  map[*Array]int      // the arrays of which a row is known, where there is one
	// inlined are arrays that are not there: what makes an element of one is computed where it is
	// loaded.
	inlined map[*Array]*member
	// masks say at which indices an element of an array may be something else than 0.
	masks map[*Array]func(at []*Value) *Value
}

// element is an element of an array, at indices of a builder.
type element struct {
	array *Array
	at    string
}

func newWeaver(dead func(a *Array) bool) *weaver {
	return &weaver{nest: newNest(), b: NewBuilder(nil), stored: make(map[element]*Value), dead: dead}
}

// open begins loops inside the innermost open one.
func (w *weaver) open(loops ...*Loop) {
	for range loops {
		w.begin()
	}
}

// close ends the innermost open loop. What is computed there is not known after it, though an element
// without an index of the loop, which has one run then, be it.
func (w *weaver) close(l *Loop) {
	level := len(w.bodies) - 1
	maps.DeleteFunc(w.stored, func(_ element, v *Value) bool { return v.Level >= level })
	l.Body = w.end()
	w.add(l)
}

// element is the element of an access.
func (w *weaver) element(a Access) element {
	var at []byte
	for _, x := range a.At {
		at = binary.AppendUvarint(at, uint64(x.Serial))
	}
	return element{a.Array, string(at)}
}

// load is an element, or what has been stored there.
func (w *weaver) load(a Access) *Value {
	if m := w.inlined[a.Array]; m != nil {
		c := &Copier{b: w.b, Done: make(map[*Value]*Value), load: w.load}
		for i, l := range m.loops {
			c.Done[l.Var] = a.At[i]
		}
		return w.b.Guarded(w.b.InRange(a.At, a.Array.Shape), c.Value(m.store.Value))
	}
	_, local := w.local[a.Array]
	a = w.rows.access(a)
	if v, ok := w.stored[w.element(a)]; ok {
		return v
	}
	if local { // nobody stored there
		return w.b.Lit(ops.ScalarZero(a.Array.Elem))
	}
	v, mask := w.b.Load(a), w.masks[a.Array]
	switch {
	case mask == nil:
		return v
	case v.Elem == types.B:
		return w.b.Op(ops.Op{Sym: ops.SymAnd}, types.B, mask(a.At), v)
	}
	return w.b.Op(ops.Op{Sym: ops.SymWhere}, v.Elem, mask(a.At), v, w.b.Lit(ops.ScalarZero(v.Elem)))
}

// store writes a store of a member, unless nobody would see it.
func (w *weaver) store(m *member, a Access, v *Value) {
	if m.store.Add {
		for k := range w.stored {
			if k.array == a.Array {
				delete(w.stored, k)
			}
		}
	} else if !a.Checked {
		w.stored[w.element(a)] = v
	}
	if w.dead != nil && w.dead(m.store.Array) {
		return
	}
	w.need(a.At...)
	w.need(v)
	w.add(&Store{Access: a, Value: v, Add: m.store.Add})
}

// target is where a member stores.
func (w *weaver) target(m *member, c *Copier) Access {
	a := w.rows.access(Access{Array: m.store.Array, At: slice.Map(m.store.At, c.Value)})
	a.Checked = !Fits(a)
	return a
}

// pass writes the loops of a pass.
func (w *weaver) pass(p *pass) {
	if p.flat {
		w.flat(p)
		return
	}
	outer := len(w.bodies) - 1
	loops, index := make([]*Loop, len(p.loops)), make([]*Value, len(p.loops))
	for i, l := range p.loops {
		loops[i], index[i] = w.loop(l, w.rows != nil && i == p.axis, outer+1+i)
	}
	w.open(loops...)
	last := len(loops) - 1
	var inside []*Loop // as the pass has them, those of loops[last+1:]
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
			made.Order = Folding
			w.open(made)
			loops, index, after, inside = append(loops, made), append(index, v), append(after, nil), append(inside, l)
		}
		c := &Copier{b: w.b, Done: make(map[*Value]*Value), load: w.load}
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
func (w *weaver) loop(l *Loop, byRows bool, level int) (made *Loop, index *Value) {
	n := l.N
	if byRows {
		n = w.rows.count
	}
	v := w.b.Variable(n, level)
	if index = v; byRows {
		w.rows.row, index = v, w.b.add(w.rows.base, v)
	}
	return &Loop{Name: l.Name, Var: v, N: n, Order: l.Order}, index
}

// fold gives a loop the fold of a member, with a result at a level, and returns what stores
// that after the loop. If goesOn is set, the loop is one of several over parts of the runs, and
// the fold goes on from what is stored.
func (w *weaver) fold(m *member, c *Copier, l *Loop, level int, goesOn bool) (after func()) {
	f := Fold{Op: m.fold.Op, Value: c.Value(m.fold.Value)}
	result := l.folded(f)
	if result == nil {
		result = w.b.Atom(&Value{Kind: Folded, Elem: m.fold.Result.Elem, Range: m.fold.Result.Range, Level: level, plus: m.fold.Op == ops.SymSum})
		f.Result = result
		if goesOn {
			f.From = w.b.Atom(&Value{Kind: Load, Elem: result.Elem, Range: ops.AnyInt, Access: w.target(m, c), Level: level})
			w.need(f.From)
		}
		w.need(f.Value)
		l.Folds = append(l.Folds, f)
	}
	return func() { w.store(m, w.target(m, c), result) }
}

// folded is the result of an equal fold of the loop, nil if there is none.
func (l *Loop) folded(f Fold) *Value {
	for _, g := range l.Folds {
		if g.Op == f.Op && g.Value == f.Value && g.From == nil {
			return g.Result
		}
	}
	return nil
}
