package rules

import (
	"fmt"
	"slices"
	"strings"

	"egad/term"
)

// shapes solves equations between shapes of unknown rank. A shape is a list of
// sizes. One whose name ends in three dots stands for many, as in R[k, sh...]; how
// many is the size "len sh". In a product it stands for the product of them.
//
// What an equation says that cannot be solved yet waits until more is known.
type shapes struct {
	sizes map[string]term.Size   // solved sizes and lengths, in terms of open ones
	lists map[string][]term.Size // solved lists of sizes
	parts map[string]*part       // lists that are computed from others, by their names
	perms map[string][]move      // solved permutations
	least []term.Size            // lengths that are not negative
	later [][2][]term.Size       // equations between lists that wait
	open  [][2][]term.Size       // those that were not solved
	equal [][2][]term.Size       // shapes with equally many elements
	// alikePerms are the permutations that a condition makes equal.
	alikePerms [][2][]move
	// composed are compositions by what their length is called, of which it is known only
	// where the permutations are.
	composed map[string][]move
	// stuck are differences of lengths that would have to be compared.
	stuck []term.Size
	// rigid says that nothing more may be assumed: equations are decided.
	rigid bool
	count int
	// typing is whose sizes these are, nil if nothing in them depends on a place.
	typing *typing
}

// part is a list computed from another: permuted if there are moves, else its first
// sizes, or those behind them.
type part struct {
	moves []move
	n     term.Size
	drop  bool
	of    []term.Size
}

// move is a permutation that is applied to the first sizes of a list: a variable, a
// constant, one that takes the first size behind so many others, or one that leaves
// the first size where it is.
type move struct {
	name    string
	perm    []int
	past    *term.Size
	lift    []move
	inverse bool // of a variable or past
	own     bool // the variable is its own inverse
}

const many = "..."

func newShapes() shapes {
	return shapes{sizes: make(map[string]term.Size), lists: make(map[string][]term.Size), parts: make(map[string]*part), perms: make(map[string][]move), composed: make(map[string][]move)}
}

func list(name string) []term.Size     { return []term.Size{term.SizeVar(name + many)} }
func lengthOf(name string) term.Size   { return term.SizeVar("len " + strings.TrimSuffix(name, many)) }
func number(n int) term.Size           { return term.SizeConst(int64(n)) }
func (n *shapes) fresh() string        { n.count++; return fmt.Sprintf("_%d", n.count) }
func (n *shapes) freshSize() term.Size { return term.SizeVar(n.fresh()) }

// listName is the name of a size that stands for many.
func listName(s term.Size) (string, bool) {
	name, ok := s.Var()
	return name, ok && strings.HasSuffix(name, many)
}

// size puts in what is known of the names of a size.
func (n *shapes) size(s term.Size) term.Size {
	s = s.Subst(n.sizes)
	for env := n.atPlaces(s); env != nil; env = n.atPlaces(s) {
		s = s.Subst(env).Subst(n.sizes)
	}
	if !strings.Contains(s.Key(), many) {
		return s
	}
	env := make(map[string]term.Size)
	for _, v := range s.Vars() {
		if strings.HasSuffix(v, many) {
			env[v] = n.product([]term.Size{term.SizeVar(v)})
		}
	}
	return s.Subst(env)
}

// product multiplies a shape; the order of its sizes does not matter.
func (n *shapes) product(ss []term.Size) term.Size {
	p := term.SizeConst(1)
	for _, s := range n.norm(ss) {
		if name, ok := listName(s); ok && n.parts[name] != nil && n.parts[name].moves != nil {
			s = n.product(n.parts[name].of)
		}
		p = p.Mul(s)
	}
	return p
}

// norm puts in what is known of a list.
func (n *shapes) norm(ss []term.Size) []term.Size {
	var out []term.Size
	for _, s := range ss {
		name, is := listName(s)
		if !is {
			out = append(out, n.size(s))
			continue
		}
		if known, ok := n.lists[name]; ok {
			out = append(out, n.norm(known)...)
			continue
		}
		if known, ok := n.elsewhere(name); ok {
			out = append(out, n.norm(known)...)
			continue
		}
		if p := n.parts[name]; p != nil {
			switch {
			case p.moves != nil:
				out = append(out, n.permute(p.moves, p.of)...)
			case p.drop:
				_, rest := n.split(p.of, p.n)
				out = append(out, rest...)
			default:
				front, _ := n.split(p.of, p.n)
				out = append(out, front...)
			}
			continue
		}
		if k, ok := n.size(lengthOf(name)).Const(); ok && 0 <= k && k <= term.MaxRank {
			var sizes []term.Size
			for range k {
				sizes = append(sizes, term.SizeVar(n.freshLike(name)))
			}
			n.lists[name] = sizes
			n.must(n.agree(name))
			out = append(out, sizes...)
			continue
		}
		out = append(out, s)
	}
	return n.whole(out)
}

// Rank returns the number of sizes in a list.
func (n *shapes) Rank(ss []term.Size) term.Size {
	sum := number(0)
	for _, s := range n.norm(ss) {
		name, is := listName(s)
		p := n.parts[name]
		switch {
		case !is:
			sum = sum.Add(number(1))
		case p == nil:
			sum = sum.Add(n.size(lengthOf(name)))
		case p.moves != nil:
			sum = sum.Add(n.Rank(p.of))
		case p.drop:
			sum = sum.Add(n.Rank(p.of)).Sub(n.size(p.n))
		default:
			sum = sum.Add(n.size(p.n))
		}
	}
	return sum
}

// natural reports whether a difference of lengths is known not to be negative.
func (n *shapes) natural(d term.Size) bool {
	d = n.size(d)
	if d.Natural() || slices.ContainsFunc(n.least, func(l term.Size) bool { return d.Sub(n.size(l)).Natural() }) {
		return true
	}
	return slices.ContainsFunc(n.least, func(l term.Size) bool {
		return varies(l) && slices.ContainsFunc(n.everywhere([2][]term.Size{{l}}), func(e [2][]term.Size) bool { return d.Sub(e[0][0]).Natural() })
	})
}

// demand asks that a difference of lengths is not negative: it assumes so, or finds
// out whether it is known.
func (n *shapes) demand(d term.Size) bool {
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
		return !slices.ContainsFunc(d.Vars(), func(v string) bool { return !n.Sizes(term.SizeVar(v), number(0)) })
	}
	for _, v := range d.Vars() { // v is d plus what it is more
		s := term.SizeVar(v).Sub(d)
		if s.Natural() && n.solves(v, s) {
			return n.set(v, s.Add(lengthOf(n.freshLike(v))))
		}
	}
	n.least = append(n.least, d)
	return true
}

// set gives a size its value; it is false if what is known of it at places forbids that.
func (n *shapes) set(v string, s term.Size) bool {
	one := map[string]term.Size{v: s}
	for k, old := range n.sizes {
		n.sizes[k] = old.Subst(one)
	}
	n.sizes[v] = s
	return n.agree(v)
}

// Sizes makes two sizes, or lengths, equal.
func (n *shapes) Sizes(a, b term.Size) bool {
	d := n.size(a.Sub(b))
	if c, ok := d.Const(); ok || n.rigid {
		return ok && c == 0
	}
	var best string
	var is term.Size
	rank := func(v string, s term.Size) int { // generated names and what cannot be negative first
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
			n.open = append(n.open, [2][]term.Size{{a}, {b}})
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
func (n *shapes) negative(d term.Size) bool { return n.natural(number(-1).Sub(d)) }

func zeros(s term.Size) map[string]term.Size {
	env := make(map[string]term.Size)
	for _, v := range s.Vars() {
		env[v] = number(0)
	}
	return env
}

func argument(s term.Size) string {
	if text := s.String(); strings.Contains(text, " ") {
		return "(" + text + ")"
	} else {
		return text
	}
}

// listText prints a list of sizes as an operand.
func listText(ss []term.Size) string {
	if len(ss) == 1 {
		if name, ok := listName(ss[0]); ok {
			return strings.TrimSuffix(name, many)
		}
	}
	return term.ShapeText(ss)
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

// Split takes the first n axes off a shape; it asks that there are so many.
func (n *shapes) Split(shape []term.Size, at term.Size) (front, rest []term.Size, ok bool) {
	if !n.demand(n.Rank(shape).Sub(at)) {
		return nil, nil, false
	}
	front, rest = n.split(shape, at)
	return front, rest, true
}

// Some asks that there is one at least.
func (n *shapes) Some(count term.Size) bool { return n.demand(count.Sub(number(1))) }

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
		k := len(out)
		switch {
		case k > 0 && alikeMoves(out[k-1], invert([]move{m})[0]): // they change nothing
			out = out[:k-1]
		case k > 0 && m.perm != nil && out[k-1].perm != nil:
			out[k-1] = move{perm: term.ComposePerm(out[k-1].perm, m.perm)}
		default:
			out = append(out, m)
		}
	}
	return out
}

// invert is the inverse of permutations one after the other.
func invert(ms []move) []move {
	out := make([]move, len(ms))
	for i, m := range ms {
		switch {
		case m.perm != nil:
			m.perm = term.InvertPerm(m.perm)
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
func (n *shapes) reach(m move) term.Size {
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
func (n *shapes) lengthOfMoves(ms []move) term.Size {
	switch ms = n.moves(ms); len(ms) {
	case 0:
		return number(0)
	case 1:
		return n.reach(ms[0])
	}
	name := "len " + strings.ReplaceAll(movesText(ms), "*", "·")
	n.composed[name] = ms
	return n.size(term.SizeVar(name))
}

// permute applies permutations, the last one first.
func (n *shapes) permute(ms []move, ss []term.Size) []term.Size {
	ss, ms = n.norm(ss), n.moves(ms)
	for i := len(ms) - 1; i >= 0; i-- {
		ss = n.apply(ms[i], ss)
	}
	return ss
}

func (n *shapes) apply(m move, ss []term.Size) []term.Size {
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
	var rest []term.Size
	if front, behind, ok := n.cut(of, n.reach(m)); ok && len(ms) == 1 {
		of, rest = front, behind
	} else {
		for len(of) > 1 {
			short := n.Rank(of[:len(of)-1])
			if slices.ContainsFunc(ms, func(m move) bool { return !n.natural(short.Sub(n.reach(m))) }) {
				break
			}
			rest = append([]term.Size{of[len(of)-1]}, rest...)
			of = of[:len(of)-1]
		}
	}
	if len(of) == 0 {
		return rest
	}
	return append([]term.Size{n.part(&part{moves: ms, of: of})}, rest...)
}

func isList(s term.Size) bool { _, ok := listName(s); return ok }

// Shapes makes two lists of sizes equal, now or when more is known.
func (n *shapes) Shapes(a, b []term.Size) bool {
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
		n.later = append(n.later, [2][]term.Size{a, b})
		return true
	}
}

// supposed reports whether an equation follows from those that could not be solved.
func (n *shapes) supposed(a, b []term.Size) bool {
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
func (n *shapes) alike(s, t term.Size) bool { return s.Equal(t) || !isList(s) && !isList(t) }

// movedAlike reports whether two items are lists of one length, permuted alike.
func (n *shapes) movedAlike(s, t term.Size) bool {
	if !isList(s) || !isList(t) {
		return false
	}
	p, q := n.parts[mustName(s)], n.parts[mustName(t)]
	return p != nil && q != nil && p.moves != nil && q.moves != nil && movesText(p.moves) == movesText(q.moves) && n.Rank(p.of).Equal(n.Rank(q.of))
}

// binds reports whether an equation is solved for a list that stands alone on the
// left and is not part of the right side.
func (n *shapes) binds(a, b []term.Size) bool {
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

// unmoved solves an equation for a list that stands permuted on one side alone, and is not part
// of the other one.
func (n *shapes) unmoved(a, b []term.Size) (of, is []term.Size, ok bool) {
	for _, e := range [][2][]term.Size{{a, b}, {b, a}} {
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

func (n *shapes) bind(a, b []term.Size) bool {
	if !n.Sizes(n.Rank(a), n.Rank(b)) {
		return false
	}
	n.lists[mustName(a[0])] = n.norm(b)
	if varies(a[0]) {
		n.lengthFrom(mustName(a[0]), n.norm(b))
	}
	return n.agree(mustName(a[0]))
}

func mustName(s term.Size) string { name, _ := s.Var(); return name }

func (n *shapes) mentions(ss []term.Size, name string) bool {
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
			return !slices.ContainsFunc(n.least, func(l term.Size) bool { return number(-1).Sub(n.size(l)).Natural() })
		}
	}
}

func (n *shapes) same(a, b [][2][]term.Size) bool {
	return slices.EqualFunc(a, b, func(x, y [2][]term.Size) bool {
		return term.SizesEqual(n.norm(x[0]), n.norm(y[0])) && term.SizesEqual(n.norm(x[1]), n.norm(y[1]))
	})
}

// Products makes the numbers of elements of two shapes equal.
func (n *shapes) Products(a, b []term.Size) bool {
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
		var known [][2]term.Size
		for _, p := range n.equal {
			for _, p := range n.everywhere(p) {
				known = append(known, [2]term.Size{n.product(p[0]), n.product(p[1])})
			}
		}
		return follows(known, x, y)
	}
	n.equal = append(n.equal, [2][]term.Size{a, b})
	return true
}
