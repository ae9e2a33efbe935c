package proof

import (
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/rules/match"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// space is the terms of a store, with what is known of them.
type space struct {
	match.Terms
	*term.Supposed
	equal [2][][2]term.Term // terms that are equal whatever their variables are: what is proved, and what is assumed
	none  map[uint32]bool   // terms that have no elements somewhere
}

// Unproved lists the conditions of an application of a rule that are not proved where some terms
// are equal, whatever their variables are.
func (o Options) Unproved(s *term.Store, a *match.Application, equal [][2]term.Term) []error {
	return a.Conditions(newSpace(s, o).with(equal))
}

// Supposing returns what is known of terms by themselves, with what is taken for granted.
func (o Options) Supposing(s *term.Store) *term.Supposed {
	var facts []term.Term
	for _, x := range o.Assumed {
		if s.IsTrue(x.B) && x.Reason == ByTest {
			facts = append(facts, x.A)
		}
	}
	return s.Supposing(o.Finite, facts...)
}

func newSpace(s *term.Store, o Options) *space {
	assumed := slice.Map(o.Assumed, func(x Said) [2]term.Term { return [2]term.Term{x.A, x.B} })
	return &space{match.Terms{Store: s}, o.Supposing(s), [2][][2]term.Term{nil, assumed}, make(map[uint32]bool)}
}

// with is the space in which some terms are equal, too.
func (s *space) with(equal [][2]term.Term) *space {
	x := &space{s.Terms, s.Supposed.Clone(), [2][][2]term.Term{equal, s.equal[1]}, s.none}
	for _, pair := range equal {
		x.Equate(pair[0], pair[1])
	}
	return x
}

// Same reports whether two terms are the same, or taken for equal.
func (s *space) Same(a, b slot.Ref) bool {
	return a.Equal(b) || slices.ContainsFunc(s.equal[:], func(pairs [][2]term.Term) bool {
		return slices.ContainsFunc(pairs, func(p [2]term.Term) bool {
			return slot.Alike(p[0], p[1], a, b) || slot.Alike(p[0], p[1], b, a)
		})
	})
}

// Nodes shows the node of a term, and those of the terms that are taken for equal to it.
func (s *space) Nodes(r slot.Ref, f func(v term.View) bool) {
	if !f(s.Open(r)) {
		return
	}
	for _, pairs := range s.equal {
		for _, p := range pairs {
			for k, t := range p {
				if u := p[1-k]; t.ID == r.ID && !f(s.Open(u.RenameFrom(t.Args, r.Args))) {
					return
				}
			}
		}
	}
}

// Bounds bounds the elements of a term, from those of its operands and what is assumed.
func (s *space) Bounds(t slot.Ref) ops.Bounds { return s.Supposed.Bounds(t) }

// empty reports whether a term has an array without elements in it, or a variable
// without values: of such everything is true.
func (s *space) empty(t term.Term) bool {
	return memo.Of(s.none, t.ID, func() bool {
		typ := s.Type(t)
		e := typ.Kind == types.KArray && typ.HasEmptyAxis()
		for _, v := range s.Vars(t) {
			e = e || v.None()
		}
		op := s.Op(t)
		o := s.Signature().Operator(op.Sym)
		for b := range o.Binders(op) {
			e = e || o.BinderType(op, b).None()
		}
		for _, k := range s.Open(t).Kids {
			e = s.empty(k) || e
		}
		return e
	})
}
