package fuse

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/schedule"
	"egad/term/eval"
	"egad/term/ops"
)

// Bounds on what is computed row by row: beyond them kernels keep their loops.
const (
	maxWritten = 36   // runs of the loops of a kernel for one row
	maxRow     = 8000 // values of one row, before those that are equal are one
)

// units are kernels that are run together, each after what it needs: passes of one loop,
// along one axis, in which all that kernels do for one row is written out, so that what
// one loads that another stores is a scalar; and kernels by themselves.
func (f *fuser) units() []*pass {
	single := func(i int) *pass { return &pass{members: []*member{{number: i}}} }
	for i := range f.prog.Kernels {
		f.of[i] = single(i)
		m := f.member(i)
		if m == nil || !m.choose(f.Sizes) {
			continue
		}
		if p := f.join(m); p != nil {
			for _, m := range p.members {
				f.put(p, m.number)
			}
		}
	}
	for _, p := range slices.Clone(f.of) {
		if p.flat && p.time == 0 && (len(p.members) < 2 || !f.pays(p)) {
			for _, m := range p.members {
				f.of[m.number] = single(m.number)
			}
		}
	}
	out := f.inOrder(f.of, func(*pass) bool { return true })
	clear(f.of)
	return out
}

// choose chooses the loop along rows, if all others are short.
func (m *member) choose(in Sizes) bool {
	best, runs := -1, 1
	for i, l := range m.loops {
		m.at[i] = -1
		runs *= max(1, l.N)
		if l.N > 0 && (best < 0 || l.N > m.loops[best].N) {
			best = i
		}
	}
	if best < 0 || m.loops[best].N < in.Axis || runs/m.loops[best].N > maxWritten {
		return false
	}
	m.at[best] = 0
	return m.fold == nil || m.alongRows() || !m.fold.Positional()
}

// alongRows reports whether a kernel folds along rows.
func (m *member) alongRows() bool {
	last := len(m.at) - 1
	return m.fold != nil && m.at[last] == 0
}

// join makes one pass of a kernel and of those that load or store what it does too, or of
// it and the last of them with which there may be one.
func (f *fuser) join(m *member) *pass {
	var near []*pass
	for _, a := range slices.Concat(f.reads[m.number], f.writes[m.number]) {
		for _, by := range [][]int{f.readers[a], f.writers[a]} {
			at, _ := slices.BinarySearch(by, m.number)
			for _, i := range by[max(0, at-maxShared):at] {
				if p := f.of[i]; len(a.Shape) > 0 && p.flat && p.loops[0].N == m.along(0).N && !slices.Contains(near, p) {
					near = append(near, p)
				}
			}
		}
	}
	slices.SortFunc(near, func(p, q *pass) int { return q.last() - p.last() })
	ways := [][]*pass{near}
	for i := range near[:min(len(near), maxNear)] {
		ways = append(ways, near[i:i+1])
	}
	for _, ps := range ways {
		all := []*member{m}
		for _, p := range ps {
			all = append(all, p.members...)
		}
		slices.SortFunc(all, func(a, b *member) int { return a.number - b.number })
		if f.cyclic(ps, m.number) {
			continue
		}
		if p := f.row(all); p != nil {
			return p
		}
	}
	return f.row([]*member{m})
}

// last is the number of the last kernel of a pass.
func (p *pass) last() int { return p.members[len(p.members)-1].number }

// row is a pass of kernels that are computed row by row, or nil if they may not be: what
// one loads of what another stores must be of the same row, at a place that is known.
func (f *fuser) row(members []*member) *pass {
	first := members[0].along(0)
	l := &kernel.Loop{Name: first.Name, N: first.N, Order: kernel.Parallel}
	p := &pass{loops: []*kernel.Loop{l}, members: members, flat: true, rows: make(map[*kernel.Array]int), ours: make(map[*kernel.Array]bool)}
	in := make(map[int]bool)
	ours := func(a *kernel.Array, before int) bool { // all that stored there before
		return !slices.ContainsFunc(f.writers[a], func(i int) bool { return i < before && !in[i] })
	}
	sums := make(map[*kernel.Array]bool)
	values := 0
	for _, m := range members {
		along := m.along(0)
		for _, v := range m.loads {
			at, row := p.rows[v.Array]
			if sums[v.Array] || row && (!m.written(v.At, at, along) || !ours(v.Array, m.number)) {
				return nil
			}
		}
		a := m.store.Array
		old, before := p.rows[a]
		at := slices.Index(m.store.At, along.Var)
		switch {
		case sums[a] && !f.elsewhere(m, members), before && (m.alongRows() || at != old):
			return nil
		case m.alongRows():
			sums[a] = true
		case at >= 0 && a.Shape[at] == along.N && m.written(m.store.At, at, along) && (!m.store.Add || ours(a, m.number)):
			p.rows[a] = at
		default: // a scatter
			if before || !m.store.Add || m.runs() > 1 || along.Order != kernel.InOrder {
				return nil
			}
			sums[a] = true
		}
		switch {
		case sums[a] && !m.alongRows():
			l.Order = kernel.InOrder
		case sums[a] && l.Order == kernel.Parallel:
			l.Order = kernel.Folding
		}
		in[m.number] = true
		if values += m.runs() * (m.size + 1); values > maxRow {
			return nil
		}
	}
	for a := range p.rows {
		p.ours[a] = !slices.ContainsFunc(f.writers[a], func(i int) bool { return !in[i] })
	}
	return p
}

// elsewhere reports whether a kernel and those before it that store to its array each fold along rows, to another
// place: as the elements of an array literal are sums.
func (f *fuser) elsewhere(m *member, members []*member) bool {
	a := m.store.Array
	at := placesOf(f.prog.Kernels[m.number], a)
	return !slices.ContainsFunc(members, func(old *member) bool {
		return old.number < m.number && old.store.Array == a &&
			!(old.alongRows() && m.alongRows() && apart(at, placesOf(f.prog.Kernels[old.number], a)))
	})
}

// runs is how often a kernel is written out for one row.
func (m *member) runs() int {
	n := 1
	for i, l := range m.loops {
		if m.at[i] < 0 {
			n *= l.N
		}
	}
	return n
}

// written reports whether indices are known where the loops but the one along rows are
// written out, but for the row, which is at one place.
func (m *member) written(at []*kernel.Value, row int, along *kernel.Loop) bool {
	var known func(v *kernel.Value) bool
	known = func(v *kernel.Value) bool {
		return v.Kind == kernel.Lit || v.Kind == kernel.Var && v != along.Var || v.Kind == kernel.Linear && !slices.ContainsFunc(v.Args, func(a *kernel.Value) bool { return !known(a) })
	}
	for i, v := range at {
		if i == row && v != along.Var || i != row && !known(v) {
			return false
		}
	}
	return true
}

// pays reports whether it takes less time to compute row by row than to share loops as
// they are, or in blocks of rows.
func (f *fuser) pays(p *pass) bool {
	p.time = schedule.Cost(f.Weights, p.body(f.dead(p)))
	other := *f
	other.of, other.top, other.near, other.short = slices.Clone(f.of), slices.Clone(f.top), make(map[*kernel.Array][]*pass), make(map[int][]*pass)
	other.passes, other.scalars = nil, nil
	apart := 0.0
	var most eval.Counts
	for _, m := range p.members {
		other.of[m.number] = nil
		alone := f.alone(newMember(m.number, f.prog.Kernels[m.number]))
		apart += alone.time
		most.AddTimes(operations(alone.body(f.dead(alone))), 1)
	}
	if more(operations(p.body(f.dead(p))), most) || p.time >= apart-f.Least() {
		return false
	}
	if p.time*shareable < apart || f.Eager {
		return true
	}
	for _, m := range p.members {
		other.place(m.number)
	}
	f.tries = other.tries
	return p.time < slice.Sum(other.passes, func(q *pass) float64 { return q.time })
}

// shareable is by what sharing loops makes kernels faster at best. They are not even
// searched where all is faster than that.
const shareable = 4

// flat writes the loop of a pass whose kernels are computed row by row.
func (w *weaver) flat(p *pass) {
	outer := len(w.Bodies) - 1
	loop, row := w.loop(p.loops[0], w.rows != nil, outer+1)
	w.local = p.rows
	w.open(loop)
	var after []func()
	for _, m := range p.members {
		short := m.loops
		if m.fold != nil && !m.alongRows() {
			short = short[:len(short)-1]
		}
		sizes := slice.Map(short, func(l *kernel.Loop) int { return l.N })
		each(sizes, slices.Index(m.at[:len(short)], 0), func(at []int) {
			copied := func() *kernel.Copier {
				c := kernel.NewCopier(w.b, w.load)
				for i, s := range short {
					if m.at[i] == 0 {
						c.Done[s.Var] = row
					} else {
						c.Done[s.Var] = w.b.Int(int64(at[i]))
					}
				}
				return c
			}
			c := copied()
			switch {
			case m.fold == nil:
				w.put(m, c, c.Value(m.store.Value))
			case m.alongRows():
				after = append(after, w.fold(m, c, loop, outer, w.rows != nil))
			default:
				w.put(m, c, m.foldOut(w.b, copied))
			}
		})
	}
	w.fill(p, row)
	w.local = nil
	w.close(loop)
	for _, f := range after {
		f()
	}
}

// foldOut is what a kernel folds in its last loop, written out: copied makes what is outside that loop anew.
func (m *member) foldOut(b *kernel.Builder, copied func() *kernel.Copier) *kernel.Value {
	acc, inner := b.Lit(m.fold.Nothing()), m.loops[len(m.loops)-1]
	op := ops.Op{Sym: ops.Builtin(m.fold.Op).Fold}
	for k := range inner.N {
		step := copied()
		step.Done[inner.Var] = b.Int(int64(k))
		acc = b.Op(op, acc.Elem, acc, step.Value(m.fold.Value))
	}
	return acc
}

// each goes through the indices of loops, in order, but for one, which stays 0.
func each(sizes []int, but int, f func(at []int)) {
	at := make([]int, len(sizes))
	var run func(i int)
	run = func(i int) {
		switch {
		case i == len(sizes):
			f(at)
		case i == but:
			run(i + 1)
		default:
			for at[i] = range sizes[i] {
				run(i + 1)
			}
		}
	}
	run(0)
}

// fill writes what is known of a row to arrays that somebody loads from.
func (w *weaver) fill(p *pass, row *kernel.Value) {
	seen := make(map[*kernel.Array]bool)
	for _, m := range p.members {
		a := m.store.Array
		axis, local := p.rows[a]
		if !local || seen[a] || w.dead(a) {
			continue
		}
		seen[a] = true
		each(a.Shape, axis, func(at []int) {
			to := kernel.Access{Array: a, At: make([]*kernel.Value, len(at))}
			for i, n := range at {
				to.At[i] = w.b.Int(int64(n))
			}
			to.At[axis] = row
			to = w.rows.access(to)
			v, there := w.stored[w.element(to)]
			if !there {
				if !p.ours[a] {
					return
				}
				v = w.b.Lit(ops.ScalarZero(a.Elem))
			}
			w.Need(v)
			w.Add(&kernel.Store{Access: to, Value: v})
		})
	}
}

// put stores, or adds, a value of a row; it is written when all of the row is known.
func (w *weaver) put(m *member, c *kernel.Copier, v *kernel.Value) {
	a := w.target(m, c)
	if _, local := w.local[m.store.Array]; !local {
		w.store(m, a, v)
		return
	}
	if a.Checked { // out of range
		return
	}
	e := w.element(a)
	old, there := w.stored[e]
	if m.store.Add {
		if !there {
			old = w.b.Lit(ops.ScalarZero(a.Array.Elem))
		}
		v = w.b.Op(ops.Op{Sym: ops.SymAdd}, a.Array.Elem, old, v)
	}
	w.stored[e] = v
}
