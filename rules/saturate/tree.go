package saturate

import (
	"egad/egraph"
	"egad/slot"
	"egad/term"
)

// Tree is a term of a store for the engine.
func (g *Graph) Tree(s *term.Store, t term.Term) (*egraph.Tree, error) {
	v := s.OpenWith(t, g.freshNames(s.Binders(t)))
	op, err := g.lang.op(v.Op, len(v.Kids))
	out := &egraph.Tree{Op: op, Own: v.Own, Binders: v.Binders}
	for _, k := range v.Kids {
		if err != nil {
			return nil, err
		}
		var kid *egraph.Tree
		kid, err = g.Tree(s, k)
		out.Kids = append(out.Kids, kid)
	}
	return out, err
}

func (g *Graph) freshNames(n int) []slot.Name {
	if n == 0 {
		return nil
	}
	out := make([]slot.Name, n)
	for i := range out {
		out[i] = g.Fresh()
	}
	return out
}
