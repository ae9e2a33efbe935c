package term

import (
	"math"
	"slices"

	"egad/internal/memo"
	"egad/slot"
)

// An undoing is an array of the state of a loop whose steps change a few elements of it, while
// another loop, that goes back, reads each state. The one loop keeps the elements that a step
// changes, as they were before, and the other one has the array in its own state: it begins with
// the last, and each step puts back what was changed.
//
//	states n s (\i s -> build k (\j -> if j == i then f s else s[j]))    keeps s[i]
//
// That -0 + 0 is 0 cannot be undone: if a step adds 0 where it changes nothing, but never makes
// -0, only the first state may have it, and the other loop reads that as it is.
type undoing struct {
	all   Term   // the array of all states
	array int    // its number in the state
	spots []spot // where its elements are changed: at one of these
	kept  int    // the number of the first of what is kept, one for each spot
	next  Term   // stands for the state after the one that is read
	now   Term   // is the one that is read
	first *Term  // is the first state, if it may have -0 to which the step adds 0
}

// A spot is where elements of an array may be, by an index along some of its axes.
type spot []along

type along struct {
	axis  int
	index Term
}

// undo finds what is to be kept so that the steps of an array of all states can be undone, if
// that is a small part of them. The other loop is back, with a variable for the number of a step.
func (k *keeping) undo(all Term, back View, step Term) (*undoing, []Term) {
	s, n := k.s, k.body.Op.Sizes[0]
	u := &undoing{all: all}
	if k.body.Op.Type.Kind == KTuple {
		u.array = s.Op(all).N
	}
	typ := s.stateOf(k.body.Op.Type).types[u.array]
	if typ.Elem != R || len(typ.Shape) == 0 || !s.allSteps(k.from) || !back.Op.Sizes[0].Equal(n) || k.at.ID != s.Apply(SymSub, s.LitInt(k.steps-1), step).ID {
		return nil, nil
	}
	t := k.body.Kids[2]
	if s.Op(t).Sym == SymTuple {
		t = s.Open(t).Kids[u.array]
	}
	var at []slot.Name
	var is []Term
	for range typ.Shape {
		v := s.Open(t)
		if v.Op.Sym != SymBuild {
			return nil, nil
		}
		at, is, t = append(at, v.Binders[0]), append(is, s.Ivar(v.Binders[0], v.Op.Sizes[0])), v.Kids[0]
	}
	c := &changes{s: s, is: is, changed: make(found), zero: make(found), plus: make(map[string]bool), known: func(t Term) bool {
		return !t.Has(k.body.Binders[1]) && !slices.ContainsFunc(at, t.Has)
	}, same: s.Index(s.component(u.array, k.state), is...)}
	spots, ok := c.of(t)
	if !ok || len(spots) == 0 || c.adds && !c.positive(t) {
		return nil, nil
	}
	if first := s.component(u.array, k.body.Kids[0]); c.adds && !c.positive(first) {
		u.first = &first
	}
	var kept []Term
	elements := int64(0)
	for _, p := range spots {
		here := slices.Clone(p)
		for i := range here {
			here[i].index = s.Subst(here[i].index, map[slot.Name]Term{k.body.Binders[0]: k.at})
		}
		old := here.rest(s, typ.Shape, func(is []Term) Term { return s.Index(all, append([]Term{k.at}, is...)...) })
		u.spots, kept = append(u.spots, here), append(kept, old)
		elements += s.elements(old)
	}
	u.next = s.Var(sprintf("state %d", u.array), typ)
	if elements*rowShare > s.elements(u.next) {
		return nil, nil
	}
	return u, kept
}

// rest is what f makes of the elements at a spot, built along the other axes.
func (p spot) rest(s *Store, shape []Size, f func(is []Term) Term) Term {
	is := make([]Term, len(shape))
	var from func(axis int) Term
	from = func(axis int) Term {
		if axis == len(shape) {
			return f(slices.Clone(is))
		}
		if n := slices.IndexFunc(p, func(x along) bool { return x.axis == axis }); n >= 0 {
			is[axis] = p[n].index
			return from(axis + 1)
		}
		return s.Build(shape[axis], func(i Term) Term {
			is[axis] = i
			return from(axis + 1)
		})
	}
	return from(0)
}

// read is the element of the state that is read at some indices, or a part of it: at is the
// number of the state.
func (u *undoing) read(s *Store, at Term, is []Term) Term {
	if u.first == nil {
		return s.part(u.now, is)
	}
	return spot(nil).rest(s, s.Type(u.now).Shape[len(is):], func(more []Term) Term {
		is := slices.Concat(is, more)
		return s.Apply(SymWhere, s.Apply(SymEq, at, s.LitInt(0)), s.Index(*u.first, is...), s.Index(u.now, is...))
	})
}

// part is what is read of an array at indices of its first axes, if there are any.
func (s *Store) part(t Term, is []Term) Term {
	if len(is) == 0 {
		return t
	}
	return s.Index(t, is...)
}

// back is the state before the one that u.next stands for: rows are what was kept of it.
func (u *undoing) back(s *Store, rows []Term) Term {
	return spot(nil).rest(s, s.Type(u.next).Shape, func(is []Term) Term {
		t := s.Index(u.next, is...)
		for n, p := range u.spots {
			var here []Term
			rest := slices.Clone(is)
			for _, x := range slices.Backward(p) {
				here = append(here, s.Apply(SymEq, is[x.axis], x.index))
				rest = slices.Delete(rest, x.axis, x.axis+1)
			}
			old := rows[n]
			if len(rest) > 0 {
				old = s.Index(old, rest...)
			}
			t = s.Apply(SymWhere, s.all(here), old, t)
		}
		return t
	})
}

// all is the conjunction of some truth values, at least one.
func (s *Store) all(ts []Term) Term {
	t := ts[0]
	for _, u := range ts[1:] {
		t = s.Apply(SymAnd, t, u)
	}
	return t
}

// changes tell where a term that makes an element of an array changes it.
type changes struct {
	s             *Store
	is            []Term          // the indices of the element
	same          Term            // the element as it is
	known         func(Term) bool // whether an index may tell a spot
	adds          bool            // whether 0 is added outside of the spots
	changed, zero found
	plus          map[string]bool // whether a term is never -0, by its key
}

// found are the spots of terms, by their keys.
type found map[string]spots

type spots struct {
	all   []spot
	known bool
}

// once gives the spots of a term as a function finds them, if they are few.
func (x found) once(t Term, find func() ([]spot, bool)) ([]spot, bool) {
	is := memo.Of(x, TermKey(t), func() (is spots) {
		if all, ok := find(); ok && len(all) <= maxSpots {
			is = spots{all, true}
		}
		return is
	})
	return is.all, is.known
}

// of are spots outside of which a term is the element as it was; ok is false if they are not
// known.
func (c *changes) of(t Term) (spots []spot, ok bool) {
	if t.Equal(c.same) {
		return nil, true
	}
	return c.changed.once(t, func() ([]spot, bool) { return c.change(t) })
}

func (c *changes) change(t Term) (spots []spot, ok bool) {
	return c.outside(t, c.of, func(v View) (spots []spot, ok bool) {
		if v.Op.Sym != SymAdd {
			return nil, false
		}
		for n, x := range v.Kids {
			if spots, ok := c.of(x); ok {
				more, ok := c.nonzero(v.Kids[1-n])
				c.adds = c.adds || !c.negative(v.Kids[1-n])
				return append(spots, more...), ok
			}
		}
		return nil, false
	})
}

// nonzero are spots outside of which a term is 0.
func (c *changes) nonzero(t Term) (spots []spot, ok bool) {
	if op := c.s.Op(t); op.Sym == SymConst && op.Const.Data == nil && op.Const.Fill == ScalarZero(R) {
		return nil, true
	}
	return c.zero.once(t, func() ([]spot, bool) { return c.isZero(t) })
}

func (c *changes) isZero(t Term) (spots []spot, ok bool) {
	return c.outside(t, c.nonzero, func(v View) ([]spot, bool) {
		switch v.Op.Sym {
		case SymNeg:
			return c.nonzero(v.Kids[0])
		case SymAdd, SymSub:
			spots, ok := c.nonzero(v.Kids[0])
			more, also := c.nonzero(v.Kids[1])
			return append(spots, more...), ok && also
		case SymIndex:
			return c.scattered(v)
		}
		return nil, false
	})
}

// positive reports whether a term, or what it is built of, is never -0.
func (c *changes) positive(t Term) bool {
	return memo.Of(c.plus, TermKey(t), func() bool { return c.isPositive(t) })
}

func (c *changes) isPositive(t Term) bool {
	v := c.s.Open(t)
	switch v.Op.Sym {
	case SymConst:
		return v.Op.Const.Data == nil && !math.Signbit(v.Op.Const.Fill.Num.Float64())
	case SymBuild, SymSub:
		return c.positive(v.Kids[0])
	case SymAdd:
		return c.positive(v.Kids[0]) || c.positive(v.Kids[1])
	case SymWhere:
		return c.positive(v.Kids[1]) && c.positive(v.Kids[2])
	case SymIndex:
		return c.s.Op(v.Kids[0]).Sym == SymScatter // which adds to 0
	}
	return false
}

// negative reports whether a term is -0 where it is 0.
func (c *changes) negative(t Term) bool {
	v := c.s.Open(t)
	return v.Op.Sym == SymNeg && c.positive(v.Kids[0])
}

// outside are the spots of a choice, by what they are of both that it may be, or those of another
// term.
func (c *changes) outside(t Term, of func(Term) ([]spot, bool), other func(View) ([]spot, bool)) (spots []spot, ok bool) {
	v := c.s.Open(t)
	if v.Op.Sym != SymWhere {
		return other(v)
	}
	for n, x := range v.Kids[1:] {
		some, ok := of(x)
		if here := c.equal(v.Kids[0], n == 0); len(here) > 0 && (!ok || len(some) > 1) {
			some, ok = []spot{here}, true
		}
		if !ok {
			return nil, false
		}
		spots = append(spots, some...)
	}
	return spots, true
}

// equal is a spot outside of which a truth value is not this one.
func (c *changes) equal(t Term, is bool) spot {
	v := c.s.Open(t)
	switch {
	case v.Op.Sym == SymNot:
		return c.equal(v.Kids[0], !is)
	case v.Op.Sym == SymAnd && is, v.Op.Sym == SymOr && !is:
		p := c.equal(v.Kids[0], is)
		for _, x := range c.equal(v.Kids[1], is) {
			if !slices.ContainsFunc(p, func(y along) bool { return y.axis == x.axis }) {
				p = append(p, x)
			}
		}
		slices.SortFunc(p, func(x, y along) int { return x.axis - y.axis })
		return p
	case v.Op.Sym == SymEq && is:
		for n, x := range v.Kids {
			if axis := slices.IndexFunc(c.is, x.Equal); axis >= 0 && c.known(v.Kids[1-n]) {
				return spot{{axis, v.Kids[1-n]}}
			}
		}
	}
	return nil
}

// maxSpots is at how many spots an array may be changed in a step.
const maxSpots = 8

// scattered are the spots of a scatter of which the element is read.
func (c *changes) scattered(v View) (spots []spot, ok bool) {
	s := c.s
	of := s.Open(v.Kids[0])
	if of.Op.Sym != SymScatter || len(of.Op.Sizes) > 1 {
		return nil, false
	}
	times := int64(1)
	if len(of.Op.Sizes) == 1 {
		if times, ok = of.Op.Sizes[0].Const(); !ok || times > maxSpots {
			return nil, false
		}
	}
	for l := range times {
		var p spot
		for axis, x := range of.Kids[1:] {
			if len(of.Binders) == 1 {
				x = s.Subst(x, map[slot.Name]Term{of.Binders[0]: s.LitInt(l)})
			}
			if axis+1 < len(v.Kids) && v.Kids[axis+1].Equal(c.is[axis]) && c.known(x) {
				p = append(p, along{axis, x})
			}
		}
		if len(p) == 0 {
			return nil, false
		}
		spots = append(spots, p)
	}
	return spots, true
}
