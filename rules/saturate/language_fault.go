package saturate

import (
	"egad/egraph"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// Contradicted reports whether the rules contradict what is known: by numbers that are
// equal, by atoms that a condition told apart, or by what differs from itself.
func (g *Graph) Contradicted() bool {
	_, confused := g.confused()
	_, irreflexive := g.irreflexive()
	return g.Err() != nil || confused || irreflexive
}

// Contradiction is two terms of s that are equal and cannot be: atoms that a condition told
// apart, or that a term is != to itself and what is true. Smallest is a term of a class. It
// is false if there are none but constants that are equal.
func (g *Graph) Contradiction(s *term.Store, smallest func(slot.Ref) (term.Term, bool)) (a, b term.Term, ok bool) {
	atom := func(o egraph.Op) term.Term { return s.MustMake(g.TermOp(o), nil, nil, nil) }
	if pair, ok := g.confused(); ok && g.Err() == nil {
		return atom(pair[0]), atom(pair[1]), true
	}
	r, irreflexive := g.irreflexive()
	if !irreflexive || g.Err() != nil {
		return a, b, false
	}
	side, ok := smallest(r)
	if !ok {
		return a, b, false
	}
	return s.MustMake(ops.Op{Sym: g.language.distinct.Sym}, nil, nil, []term.Term{side, side}), s.Lit(ops.ScalarB(true)), true
}

// Collapsed reports whether all symbols of a sort, of which there are several, are in
// the graph and equal.
func (g *Graph) Collapsed(t *types.Type) bool {
	var first egraph.Ref
	list := g.language.Symbols(t)
	for i, o := range list {
		x, ok := g.Lookup(ops.Op{Sym: o.Sym}, nil, nil, nil)
		if i == 0 {
			first = x
		}
		if !ok || !g.Same(x, first) {
			return false
		}
	}
	return len(list) > 1
}
