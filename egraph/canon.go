package egraph

import "slices"

// canon is the working memory for the canonical form of a row.
type canon struct {
	kids []ClassID
	args []Vec // over positions of the row
	own  Vec
	free []Pos // the names that the free slots of the row had
	// autos are other orders of free that give the same row: symmetries.
	autos [][]Pos

	flat []Pos // a buffer
}

// maxForms bounds the forms of a row that are compared. Groups beyond it count
// as trivial, which merges less and is sound.
const maxForms = 5040

// canonicalise computes the canonical form of a row with the given own slots,
// children (leaders, with their arguments) and binders, all over names. Names
// are numbered by first occurrence; among the forms that symmetries of the
// children allow the least one counts.
func (g *Graph) canonicalise(head *Head, own []Pos, kids []ClassID, args []Vec, binders []Pos) *canon {
	c := &g.scratch
	c.kids = append(c.kids[:0], kids...)
	c.args = append(c.args[:0], args...)
	c.autos = c.autos[:0]
	if head.Commutative && c.kids[1] < c.kids[0] {
		c.kids[0], c.kids[1] = c.kids[1], c.kids[0]
		c.args[0], c.args[1] = c.args[1], c.args[0]
	}
	swap := head.Commutative && c.kids[0] == c.kids[1] && c.args[0] != c.args[1]
	forms := 1
	if swap {
		forms = 2
	}
	for _, k := range c.kids {
		if n := len(g.symmetriesOf(k)); n > 0 {
			forms = min(forms*(n+1), maxForms+1)
		}
	}
	if forms == 1 || forms > maxForms {
		c.flat, c.free = g.number(c.flat[:0], c.free[:0], head, own, c.args, binders)
		g.pack(c, len(own))
		return c
	}
	g.leastForm(c, head, own, binders, swap)
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
		for _, n := range g.vecs.get(v) {
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
	c.own = g.vecs.intern(c.flat[:own])
	at := own
	for k, v := range c.args {
		n := g.vecs.len(v)
		c.args[k] = g.vecs.intern(c.flat[at : at+n])
		at += n
	}
}

// leastForm tries all forms that the symmetries of the children allow.
func (g *Graph) leastForm(c *canon, head *Head, own []Pos, binders []Pos, swap bool) {
	base := slices.Clone(c.args)
	options := make([][]Vec, len(base)) // the arguments each child may have
	for k, v := range base {
		options[k] = []Vec{v}
		for _, p := range g.symmetriesOf(c.kids[k]) {
			options[k] = append(options[k], g.vecs.compose(v, p))
		}
	}
	var best, bestFree []Pos
	var frees [][]Pos // of the forms that equal the best one
	var bestArgs []Vec
	try := func(args []Vec) {
		flat, free := g.number(c.flat[:0], nil, head, own, args, binders)
		c.flat = flat
		switch d := slices.Compare(flat, best); {
		case best == nil || d < 0:
			best, bestFree, bestArgs = slices.Clone(flat), free, slices.Clone(args)
			frees = frees[:0]
		case d == 0:
			frees = append(frees, free)
		}
	}
	args := slices.Clone(base)
	var choose func(k int)
	choose = func(k int) {
		if k == len(args) {
			try(args)
			if swap {
				args[0], args[1] = args[1], args[0]
				try(args)
				args[0], args[1] = args[1], args[0]
			}
			return
		}
		for _, v := range options[k] {
			args[k] = v
			choose(k + 1)
		}
	}
	choose(0)
	c.flat = append(c.flat[:0], best...)
	c.free = append(c.free[:0], bestFree...)
	copy(c.args, bestArgs)
	for _, f := range frees {
		if !slices.Equal(f, bestFree) {
			c.autos = append(c.autos, f)
		}
	}
	g.pack(c, len(own))
}

// hasSlots reports whether the canonical row mentions a slot.
func (c *canon) hasSlots() bool {
	return c.own != 0 || slices.ContainsFunc(c.args, func(v Vec) bool { return v != 0 })
}
