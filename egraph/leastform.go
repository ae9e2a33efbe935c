package egraph

import (
	"cmp"
	"math"
	"slices"

	"egad/egraph/perm"
)

// formSearch searches for the least of the forms of an e-node that the symmetries of its
// children, and the swap of a commutative head, allow.
//
// The arguments of the children are filled in one by one, those of children with
// small groups first, and names are numbered as they come. Where a child's group
// leaves a choice, the least number counts. A name without a number gets the next
// one, so that of several such all have to be tried. Two things keep these few.
// Names that play different parts in the e-node have different colours, and only
// those of the least colour are tried. And forms that are the same tell of
// automorphisms, exchanges of names that leave the e-node as it is: where one takes a
// name to another, it takes all that follows from the one to what follows from
// the other, and need not be tried again.
type formSearch struct {
	g      *Graph
	groups []*perm.Group // by child
	order  []int         // the children as they are filled in
	args   [][]Pos       // by child; names are numbers of names, or bound slots
	names  []Pos         // of the free slots, as they were met
	colour []uint64      // by name: equal if the e-node does not tell them apart at once
	work   int           // that may still be done

	// The form that is being made.
	number  []Pos // by name
	free    []Pos // the names that have numbers
	values  []Pos // in the order of filling
	swapped bool

	best    form
	autos   [][]Pos // by name, found so far
	crossed []Pos   // one more, which swaps the children
}

// form is what is kept of a complete form.
type form struct {
	free, values []Pos
	args         [][]Pos
	swapped      bool
	version      int // of how many best forms it is the latest
}

const (
	noNumber = ^Pos(0)
	// onwards and done are no numbers of names to go back to: the search goes on,
	// or is at its end.
	onwards = math.MaxInt
	done    = -1
)

// maxFormWork bounds the names that are looked at to find the least form of an e-node.
// What is the best by then counts, which merges less and is sound.
const maxFormWork = 1 << 24

// leastForm is the form of an e-node with symmetric children: that of which the
// numbers and colours come first in the order of filling.
func (g *Graph) leastForm(c *canon, head *Head, own []Pos, binders []Pos) {
	f := g.newFormSearch(c, head, own, binders)
	if g.hurried() {
		f.work = 0 // the first form will do
	}
	back := f.fill(0, 0, 0, 0)
	if back != done && head.Commutative && c.kids[0] == c.kids[1] && c.args[0] != 0 {
		f.args[0], f.args[1], f.swapped = f.args[1], f.args[0], true
		f.fill(0, 0, 0, 0)
	}
	if f.work < 0 {
		g.lossy = true
	}
	f.finish(c, own)
}

func (g *Graph) newFormSearch(c *canon, head *Head, own []Pos, binders []Pos) *formSearch {
	n := len(c.kids)
	f := &formSearch{g: g, groups: make([]*perm.Group, n), order: make([]int, n), args: make([][]Pos, n), work: g.formWork}
	name := func(p Pos) Pos {
		i := slices.Index(f.names, p)
		if i < 0 {
			i = len(f.names)
			f.names = append(f.names, p)
			f.number, f.colour = append(f.number, noNumber), append(f.colour, 0)
		}
		return Pos(i)
	}
	for _, p := range own {
		if i := name(p); f.number[i] == noNumber {
			f.number[i] = Pos(len(f.free))
			f.free = append(f.free, i)
		}
	}
	for k, v := range c.args {
		f.order[k], f.groups[k] = k, g.groups.Get(g.groupOf(c.kids[k]))
		place := k
		if k == 1 && head.Commutative && c.kids[0] == c.kids[1] {
			place = 0 // a swap is no difference
		}
		under := len(binders) > 0 && head.Under>>k&1 != 0
		f.args[k] = slices.Clone(g.vecs.Get(v))
		for j, p := range f.args[k] {
			if b := slices.Index(binders, p); under && b >= 0 {
				f.args[k][j] = bound | Pos(b)
				continue
			}
			x := name(p)
			f.args[k][j] = x
			f.colour[x] += mix(mix(1, uint32(place)), uint32(f.groups[k].First(Pos(j))))
		}
	}
	slices.SortStableFunc(f.order, func(a, b int) int {
		return cmp.Compare(f.groups[a].Order(), f.groups[b].Order())
	})
	return f
}

// fill goes on at argument j of the child that is at place o in the order, where
// level i of its group is the next one. So far the first agree values are those
// of the best form; if there are more, the form is less. It returns the number
// of the name of which the next choice is to be made.
func (f *formSearch) fill(o, j, i, agree int) int {
	for o < len(f.order) && j == len(f.args[f.order[o]]) {
		o, j, i = o+1, 0, 0
	}
	if o == len(f.order) {
		return f.complete(agree)
	}
	if f.work < 0 && f.best.version > 0 {
		return done
	}
	k := f.order[o]
	args := f.args[k]
	choice := []Pos{Pos(j)}
	var l *perm.Level
	if levels := f.groups[k].Levels; i < len(levels) && int(levels[i].Point) == j {
		l = &levels[i]
		choice = l.Orbit
		i++
	}
	f.work -= len(choice)
	first := args[choice[0]]
	for _, p := range choice[1:] {
		if f.before(args[p], first) {
			first = args[p]
		}
	}
	t := len(f.values)
	value := f.value(first)
	if f.best.version > 0 && agree == t {
		switch f.compare(first, value) {
		case 1:
			return onwards
		case 0:
			agree++
		}
	}
	f.values = append(f.values, value)
	back := onwards
	if first&bound != 0 || f.number[first] != noNumber {
		at := slices.IndexFunc(choice, func(p Pos) bool { return args[p] == first })
		f.arrange(k, args, l, at)
		back = f.fill(o, j+1, i, agree)
	} else {
		back = f.fillNew(o, j, i, agree, choice, first, l)
	}
	f.values, f.args[k] = f.values[:t], args
	return back
}

// fillNew is fill where several names without a number are the least choice: those
// of the colour of first.
func (f *formSearch) fillNew(o, j, i, agree int, choice []Pos, first Pos, l *perm.Level) int {
	k := f.order[o]
	args := f.args[k]
	next := len(f.free)
	var c choices
	for at, p := range choice {
		x := args[p]
		if x&bound != 0 || f.colour[x] != f.colour[first] || !f.tries(&c, x) {
			continue
		}
		f.arrange(k, args, l, at)
		f.number[x], f.free = Pos(next), append(f.free, x)
		version := f.best.version
		back := f.fill(o, j+1, i, agree)
		f.number[x], f.free = noNumber, f.free[:next]
		if f.best.version != version {
			agree = len(f.values) // the best form goes through here
		}
		if back < next {
			return back
		}
	}
	return onwards
}

// arrange has the arguments of child k be args changed by representative at of a
// level, if there is one.
func (f *formSearch) arrange(k int, args []Pos, l *perm.Level, at int) {
	f.args[k] = args
	if at > 0 {
		rep := f.g.vecs.Get(l.Reps[at])
		f.args[k] = make([]Pos, len(args))
		for j, p := range rep {
			f.args[k][j] = args[p]
		}
	}
}

// value is the position that x would get now.
func (f *formSearch) value(x Pos) Pos {
	switch {
	case x&bound != 0:
		return x
	case f.number[x] != noNumber:
		return f.number[x]
	}
	return Pos(len(f.free))
}

// before reports whether x has to be chosen before y.
func (f *formSearch) before(x, y Pos) bool {
	v, w := f.value(x), f.value(y)
	return v < w || v == w && int(v) == len(f.free) && f.colour[x] < f.colour[y]
}

// compare compares x, which gets the given value, with what the best form has in
// this place.
func (f *formSearch) compare(x, value Pos) int {
	c := cmp.Compare(value, f.best.values[len(f.values)])
	if c == 0 && int(value) == len(f.free) { // a new name
		return cmp.Compare(f.colour[x], f.colour[f.best.free[value]])
	}
	return c
}

// choices keeps track of the names that have been tried in one place.
type choices struct {
	tried []Pos
	alike perm.Partition // by the automorphisms before known that leave names with numbers where they are
	known int
}

// tries reports whether x has to be tried too: whether no automorphism that leaves
// the names with numbers where they are takes one that was tried to x.
func (f *formSearch) tries(c *choices, x Pos) bool {
	if len(c.tried) > 0 && c.known < len(f.autos) {
		if c.alike == nil {
			c.alike = perm.NewPartition(len(f.names))
		}
		for ; c.known < len(f.autos); c.known++ {
			a := f.autos[c.known]
			f.work -= len(a)
			if !slices.ContainsFunc(f.free, func(n Pos) bool { return a[n] != n }) {
				c.alike.JoinAll(a)
			}
		}
	}
	if c.alike != nil && slices.ContainsFunc(c.tried, func(y Pos) bool { return c.alike.First(x) == c.alike.First(y) }) {
		return false
	}
	c.tried = append(c.tried, x)
	return true
}

// complete takes note of a form that is complete and not greater than the best.
func (f *formSearch) complete(agree int) int {
	b := &f.best
	if b.version == 0 || agree < len(f.values) {
		b.free, b.values = append(b.free[:0], f.free...), append(b.values[:0], f.values...)
		b.args, b.swapped = append(b.args[:0], f.args...), f.swapped
		b.version++
		return onwards
	}
	a := make([]Pos, len(f.names))
	for i, x := range b.free {
		a[x] = f.free[i]
	}
	if f.swapped != b.swapped {
		// All forms with the children swapped are those without.
		f.crossed = a
		return done
	}
	// What follows from the choice in which the two differ is alike.
	f.autos = append(f.autos, a)
	i := 0
	for b.free[i] == f.free[i] {
		i++
	}
	return i
}

// finish writes the best form to c.
func (f *formSearch) finish(c *canon, own []Pos) {
	number := make([]Pos, len(f.names))
	c.free = c.free[:0]
	for i, x := range f.best.free {
		number[x] = Pos(i)
		c.free = append(c.free, f.names[x])
	}
	c.flat = c.flat[:0]
	for _, p := range own {
		c.flat = append(c.flat, number[slices.Index(f.names, p)])
	}
	for _, args := range f.best.args {
		for _, x := range args {
			if x&bound == 0 {
				x = number[x]
			}
			c.flat = append(c.flat, x)
		}
	}
	if f.crossed != nil && perm.Moved(f.crossed) < len(f.crossed) {
		f.autos = append(f.autos, f.crossed)
	}
	for _, a := range f.autos {
		to := make([]Pos, len(a))
		for i, x := range f.best.free {
			to[i] = f.names[a[x]]
		}
		c.autos = append(c.autos, to)
	}
	f.g.pack(c, len(own))
}
