package term

import "maps"

// Atoms returns the nodes of t that have a name, and those that are used more than
// once: what stands for a value that is computed anyway. The latter get an empty
// name.
func (s *Store) Atoms(t Term, names map[uint32]Hint) map[uint32]Hint {
	out := maps.Clone(names)
	if out == nil {
		out = make(map[uint32]Hint)
	}
	uses := make(map[uint32]int)
	s.Walk(t, func(u Term) {
		for _, k := range s.Kids(u) {
			if uses[k.ID]++; uses[k.ID] == 2 {
				s.MarkAtom(Term{ID: k.ID}, out)
			}
		}
	})
	return out
}

// MarkAtom adds t to names, with an empty name, unless it has one or is a leaf.
func (s *Store) MarkAtom(t Term, names map[uint32]Hint) {
	if _, named := names[t.ID]; !named && len(s.Kids(t)) > 0 {
		names[t.ID] = Hint{}
	}
}
