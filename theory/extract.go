package theory

import (
	"fmt"

	"egad/egraph"
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
	size := g.sizes()
	var build func(r egraph.Ref) *Term
	build = func(r egraph.Ref) *Term {
		var best egraph.Node
		least := maxTerm
		g.Nodes(r, func(n egraph.Node) bool {
			if s := sizeOf(g, n, size); s < least {
				best, least = n, s
			}
			return true
		})
		t := &Term{Op: g.t.byOp[best.Op], Binders: best.Binders}
		if len(best.Own) > 0 {
			t.Own = best.Own[0]
		}
		for _, k := range best.Kids {
			t.Kids = append(t.Kids, build(k))
		}
		return t
	}
	if size[g.Find(r.ID)] >= maxTerm {
		return nil, false
	}
	return build(r), true
}

// sizes gives the size of the smallest term of every class, maxTerm if there is
// none below that.
func (g *Graph) sizes() []int {
	type entry struct {
		class egraph.ClassID
		node  egraph.Node
	}
	var all []entry
	size := make([]int, g.ClassIDs())
	for c := range egraph.ClassID(len(size)) {
		size[c] = maxTerm
		if g.Find(c) == c {
			g.Nodes(g.open(c), func(n egraph.Node) bool {
				all = append(all, entry{c, n})
				return true
			})
		}
	}
	for changed := true; changed; {
		changed = false
		for _, e := range all {
			if s := sizeOf(g, e.node, size); s < size[e.class] {
				size[e.class], changed = s, true
			}
		}
	}
	return size
}

// open is a class with new names for its slots.
func (g *Graph) open(c egraph.ClassID) egraph.Ref {
	r := egraph.Ref{ID: c}
	for range g.Slots(c) {
		r.Args = append(r.Args, g.Fresh())
	}
	return r
}

func sizeOf(g *Graph, n egraph.Node, size []int) int {
	s := 1
	for _, k := range n.Kids {
		s = min(s+size[g.Find(k.ID)], maxTerm)
	}
	return s
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
