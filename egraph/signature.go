package egraph

import "fmt"

// Head is an operator without what else it carries: how many children it has,
// and what it binds. Matching looks at heads.
type Head struct {
	Name  string
	Arity int
	// Binders is how many variables the operator binds; Under has bit i set if
	// they scope over child i.
	Binders int
	Under   uint64
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
	ops   []HeadID
	arity []uint16 // by operator
}

// MaxArity bounds the children of an operator. A pattern may have three that are so
// large.
const MaxArity = 20_000

// maxOps bounds the operators, so that an operator and flags fit a word.
const maxOps = 1 << 28

// NewSignature returns a signature without operators.
func NewSignature() *Signature { return &Signature{} }

// AddHead declares a head.
func (s *Signature) AddHead(h Head) (HeadID, error) {
	switch {
	case h.Arity < 0 || h.Arity > MaxArity:
		return 0, fmt.Errorf("%s: an operator has 0 to %d children, not %d", h.Name, MaxArity, h.Arity)
	case h.Binders < 0 || h.Own < 0 || h.Binders+h.Own > 1<<10:
		return 0, fmt.Errorf("%s: too many binders", h.Name)
	case h.Binders > 0 && h.Arity > 64:
		return 0, fmt.Errorf("%s: an operator with binders has at most 64 children", h.Name)
	case h.Commutative && h.Arity != 2:
		return 0, fmt.Errorf("%s: a commutative operator has 2 children, not %d", h.Name, h.Arity)
	}
	s.heads = append(s.heads, h)
	return HeadID(len(s.heads) - 1), nil
}

// AddOp makes an operator of a head.
func (s *Signature) AddOp(h HeadID) (Op, error) {
	if len(s.ops) >= maxOps {
		return 0, fmt.Errorf("more than %d operators", maxOps)
	}
	s.ops = append(s.ops, h)
	s.arity = append(s.arity, uint16(s.heads[h].Arity))
	return Op(len(s.ops) - 1), nil
}

// Head returns the head of an operator.
func (s *Signature) Head(o Op) HeadID { return s.ops[o] }

// HeadInfo describes a head.
func (s *Signature) HeadInfo(h HeadID) *Head { return &s.heads[h] }

// Heads returns how many heads there are.
func (s *Signature) Heads() int { return len(s.heads) }
