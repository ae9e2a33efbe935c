package term

import (
	"maps"
	"math"
	"slices"

	"egad/term/numeric"
)

// Supposed is what is known of the elements of terms where something is supposed of
// some of them.
type Supposed struct {
	store  *Store
	finite bool              // the real inputs are finite
	facts  map[uint32]Bounds // of closed terms
	equal  map[uint32][]uint32
	found  map[uint32]Bounds // of terms, from all of these
}

// Supposing returns what is known where some closed truth values are true, and with
// finite the real inputs are finite.
func (s *Store) Supposing(finite bool, facts ...Term) *Supposed {
	x := &Supposed{s, finite, make(map[uint32]Bounds), make(map[uint32][]uint32), make(map[uint32]Bounds)}
	s.Suppose(facts, x.Bounds, func(t Term, b Bounds) {
		if old, ok := x.facts[t.ID]; ok {
			b = old.meet(b)
		}
		x.facts[t.ID] = b
		clear(x.found)
	}, func(Term, bool) {})
	return x
}

// Bound supposes that the elements of all terms of a node, integers, are within a range.
func (x *Supposed) Bound(t Term, r Range) {
	b, ok := x.facts[t.ID]
	if !ok {
		b = Unbounded
	}
	b.Int = b.Int.Meet(r)
	x.facts[t.ID] = b
	clear(x.found)
}

// Clone is a copy, of which more may be supposed.
func (x *Supposed) Clone() *Supposed {
	return &Supposed{x.store, x.finite, maps.Clone(x.facts), maps.Clone(x.equal), make(map[uint32]Bounds)}
}

// Equate takes two terms for equal, whatever their variables are.
func (x *Supposed) Equate(a, b Term) {
	x.equal[a.ID], x.equal[b.ID] = append(x.equal[a.ID], b.ID), append(x.equal[b.ID], a.ID)
	clear(x.found)
}

// Bounds bounds the elements of a term.
func (x *Supposed) Bounds(t Term) Bounds {
	if b, ok := x.found[t.ID]; ok {
		return b
	}
	s := x.store
	n := &s.nodes[t.ID]
	kids := make([]Operand, len(n.kids))
	for i, k := range n.kids {
		kids[i] = Operand{s.nodes[k.ID].typ, x.Bounds(Term{ID: k.ID})}
	}
	equal := len(n.kids) == 2 && n.kids[0].ID == n.kids[1].ID && slices.Equal(n.kids[0].Args, n.kids[1].Args)
	b := BoundsOf(s.ops[n.op], n.typ, kids, equal)
	if x.finite && n.typ.Kind == KArray && n.typ.Elem == R && s.isInput(t.ID) {
		b = Bounds{AnyInt, numeric.AnyFinite}
	}
	if fact, ok := x.facts[t.ID]; ok {
		b = b.meet(fact)
	}
	x.found[t.ID] = b
	for _, id := range x.equal[t.ID] {
		if c := b.meet(x.Bounds(Term{ID: id})); !c.Int.Empty() && !c.Real.Empty() {
			b = c
			x.found[t.ID] = b
		}
	}
	return b
}

// IsTrue reports whether a term is the literal true, or an array of it.
func (s *Store) IsTrue(t Term) bool {
	c := s.Op(t).Const
	return c != nil && c.Data == nil && c.Fill.Elem == B && c.Fill.IsInt(1)
}

// meet is what is known of elements of which both are known.
func (b Bounds) meet(c Bounds) Bounds { return Bounds{b.Int.Meet(c.Int), b.Real.Meet(c.Real)} }

// Suppose calls set with what follows for the elements of closed terms from some truth
// values being true: comparisons, and what is && of them or not one. Known is what is
// known of a term; what is set may change it. Say is told all truth values that follow.
func (s *Store) Suppose(facts []Term, known func(Term) Bounds, set func(Term, Bounds), say func(t Term, truth bool)) {
	var suppose func(t Term, truth bool)
	suppose = func(t Term, truth bool) {
		v := s.Open(t)
		sym, kids := v.Op.Sym, v.Kids
		say(t, truth)
		switch {
		case sym == SymNot:
			suppose(kids[0], !truth)
		case sym == SymAnd && truth, sym == SymOr && !truth:
			suppose(kids[0], truth)
			suppose(kids[1], truth)
		case sym == SymEq && !truth:
			for i, k := range kids {
				set(k, known(k).without(known(kids[1-i])))
			}
		case sym == SymLt || sym == SymLe || sym == SymEq:
			if !truth { // the other way round, or one is NaN
				sym, kids = map[Sym]Sym{SymLt: SymLe, SymLe: SymLt}[sym], []Term{kids[1], kids[0]}
			}
			elem := s.Type(kids[0]).Elem
			for i, k := range kids {
				if b := known(kids[1-i]); truth || elem == I || b.Real.Number {
					b = b.beside(sym, i == 0, elem)
					b.Real.Number = truth && elem == R
					set(k, b)
				}
			}
		}
	}
	for range facts { // one may follow from what the next one says
		for _, t := range facts {
			suppose(t, true)
		}
	}
}

// beside bounds what is less than, at most, or equal to elements with some bounds, or
// not below the other way around. It may be NaN.
func (b Bounds) beside(sym Sym, below bool, elem Elem) Bounds {
	out := Unbounded
	switch {
	case elem == I && sym == SymEq:
		out.Int = b.Int
	case elem == I && below:
		out.Int.Hi = b.Int.Hi
		if sym == SymLt {
			out.Int.Hi = max(out.Int.Hi, math.MinInt64+1) - 1
		}
	case elem == I:
		out.Int.Lo = b.Int.Lo
		if sym == SymLt {
			out.Int.Lo = min(out.Int.Lo, math.MaxInt64-1) + 1
		}
	case elem == R && sym == SymEq:
		out.Real = b.Real
	case elem == R && below:
		out.Real.Hi, out.Real.NonZero = b.Real.Hi, sym == SymLt && b.Real.Hi <= 0
	case elem == R:
		out.Real.Lo, out.Real.NonZero = b.Real.Lo, sym == SymLt && b.Real.Lo >= 0
	}
	return out
}

// without bounds elements that are not those with other bounds.
func (b Bounds) without(c Bounds) Bounds {
	out := Unbounded
	if out.Real.NonZero = c.Real.IsZero(); c.Int.Lo == c.Int.Hi {
		if b.Int.Lo == c.Int.Lo && b.Int.Lo < b.Int.Hi {
			out.Int.Lo = b.Int.Lo + 1
		}
		if b.Int.Hi == c.Int.Hi && b.Int.Lo < b.Int.Hi {
			out.Int.Hi = b.Int.Hi - 1
		}
	}
	return out
}
