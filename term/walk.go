package term

import (
	"slices"
	"strings"

	"egad/internal/slice"
	"egad/slot"
	"egad/term/ops"
)

// Inputs lists the named inputs that occur in t, sorted by name.
func (s *Store) Inputs(t Term) []ops.Op {
	var out []ops.Op
	s.Walk(t, func(u Term) {
		if op := s.Op(u); op.Sym == ops.SymVar {
			out = append(out, op)
		}
	})
	slices.SortFunc(out, func(a, b ops.Op) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Walk calls f once for every node reachable from t, children first. The names
// of the terms it passes are those of the node, not of a context.
func (s *Store) Walk(t Term, f func(Term)) {
	seen := make(map[uint32]bool)
	var walk func(id uint32)
	walk = func(id uint32) {
		if seen[id] {
			return
		}
		seen[id] = true
		for _, k := range s.Kids(Term{ID: id}) {
			walk(k.ID)
		}
		f(Term{ID: id, Args: canonNames(len(s.Vars(Term{ID: id})))})
	}
	walk(t.ID)
}

// Contains reports whether a node reachable from t is as is says.
func (s *Store) Contains(t Term, is func(Term) bool) bool {
	found := false
	s.Walk(t, func(u Term) { found = found || is(u) })
	return found
}

// canonNames are names for the slots of a node seen alone. They lie above all
// names that Fresh gives.
func canonNames(n int) []slot.Name {
	return slice.Make(n, func(i int) slot.Name { return ^slot.Name(0) - slot.Name(i) })
}
