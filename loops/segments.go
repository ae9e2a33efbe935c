package loops

import (
	"slices"

	"egad/internal/memo"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// segmentsIn reports of which nodes of a term what is used is chosen by indices that are between two that data
// say, as the elements of a row of a sparse matrix: kernels compute these, and to keep all takes longer.
func segmentsIn(s *term.Store, t term.Term) func(u term.Term) bool {
	other := make(map[uint32]bool)
	memo.Once(func(id uint32, visit func(uint32)) {
		other[id] = true
		v := s.Open(term.Term{ID: id, Args: s.FreshN(len(s.Vars(term.Term{ID: id})))})
		chosen := (v.Op.Sym == ops.SymWhere || v.Op.Sym == ops.SymCond) && v.Kids[2].Equal(s.Zeros(s.Type(v.Kids[2]))) && segment(s, v.Kids[0])
		for i, k := range v.Kids {
			if !chosen || i != 1 {
				visit(k.ID)
			}
		}
	})(t.ID)
	return func(u term.Term) bool { return !other[u.ID] }
}

// segment reports whether a condition is that indices are not before one that data say, and before another one.
func segment(s *term.Store, cond term.Term) bool {
	data := func(t term.Term) bool {
		return s.Contains(t, func(u term.Term) bool { return s.Op(u).Sym == ops.SymVar && s.Type(u).Elem == types.I })
	}
	from, end := false, false
	memo.Once(func(id uint32, visit func(uint32)) {
		t := term.Term{ID: id}
		kids := s.Kids(t)
		switch sym := s.Op(t).Sym; {
		case slices.Contains([]ops.Sym{ops.SymAnd, ops.SymTr, ops.SymReplicate}, sym):
			for _, k := range kids {
				visit(k.ID)
			}
		case sym == ops.SymLt || sym == ops.SymLe:
			left, right := term.Term{ID: kids[0].ID}, term.Term{ID: kids[1].ID}
			if s.Type(left).Elem == types.I && data(left) != data(right) {
				from, end = from || data(left), end || data(right)
			}
		}
	})(cond.ID)
	return from && end
}
