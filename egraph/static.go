package egraph

import (
	"slices"

	"egad/internal/memo"
)

// Static is a static term: what an operator carries besides children, as a number or the
// sizes of an array. They are interned, so that equal ones are one number, from 1 on.
// One is an atom, of which the engine knows nothing, or a list of others.
type Static uint32

// statics are the static terms of a signature.
type statics struct {
	pairs   []pair // by number, from 1 on
	of      map[pair]Static
	carried []Static // by operator and slot; 0 if nobody has asked
}

// pair is a list: an element, and the list of those after it, so that what lists end with is
// held once. The empty list is its own rest, and an atom has none.
type pair struct {
	first, rest Static
	n           int // how many elements there are
}

// noElements is the empty list.
const noElements Static = 1

func newStatics() statics {
	return statics{pairs: []pair{{rest: noElements}}, of: make(map[pair]Static)}
}

// NewAtom returns an atom that is equal to no other.
func (s *statics) NewAtom() Static { return s.add(pair{}) }

func (s *statics) add(c pair) Static {
	s.pairs = append(s.pairs, c)
	return Static(len(s.pairs))
}

// at is the pair of a static term.
func (s *statics) at(l Static) pair { return s.pairs[l-1] }

// list reports whether a static term is a list.
func (c pair) list() bool { return c.rest != 0 }

// before is a list with one more element, before it.
func (s *statics) before(first, rest Static) Static {
	c := pair{first, rest, s.at(rest).n + 1}
	return memo.Of(s.of, c, func() Static { return s.add(c) })
}

// ListOf returns a list of static terms.
func (s *statics) ListOf(elems ...Static) Static {
	l := noElements
	for _, e := range slices.Backward(elems) {
		l = s.before(e, l)
	}
	return l
}

// Elements returns what a list is of. It is nil of an atom.
func (s *statics) Elements(l Static) []Static {
	c := s.at(l)
	if !c.list() {
		return nil
	}
	out := make([]Static, c.n)
	for i := range out {
		out[i], c = c.first, s.at(c.rest)
	}
	return out
}

// Rest returns a list without its first element, and the empty list of that.
func (s *statics) Rest(l Static) Static { return s.at(l).rest }

// split returns the list of the first n elements of a list that has so many, and that of the others.
func (s *statics) split(l Static, n int) (front, rest Static) {
	if n == 0 {
		return noElements, l
	}
	c := s.at(l)
	front, rest = s.split(c.rest, n-1)
	return s.before(c.first, front), rest
}

// carries returns what an operator carries in a slot.
func (s *Signature) carries(o Op, slot int) Static {
	at := int(o)*s.Slots + slot
	if at >= len(s.carried) {
		s.carried = lengthen(s.carried, len(s.ops)*s.Slots)
	}
	if s.carried[at] == 0 {
		s.carried[at] = s.Carries(o, slot)
	}
	return s.carried[at]
}

// StaticPattern is what a rule looks for in what an operator carries.
type StaticPattern struct {
	Kind StaticKind
	// Slot is the number of the static term that it is about, of a pattern that stands
	// in [Pattern.Statics].
	Slot int
	Var  int   // of StaticVar and StaticJoin
	Is   []int // of StaticIs
	Kids []*StaticPattern
}

// StaticKind tells the forms of a [StaticPattern] apart.
type StaticKind uint8

// The forms of patterns for static terms.
const (
	StaticVar  StaticKind = iota // anything, the same wherever the variable stands
	StaticIs                     // one of some constants, by their numbers in [Rule.Constants]
	StaticList                   // a list of as many elements as there are kids, which match them
	// StaticJoin is a list of which the two kids match the front and the rest. Where it is
	// not known from what was matched before how long one of them is, they are not looked
	// at, and Var stands for the list.
	StaticJoin
)

// vars is how many variables there are at least.
func (p *StaticPattern) vars() (n int) {
	if p.Kind == StaticVar || p.Kind == StaticJoin {
		n = p.Var + 1
	}
	for _, k := range p.Kids {
		n = max(n, k.vars())
	}
	return n
}

// Static returns what variable i for static terms stands for, 0 if it is in an
// alternative that was not chosen, or was not needed.
func (m *Match) Static(i int) Static { return m.statics.Vars[i] }

// Statics says what the variables of a rule for static terms stand for.
type Statics struct {
	Sig       *Signature
	Constants []Static // as in [Rule.Constants]
	Vars      []Static // by number; 0 of what is not known

	saved []Static // a stack of what they stood for
}

// mark returns the place in the stack where what is known now is put.
func (s *Statics) mark() int {
	s.saved = append(s.saved, s.Vars...)
	return len(s.saved) - len(s.Vars)
}

// back goes back to what was known at a mark.
func (s *Statics) back(mark int) {
	copy(s.Vars, s.saved[mark:])
	s.saved = s.saved[:mark]
}

// carried matches patterns for what an operator carries.
func (s *Statics) carried(ps []*StaticPattern, o Op) bool {
	for _, p := range ps {
		if !s.Match(p, s.Sig.carries(o, p.Slot)) {
			return false
		}
	}
	return true
}

// Match matches a pattern, and enters what its variables stand for. Of a list of two parts
// of which none has a known length it enters the whole, for Var.
func (s *Statics) Match(p *StaticPattern, in Static) bool {
	switch p.Kind {
	case StaticVar:
		return s.is(p.Var, in)
	case StaticIs:
		return slices.ContainsFunc(p.Is, func(c int) bool { return s.Constants[c] == in })
	}
	list := s.Sig.at(in)
	if !list.list() {
		return false
	}
	if p.Kind == StaticJoin {
		n, ok := s.length(p.Kids[0])
		if !ok {
			if n, ok = s.length(p.Kids[1]); !ok {
				return s.is(p.Var, in)
			}
			n = list.n - n
		}
		if n < 0 || n > list.n {
			return false
		}
		front, rest := s.Sig.split(in, n)
		return s.Match(p.Kids[0], front) && s.Match(p.Kids[1], rest)
	}
	if list.n != len(p.Kids) {
		return false
	}
	for _, k := range p.Kids {
		if !s.Match(k, list.first) {
			return false
		}
		list = s.Sig.at(list.rest)
	}
	return true
}

// is enters what a variable stands for, and is false if that is known to be something else.
func (s *Statics) is(v int, in Static) bool {
	if s.Vars[v] == 0 {
		s.Vars[v] = in
	}
	return s.Vars[v] == in
}

// length is how long a list is that a pattern matches, if that is known.
func (s *Statics) length(p *StaticPattern) (n int, ok bool) {
	switch p.Kind {
	case StaticList:
		return len(p.Kids), true
	case StaticVar:
		if s.Vars[p.Var] != 0 {
			return s.Sig.at(s.Vars[p.Var]).n, true
		}
	case StaticJoin:
		if n, ok = s.length(p.Kids[0]); ok {
			m, also := s.length(p.Kids[1])
			return n + m, also
		}
	}
	return 0, false
}
