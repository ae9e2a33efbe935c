package fuse

import (
	"iter"
	"math"
	"slices"

	"egad/kernel"
	"egad/kernel/schedule"
	"egad/term/eval"
)

// member is a kernel of one store, in loops of a pass.
type member struct {
	number int // of the kernel
	loops  []*kernel.Loop
	store  *kernel.Store
	fold   *kernel.Fold // in the innermost loop, nil if there is none
	loads  []*kernel.Value
	at     []int          // which loop of the pass each loop is, or of those inside it: -1 the outermost, …
	in     []*kernel.Loop // inside the innermost loop of the pass, from outside on; the last one folds
	size   int            // how many values it computes,
	once   int            // of which so many before all loops
	byFold *member        // what it is by a fold, if it adds to its sums: see added
}

// newMember takes a kernel apart, if it is loops around one store.
func newMember(number int, k *kernel.Kernel) *member {
	m := &member{number: number}
	body := k.Body
	for body != nil {
		var inner *kernel.Loop
		for _, s := range body {
			switch s := s.(type) {
			case *kernel.Let:
				if m.size++; s.Value.Kind == kernel.Load {
					m.loads = append(m.loads, s.Value)
				}
				if len(m.loops) == 0 {
					m.once++
				}
			case *kernel.Loop:
				if inner != nil || m.store != nil {
					return nil
				}
				inner = s
			case *kernel.Store:
				if m.store != nil {
					return nil
				}
				m.store = s
			default:
				return nil
			}
		}
		body = nil
		if inner != nil {
			m.at = append(m.at, len(m.loops))
			m.loops = append(m.loops, inner)
			body = inner.Body
			if len(inner.Folds) > 0 {
				m.fold = &inner.Folds[0]
			}
		}
	}
	if m.store == nil || m.fold != nil && (m.store.Value != m.fold.Result || m.store.Add || !m.loops[len(m.loops)-1].Innermost()) {
		return nil
	}
	return m
}

// pass is kernels that share their loops: each run of them all does what one run of each
// kernel does.
type pass struct {
	loops   []*kernel.Loop // of which N, Order and Name matter
	members []*member
	kernel  *kernel.Kernel // which cannot be taken apart, instead of members
	time    float64        // estimated
	axis    int            // the loop that is run in blocks of rows

	// flat: there is one loop, along rows, and all others are written out. Rows are the
	// axes along which those of arrays lie, and ours the arrays to which nobody else stores.
	flat bool
	rows map[*kernel.Array]int
	ours map[*kernel.Array]bool
}

// members are those of passes, each with its pass.
func members(of []*pass) iter.Seq2[*pass, *member] {
	return func(yield func(*pass, *member) bool) {
		for _, p := range of {
			for _, m := range p.members {
				if !yield(p, m) {
					return
				}
			}
		}
	}
}

// body writes a pass by itself. What is loaded although it is said that it will not be
// is stored.
func (p *pass) body(dead func(*kernel.Array) bool) []kernel.Stmt {
	w := newWeaver(dead)
	w.pass(p)
	loaded := make(map[*kernel.Array]bool)
	for l := range kernel.All[*kernel.Let](w.Bodies[0]) {
		if l.Value.Kind == kernel.Load && dead(l.Value.Array) {
			loaded[l.Value.Array] = true
		}
	}
	if len(loaded) > 0 {
		w = newWeaver(func(a *kernel.Array) bool { return !loaded[a] && dead(a) })
		w.pass(p)
	}
	return w.Bodies[0]
}

// alike lists the ways in which the loops of q may be loops of p: each a choice of one
// for each. The first one has those that go along one axis of an array be one.
func (p *pass) alike(q *pass) [][]int {
	if len(q.loops) != len(p.loops) {
		return nil
	}
	var out [][]int
	along := p.along(q)
	at := make([]int, 0, len(q.loops))
	var try func()
	try = func() {
		if len(out) >= maxWays {
			return
		}
		if len(at) == len(q.loops) {
			out = append(out, slices.Clone(at))
			return
		}
		first := along[len(at)]
		for i := range p.loops {
			if first >= 0 && i <= first { // it comes before the others
				i = (i + first) % (first + 1)
			}
			if p.loops[i].N == q.loops[len(at)].N && !slices.Contains(at, i) {
				at = append(at, i)
				try()
				at = at[:len(at)-1]
			}
		}
	}
	try()
	return out
}

// along are the loops of p that go along the axis of an array along which each loop of q goes;
// -1 where there is none.
func (p *pass) along(q *pass) []int {
	out := slices.Repeat([]int{-1}, len(q.loops))
	loop := func(m *member, v *kernel.Value) int {
		if i := slices.IndexFunc(m.loops, func(l *kernel.Loop) bool { return l.Var == v }); i >= 0 {
			return m.at[i]
		}
		return -1
	}
	match := func(m *member, mine kernel.Access, old *member, its kernel.Access) {
		if mine.Array != its.Array {
			return
		}
		for axis, v := range mine.At {
			i, j := loop(m, v), loop(old, its.At[axis])
			if i >= 0 && j >= 0 && out[i] < 0 && !slices.Contains(out, j) {
				out[i] = j
			}
		}
	}
	for _, m := range q.members {
		for _, old := range p.members {
			for _, v := range m.loads {
				match(m, v.Access, old, old.store.Access)
			}
			for _, v := range old.loads {
				match(m, m.store.Access, old, v.Access)
			}
		}
	}
	return out
}

// maxWays bounds the ways that are tried to have the loops of one pass be those of another.
const maxWays = 6

// with is p and the members of another pass whose loops are loops at of p, in the order of p's loops
// or in that of the other's; it is nil if they cannot be in that order. If merge is set, kernels are in the
// order of the program, and may add to their sums.
func (p *pass) with(other *pass, at []int, own, merge bool) *pass {
	place := make([]int, len(at)) // of a loop of p in the new pass
	for i := range place {
		place[i] = i
	}
	if own {
		for j, i := range at {
			place[i] = j
		}
	}
	q := &pass{loops: make([]*kernel.Loop, len(at)), members: make([]*member, 0, len(p.members)+len(other.members))}
	add := func(m *member, at func(j int) int) bool {
		if last := len(m.at) - 1; len(m.in) == 0 && (m.fold != nil || m.byFold != nil) {
			inner := at(last) == len(q.loops)-1
			switch {
			case inner && m.byFold != nil:
				m = m.folded()
			case !inner && m.fold != nil && merge:
				m = m.added()
			}
			if m == nil || m.fold != nil && !inner {
				return false
			}
		}
		n := *m
		n.at = make([]int, len(m.at))
		first := -1 // a loop in order is inside those in order before it
		for j, l := range m.loops {
			if n.at[j] = m.at[j]; m.at[j] < 0 {
				continue
			}
			i := at(j)
			n.at[j] = i
			if l.Order == kernel.InOrder {
				if i < first {
					return false
				}
				first = i
			}
			if old := q.loops[i]; old == nil {
				q.loops[i] = &kernel.Loop{Name: l.Name, N: l.N, Order: l.Order}
			} else if l.Order == kernel.InOrder || old.Order == kernel.Parallel {
				old.Order = l.Order
			}
		}
		q.members = append(q.members, &n)
		return true
	}
	for _, old := range p.members {
		if !add(old, func(j int) int { return place[old.at[j]] }) {
			return nil
		}
	}
	for _, m := range other.members {
		if !add(m, func(j int) int { return place[at[m.at[j]]] }) {
			return nil
		}
	}
	if merge {
		slices.SortStableFunc(q.members, func(m, n *member) int { return m.number - n.number })
	}
	return q
}

// opened is p with the loop in which kernels fold inside the others, where loops go that use what
// the folds result in, or nil.
func (p *pass) opened() *pass {
	last := len(p.loops) - 1
	q := *p
	q.loops, q.members = p.loops[:last], nil
	if p.loops[last].Order != kernel.Folding {
		return nil
	}
	for _, m := range p.members {
		n := *m
		n.at, n.in = slices.Clone(m.at), append(p.loops[last:len(p.loops):len(p.loops)], m.in...)
		for j, i := range m.at {
			if i < 0 {
				n.at[j]--
			} else if i == last {
				n.at[j] = -1
			}
		}
		q.members = append(q.members, &n)
	}
	return &q
}

// legal reports whether what a pass loads from its own arrays is known where it is
// loaded, and no two kernels add to one array, unless there are no loops.
func (p *pass) legal(body []kernel.Stmt) bool {
	if len(p.loops) == 0 {
		return true
	}
	own, added := make(map[*kernel.Array]bool), make(map[*kernel.Array]bool)
	yes := true
	for _, m := range p.members {
		a := m.store.Array
		yes = yes && (!own[a] || !m.store.Add && !added[a])
		own[a], added[a] = true, m.store.Add
	}
	return yes && !kernel.Any(body, func(l *kernel.Let) bool { return l.Value.Kind == kernel.Load && own[l.Value.Array] })
}

// try makes the cheapest pass of p and other that there may be, or nil if none takes less than
// some time, or if it does more operations.
func (f *fuser) try(p, other *pass, least float64, merge bool) *pass {
	if n := len(p.loops) - len(other.loops); n < 0 || n > 1 {
		return nil
	}
	var best *pass
	most := operations(p.body(f.dead(p)))
	most.AddTimes(operations(other.body(f.dead(other))), 1)
	work := math.Inf(1)
	if len(p.loops) > len(other.loops) {
		if f.blocksAlong(p) { // but not inside other loops
			least -= schedule.Unsure * (p.time + other.time)
		}
		if p.stores() { // blocks would do for what is saved of memory
			work = f.work(p) + f.work(other)
		}
		if p = p.opened(); p == nil {
			return nil
		}
	}
	short := p.members[0].often() <= maxShort
	for _, at := range p.alike(other) {
		for _, own := range []bool{false, true} {
			q := p.with(other, at, own, merge)
			if q == nil || own && slices.IsSorted(at) || !f.alongOne(q) {
				continue
			}
			body := q.body(f.dead(q))
			if !q.legal(body) || more(operations(body), most) || work < math.Inf(1) && schedule.Time(f.Weights, body, false) > work {
				continue
			}
			if q.time = schedule.Cost(f.Weights, body); q.time < least || len(q.loops) == 0 && best == nil {
				best, least = q, q.time
			}
			if best != nil && short { // in which way matters little, and there are many where loops are as long
				return best
			}
		}
	}
	return best
}

// blocksAlong reports whether blocks may go along the innermost loop of a pass, so that large arrays
// that it loads are not there as a whole.
func (f *fuser) blocksAlong(p *pass) bool {
	return p.loops[len(p.loops)-1].N >= f.Axis && !f.Eager && slices.ContainsFunc(p.members, func(m *member) bool {
		return slices.ContainsFunc(m.loads, func(v *kernel.Value) bool { return v.Array.Role == kernel.Temp && 8*v.Array.Len() >= f.Temp })
	})
}

// stores reports whether a pass stores what is no fold, in its loops.
func (p *pass) stores() bool {
	return slices.ContainsFunc(p.members, func(m *member) bool { return m.fold == nil && len(m.in) == 0 })
}

// work is what a pass takes but for memory.
func (f *fuser) work(p *pass) float64 { return schedule.Time(f.Weights, p.body(f.dead(p)), false) }

// operations is how many operations statements are.
func operations(body []kernel.Stmt) eval.Counts {
	return (&kernel.Program{Kernels: []*kernel.Kernel{{Body: body}}}).Counts()
}

// more reports whether there are more operations on reals; those on indices are in the estimate.
func more(a, b eval.Counts) bool { return a.Float > b.Float }
