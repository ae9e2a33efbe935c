package typing

import (
	"slices"
	"strings"

	"egad/term/size"
)

// size puts in what is known of the names of a size.
func (n *shapes) size(s size.Size) size.Size {
	s = s.Subst(n.sizes)
	for env := n.atPlaces(s); env != nil; env = n.atPlaces(s) {
		s = s.Subst(env).Subst(n.sizes)
	}
	if !strings.Contains(s.Key(), many) {
		return s
	}
	env := make(map[string]size.Size)
	for _, v := range s.Vars() {
		if strings.HasSuffix(v, many) {
			env[v] = n.product([]size.Size{size.Var(v)})
		}
	}
	return s.Subst(env)
}

// product multiplies a shape; the order of its sizes does not matter.
func (n *shapes) product(ss []size.Size) size.Size {
	p := size.Const(1)
	for _, s := range n.norm(ss) {
		if name, ok := listName(s); ok && n.parts[name] != nil && n.parts[name].moves != nil {
			s = n.product(n.parts[name].of)
		}
		p = p.Mul(s)
	}
	return p
}

// natural reports whether a difference of lengths is known not to be negative.
func (n *shapes) natural(d size.Size) bool {
	d = n.size(d)
	if d.Natural() || slices.ContainsFunc(n.least, func(l size.Size) bool { return d.Sub(n.size(l)).Natural() }) {
		return true
	}
	return slices.ContainsFunc(n.least, func(l size.Size) bool {
		return varies(l) && slices.ContainsFunc(n.everywhere([2][]size.Size{{l}}), func(e [2][]size.Size) bool { return d.Sub(e[0][0]).Natural() })
	})
}

// demand asks that a difference of lengths is not negative: it assumes so, or finds
// out whether it is known.
func (n *shapes) demand(d size.Size) bool {
	d = n.size(d)
	switch {
	case n.natural(d):
		return true
	case n.negative(d):
		return false
	case n.rigid:
		n.undecided(d)
		return false
	case number(0).Sub(d).Natural(): // all of it is 0
		return !slices.ContainsFunc(d.Vars(), func(v string) bool { return !n.Sizes(size.Var(v), number(0)) })
	}
	for _, v := range d.Vars() { // v is d plus what it is more
		s := size.Var(v).Sub(d)
		if s.Natural() && n.solves(v, s) {
			return n.set(v, s.Add(lengthOf(n.freshLike(v))))
		}
	}
	n.least = append(n.least, d)
	return true
}

// set gives a size its value; it is false if what is known of it at places forbids that.
func (n *shapes) set(v string, s size.Size) bool {
	one := map[string]size.Size{v: s}
	for k, old := range n.sizes {
		n.sizes[k] = old.Subst(one)
	}
	n.sizes[v] = s
	return n.agree(v)
}

// Sizes makes two sizes, or lengths, equal.
func (n *shapes) Sizes(a, b size.Size) bool {
	d := n.size(a.Sub(b))
	if c, ok := d.Const(); ok || n.rigid {
		return ok && c == 0
	}
	var best string
	var is size.Size
	rank := func(v string, s size.Size) int { // generated names and what cannot be negative first
		k := 0
		if s.Natural() {
			k = 2
		}
		if generated(v) {
			k++
		}
		return k
	}
	for _, v := range d.Vars() {
		if strings.HasSuffix(v, many) {
			continue
		}
		if s, ok := d.Solve(v); ok && n.solves(v, s) && (best == "" || rank(v, s) > rank(best, is)) {
			best, is = v, s
		}
	}
	if best == "" {
		if !d.Natural() && !number(0).Sub(d).Natural() || d.Subst(zeros(d)).IsConst(0) {
			n.open = append(n.open, [2][]size.Size{{a}, {b}})
			return true
		}
		return false
	}
	if !is.Natural() {
		n.least = append(n.least, is)
	}
	return n.set(best, is) && !n.negative(is)
}

// negative reports whether a difference of lengths is known to be negative.
func (n *shapes) negative(d size.Size) bool { return n.natural(number(-1).Sub(d)) }

func zeros(s size.Size) map[string]size.Size {
	env := make(map[string]size.Size)
	for _, v := range s.Vars() {
		env[v] = number(0)
	}
	return env
}

func argument(s size.Size) string {
	if text := s.String(); strings.Contains(text, " ") {
		return "(" + text + ")"
	} else {
		return text
	}
}

// Products makes the numbers of elements of two shapes equal.
func (n *shapes) Products(a, b []size.Size) bool {
	x, y := n.product(a), n.product(b)
	if x.Equal(y) {
		return true
	}
	_, c1 := x.Const()
	_, c2 := y.Const()
	if c1 && c2 {
		return false
	}
	if n.rigid {
		var known [][2]size.Size
		for _, p := range n.equal {
			for _, p := range n.everywhere(p) {
				known = append(known, [2]size.Size{n.product(p[0]), n.product(p[1])})
			}
		}
		return follows(known, x, y)
	}
	n.equal = append(n.equal, [2][]size.Size{a, b})
	return true
}
