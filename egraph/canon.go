package egraph

import "slices"

// canon is the working memory for the canonical form of an e-node.
type canon struct {
	kids []ClassID
	args []Vec // over positions of the e-node
	own  Vec
	free []Pos // the names that the free slots of the e-node had
	// autos are other orders of free that give the same e-node: symmetries, of which
	// all others are products.
	autos [][]Pos

	flat []Pos // a buffer
}

// canonicalise computes the canonical form of an e-node with the given own slots,
// children (leaders, with their arguments) and binders, all over names. Names
// are numbered by first occurrence; if symmetries of the children allow several
// forms, [Graph.leastForm] chooses one.
func (g *Graph) canonicalise(head *Head, own []Pos, kids []ClassID, args []Vec, binders []Pos) *canon {
	c := &g.scratch
	c.kids = append(c.kids[:0], kids...)
	c.args = append(c.args[:0], args...)
	c.autos = c.autos[:0]
	if head.Commutative && c.kids[1] < c.kids[0] {
		c.kids[0], c.kids[1] = c.kids[1], c.kids[0]
		c.args[0], c.args[1] = c.args[1], c.args[0]
	}
	symmetric := head.Commutative && c.kids[0] == c.kids[1] && c.args[0] != c.args[1]
	for _, k := range c.kids {
		symmetric = symmetric || g.groupOf(k) != 0
	}
	if symmetric {
		g.leastForm(c, head, own, binders)
		return c
	}
	c.flat, c.free = g.number(c.flat[:0], c.free[:0], head, own, c.args, binders)
	g.pack(c, len(own))
	return c
}

// number appends the positions of all names to flat, and the names of the free
// slots to free.
func (g *Graph) number(flat, free []Pos, head *Head, own []Pos, args []Vec, binders []Pos) ([]Pos, []Pos) {
	place := func(n Pos) Pos {
		i := slices.Index(free, n)
		if i < 0 {
			i = len(free)
			free = append(free, n)
		}
		return Pos(i)
	}
	for _, n := range own {
		flat = append(flat, place(n))
	}
	for k, v := range args {
		under := len(binders) > 0 && head.Under>>k&1 != 0
		for _, n := range g.vecs.Get(v) {
			if under {
				if b := slices.Index(binders, n); b >= 0 {
					flat = append(flat, bound|Pos(b))
					continue
				}
			}
			flat = append(flat, place(n))
		}
	}
	return flat, free
}

// pack interns the positions in c.flat as the arguments of the children.
func (g *Graph) pack(c *canon, own int) {
	c.own = g.vecs.Intern(c.flat[:own])
	at := own
	for k, v := range c.args {
		n := g.vecs.Len(v)
		c.args[k] = g.vecs.Intern(c.flat[at : at+n])
		at += n
	}
}

// hasSlots reports whether the canonical e-node mentions a slot.
func (c *canon) hasSlots() bool {
	return c.own != 0 || slices.ContainsFunc(c.args, func(v Vec) bool { return v != 0 })
}
