package term

import (
	"maps"
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/slot"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// Supposed is what is known of the elements of terms where something is supposed of
// some of them.
type Supposed struct {
	store  *Store
	finite bool                  // the real inputs are finite
	facts  map[uint32]ops.Bounds // of closed terms, and of terms that equal others
	equal  [][2]Term
	open   bool                  // more was said to be equal since the last time that facts were drawn from it
	found  map[uint32]ops.Bounds // of terms, from all of these
}

// Supposing returns what is known where some closed truth values are true, and with
// finite the real inputs are finite.
func (s *Store) Supposing(finite bool, facts ...Term) *Supposed {
	x := &Supposed{store: s, finite: finite, facts: make(map[uint32]ops.Bounds), found: make(map[uint32]ops.Bounds)}
	s.Suppose(facts, x.Bounds, x.narrow, func(Term, bool) {})
	return x
}

// narrow supposes that the elements of all terms of a node have some bounds, and reports whether
// that is news.
func (x *Supposed) narrow(t Term, b ops.Bounds) bool {
	old, ok := x.facts[t.ID]
	if !ok {
		old = ops.Unbounded
	}
	b = b.Meet(old)
	if b == old {
		return false
	}
	x.facts[t.ID] = b
	clear(x.found)
	return true
}

// Bound supposes that the elements of all terms of a node, integers, are within a range.
func (x *Supposed) Bound(t Term, r ops.Range) { x.narrow(t, ops.Bounds{Int: r, Real: numeric.AnyReal}) }

// Clone is a copy, of which more may be supposed.
func (x *Supposed) Clone() *Supposed {
	return &Supposed{x.store, x.finite, maps.Clone(x.facts), slices.Clone(x.equal), x.open, make(map[uint32]ops.Bounds)}
}

// Equate takes two terms for equal, whatever their variables are.
func (x *Supposed) Equate(a, b Term) {
	x.equal, x.open = append(x.equal, [2]Term{a, b}), true
	clear(x.found)
}

// maxDrawn is how often facts are drawn from what equals terms: one may follow from another, and
// some never come to an end.
const maxDrawn = 10

// draw draws facts from what equals terms.
func (x *Supposed) draw() {
	x.open = false
	for range maxDrawn {
		news := false
		for _, p := range x.equal {
			a, b := x.Bounds(p[0]), x.Bounds(p[1])
			if both := a.Meet(b); !both.Int.Empty() && !both.Real.Empty() {
				news = x.narrow(p[0], both) || news
				news = x.narrow(p[1], both) || news
			}
		}
		if !news {
			return
		}
	}
}

// Bounds bounds the elements of a term.
func (x *Supposed) Bounds(t Term) ops.Bounds {
	if x.open {
		x.draw()
	}
	return memo.Of(x.found, t.ID, func() ops.Bounds {
		if len(x.equal) == 0 {
			return x.From(t, x.Bounds, nil)
		}
		return x.From(t, x.Bounds, x.Equal)
	})
}

// Equal reports whether two terms were said to be equal.
func (x *Supposed) Equal(a, b Term) bool {
	return slices.ContainsFunc(x.equal, func(p [2]Term) bool { return slot.Alike(p[0], p[1], a, b) || slot.Alike(p[0], p[1], b, a) })
}

// From bounds the elements of a term from those of its operands and from what is supposed of the
// term. Two operands that are not the same may be equal.
func (x *Supposed) From(t Term, of func(Term) ops.Bounds, equal func(a, b Term) bool) ops.Bounds {
	s := x.store
	n := &s.nodes[t.ID]
	kids := slice.Map(n.kids, func(k slot.Kid) ops.Operand { return ops.Operand{Type: s.nodes[k.ID].typ, Bounds: of(Term{ID: k.ID})} })
	same := false
	if len(n.kids) == 2 {
		a, b := n.kids[0], n.kids[1]
		same = a.ID == b.ID && slices.Equal(a.Args, b.Args) || equal != nil && equal(numbered(a), numbered(b))
	}
	b := ops.BoundsOf(s.ops[n.op], n.typ, kids, same)
	if x.finite && n.typ.Kind == types.KArray && n.typ.Elem == types.R && s.isInput(t.ID) {
		b = ops.Bounds{Int: ops.AnyInt, Real: numeric.AnyFinite}
	}
	if fact, ok := x.facts[t.ID]; ok {
		b = b.Meet(fact)
	}
	return b
}

// numbered is an operand with variables that are called as they are numbered in its node.
func numbered(k slot.Kid) Term {
	return Term{ID: k.ID, Args: slice.Map(k.Args, func(p slot.Pos) slot.Name { return slot.Name(p) })}
}

// IsTrue reports whether a term is the literal true, or an array of it.
func (s *Store) IsTrue(t Term) bool {
	c := s.Op(t).Const
	return c != nil && c.Data == nil && c.Fill.Elem == types.B && c.Fill.IsInt(1)
}

// Suppose calls set with what follows for the elements of closed terms from some truth
// values being true: comparisons, and what is && of them or not one. Known is what is
// known of a term; what is set may change it, and set reports whether it was news. Say is told all
// truth values that follow.
func (s *Store) Suppose(facts []Term, known func(Term) ops.Bounds, set func(Term, ops.Bounds) bool, say func(t Term, truth bool)) {
	news := true
	var suppose func(t Term, truth bool)
	suppose = func(t Term, truth bool) {
		v := s.Open(t)
		sym, kids := v.Op.Sym, v.Kids
		say(t, truth)
		switch {
		case sym == ops.SymNot:
			suppose(kids[0], !truth)
		case sym == ops.SymAnd && truth, sym == ops.SymOr && !truth:
			suppose(kids[0], truth)
			suppose(kids[1], truth)
		case sym == ops.SymEq && !truth:
			for i, k := range kids {
				news = set(k, known(k).Without(known(kids[1-i]))) || news
			}
		case sym == ops.SymLt || sym == ops.SymLe || sym == ops.SymEq:
			if !truth { // the other way round, or one is NaN
				sym, kids = map[ops.Sym]ops.Sym{ops.SymLt: ops.SymLe, ops.SymLe: ops.SymLt}[sym], []Term{kids[1], kids[0]}
			}
			elem := s.Type(kids[0]).Elem
			for i, k := range kids {
				if b := known(kids[1-i]); truth || elem == types.I || b.Real.Number {
					b = b.Beside(sym, i == 0, elem)
					b.Real.Number = truth && elem == types.R
					news = set(k, b) || news
				}
			}
		}
	}
	for n := 0; n < len(facts) && news; n++ { // one may follow from what the next one says
		news = false
		for _, t := range facts {
			suppose(t, true)
		}
	}
}
