package fuse

import (
	"fmt"
	"math"
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/schedule"
	"egad/term/eval"
)

// group is passes that go along one axis of n rows, and are run for one block of rows
// after the other. Then an array that is needed for the rows of a block only has no
// others.
type group struct {
	passes  []*pass
	n       int
	axis    map[*pass]int
	rows    map[*kernel.Array]int           // the axis of arrays to which the passes store rows
	size    int                             // of a block
	saved   float64                         // the time that it saves
	arrays  map[*kernel.Array]*kernel.Array // those of one block
	left    map[*kernel.Array]*kernel.Array // of the rows that are left after all blocks
	kernels []int                           // the numbers of its kernels
	// along is which loop of each kernel goes along the axis, if it has been chosen before
	// passes are made.
	along map[int]int
}

// blockRows are the rows of one block.
type blockRows struct {
	base   *kernel.Value // the number of the first
	count  int
	row    *kernel.Value // the variable of the loop along them
	axis   map[*kernel.Array]int
	arrays map[*kernel.Array]*kernel.Array // of one block in the place of all
}

// access is an access to the array of one block where there is one.
func (r *blockRows) access(a kernel.Access) kernel.Access {
	if r == nil || r.arrays[a.Array] == nil {
		return a
	}
	at := slices.Clone(a.At)
	at[r.axis[a.Array]] = r.row
	return kernel.Access{Array: r.arrays[a.Array], At: at}
}

// Sizes say which loops are shared, and where there are blocks.
type Sizes struct {
	Rows  int  // the least of a block
	Axis  int  // the least of an axis
	Temp  int  // the least bytes of what kernels store
	Cache int  // bytes that a block may take
	Apart bool // no loops are shared
	Eager bool // loops are shared where they may be, whether or not it saves time
	First bool // blocks are chosen before passes are made
	// Recompute says that arrays are computed where they are read if they may be, whether or not
	// it saves time.
	Recompute bool
	// Alone are arrays whose kernels share no loops, and the order of whose axes is as it is.
	Alone map[*kernel.Array]bool

	Weights *cost.Weights
}

var usualSizes = Sizes{Rows: 8, Axis: 32, Temp: 1 << 17, Cache: 3 << 18}

// Usual are the sizes by which [egad/kernel/lower.Lower] shares loops, with weights; those of egad if they are nil.
func Usual(weights *cost.Weights) Sizes {
	in := usualSizes
	in.Weights = weights
	return in
}

// Weigh has kernels of a program be made by the weights, by which each nest of loops is estimated once.
func (in *Sizes) Weigh(p *kernel.Program) {
	if in.Weights == nil || in.Weights.Times == nil {
		in.Weights = in.Weights.Remembering()
	}
	p.Weights = in.Weights.Own
}

// blocks finds groups of passes that take less time in blocks of rows.
func (f *fuser) blocks() {
	bytes := 0
	for a := range f.writers {
		bytes += 8 * a.Len()
	}
	if bytes < f.Temp {
		return
	}
	// A group that saves nothing is grown from one of its passes only.
	type start struct {
		*pass
		axis int
	}
	vain := make(map[start]bool)
	for _, s := range f.passes {
		var best *group
		saved := f.Least()
		for i := range s.loops {
			if f.in[s.members[0].number] != nil || s.kernel != nil || s.loops[i].N < f.Axis || f.tries >= maxTries || vain[start{s, i}] {
				continue
			}
			g := f.grow(s, i)
			if g == nil {
				continue
			}
			f.measure(g)
			if g.saved > saved {
				best, saved = g, g.saved
			}
			for _, p := range g.passes {
				vain[start{p, g.axis[p]}] = g.saved <= f.Least()
			}
		}
		if best != nil {
			f.group(best)
		}
	}
}

// group has the kernels of a group run together.
func (f *fuser) group(g *group) {
	g.kernels = nil
	for _, p := range g.passes {
		g.kernels = append(g.kernels, p.numbers()...)
	}
	for _, i := range g.kernels {
		f.in[i] = g
	}
	f.groups = append(f.groups, g)
	last := 0
	for _, i := range g.kernels {
		last = max(last, f.top[i])
	}
	for _, i := range g.kernels {
		f.raise(i, last)
	}
}

// Least says what has to be saved at least.
func (in Sizes) Least() float64 {
	if in.Eager {
		return math.Inf(-1)
	}
	return 0
}

// grow makes the group of all passes that may be in one with s along a loop of it.
func (f *fuser) grow(s *pass, axis int) *group {
	g := &group{n: s.loops[axis].N, axis: map[*pass]int{s: axis}, passes: []*pass{s}}
	if !f.valid(g) {
		return nil
	}
	for again := true; again; {
		again = false
		for _, p := range f.passes {
			if _, in := g.axis[p]; in || f.in[p.members[0].number] != nil || p.kernel != nil || !f.shares(g, p) {
				continue
			}
			for i, l := range p.loops {
				if l.N != g.n || f.tries >= maxTries {
					continue
				}
				f.tries++
				h := &group{n: g.n, axis: make(map[*pass]int)}
				for _, q := range f.passes {
					if j, in := g.axis[q]; in || q == p {
						if q == p {
							j = i
						}
						h.passes, h.axis[q] = append(h.passes, q), j
					}
				}
				if f.valid(h) && !f.cyclic(h.passes) {
					g, again = h, true
					break
				}
			}
		}
	}
	if len(g.passes) < 2 {
		return nil
	}
	f.sort(g)
	return g
}

// sort puts the passes of a group in an order in which each is run after what it needs.
func (f *fuser) sort(g *group) {
	g.passes = f.inOrder(g.passes, func(p *pass) bool {
		_, in := g.axis[p]
		return in
	})
}

// inOrder are passes, each once and after what it needs; only those that are in count.
func (f *fuser) inOrder(of []*pass, in func(p *pass) bool) []*pass {
	var out []*pass
	run := memo.Once(func(p *pass, run func(*pass)) {
		if !in(p) {
			return
		}
		for _, m := range p.members {
			for _, d := range f.deps[m.number] {
				run(f.of[d])
			}
		}
		out = append(out, p)
	})
	for _, p := range of {
		run(p)
	}
	return out
}

// shares reports whether a pass loads from or stores to an array of a group.
func (f *fuser) shares(g *group, p *pass) bool {
	for _, m := range p.members {
		for _, a := range slices.Concat(f.reads[m.number], f.writes[m.number]) {
			if len(a.Shape) > 0 && slices.ContainsFunc(f.near[a], func(q *pass) bool { _, in := g.axis[q]; return in }) {
				return true
			}
		}
	}
	return false
}

// valid reports whether passes may go along their axes in blocks: what one loads that
// another stores is of the same row, and what they add to an array they add in the order
// of rows. It finds the axes of arrays.
func (f *fuser) valid(g *group) bool {
	g.rows = make(map[*kernel.Array]int)
	sums := make(map[*kernel.Array]bool)
	for p, m := range members(g.passes) {
		along := m.along(g.axis[p])
		a := m.store.Array
		_, before := g.rows[a]
		if sums[a] {
			return false
		}
		at := slices.Index(m.store.At, along.Var)
		switch {
		case m.fold != nil && along == m.loops[len(m.loops)-1]:
			if !m.sums() || before {
				return false
			}
			sums[a] = true
		case at >= 0 && a.Shape[at] == g.n:
			if before && g.rows[a] != at {
				return false
			}
			g.rows[a] = at
		default: // a scatter
			first := slices.IndexFunc(m.loops, func(l *kernel.Loop) bool { return l.Order == kernel.InOrder })
			if before || first < 0 || m.loops[first] != along {
				return false
			}
			sums[a] = true
		}
	}
	for p, m := range members(g.passes) {
		along := m.along(g.axis[p])
		for _, v := range m.loads {
			if at, ok := g.rows[v.Array]; sums[v.Array] || ok && v.At[at] != along.Var {
				return false
			}
		}
	}
	return true
}

// along is the loop of a member that is loop i of its pass.
func (m *member) along(i int) *kernel.Loop { return m.loops[slices.Index(m.at, i)] }

// sums reports whether a fold begins with zeros.
func (m *member) sums() bool {
	return !m.fold.Positional() && m.fold.Nothing().IsInt(0)
}

// Smaller is which part of the time larger blocks have to save, as the next rows come from
// memory while a small block is computed.
const Smaller = 1.0 / 32

// measure chooses the size of the blocks of a group and finds how much time is saved by
// them.
func (f *fuser) measure(g *group) {
	loops := 0.0
	var counts eval.Counts
	for _, p := range g.passes {
		loops += p.time
		counts.AddTimes(operations(p.body(f.dead(p))), 1)
	}
	bytes := 8 * max(1, f.perRow(g))
	g.saved = math.Inf(-1)
	apart := loops
	for _, a := range f.prog.Arrays {
		if f.one(g, a) {
			apart += f.room(a)
		}
	}
	whole, streamed := f.through(g)
	passes := func(times map[*pass]float64, of func(body []kernel.Stmt) float64) float64 { // with what they take apart
		return apart - loops + slice.Sum(g.passes, func(p *pass) float64 {
			return memo.Of(times, p, func() float64 { return of(p.body(f.dead(p))) })
		})
	}
	caches := []int{f.Cache / 16, f.Cache}
	if w := f.Weights; float64(streamed) > w.Of[cost.SecondBytes] {
		caches = append([]int{max(int(w.Of[cost.FirstBytes])/4, 4*f.Sizes.Rows*bytes)}, caches...)
	}
	most := slice.Map(caches, func(cache int) int { return max(cache/bytes, f.Sizes.Rows) })
	for rows := f.Sizes.Rows; f.First && rows > 2 && rows*bytes > f.Cache; {
		rows /= 2
		most = append(most, rows)
	}
	for _, rows := range most {
		size := divisor(g.n, min(rows, g.n/2))
		if size == g.size {
			continue
		}
		body := f.weave(g, size)
		if more(operations(body), counts) {
			continue
		}
		time := schedule.Cost(f.Weights, body) + whole
		if t := apart - time; t > g.saved+time*Smaller && (t <= 0 || passes(f.inside, f.interior) >= f.interior(body)+whole && passes(f.multiply, f.multiplied) >= (f.multiplied(body)+whole)*multipliedShare) {
			g.size, g.saved = size, t
		}
	}
}

// multipliedShare is which part of the time of blocks passes take at most that are not run in blocks as the host multiplies
// matrices for them.
const multipliedShare = 0.875

// multiplied estimates the time of a body where the host multiplies matrices, which it does best for large ones.
func (f *fuser) multiplied(body []kernel.Stmt) float64 {
	return schedule.CostContracted(f.prog, &kernel.Kernel{Body: body})
}

// interior estimates the time of a body of which the edges are done apart, where that takes less.
func (f *fuser) interior(body []kernel.Stmt) float64 {
	return schedule.Cost(f.Weights, schedule.Interior(f.Weights, body, false, 1))
}

// perRow is how many elements of arrays that are in memory a group loads and stores for one
// of its rows.
func (f *fuser) perRow(g *group) int {
	seen, n := make(map[*kernel.Array]bool), 0
	for p, m := range members(g.passes) {
		seen[m.store.Array] = seen[m.store.Array] || f.dead(p)(m.store.Array)
	}
	note := func(a *kernel.Array) {
		if !seen[a] {
			seen[a] = true
			n += a.Len() / g.n
		}
	}
	for p, m := range members(g.passes) {
		for _, v := range m.loads {
			if slices.Contains(v.At, m.along(g.axis[p]).Var) {
				note(v.Array)
			}
		}
	}
	for a := range g.rows {
		note(a)
	}
	return n
}

// divisor is a divisor of n that is not much less than most, or else most: one that fills
// vectors and of which there are evenly many for two goroutines, or many, if there is one.
func divisor(n, most int) int {
	for _, try := range []struct {
		of, least int
		even      bool
	}{{8, most / 2, true}, {4, most / 4, true}, {8, most / 2, false}, {4, most / 2, false}, {1, most / 2, false}} {
		for d := most; d > try.least; d-- {
			if n%d == 0 && d%try.of == 0 && (!try.even || n/d%2 == 0 || n/d >= schedule.MaxBlockParts) {
				return d
			}
		}
	}
	return most
}

// one tells the arrays of a group of which the rows of one block are enough.
func (f *fuser) one(g *group, a *kernel.Array) bool {
	_, ok := g.rows[a]
	if !ok || f.result[a] || f.outside(a, g.passes...) {
		return false
	}
	for _, m := range members(g.passes) {
		if m.store.Array == a && (m.store.Add || m.store.Checked) {
			return false
		}
	}
	return true
}

// through is the time that the memory takes that a group goes through once, and how many bytes
// that is.
func (f *fuser) through(g *group) (t float64, bytes int) {
	seen := make(map[*kernel.Array]bool)
	for _, m := range members(g.passes) {
		for _, a := range slices.Concat(f.reads[m.number], f.writes[m.number]) {
			if !seen[a] && !f.one(g, a) {
				t += schedule.MemoryTime(f.Weights, float64(a.Len()))
				bytes += 8 * a.Len()
			}
			seen[a] = true
		}
	}
	return t, bytes
}

// weave writes the passes of a group in blocks of so many rows, and of what is left.
func (f *fuser) weave(g *group, size int) []kernel.Stmt {
	w := newWeaver(nil)
	g.arrays, g.left = make(map[*kernel.Array]*kernel.Array), make(map[*kernel.Array]*kernel.Array)
	rest := g.n % size
	for _, p := range g.passes {
		p.axis = g.axis[p]
		for _, m := range p.members {
			if a := m.store.Array; g.arrays[a] == nil && f.one(g, a) {
				g.arrays[a] = rows(a, a.Name, g.rows[a], size)
				if rest > 0 {
					g.left[a] = rows(a, a.Name+"_rest", g.rows[a], rest)
				}
			}
		}
	}
	block := func(base *kernel.Value, count int, arrays map[*kernel.Array]*kernel.Array) {
		for _, p := range g.passes {
			w.dead = f.dead(p)
			w.rows = &blockRows{base: base, count: count, axis: g.rows, arrays: arrays}
			w.pass(p)
		}
	}
	b := w.b.Variable(g.n/size, 1)
	loop := &kernel.Loop{Name: f.name(g), Var: b, N: g.n / size, Order: kernel.Blocks}
	w.open(loop)
	block(w.b.Linear(0, []int64{int64(size)}, []*kernel.Value{b}), size, g.arrays)
	w.close(loop)
	if rest > 0 {
		block(w.b.Int(int64(g.n-rest)), rest, g.left)
	}
	return w.Bodies[0]
}

// rows is an array of so many rows of one, along an axis.
func rows(a *kernel.Array, name string, axis, n int) *kernel.Array {
	b := *a
	b.Name, b.Shape = name, slices.Clone(a.Shape)
	b.Shape[axis] = n
	return &b
}

// name is a name for a block.
func (f *fuser) name(g *group) string {
	used := make(map[string]bool)
	for _, a := range f.prog.Arrays {
		used[a.Name] = true
	}
	for _, p := range g.passes {
		for _, l := range p.loops {
			used[l.Name] = true
		}
	}
	name := "b"
	for n := 2; used[name]; n++ {
		name = fmt.Sprintf("b%d", n)
	}
	return name
}
