package egraph

import (
	"encoding/binary"
	"fmt"
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

// staticInstr is a part of an instruction that looks for e-nodes: it looks at a static
// term of the operator, or at one in a register.
type staticInstr struct {
	kind staticKind
	slot bool // in is the number of what the operator carries, and not a register
	in   uint16
	out  uint16 // the first register that is written, or that is compared
	n    uint16 // how many elements; of a list that is split in all but those of known
	// known are registers of lists which are as long as the rest of the part.
	known []uint16
	is    []int
}

type staticKind uint8

const (
	stSet   staticKind = iota // out is in
	stKeep                    // the same in a loop, of which all places must have it
	stSame                    // in is out
	stIs                      // in is a constant
	stList                    // in is a list of n elements, which are put in out and the next
	stFront                   // in is a list, of which the first n and the others are put in out and the next
	stBack                    // the same, of which n are the last
)

// static compiles a pattern for a static term.
func (c *compiler) static(i *instr, p *StaticPattern, in int, slot bool) error {
	x := staticInstr{slot: slot, in: uint16(in)}
	switch p.Kind {
	case StaticVar:
		x.out = uint16(p.Var)
		switch {
		case !c.staticSeen[p.Var]:
			if c.staticSeen[p.Var] = true; c.spread != nil {
				x.kind = stKeep
			}
			if c.optional {
				c.statics = append(c.statics, x.out)
			}
		case slices.Contains(c.statics, x.out):
			return fmt.Errorf("static term %d stands for something in one alternative only", p.Var)
		default:
			x.kind = stSame
		}
	case StaticIs:
		x.kind, x.is = stIs, p.Is
	case StaticList:
		x.kind, x.n, x.out = stList, uint16(len(p.Kids)), c.staticRegs(len(p.Kids))
	case StaticJoin:
		var ok bool
		if x.n, x.known, ok = c.staticLen(p.Kids[0]); ok {
			x.kind = stFront
		} else if x.n, x.known, ok = c.staticLen(p.Kids[1]); ok {
			x.kind = stBack
		} else {
			return c.static(i, &StaticPattern{Kind: StaticVar, Var: p.Var}, in, slot)
		}
	}
	if p.Kind == StaticJoin {
		x.out = c.staticRegs(2)
	}
	i.statics = append(i.statics, x)
	for k, kid := range p.Kids {
		if err := c.static(i, kid, int(x.out)+k, false); err != nil {
			return err
		}
	}
	return nil
}

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

// staticRegs are new registers for static terms.
func (c *compiler) staticRegs(n int) uint16 {
	c.prog.staticRegs += n
	return uint16(c.prog.staticRegs - n)
}

// staticLen is how long a list is that a pattern matches: n elements, and those of
// registers. It is false if that is not known before.
func (c *compiler) staticLen(p *StaticPattern) (n uint16, known []uint16, ok bool) {
	switch p.Kind {
	case StaticList:
		return uint16(len(p.Kids)), nil, true
	case StaticVar:
		if c.staticSeen[p.Var] && !slices.Contains(c.statics, uint16(p.Var)) {
			return 0, []uint16{uint16(p.Var)}, true
		}
	case StaticJoin:
		if n, known, ok = c.staticLen(p.Kids[0]); ok {
			m, more, also := c.staticLen(p.Kids[1])
			return n + m, append(known, more...), also
		}
	}
	return 0, nil, false
}

// carries matches what an operator carries.
func (m *machine) carries(i *instr, op Op) bool {
	s := m.g.sig
	for k := range i.statics {
		x := &i.statics[k]
		in := Static(0)
		if x.slot {
			in = s.carries(op, int(x.in))
		} else {
			in = m.statics[x.in]
		}
		switch x.kind {
		case stSet:
			m.statics[x.out] = in
		case stKeep:
			if m.place > 0 && m.statics[x.out] != in {
				return false
			}
			m.statics[x.out] = in
		case stSame:
			if m.statics[x.out] != in {
				return false
			}
		case stIs:
			if !slices.ContainsFunc(x.is, func(c int) bool { return m.rule.Constants[c] == in }) {
				return false
			}
		default:
			if !m.takeApart(x, in) {
				return false
			}
		}
	}
	return true
}

// forget begins an alternative: what is written in another one counts no more.
func (m *machine) forget(i *instr) {
	for _, r := range i.forgets {
		m.statics[r] = 0
	}
}

// takeApart puts the elements of a list in registers, or its parts.
func (m *machine) takeApart(x *staticInstr, in Static) bool {
	s := m.g.sig
	list, n := s.lists[in-1], int(x.n)
	if x.kind == stList {
		copy(m.statics[x.out:], list)
		return list != nil && len(list) == n
	}
	for _, r := range x.known {
		n += len(s.lists[m.statics[r]-1])
	}
	if list == nil || n > len(list) {
		return false
	}
	if x.kind == stBack {
		n = len(list) - n
	}
	m.statics[x.out] = s.ListOf(list[:n]...)
	m.statics[x.out+1] = s.ListOf(list[n:]...)
	return true
}

// Static returns what variable i for static terms stands for, 0 if it is in an
// alternative that was not chosen, or was not needed.
func (m *Match) Static(i int) Static { return m.statics[i] }

// Statics says what the variables of a rule for static terms stand for.
type Statics struct {
	Sig       *Signature
	Constants []Static // as in [Rule.Constants]
	Vars      []Static // by number; 0 of what is not known
}

// Match matches a pattern, and enters what its variables stand for. Of a list of two parts
// of which none has a known length it enters the whole, for Var.
func (s *Statics) Match(p *StaticPattern, in Static) bool {
	switch p.Kind {
	case StaticVar:
		if s.Vars[p.Var] == 0 {
			s.Vars[p.Var] = in
		}
		return s.Vars[p.Var] == in
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
				s.Vars[p.Var] = in
				return true
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
