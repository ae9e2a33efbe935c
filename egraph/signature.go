package egraph

import (
	"fmt"
	"slices"
)

// Head is an operator without what else it carries: how many children it has,
// and what it binds. Matching looks at heads.
type Head struct {
	Name  string
	Arity int
	// Binders is how many variables the operator binds; Under has bit i set if
	// they scope over child i.
	Binders int
	Under   uint64
	// Varies says that operators of the head have different numbers of children and
	// of binders, each its own, as [Signature.AddVarying] says. Arity and Binders are 0
	// then, and Under has the bits of all children that there may be.
	Varies bool
	// Own is how many slots the operator names itself: 1 for a variable.
	Own int
	// Commutative says that the two children may change places. Such an e-node is
	// stored once and matched both ways.
	Commutative bool
	// Class has a bit for each class of operators that it belongs to, for
	// patterns that match any operator of a class.
	Class uint64
}

// HeadID and Op number the heads and operators of a [Signature].
type (
	HeadID uint32
	Op     uint32
)

// Signature is the operators of a language. An operator is a head with a
// payload that only its maker knows; a language without payloads has one
// operator for each head.
type Signature struct {
	heads []Head
	sole  []Op // by head: 1 + its operator, if it has one; several
	ops   []HeadID
	// By operator:
	arity   []uint16
	binders []uint16
	// Carries says which static term an operator carries in a slot, of which all have as
	// many as Slots. It is asked once, when a pattern is about that.
	Carries func(o Op, slot int) Static
	Slots   int

	statics
}

// MaxArity bounds the children of an operator. A pattern may have three that are so
// large.
const MaxArity = 20_000

// maxOps bounds the operators, so that an operator and flags fit a word.
const maxOps = 1 << 28

// several stands for the operators of a head that has more than one.
const several Op = maxOps + 1

// NewSignature returns a signature without operators.
func NewSignature() *Signature { return &Signature{statics: newStatics()} }

// AddHead declares a head.
func (s *Signature) AddHead(h Head) (HeadID, error) {
	if h.Commutative && (h.Arity != 2 || h.Varies) {
		return 0, fmt.Errorf("%s: a commutative operator has 2 children, not %d", h.Name, h.Arity)
	}
	if err := h.bounded(h.Arity, h.Binders); err != nil {
		return 0, err
	}
	s.heads, s.sole = append(s.heads, h), append(s.sole, 0)
	return HeadID(len(s.heads) - 1), nil
}

// bounded reports too many children or binders of an operator.
func (h *Head) bounded(arity, binders int) error {
	switch {
	case arity < 0 || arity > MaxArity:
		return fmt.Errorf("%s: an operator has 0 to %d children, not %d", h.Name, MaxArity, arity)
	case binders < 0 || h.Own < 0 || binders+h.Own > 1<<10:
		return fmt.Errorf("%s: too many binders", h.Name)
	case binders > 0 && arity > 64:
		return fmt.Errorf("%s: an operator with binders has at most 64 children", h.Name)
	}
	return nil
}

// AddOp makes an operator of a head.
func (s *Signature) AddOp(h HeadID) (Op, error) {
	return s.add(h, s.heads[h].Arity, s.heads[h].Binders)
}

// AddVarying makes an operator of a head that varies.
func (s *Signature) AddVarying(h HeadID, arity, binders int) (Op, error) {
	if err := s.heads[h].bounded(arity, binders); err != nil {
		return 0, err
	}
	return s.add(h, arity, binders)
}

func (s *Signature) add(h HeadID, arity, binders int) (Op, error) {
	if len(s.ops) >= maxOps {
		return 0, fmt.Errorf("more than %d operators", maxOps)
	}
	if s.sole[h] == 0 {
		s.sole[h] = Op(len(s.ops) + 1)
	} else {
		s.sole[h] = several
	}
	s.ops, s.arity, s.binders = append(s.ops, h), append(s.arity, uint16(arity)), append(s.binders, uint16(binders))
	return Op(len(s.ops) - 1), nil
}

// Free returns a signature with the same operators, of which none is commutative.
func (s *Signature) Free() *Signature {
	out := &Signature{heads: slices.Clone(s.heads), sole: slices.Clone(s.sole), ops: slices.Clone(s.ops), arity: slices.Clone(s.arity), binders: slices.Clone(s.binders)}
	for i := range out.heads {
		out.heads[i].Commutative = false
	}
	return out
}

// Ops returns how many operators there are.
func (s *Signature) Ops() int { return len(s.ops) }

// Head returns the head of an operator.
func (s *Signature) Head(o Op) HeadID { return s.ops[o] }

// HeadInfo describes a head.
func (s *Signature) HeadInfo(h HeadID) *Head { return &s.heads[h] }

// Arity returns the number of children of an operator.
func (s *Signature) Arity(o Op) int { return int(s.arity[o]) }

// Binders returns how many variables an operator binds.
func (s *Signature) Binders(o Op) int { return int(s.binders[o]) }
