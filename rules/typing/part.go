package typing

import (
	"slices"
	"strings"

	"egad/term/size"
)

// Lists of sizes of which it is not known where they end, and what is computed from them:
// their first sizes, those behind, and permuted ones.

// cut takes the first sizes off a list, if it is known where they end.
func (n *shapes) cut(ss []size.Size, at size.Size) (front, rest []size.Size, known bool) {
	ss, at = n.norm(ss), n.size(at)
	for i, s := range ss {
		if at.IsConst(0) {
			return ss[:i], ss[i:], true
		}
		l := n.Rank(ss[i : i+1])
		name, is := listName(s)
		switch {
		case n.natural(at.Sub(l)):
			at = at.Sub(l)
		case n.natural(l.Sub(at)) && is && n.parts[name] == nil && (varies(s) || !varies(at)):
			f, r := n.freshLike(name), n.freshLike(name)
			n.set("len "+f, at)
			n.set("len "+r, l.Sub(at))
			n.lists[name] = slices.Concat(list(f), list(r))
			n.must(n.agree(name))
			return slices.Concat(ss[:i], n.norm(list(f))), slices.Concat(n.norm(list(r)), ss[i+1:]), true
		default:
			if !n.natural(l.Sub(at)) {
				n.undecided(at.Sub(l))
			}
			return nil, nil, false
		}
	}
	return ss, nil, at.IsConst(0)
}

// split takes the first sizes off a list that has so many.
func (n *shapes) split(ss []size.Size, at size.Size) (front, rest []size.Size) {
	if f, r, ok := n.cut(ss, at); ok {
		return f, r
	}
	ss, at = n.norm(ss), n.size(at)
	var before []size.Size // what surely belongs to the front
	for len(ss) > 0 && n.natural(at.Sub(n.Rank(ss[:1]))) {
		at = at.Sub(n.Rank(ss[:1]))
		before, ss = append(before, ss[0]), ss[1:]
	}
	return append(before, n.part(&part{n: at, of: ss})), n.behind(ss, at)
}

// behind are the sizes behind so many; those before may have been permuted.
func (n *shapes) behind(ss []size.Size, at size.Size) []size.Size {
	if len(ss) == 0 {
		return nil
	}
	if p := n.parts[mustName(ss[0])]; p != nil && len(p.moves) > 0 {
		k := 1
		if n.lengthOfMoves(p.moves).Equal(at) {
			k = len(p.moves)
		}
		if k > 1 || n.natural(at.Sub(n.reach(p.moves[0]))) {
			_, rest := n.split(slices.Concat(n.permute(p.moves[k:], p.of), ss[1:]), at)
			return rest
		}
	}
	return []size.Size{n.part(&part{n: at, drop: true, of: ss})}
}

// part is the list that is computed from another.
func (n *shapes) part(p *part) size.Size {
	name := ""
	switch {
	case p.moves != nil:
		name = "permute " + movesText(p.moves)
	case p.drop:
		name = "drop " + argument(p.n)
	default:
		name = "take " + argument(p.n)
	}
	name = strings.ReplaceAll("("+name+" "+listText(p.of)+")"+many, "*", "·")
	n.parts[name] = p
	return size.Var(name)
}

// whole puts lists together of which the first sizes, that may be permuted, stand before
// those behind them.
func (n *shapes) whole(ss []size.Size) []size.Size {
	for i, s := range ss {
		name, _ := listName(s)
		p := n.parts[name]
		var moves []move
		if p != nil && p.moves != nil && len(p.of) == 1 {
			moves, name = p.moves, mustName(p.of[0])
			p = n.parts[name]
		}
		if p == nil || p.moves != nil || p.drop {
			continue
		}
		if slices.ContainsFunc(moves, func(m move) bool { return !n.natural(p.n.Sub(n.reach(m))) }) {
			continue
		}
		_, behind := n.split(p.of, p.n)
		if rest := ss[i+1:]; len(rest) >= len(behind) && size.Equal(rest[:len(behind)], behind) {
			return slices.Concat(ss[:i], n.permute(moves, p.of), n.whole(rest[len(behind):]))
		}
	}
	return ss
}

// solveByParts solves equations that wait so that lists are the first sizes of what is
// computed, and those behind: [s1..., s2...] = (permute p s3) where s1 is as long as q.
// It is false if it solves none.
func (n *shapes) solveByParts() bool {
	waiting, solved := n.later, false
	n.later = nil
	for _, e := range waiting {
		if n.bindParts(e[0], e[1]) || n.bindParts(e[1], e[0]) {
			solved = true
		} else {
			n.later = append(n.later, e)
		}
	}
	return solved && n.retry()
}

// bindParts makes lists that are not known, of which the first ones may be permuted, the
// parts of b.
func (n *shapes) bindParts(a, b []size.Size) bool {
	a, b = n.norm(a), n.norm(b)
	if len(a) == 0 {
		return false
	}
	if p := n.parts[mustName(a[0])]; p != nil && p.moves != nil {
		a, b = slices.Concat(n.norm(p.of), a[1:]), n.permute(invert(p.moves), b)
	}
	for i, s := range a {
		name, is := listName(s)
		if !is || n.parts[name] != nil || n.lists[name] != nil || n.mentions(b, name) || slices.ContainsFunc(a[:i], s.Equal) || !varies(s) && slices.ContainsFunc(b, varies) {
			return false
		}
	}
	for i, s := range a {
		front := b
		if i < len(a)-1 {
			front, b = n.split(b, n.Rank(a[i:i+1]))
		}
		if !n.bind([]size.Size{s}, front) {
			return false
		}
	}
	return true
}
