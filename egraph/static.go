package egraph

import (
	"encoding/binary"
	"slices"
)

// Static is a static term: what an operator carries besides children, as a number or the
// sizes of an array. They are interned, so that equal ones are one number, from 1 on.
// One is an atom, of which the engine knows nothing, or a list of others.
type Static uint32

// statics are the static terms of a signature.
type statics struct {
	lists   [][]Static // by number, from 1 on; nil of atoms
	of      map[string]Static
	carried []Static // by operator and slot; 0 if nobody has asked
	key     []byte   // a buffer
}

// NewAtom returns an atom that is equal to no other.
func (s *Signature) NewAtom() Static {
	s.lists = append(s.lists, nil)
	return Static(len(s.lists))
}

// ListOf returns a list of static terms.
func (s *Signature) ListOf(elems ...Static) Static {
	s.key = s.key[:0]
	for _, e := range elems {
		s.key = binary.AppendUvarint(s.key, uint64(e))
	}
	l, ok := s.of[string(s.key)]
	if !ok {
		if s.of == nil {
			s.of = make(map[string]Static)
		}
		s.lists = append(s.lists, append(make([]Static, 0, len(elems)), elems...))
		l = Static(len(s.lists))
		s.of[string(s.key)] = l
	}
	return l
}

// Elements returns what a list is of. It is nil of an atom.
func (s *Signature) Elements(l Static) []Static { return s.lists[l-1] }

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
	list := s.Sig.Elements(in)
	if list == nil {
		return false
	}
	parts := list
	if p.Kind == StaticJoin {
		n, ok := s.length(p.Kids[0])
		if !ok {
			if n, ok = s.length(p.Kids[1]); !ok {
				return s.is(p.Var, in)
			}
			n = len(list) - n
		}
		if n < 0 || n > len(list) {
			return false
		}
		parts = []Static{s.Sig.ListOf(list[:n]...), s.Sig.ListOf(list[n:]...)}
	}
	if len(parts) != len(p.Kids) {
		return false
	}
	for i, k := range p.Kids {
		if !s.Match(k, parts[i]) {
			return false
		}
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
			return len(s.Sig.Elements(s.Vars[p.Var])), true
		}
	case StaticJoin:
		if n, ok = s.length(p.Kids[0]); ok {
			m, also := s.length(p.Kids[1])
			return n + m, also
		}
	}
	return 0, false
}
