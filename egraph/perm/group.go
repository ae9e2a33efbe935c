package perm

import (
	"math"
	"slices"

	"egad/internal/slice"
)

// Group is a group of permutations of slots as a chain of stabilisers: in the
// group of a level all slots before its point stay where they are. Every element
// is the product of one representative of each level, in their order, in exactly
// one way. Levels whose point does not move are left out.
type Group struct {
	// Levels are the levels of the chain, from the first point on.
	Levels []Level
	orbits []Pos // for each slot the first one that an element takes it to
}

// Level is a level of the chain of a [Group].
type Level struct {
	Point Pos
	Orbit []Pos // where the group of the level takes the point, the point itself first
	Reps  []Vec // for each slot of the orbit an element that takes the point there
	gens  []Vec // generators of the group of the level
	backs []Vec // the inverses of Reps
}

// Generators returns generators of the group.
func (c *Group) Generators() []Vec {
	if len(c.Levels) == 0 {
		return nil
	}
	return c.Levels[0].gens
}

// Order returns the number of elements, or the largest number if there are more.
func (c *Group) Order() uint64 {
	n := uint64(1)
	for _, l := range c.Levels {
		if k := uint64(len(l.Orbit)); n > math.MaxUint64/k {
			return math.MaxUint64
		} else {
			n *= k
		}
	}
	return n
}

// First returns the first slot that an element takes slot p to.
func (c *Group) First(p Pos) Pos {
	if c.orbits == nil { // the group is trivial
		return p
	}
	return c.orbits[p]
}

// bytes is the memory of the group without its permutations, about.
func (c *Group) bytes() int {
	return 128 + 2*len(c.orbits) + slice.Sum(c.Levels, func(l Level) int { return 128 + 4*len(l.gens) + 10*len(l.Orbit) })
}

// has reports whether p, which is overwritten, is in the group.
func (c *Group) has(v *Vecs, p []Pos) bool {
	in, _ := sift(v, c.Levels, p)
	return in
}

// sift multiplies p by the inverses of representatives. It reports whether
// nothing is left of it, which means that it is in the group of the first level,
// and how often it has looked at all slots.
func sift(v *Vecs, levels []Level, p []Pos) (in bool, looks int) {
	for i := range levels {
		l := &levels[i]
		at := slices.Index(l.Orbit, p[l.Point])
		if at < 0 {
			return false, looks
		}
		if at > 0 {
			apply(v.Get(l.backs[at]), p)
			looks++
		}
	}
	return Moved(p) == len(p), looks + 1
}

// apply replaces p by the product of q and p.
func apply(q, p []Pos) {
	for k, i := range p {
		p[k] = q[i]
	}
}

// Moved returns the first slot that p moves, or the number of slots.
func Moved(p []Pos) int {
	for k, i := range p {
		if int(i) != k {
			return k
		}
	}
	return len(p)
}

// least brings names of slots into the least order that elements of the group
// give them. Names are distinct, so each slot in turn gets the least it can.
func (c *Group) least(v *Vecs, names []Pos) {
	var buf [16]Pos
	for i := range c.Levels {
		l := &c.Levels[i]
		best := 0
		for k, p := range l.Orbit {
			if names[p] < names[l.Orbit[best]] {
				best = k
			}
		}
		if best > 0 {
			old := append(buf[:0], names...)
			for k, p := range v.Get(l.Reps[best]) {
				names[k] = old[p]
			}
		}
	}
}

// extended is the group with p too, which is not in it; it is nil if that takes
// more than work steps, or longer than late says.
func (c *Group) extended(v *Vecs, p []Pos, work int, late func() bool) *Group {
	b := &chainBuilder{vecs: v, levels: slices.Clone(c.Levels), work: work, late: late}
	for i := range b.levels {
		l := &b.levels[i]
		l.gens, l.Orbit, l.Reps, l.backs = slices.Clip(l.gens), slices.Clip(l.Orbit), slices.Clip(l.Reps), slices.Clip(l.backs)
	}
	if !b.add(0, p) {
		return nil
	}
	orbits := NewPartition(len(p))
	for _, x := range b.levels[0].gens {
		orbits.JoinAll(v.Get(x))
	}
	for i := range orbits {
		orbits[i] = orbits.First(Pos(i))
	}
	return &Group{Levels: b.levels, orbits: orbits}
}

// chainBuilder extends a chain by the method of Schreier and Sims, as Knuth puts
// it ("Efficient representation of perm groups"): on each level the product of
// every generator and every representative is in the group that the
// representatives make up.
type chainBuilder struct {
	vecs   *Vecs
	levels []Level
	work   int // that may still be done: slots of permutations that are looked at
	late   func() bool
	asked  int // what work was when late was asked
}

// add adds p, which is not in the group of level i and moves no slot before its
// point, to that group. It is false if that is too much work.
func (b *chainBuilder) add(i int, p []Pos) bool {
	if m := Pos(Moved(p)); i == len(b.levels) || m < b.levels[i].Point {
		id := b.vecs.Identity(len(p))
		l := Level{Point: m, Orbit: []Pos{m}, Reps: []Vec{id}, backs: []Vec{id}}
		if i < len(b.levels) {
			l.gens = slices.Clone(b.levels[i].gens)
		}
		b.levels = slices.Insert(b.levels, i, l)
	}
	l := &b.levels[i]
	l.gens = append(l.gens, b.vecs.Intern(p))
	for _, r := range slices.Clone(l.Reps) {
		if !b.close(i, b.product(p, b.vecs.Get(r))) {
			return false
		}
	}
	return true
}

// close sees to it that p, of the group of level i, is a product of
// representatives.
func (b *chainBuilder) close(i int, p []Pos) bool {
	if b.work -= len(p); b.work < 0 {
		return false
	}
	if b.asked-b.work > lateWork || b.asked == 0 {
		if b.asked = b.work; b.late() {
			return false
		}
	}
	l := &b.levels[i]
	at := slices.Index(l.Orbit, p[l.Point])
	if at >= 0 {
		apply(b.vecs.Get(l.backs[at]), p)
		in, looks := sift(b.vecs, b.levels[i+1:], p)
		b.work -= len(p) * looks
		return in || b.add(i+1, p)
	}
	back := make([]Pos, len(p))
	for k, x := range p {
		back[x] = Pos(k)
	}
	l.Orbit = append(l.Orbit, p[l.Point])
	l.Reps, l.backs = append(l.Reps, b.vecs.Intern(p)), append(l.backs, b.vecs.Intern(back))
	for _, x := range l.gens {
		if !b.close(i, b.product(b.vecs.Get(x), p)) {
			return false
		}
	}
	return true
}

// lateWork is the work that is done between two looks at the clock.
const lateWork = 1 << 18

// product takes slot k to p[q[k]].
func (b *chainBuilder) product(p, q []Pos) []Pos {
	out := make([]Pos, len(q))
	for k, x := range q {
		out[k] = p[x]
	}
	return out
}
