package term

import "egad/term/ops"

// Bounds bounds the elements of a term.
func (s *Store) Bounds(t Term) ops.Bounds {
	if s.bounds == nil {
		s.bounds = make(map[uint32]ops.Bounds)
	}
	x := Supposed{store: s, found: s.bounds}
	return x.Bounds(t)
}

// isInput reports whether a node is an input, or a component of one.
func (s *Store) isInput(id uint32) bool {
	for s.ops[s.nodes[id].op].Sym == ops.SymProj {
		id = s.nodes[id].kids[0].ID
	}
	return s.ops[s.nodes[id].op].Sym == ops.SymVar
}

// Range bounds the elements of an integer term of the store.
func (s *Store) Range(t Term) ops.Range { return s.Bounds(t).Int }
