package saturate

import (
	"fmt"

	"egad/egraph"
	"egad/slot"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// boundsLattice: bounds of integers and of reals, from all rows of the class.
type boundsLattice struct{ g *Graph }

func (l boundsLattice) Make(c *egraph.Column[ops.Bounds], n egraph.Node) ops.Bounds {
	kids := make([]ops.Operand, len(n.Kids))
	types := make([]*types.Type, len(n.Kids))
	for i, k := range n.Kids {
		types[i] = l.g.types.Get(k.ID)
		kids[i] = ops.Operand{Type: types[i], Bounds: proved(c.Get(k.ID))}
	}
	op, t := l.g.TermOp(n.Op), l.g.made
	if t == nil {
		if t = l.g.typeOf(n.Op, types); t == nil {
			return ops.Unbounded
		}
	}
	return ops.BoundsOf(op, t, kids, len(n.Kids) == 2 && n.Kids[0].Equal(n.Kids[1]))
}

// proved is what a fact proves. Where no real is left, the class has no finite
// value, and rules over the reals say nothing of it.
func proved(b ops.Bounds) ops.Bounds {
	if b.Real.Empty() {
		b.Real = numeric.AnyReal
	}
	return b
}

func (l boundsLattice) Merge(a, b ops.Bounds) (ops.Bounds, error) {
	r := ops.Bounds{Int: a.Int.Meet(b.Int), Real: a.Real.Meet(b.Real)}
	if r.Int.Empty() {
		return a, fmt.Errorf("integers in [%d, %d] and in [%d, %d] are united", a.Int.Lo, a.Int.Hi, b.Int.Lo, b.Int.Hi)
	}
	if l.g != nil && l.g.supposing && r.Real.Empty() && r.Real.Number { // what is assumed is not NaN
		return a, fmt.Errorf("no real number is %s and %s", a.Real, b.Real)
	}
	if r.Real.Empty() && a.Real.Finite() && b.Real.Finite() && !a.Real.Empty() && !b.Real.Empty() {
		return a, fmt.Errorf("reals %s and %s are united", a.Real, b.Real)
	}
	return r, nil
}

func (boundsLattice) Equal(a, b ops.Bounds) bool { return a == b }

// Bounds bounds the elements of a class.
func (g *Graph) Bounds(r slot.Ref) ops.Bounds { return proved(g.bounds.Get(r.ID)) }

// TakeFinite lets conditions take the reals among the inputs for finite, as rules
// over the reals may.
func (g *Graph) TakeFinite() {
	g.finite = true
	g.Rebuild()
	isInput := make(map[egraph.ClassID]bool)
	for more := true; more; {
		more = false
		for _, r := range g.Roots() {
			if isInput[r.ID] {
				continue
			}
			g.Nodes(r, func(v term.View) bool {
				isInput[r.ID] = v.Op.Sym == ops.SymVar || v.Op.Sym == ops.SymProj && isInput[v.Kids[0].ID]
				return !isInput[r.ID]
			})
			if t := g.Type(r); isInput[r.ID] {
				more = true
				if t.Kind == types.KArray && t.Elem == types.R {
					g.bounds.Set(r.ID, ops.Bounds{Int: ops.AnyInt, Real: numeric.AnyFinite})
				}
			}
		}
	}
	g.Rebuild()
}

// Suppose narrows what is known of terms in the graph by truth values that are assumed. If
// they leave nothing, that is a contradiction.
func (g *Graph) Suppose(s *term.Store, facts []term.Term) {
	g.supposing = true
	truths := make(map[egraph.ClassID]bool)
	s.Suppose(facts, func(t term.Term) ops.Bounds {
		g.Rebuild()
		if r, ok := g.Finder(s).Find(t); ok {
			return g.Bounds(r)
		}
		return ops.Unbounded
	}, func(t term.Term, b ops.Bounds) bool {
		r, ok := g.Finder(s).Find(t)
		if !ok {
			return false
		}
		before := g.bounds.Get(r.ID)
		g.bounds.Set(r.ID, b)
		return g.bounds.Get(r.ID) != before
	}, func(t term.Term, truth bool) {
		g.Rebuild() // what was set may have made terms equal
		r, ok := g.Finder(s).Find(t)
		if !ok {
			return
		}
		before, said := truths[r.ID]
		if said && before != truth || !truth && g.isTrue(r) {
			g.Contradict(r.ID, fmt.Errorf("a truth value is assumed to be true and to be false"))
		}
		truths[r.ID] = truth
	})
	g.Rebuild()
	g.supposing = false
}
