package typing

import (
	"slices"

	"egad/term/size"
)

// orbits decides whether lists of sizes are equal, given equations between others. Lists
// are nodes; an edge leads from a list to what a permutation makes of it, and one for the
// inverse back. Equal lists are one node. Permutations are one to one: what equal ones
// lead to from one node is one node. Where two are left, there are lists and
// permutations for which they differ.
type orbits struct {
	*shapes
	nodes []orbit
	edges []edge
}

// orbit is a node: a list with a name, one that a permutation makes, or one of several
// parts, which are nodes.
type orbit struct {
	name  string
	parts []int
	rank  size.Size
	is    int // what it became one with, or itself
}

// edge says that a permutation makes the list at to of that at from.
type edge struct {
	from, to int
	by       move
}

func (o *orbits) find(x int) int {
	for o.nodes[x].is != x {
		x = o.nodes[x].is
	}
	return x
}

// node is the node like n, which is made if there is none.
func (o *orbits) node(n orbit) int {
	like := func(m orbit) bool {
		return n.name != "" && m.name == n.name || n.parts != nil && o.alikeParts(m.parts, n.parts)
	}
	if i := slices.IndexFunc(o.nodes, like); i >= 0 {
		return i
	}
	n.is = len(o.nodes)
	o.nodes = append(o.nodes, n)
	return n.is
}

func (o *orbits) alikeParts(a, b []int) bool {
	return slices.EqualFunc(a, b, func(x, y int) bool { return o.find(x) == o.find(y) })
}

// list is the node of a list.
func (o *orbits) list(ss []size.Size) int {
	var parts []int
	for _, s := range o.norm(ss) {
		if p := o.parts[mustName(s)]; p != nil && p.moves != nil {
			parts = append(parts, o.permuted(o.list(p.of), p.moves))
		} else {
			parts = append(parts, o.node(orbit{name: s.Key(), rank: o.Rank([]size.Size{s})}))
		}
	}
	return o.join(parts)
}

// join is the node of the parts one after the other.
func (o *orbits) join(parts []int) int {
	if len(parts) == 1 {
		return parts[0]
	}
	rank := number(0)
	for _, p := range parts {
		rank = rank.Add(o.nodes[p].rank)
	}
	return o.node(orbit{parts: append([]int{}, parts...), rank: rank})
}

// permuted is the node that permutations, the last one first, lead to.
func (o *orbits) permuted(x int, ms []move) int {
	ms = o.moves(ms)
	for i := len(ms) - 1; i >= 0; i-- {
		x = o.moved(x, ms[i])
	}
	return x
}

// moved is the node that a permutation leads to.
func (o *orbits) moved(x int, m move) int {
	if y := o.movedFront(x, m); y >= 0 {
		return y
	}
	for _, e := range o.edges {
		if o.find(e.from) == o.find(x) && alikeMoves(e.by, m) {
			return e.to
		}
	}
	y := len(o.nodes)
	o.nodes = append(o.nodes, orbit{rank: o.nodes[x].rank, is: y})
	o.edges = append(o.edges, edge{x, y, m}, edge{y, x, invert([]move{m})[0]})
	return y
}

func alikeMoves(a, b move) bool { return movesText([]move{a}) == movesText([]move{b}) }

// movedFront is the node that a permutation leads to which moves the first parts of a
// list only; -1 if that is not known.
func (o *orbits) movedFront(x int, m move) int {
	reach := o.reach(m)
	for i, n := range o.nodes {
		for k := 1; k < len(n.parts) && o.find(i) == o.find(x); k++ {
			if front := o.join(n.parts[:k]); o.natural(o.nodes[front].rank.Sub(reach)) {
				return o.join(append([]int{o.moved(front, m)}, n.parts[k:]...))
			}
		}
	}
	return -1
}

// equal makes lists equal, and all that are for that.
func (o *orbits) equal(x, y int) {
	for more := o.same(x, y); more; {
		more = false
		for _, e := range o.edges {
			if y := o.movedFront(e.from, e.by); y >= 0 {
				more = o.same(e.to, y) || more
			}
			for _, f := range o.edges {
				if o.find(e.from) == o.find(f.from) && alikeMoves(e.by, f.by) {
					more = o.same(e.to, f.to) || more
				}
			}
		}
		for i, n := range o.nodes {
			for j, m := range o.nodes[:i] {
				if n.parts == nil || len(n.parts) != len(m.parts) {
					continue
				}
				if o.alikeParts(n.parts, m.parts) {
					more = o.same(i, j) || more
				}
				for k := 0; k < len(n.parts) && o.find(i) == o.find(j) && o.nodes[n.parts[k]].rank.Equal(o.nodes[m.parts[k]].rank); k++ {
					more = o.same(n.parts[k], m.parts[k]) || more
				}
			}
		}
	}
}

// same makes two nodes one; it is false if they were.
func (o *orbits) same(x, y int) bool {
	x, y = o.find(x), o.find(y)
	o.nodes[max(x, y)].is = min(x, y)
	return x != y
}
