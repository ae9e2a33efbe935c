package term

import (
	"egad/diag"
	"egad/internal/memo"
	"egad/term/types"
)

// Place is where a text has a term.
type Place struct {
	Src *diag.Source
	Pos diag.Pos
}

// Place is where a text has an operator on operands that are not all scalars; ok is false if
// it has none. What a definition of the prelude has is where the text calls that.
func (s *Store) Place(t Term) (p Place, ok bool) {
	p, ok = s.places[t.ID]
	return p, ok
}

// SetPlace says where a text has a term; the first place counts.
func (s *Store) SetPlace(t Term, p Place) {
	n := &s.nodes[t.ID]
	if _, ok := s.places[t.ID]; ok || len(n.kids) == 0 || n.typ.Kind == types.KArray && len(n.typ.Shape) == 0 && s.sig.Operator(s.ops[n.op].Sym).Elementwise {
		return
	}
	memo.Set(&s.places, t.ID, p)
}
