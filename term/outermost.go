package term

import (
	"slices"

	"egad/internal/memo"
	"egad/slot"
	"egad/term/ops"
	"egad/term/types"
)

// Outermost replaces the outermost arrays and tuples in t, and t itself, that depend on no
// variable bound in t and are no constants.
func (s *Store) Outermost(t Term, by func(Term) Term) Term { return s.OutermostIn(nil, by)(t) }

// OutermostIn is Outermost for several terms, in which some variables are bound.
func (s *Store) OutermostIn(bound []slot.Name, by func(Term) Term) func(Term) Term {
	is := make(map[slot.Name]bool)
	for _, n := range bound {
		is[n] = true
	}
	done := make(map[string]Term)
	var walk func(t Term) Term
	walk = func(t Term) Term {
		if k := s.Type(t).Kind; (k == types.KArray || k == types.KTuple) && !slices.ContainsFunc(t.Args, func(n slot.Name) bool { return is[n] }) {
			if sym := s.Op(t).Sym; sym == ops.SymConst || sym == ops.SymIota {
				return t
			}
			return by(t)
		}
		return memo.Of(done, TermKey(t), func() Term {
			v := s.Open(t)
			for _, n := range v.Binders {
				is[n] = true
			}
			for i, k := range v.Kids {
				v.Kids[i] = walk(k)
			}
			return s.MustMake(v.Op, v.Own, v.Binders, v.Kids)
		})
	}
	return walk
}
