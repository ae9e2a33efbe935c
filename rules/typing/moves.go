package typing

import (
	"fmt"
	"slices"
	"strings"

	"egad/term/ops"
	"egad/term/size"
)

// move is a permutation that is applied to the first sizes of a list: a variable, a
// constant, one that takes the first size behind so many others, or one that leaves
// the first size where it is.
type move struct {
	name    string
	perm    []int
	past    *size.Size
	lift    []move
	inverse bool // of a variable or past
	own     bool // the variable is its own inverse
}

func movesText(ms []move) string {
	if len(ms) == 0 {
		return "[]"
	}
	m := ms[0]
	text := m.name
	switch {
	case m.perm != nil:
		text = strings.Join(strings.Fields(fmt.Sprint(m.perm)), ", ")
	case m.past != nil:
		text = "(rotate " + argument(*m.past) + ")"
	case m.lift != nil:
		text = "(lift " + movesText(m.lift) + ")"
	}
	if m.inverse {
		text = "(invert " + text + ")"
	}
	if len(ms) > 1 {
		text = "(compose " + text + " " + movesText(ms[1:]) + ")"
	}
	return text
}

// moves puts in what is known of permutations.
func (n *shapes) moves(ms []move) []move {
	var out []move
	for _, m := range ms {
		if m.lift != nil {
			if m.lift = n.moves(m.lift); m.lift == nil {
				continue
			}
		}
		if known, ok := n.perms[m.name]; ok && m.name != "" && !m.own {
			if known = n.moves(known); m.inverse {
				known = invert(known)
			}
			out = append(out, known...)
			continue
		}
		if m.name != "" && n.short(m.name) {
			continue
		}
		k := len(out)
		switch {
		case k > 0 && alikeMoves(out[k-1], invert([]move{m})[0]): // they change nothing
			out = out[:k-1]
		case k > 0 && m.perm != nil && out[k-1].perm != nil:
			out[k-1] = move{perm: ops.ComposePerm(out[k-1].perm, m.perm)}
		default:
			out = append(out, m)
		}
	}
	return out
}

// short reports whether a permutation moves one size at most: then it leaves it where it is.
func (n *shapes) short(perm string) bool {
	d := number(1).Sub(n.size(lengthOf(perm)))
	if n.natural(d) {
		return true
	}
	for _, s := range n.sizes {
		if s.Equal(d) { // a size, or a length, is that many less
			return true
		}
	}
	return false
}

// invert is the inverse of permutations one after the other.
func invert(ms []move) []move {
	out := make([]move, len(ms))
	for i, m := range ms {
		switch {
		case m.perm != nil:
			m.perm = ops.InvertPerm(m.perm)
		case m.lift != nil:
			m.lift = invert(m.lift)
		default:
			m.inverse = !m.inverse && !m.own
		}
		out[len(ms)-1-i] = m
	}
	return out
}

// reach is how many sizes a permutation moves at most.
func (n *shapes) reach(m move) size.Size {
	switch {
	case m.perm != nil:
		return number(len(m.perm))
	case m.past != nil:
		return n.size(m.past.Add(number(1)))
	case m.lift != nil:
		most := number(0)
		for _, l := range m.lift {
			if r := n.reach(l); n.natural(r.Sub(most)) {
				most = r
			}
		}
		return most.Add(number(1))
	}
	return n.size(lengthOf(m.name))
}

// lengthOfMoves is how many sizes permutations, one after the other, move.
func (n *shapes) lengthOfMoves(ms []move) size.Size {
	switch ms = n.moves(ms); len(ms) {
	case 0:
		return number(0)
	case 1:
		return n.reach(ms[0])
	}
	name := "len " + strings.ReplaceAll(movesText(ms), "*", "·")
	n.composed[name] = ms
	return n.size(size.Var(name))
}

// permute applies permutations, the last one first.
func (n *shapes) permute(ms []move, ss []size.Size) []size.Size {
	ss, ms = n.norm(ss), n.moves(ms)
	for i := len(ms) - 1; i >= 0; i-- {
		ss = n.apply(ms[i], ss)
	}
	return ss
}

func (n *shapes) apply(m move, ss []size.Size) []size.Size {
	switch {
	case len(ss) == 0:
		return nil
	case m.perm != nil:
		if front, rest, ok := n.cut(ss, number(len(m.perm))); ok && !slices.ContainsFunc(front, isList) {
			out := slices.Clone(front)
			for i, j := range m.perm {
				out[i] = front[j]
			}
			return append(out, rest...)
		}
	case m.past != nil && m.inverse:
		if front, rest, ok := n.cut(ss, *m.past); ok {
			if x, rest, ok := n.cut(rest, number(1)); ok {
				return slices.Concat(x, front, rest)
			}
		}
	case m.past != nil:
		if x, rest, ok := n.cut(ss, number(1)); ok {
			if front, rest, ok := n.cut(rest, *m.past); ok {
				return slices.Concat(front, x, rest)
			}
		}
	case m.lift != nil:
		if x, rest, ok := n.cut(ss, number(1)); ok {
			return slices.Concat(x, n.permute(m.lift, rest))
		}
	}
	ms, of := []move{m}, ss
	if name, ok := listName(ss[0]); ok && n.parts[name] != nil && n.parts[name].moves != nil {
		p := n.parts[name]
		ms, of = n.moves(append(ms, p.moves...)), slices.Concat(p.of, ss[1:])
		if len(ms) <= len(p.moves) {
			return n.permute(ms, of)
		}
	}
	// What is behind all that is moved stays.
	var rest []size.Size
	if front, behind, ok := n.cut(of, n.reach(m)); ok && len(ms) == 1 {
		of, rest = front, behind
	} else {
		for len(of) > 1 {
			short := n.Rank(of[:len(of)-1])
			if slices.ContainsFunc(ms, func(m move) bool { return !n.natural(short.Sub(n.reach(m))) }) {
				break
			}
			rest = append([]size.Size{of[len(of)-1]}, rest...)
			of = of[:len(of)-1]
		}
	}
	if len(of) == 0 {
		return rest
	}
	return append([]size.Size{n.part(&part{moves: ms, of: of})}, rest...)
}

// movedAlike reports whether two items are lists of one length, permuted alike.
func (n *shapes) movedAlike(s, t size.Size) bool {
	if !isList(s) || !isList(t) {
		return false
	}
	p, q := n.parts[mustName(s)], n.parts[mustName(t)]
	return p != nil && q != nil && p.moves != nil && q.moves != nil && movesText(p.moves) == movesText(q.moves) && n.Rank(p.of).Equal(n.Rank(q.of))
}

// unmoved solves an equation for a list that stands permuted on one side alone, and is not part
// of the other one.
func (n *shapes) unmoved(a, b []size.Size) (of, is []size.Size, ok bool) {
	for _, e := range [][2][]size.Size{{a, b}, {b, a}} {
		if len(e[0]) != 1 || n.rigid {
			continue
		}
		if p := n.parts[mustName(e[0][0])]; p != nil && p.moves != nil {
			if of, is = n.norm(p.of), n.permute(invert(p.moves), e[1]); n.binds(of, is) {
				return of, is, true
			}
		}
	}
	return nil, nil, false
}

// samePerm solves an equation between permutations, if it has a variable, or the inverse
// of one, at one place only. Others are left.
func (n *unifier) samePerm(a, b []move) {
	a, b = n.moves(a), n.moves(b)
	n.alikePerms = append(n.alikePerms, [2][]move{a, b})
	if len(a) != 1 || a[0].name == "" {
		a, b = b, a
	}
	if len(a) != 1 || a[0].name == "" {
		n.solvePerm(slices.Concat(a, invert(b)))
		return
	}
	name := a[0].name
	if mentions(b, name) && len(b) > 1 {
		n.solvePerm(slices.Concat(a, invert(b)))
		return
	}
	if a[0].inverse {
		b = invert(b)
	}
	switch {
	case len(b) == 1 && b[0].name == name && b[0].inverse:
		n.perms[name] = []move{{name: name, own: true}}
	case !mentions(b, name):
		n.setPerm(name, b)
	}
}

// setPerm gives a permutation its value, and its length, if that is known.
func (n *unifier) setPerm(name string, b []move) {
	switch len(b) {
	case 0:
		n.Sizes(lengthOf(name), number(0))
	case 1:
		n.Sizes(lengthOf(name), n.reach(b[0]))
	}
	n.perms[name] = b
}

// solvePerm makes permutations, one after the other, the one that changes nothing: a
// variable that is there once is the inverse of what is around it.
func (n *unifier) solvePerm(ms []move) {
	for i, m := range ms {
		around := invert(slices.Concat(ms[i+1:], ms[:i]))
		if m.name == "" || m.own || mentions(around, m.name) {
			continue
		}
		if m.inverse {
			around = invert(around)
		}
		n.setPerm(m.name, n.moves(around))
		return
	}
}

func mentions(ms []move, name string) bool {
	return slices.ContainsFunc(ms, func(m move) bool { return m.name == name || mentions(m.lift, name) })
}
