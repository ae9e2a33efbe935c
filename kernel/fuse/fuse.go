package fuse

import (
	"maps"
	"slices"

	"egad/internal/set"
	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/schedule"
)

// Fuse makes kernels share loops, and lets go of the arrays that are not needed then.
//
// Kernels with the same loops become one pass, if what one loads of the other is what it
// has just stored, in the same runs of all loops; passes that go along one axis are run
// in blocks of rows. Both are done where an estimate says that it takes less time, and
// never if operations on reals are done more often.
//
// Kernels that are joined first may read one array along several axes, and then the whole
// of it has to be there. So where arrays are left that fit no cache, blocks of kernels are
// tried that are joined afterwards, inside the blocks only.
func Fuse(p *kernel.Program, in Sizes, by kernel.Names) {
	if in.Apart {
		return
	}
	f := shared(p, in)
	if q := byComponents(p, in, by); q != nil {
		if g := shared(q, in); g.Eager || g.time() < f.time()*(1-2*schedule.Unsure) {
			f = g
		}
	}
	p.Kernels = slices.DeleteFunc(f.kernels(), func(k *kernel.Kernel) bool { return len(k.Writes()) == 0 })
	p.Arrays = f.prog.Arrays
	used := maps.Clone(f.result)
	for _, k := range p.Kernels {
		set.Add(used, slices.Concat(k.Reads(), k.Writes())...)
	}
	for i, a := range p.Arrays {
		for _, g := range f.groups {
			if b := g.arrays[a]; b != nil {
				p.Arrays[i] = b
			}
			if b := g.left[a]; b != nil {
				p.Arrays = append(p.Arrays, b)
			}
		}
	}
	p.Arrays = slices.DeleteFunc(p.Arrays, func(a *kernel.Array) bool { return a.Role == kernel.Temp && !used[a] })
}

// shared are the passes that take least time.
func shared(p *kernel.Program, in Sizes) *fuser {
	f := newFuser(p)
	f.Sizes = in
	f.apart = f.units()
	f.share()
	f.blocks()
	for _, other := range []func(*fuser) *fuser{(*fuser).deepFirst, (*fuser).merged} {
		if g := other(f); g != nil && f.time()-g.time() > 2*schedule.Unsure*f.others(g) {
			f = g
		}
	}
	if in.First || f.streams() {
		if g := f.blocksFirst(); g != nil && (in.First || g.time() < f.time()*(1-schedule.Unsure)) {
			f = g
		}
	}
	return f
}

// DropUnread drops kernels that write only what nobody reads: a condition in which it was read may
// have been known when kernels were made.
func DropUnread(p *kernel.Program) {
	read := set.Of(p.Result.Arrays()...)
	var ks []*kernel.Kernel
	for _, k := range slices.Backward(p.Kernels) {
		if slices.ContainsFunc(k.Writes(), func(a *kernel.Array) bool { return read[a] }) {
			set.Add(read, k.Reads()...)
			ks = append(ks, k)
		}
	}
	slices.Reverse(ks)
	p.Kernels = ks
}

// each adds the units that are passes, and calls by with the kernels of the others.
func (f *fuser) each(by func(i int)) {
	for _, u := range f.apart {
		if u.flat {
			f.add(u)
			continue
		}
		for _, m := range u.members {
			by(m.number)
		}
	}
}

// share makes passes of all kernels.
func (f *fuser) share() {
	f.each(f.place)
	for _, p := range f.passes {
		q := *p
		f.shared = append(f.shared, &q)
	}
}

// time is how long all passes take, about, with the room of arrays.
func (f *fuser) time() float64 {
	t := 0.0
	for _, p := range f.passes {
		t += p.time
	}
	for _, a := range f.prog.Arrays {
		t += f.room(a)
	}
	for _, g := range f.groups {
		t -= g.saved
	}
	return t
}

// others is the time of the passes that are not as another fuser has them.
func (f *fuser) others(g *fuser) float64 {
	t := 0.0
	for _, p := range f.passes {
		if q := g.of[p.members[0].number]; !slices.Equal(slices.Sorted(slices.Values(p.numbers())), slices.Sorted(slices.Values(q.numbers()))) {
			t += p.time
		}
	}
	return t
}

// fuser is what is known of the kernels of a program.
type fuser struct {
	Sizes
	prog    *kernel.Program
	writers map[*kernel.Array][]int
	readers map[*kernel.Array][]int
	result  map[*kernel.Array]bool
	deps    [][]int // the kernels that have to be run before each, but for those before these
	users   [][]int // the kernels of whose deps each is
	top     []int   // the last kernel that is run with or before each, or a later one
	reads   [][]*kernel.Array
	writes  [][]*kernel.Array
	of      []*pass // of each kernel
	passes  []*pass
	shared  []*pass                   // the passes before they are run in blocks
	near    map[*kernel.Array][]*pass // that load from or store to an array
	short   map[int][]*pass           // by how often is done what is in their loops, which is not often
	scalars []*pass                   // without loops
	apart   []*pass                   // the units of which passes are made
	groups  []*group
	in      map[int]*group // by kernels, those that are run in blocks
	// multiply is what passes take where the host multiplies matrices, and inside where their edges are done apart.
	multiply, inside map[*pass]float64
	tries            int
	late             bool // a kernel in more loops came too late for some pass: see [pass.keepsOut]
}

func newFuser(p *kernel.Program) *fuser {
	n := len(p.Kernels)
	f := &fuser{prog: p, writers: make(map[*kernel.Array][]int), readers: make(map[*kernel.Array][]int), result: set.Of(p.Result.Arrays()...),
		deps: make([][]int, n), reads: make([][]*kernel.Array, n), writes: make([][]*kernel.Array, n), of: make([]*pass, n),
		users: make([][]int, n), top: make([]int, n), near: make(map[*kernel.Array][]*pass), short: make(map[int][]*pass), in: make(map[int]*group), multiply: make(map[*pass]float64), inside: make(map[*pass]float64)}
	for i, k := range p.Kernels {
		f.top[i] = i
		f.reads[i], f.writes[i] = k.Reads(), k.Writes()
		for _, a := range f.reads[i] {
			before, _ := f.stored(a, nil)
			f.deps[i] = append(f.deps[i], before...)
			f.readers[a] = append(f.readers[a], i)
		}
		for _, a := range f.writes[i] {
			before, all := f.stored(a, placesOf(k, a))
			at, _ := slices.BinarySearch(f.readers[a], all)
			f.deps[i] = append(append(f.deps[i], before...), f.readers[a][at:]...)
			f.writers[a] = append(f.writers[a], i)
		}
		f.deps[i] = slices.DeleteFunc(f.deps[i], func(d int) bool { return d == i })
		slices.Sort(f.deps[i])
		f.deps[i] = slices.Compact(f.deps[i])
		for _, d := range f.deps[i] {
			f.users[d] = append(f.users[d], i)
		}
	}
	return f
}

// Bounds on the search: beyond them kernels are left as they are.
const (
	maxTries  = 4000 // ways in all
	maxNear   = 8    // passes that a kernel may be joined with
	maxShared = 64   // kernels in a pass
	maxShort  = 64   // runs of loops that are shared whatever is in them, as most of what they take is to begin
)

// place puts a kernel into the pass where it saves most, or into one of its own.
func (f *fuser) place(i int) {
	alone := f.single(i)
	if alone.kernel != nil {
		f.add(alone)
		return
	}
	m := alone.members[0]
	var best, joined *pass
	for _, p := range f.candidates(m) {
		f.late = f.late || p.keepsOut(m)
		if p.kernel != nil || p.flat || len(p.members) >= maxShared || f.in[p.members[0].number] != f.in[i] || f.tries >= maxTries || f.cyclic([]*pass{p}, i) {
			continue
		}
		f.tries++
		if q := f.try(p, alone, p.time+alone.time-f.Least(), false); q != nil && (best == nil || p.time-q.time > joined.time-best.time) {
			best, joined = q, p
		}
	}
	if best == nil {
		f.add(alone)
		return
	}
	// What p was is m's too now.
	*joined = *best
	f.note(joined, i)
}

// single is a pass of kernel i alone.
func (f *fuser) single(i int) *pass {
	if m := f.member(i); m != nil {
		return f.alone(m)
	}
	return &pass{kernel: f.prog.Kernels[i], members: []*member{{number: i}}}
}

// member is kernel i, if it may share loops.
func (f *fuser) member(i int) *member {
	k := f.prog.Kernels[i]
	m := newMember(i, k)
	if m != nil && len(m.loops) > 0 && slices.ContainsFunc(k.Writes(), func(a *kernel.Array) bool { return f.Sizes.Alone[a] }) {
		return nil
	}
	return m
}

// alone is a pass of one kernel.
func (f *fuser) alone(m *member) *pass {
	p := m.pass()
	p.time = schedule.Cost(f.Weights, p.body(f.dead(p)))
	return p
}

// candidates lists passes that share an array with a kernel, or have no loops either, or short ones,
// those that were made last before others.
func (f *fuser) candidates(m *member) []*pass {
	var out []*pass
	add := func(ps []*pass) {
		for i := len(ps) - 1; i >= 0 && len(out) < maxNear; i-- {
			out = slice.With(out, ps[i])
		}
	}
	if len(m.loops) == 0 {
		add(f.scalars)
		return out
	}
	for _, a := range slices.Concat(f.reads[m.number], f.writes[m.number]) {
		if len(a.Shape) > 0 {
			add(f.near[a])
		}
	}
	if runs := m.often(); runs <= maxShort {
		add(f.short[runs])
	}
	return out
}

// often is how often what is in the loops of a kernel is done.
func (m *member) often() int {
	n := 1
	for _, l := range m.loops {
		n = min(n*max(l.N, 1), maxShort+1)
	}
	return n
}

func (f *fuser) add(p *pass) {
	f.passes = append(f.passes, p)
	if p.kernel == nil && len(p.loops) == 0 {
		f.scalars = append(f.scalars, p)
	}
	for _, m := range p.members {
		f.note(p, m.number)
	}
	if p.kernel == nil && len(p.loops) > 0 {
		if runs := p.members[0].often(); runs <= maxShort {
			f.short[runs] = append(f.short[runs], p)
		}
	}
}

// note notes that kernel i is in a pass.
func (f *fuser) note(p *pass, i int) {
	f.put(p, i)
	for _, a := range slices.Concat(f.reads[i], f.writes[i]) {
		f.near[a] = slice.With(f.near[a], p)
	}
}

// put puts kernel i into a pass.
func (f *fuser) put(p *pass, i int) {
	f.of[i] = p
	for _, m := range p.members {
		f.raise(i, f.top[m.number])
	}
	for _, m := range p.members {
		f.raise(m.number, f.top[i])
	}
}

// together lists the kernels that are run with kernel i, which is one of them: those of its
// pass, or of its group.
func (f *fuser) together(i int, groups bool) []int {
	if g := f.in[i]; groups && g != nil {
		return g.kernels
	}
	if f.of[i] == nil {
		return []int{i}
	}
	return f.of[i].numbers()
}

// numbers are those of the kernels of a pass.
func (p *pass) numbers() []int {
	return slice.Map(p.members, func(m *member) int { return m.number })
}

// raise notes that a kernel up to top is run with or before kernel i.
func (f *fuser) raise(i, top int) {
	if f.top[i] >= top {
		return
	}
	f.top[i] = top
	for _, j := range f.together(i, true) {
		f.raise(j, top)
	}
	for _, u := range f.users[i] {
		f.raise(u, top)
	}
}

// dead tells the arrays that nobody loads from but the kernels of a pass, in which what
// is stored is known.
func (f *fuser) dead(p *pass) func(*kernel.Array) bool {
	if p.flat {
		return func(a *kernel.Array) bool {
			_, row := p.rows[a]
			return row && !f.result[a] && !f.outside(a, p)
		}
	}
	return func(a *kernel.Array) bool {
		return !f.result[a] && !f.outside(a, p) && !slices.ContainsFunc(p.members, func(m *member) bool {
			return m.store.Array == a && (m.store.Add || m.store.Checked || m.fold != nil && len(m.in) == 0)
		})
	}
}

// outside reports whether a kernel that is in none of some passes loads from an array or
// stores to it.
func (f *fuser) outside(a *kernel.Array, ps ...*pass) bool {
	out := func(i int) bool {
		return !slices.ContainsFunc(ps, func(p *pass) bool {
			return slices.ContainsFunc(p.members, func(m *member) bool { return m.number == i })
		})
	}
	return slices.ContainsFunc(f.readers[a], out) || slices.ContainsFunc(f.writers[a], out)
}

// cyclic reports whether passes, and more kernels, cannot be run together: one has to be
// run after another kernel, and that after one of them. Kernels of another pass or group are
// run together.
func (f *fuser) cyclic(ps []*pass, more ...int) bool {
	for _, p := range ps {
		more = append(more[:len(more):len(more)], p.numbers()...)
	}
	in, seen := make([]bool, len(f.deps)), make([]bool, len(f.deps))
	of, first := make(map[*group]bool), len(f.deps)
	for _, i := range more {
		in[i], of[f.in[i]] = true, true
		first = min(first, i)
	}
	var reaches func(i int) bool
	reaches = func(i int) bool { // from a kernel outside
		if in[i] {
			return true
		}
		if seen[i] || f.top[i] < first {
			return false
		}
		with := f.together(i, !of[f.in[i]])
		for _, j := range with {
			seen[j] = true
		}
		return slices.ContainsFunc(with, func(j int) bool { return slices.ContainsFunc(f.deps[j], reaches) })
	}
	for _, i := range more {
		if slices.ContainsFunc(f.deps[i], func(d int) bool { return !in[d] && reaches(d) }) {
			return true
		}
	}
	return false
}

// kernels are those of all passes and groups of passes, each after what it needs.
func (f *fuser) kernels() []*kernel.Kernel {
	var out []*kernel.Kernel
	done := make(map[*pass]bool)
	var run func(p *pass)
	run = func(p *pass) {
		if done[p] {
			return
		}
		g, ps := f.in[p.members[0].number], []*pass{p}
		if g != nil {
			ps = g.passes
		}
		set.Add(done, ps...)
		for _, m := range members(ps) {
			for _, d := range f.deps[m.number] {
				run(f.of[d])
			}
		}
		switch {
		case g != nil:
			out = append(out, f.fused(f.weave(g, g.size), ps))
		case p.kernel != nil:
			out = append(out, p.kernel)
		default:
			out = append(out, f.fused(p.body(f.dead(p)), ps))
		}
	}
	for _, p := range f.passes {
		run(p)
	}
	return out
}

// fused is a kernel of passes that share their loops.
func (f *fuser) fused(body []kernel.Stmt, ps []*pass) *kernel.Kernel {
	k := &kernel.Kernel{Body: body}
	there := make(map[string]bool) // by name, as blocks have arrays of their own
	for _, a := range k.Writes() {
		there[a.Name] = true
	}
	for _, m := range members(ps) {
		if a := m.store.Array; !there[a.Name] {
			there[a.Name] = true
			k.Fused = append(k.Fused, a)
		}
	}
	return k
}
