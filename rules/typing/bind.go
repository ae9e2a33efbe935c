package typing

import (
	"slices"

	"egad/term/size"
)

func isList(s size.Size) bool { _, ok := listName(s); return ok }

// Shapes makes two lists of sizes equal, now or when more is known.
func (n *shapes) Shapes(a, b []size.Size) bool {
	for {
		a, b = n.norm(a), n.norm(b)
		x, y := len(a), len(b)
		switch {
		case x == 0 || y == 0:
			return x == y || n.Sizes(n.Rank(a), n.Rank(b))
		case n.alike(a[0], b[0]):
			if !n.Sizes(a[0], b[0]) {
				return false
			}
			a, b = a[1:], b[1:]
			continue
		case n.alike(a[x-1], b[y-1]):
			if !n.Sizes(a[x-1], b[y-1]) {
				return false
			}
			a, b = a[:x-1], b[:y-1]
			continue
		case n.movedAlike(a[0], b[0]):
			if !n.Shapes(n.parts[mustName(a[0])].of, n.parts[mustName(b[0])].of) {
				return false
			}
			a, b = a[1:], b[1:]
			continue
		case !n.rigid && n.binds(a, b):
			return n.bind(a, b)
		case !n.rigid && n.binds(b, a):
			return n.bind(b, a)
		}
		if of, is, ok := n.unmoved(a, b); ok {
			return n.bind(of, is)
		}
		if x > 1 || y > 1 { // the longer one of the first items is cut
			short, long, k, l := a, b, n.Rank(a[:1]), n.Rank(b[:1])
			if n.natural(k.Sub(l)) {
				short, long, k, l = b, a, l, k
			}
			if front, rest, ok := n.cut(long, k); ok && n.natural(l.Sub(k)) {
				if !n.Shapes(short[:1], front) {
					return false
				}
				a, b = short[1:], rest
				continue
			}
		}
		if n.rigid {
			return n.supposed(a, b)
		}
		if !n.Sizes(n.Rank(a), n.Rank(b)) {
			return false
		}
		n.later = append(n.later, [2][]size.Size{a, b})
		return true
	}
}

// supposed reports whether an equation follows from those that could not be solved.
func (n *shapes) supposed(a, b []size.Size) bool {
	o := &orbits{shapes: n}
	x, y := o.list(a), o.list(b)
	for _, e := range n.open {
		for _, e := range n.everywhere(e) {
			o.equal(o.list(e[0]), o.list(e[1]))
		}
	}
	for at := range len(o.nodes) { // an equation between permutations holds of every list
		for _, e := range n.alikePerms {
			o.equal(o.permuted(at, e[0]), o.permuted(at, e[1]))
		}
	}
	return o.find(x) == o.find(y)
}

// alike reports whether two items of lists are equal or can be made so by themselves.
func (n *shapes) alike(s, t size.Size) bool { return s.Equal(t) || !isList(s) && !isList(t) }

// binds reports whether an equation is solved for a list that stands alone on the
// left and is not part of the right side.
func (n *shapes) binds(a, b []size.Size) bool {
	if len(a) != 1 {
		return false
	}
	name, is := listName(a[0])
	if !is || n.parts[name] != nil || n.mentions(b, name) || !varies(a[0]) && slices.ContainsFunc(b, varies) {
		return false
	}
	if len(b) != 1 || !isList(b[0]) {
		return true
	}
	// Of two lists, what is computed and what the rule names is kept.
	other := mustName(b[0])
	return n.parts[other] != nil || generated(name) || !generated(other)
}

func (n *shapes) bind(a, b []size.Size) bool {
	if !n.Sizes(n.Rank(a), n.Rank(b)) {
		return false
	}
	n.lists[mustName(a[0])] = n.norm(b)
	if varies(a[0]) {
		n.lengthFrom(mustName(a[0]), n.norm(b))
	}
	return n.agree(mustName(a[0]))
}

func mustName(s size.Size) string { name, _ := s.Var(); return name }

func (n *shapes) mentions(ss []size.Size, name string) bool {
	for _, s := range ss {
		x, is := listName(s)
		if !is {
			continue
		}
		if x == name || sameBase(x, name) || n.parts[x] != nil && n.mentions(n.norm(n.parts[x].of), name) {
			return true
		}
		if p := n.parts[name]; p != nil && n.mentions(n.norm(p.of), x) {
			return true // or what is computed from it would become part of itself
		}
	}
	return false
}

// retry tries equations that wait, as long as that tells something.
func (n *shapes) retry() bool {
	for {
		waiting := n.later
		n.later, n.stuck = nil, nil
		for _, e := range waiting {
			if !n.Shapes(e[0], e[1]) {
				return false
			}
		}
		if len(n.later) == 0 || n.same(waiting, n.later) {
			return !slices.ContainsFunc(n.least, func(l size.Size) bool { return number(-1).Sub(n.size(l)).Natural() })
		}
	}
}

func (n *shapes) same(a, b [][2][]size.Size) bool {
	return slices.EqualFunc(a, b, func(x, y [2][]size.Size) bool {
		return size.Equal(n.norm(x[0]), n.norm(y[0])) && size.Equal(n.norm(x[1]), n.norm(y[1]))
	})
}
