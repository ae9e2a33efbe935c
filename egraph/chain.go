package egraph

import (
	"math"
	"slices"
)

// chain is a group of permutations of slots as a chain of stabilisers: in the
// group of a level all slots before its point stay where they are. Every element
// is the product of one representative of each level, in their order, in exactly
// one way. Levels whose point does not move are left out.
type chain struct {
	levels []level
	orbits []Pos // for each slot the first one that an element takes it to
}

type level struct {
	point Pos
	gens  []Vec // generators of the group of the level
	orbit []Pos // where they take the point, the point itself first
	reps  []Vec // for each slot of the orbit a product that takes the point there
	backs []Vec // the inverses of reps
}

// generators of the group.
func (c *chain) generators() []Vec {
	if len(c.levels) == 0 {
		return nil
	}
	return c.levels[0].gens
}

// order is the number of elements, or the largest number if there are more.
func (c *chain) order() uint64 {
	n := uint64(1)
	for _, l := range c.levels {
		if k := uint64(len(l.orbit)); n > math.MaxUint64/k {
			return math.MaxUint64
		} else {
			n *= k
		}
	}
	return n
}

// bytes is the memory of the group without its permutations, about.
func (c *chain) bytes() int {
	n := 128 + 2*len(c.orbits)
	for _, l := range c.levels {
		n += 128 + 4*len(l.gens) + 10*len(l.orbit)
	}
	return n
}

// has reports whether p, which is overwritten, is in the group.
func (c *chain) has(v *vecs, p []Pos) bool {
	in, _ := sift(v, c.levels, p)
	return in
}

// sift multiplies p by the inverses of representatives. It reports whether
// nothing is left of it, which means that it is in the group of the first level,
// and how often it has looked at all slots.
func sift(v *vecs, levels []level, p []Pos) (in bool, looks int) {
	for i := range levels {
		l := &levels[i]
		at := slices.Index(l.orbit, p[l.point])
		if at < 0 {
			return false, looks
		}
		if at > 0 {
			apply(v.get(l.backs[at]), p)
			looks++
		}
	}
	return moved(p) == len(p), looks + 1
}

// apply replaces p by the product of q and p.
func apply(q, p []Pos) {
	for k, i := range p {
		p[k] = q[i]
	}
}

// moved is the first slot that p moves, or the number of slots.
func moved(p []Pos) int {
	for k, i := range p {
		if int(i) != k {
			return k
		}
	}
	return len(p)
}

// least brings names of slots into the least order that elements of the group
// give them. Names are distinct, so each slot in turn gets the least it can.
func (c *chain) least(v *vecs, names []Pos) {
	var buf [16]Pos
	for i := range c.levels {
		l := &c.levels[i]
		best := 0
		for k, p := range l.orbit {
			if names[p] < names[l.orbit[best]] {
				best = k
			}
		}
		if best > 0 {
			old := append(buf[:0], names...)
			for k, p := range v.get(l.reps[best]) {
				names[k] = old[p]
			}
		}
	}
}

// extended is the group with p too, which is not in it; it is nil if that takes
// more than work steps, or longer than late says.
func (c *chain) extended(v *vecs, p []Pos, work int, late func() bool) *chain {
	b := &chainBuilder{vecs: v, levels: slices.Clone(c.levels), work: work, late: late}
	for i := range b.levels {
		l := &b.levels[i]
		l.gens, l.orbit, l.reps, l.backs = slices.Clip(l.gens), slices.Clip(l.orbit), slices.Clip(l.reps), slices.Clip(l.backs)
	}
	if !b.add(0, p) {
		return nil
	}
	orbits := newPartition(len(p))
	for _, x := range b.levels[0].gens {
		orbits.joinAll(v.get(x))
	}
	for i := range orbits {
		orbits[i] = orbits.first(Pos(i))
	}
	return &chain{levels: b.levels, orbits: orbits}
}

// chainBuilder extends a chain by the method of Schreier and Sims, as Knuth puts
// it ("Efficient representation of perm groups"): on each level the product of
// every generator and every representative is in the group that the
// representatives make up.
type chainBuilder struct {
	vecs   *vecs
	levels []level
	work   int // that may still be done: slots of permutations that are looked at
	late   func() bool
	asked  int // what work was when late was asked
}

// add adds p, which is not in the group of level i and moves no slot before its
// point, to that group. It is false if that is too much work.
func (b *chainBuilder) add(i int, p []Pos) bool {
	if m := Pos(moved(p)); i == len(b.levels) || m < b.levels[i].point {
		id := b.vecs.identity(len(p))
		l := level{point: m, orbit: []Pos{m}, reps: []Vec{id}, backs: []Vec{id}}
		if i < len(b.levels) {
			l.gens = slices.Clone(b.levels[i].gens)
		}
		b.levels = slices.Insert(b.levels, i, l)
	}
	l := &b.levels[i]
	l.gens = append(l.gens, b.vecs.intern(p))
	for _, r := range slices.Clone(l.reps) {
		if !b.close(i, b.product(p, b.vecs.get(r))) {
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
	at := slices.Index(l.orbit, p[l.point])
	if at >= 0 {
		apply(b.vecs.get(l.backs[at]), p)
		in, looks := sift(b.vecs, b.levels[i+1:], p)
		b.work -= len(p) * looks
		return in || b.add(i+1, p)
	}
	back := make([]Pos, len(p))
	for k, x := range p {
		back[x] = Pos(k)
	}
	l.orbit = append(l.orbit, p[l.point])
	l.reps, l.backs = append(l.reps, b.vecs.intern(p)), append(l.backs, b.vecs.intern(back))
	for _, x := range l.gens {
		if !b.close(i, b.product(b.vecs.get(x), p)) {
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
