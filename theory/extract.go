package theory

import (
	"fmt"

	"egad/egraph"
	"egad/extract"
	"egad/slot"
)

// Term is a term of a language.
type Term struct {
	Op      *Operator
	Own     slot.Name   // of a variable
	Binders []slot.Name // of the variables that are bound
	Kids    []*Term
}

// maxTerm bounds the size of an extracted term.
const maxTerm = 1 << 20

// Smallest gives a smallest term of a class; it is false if the class has none,
// or none of less than a million operators. Of terms of one size it takes the one whose
// e-node comes first, from the root down.
func (g *Graph) Smallest(r egraph.Ref) (*Term, bool) {
	return extract.Smallest(g.Graph, r, maxTerm, func(n egraph.Node, kids []*Term) *Term {
		t := &Term{Op: g.t.byOp[n.Op], Binders: n.Binders, Kids: kids}
		if len(n.Own) > 0 {
			t.Own = n.Own[0]
		}
		return t
	})
}

// fresh gives names for bound variables, one after the other.
func (th *Theory) fresh(free map[slot.Name]string) func() string {
	taken := make(map[string]bool)
	for _, s := range free {
		taken[s] = true
	}
	bound := 0
	return func() string {
		for {
			bound++
			if s := fmt.Sprint("v", bound); !taken[s] && th.operators[s] == nil {
				return s
			}
		}
	}
}

// term is a node as a term.
func (e *env) term(n *node) *Term {
	t := &Term{Op: n.op}
	if n.kind == nodeVar {
		t.Own = e.name(n.v)
	}
	for _, b := range n.binders {
		t.Binders = append(t.Binders, e.name(b))
	}
	for _, k := range n.kids {
		t.Kids = append(t.Kids, e.term(k))
	}
	return t
}
