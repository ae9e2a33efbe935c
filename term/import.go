package term

import (
	"egad/internal/memo"
	"egad/slot"
	"egad/term/ops"
)

// Import makes a term of another store one of s, in which a component of a tuple is
// taken out of it. Inputs that called mentions get other names.
func (s *Store) Import(from *Store, t Term, called map[string]string) Term {
	type imported struct {
		term  Term
		names []slot.Name
	}
	done := make(map[uint32]imported)
	var walk func(t Term) Term
	walk = func(t Term) Term {
		x := memo.Of(done, t.ID, func() imported {
			names := s.FreshN(len(t.Args))
			v := from.OpenWith(Term{ID: t.ID, Args: names}, s.FreshN(from.Binders(t)))
			for i, k := range v.Kids {
				v.Kids[i] = walk(k)
			}
			if name, ok := called[v.Op.Name]; ok && v.Op.Sym == ops.SymVar {
				v.Op.Name = name
			}
			if v.Op.Sym == ops.SymProj {
				return imported{s.Proj(v.Op.N, v.Kids[0]), names}
			}
			return imported{s.Remade(v), names}
		})
		return x.term.RenameFrom(x.names, t.Args)
	}
	return walk(t)
}
