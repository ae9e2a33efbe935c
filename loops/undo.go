package loops

import (
	"fmt"
	"math"
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
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
	all   term.Term  // the array of all states
	array int        // its number in the state
	spots []spot     // where its elements are changed: at one of these
	kept  int        // the number of the first of what is kept, one for each spot
	next  term.Term  // stands for the state after the one that is read
	now   term.Term  // is the one that is read
	first *term.Term // is the first state, if it may have -0 to which the step adds 0
}

// A spot is where elements of an array may be, by an index along some of its axes, which may
// tell it by the indices along the others: on a diagonal, along axis 1 it is i + d. It has variables
// for the indices.
type spot struct {
	at    []slot.Name
	along []along
}

type along struct {
	axis  int
	index term.Term
}

// has reports whether a spot tells the index along an axis.
func (p spot) has(axis int) bool {
	return slices.ContainsFunc(p.along, func(x along) bool { return x.axis == axis })
}

// and is a spot that tells an index more, unless it tells that already, or it is told by indices
// that this one tells.
func (p spot) and(s *term.Store, x along) spot {
	env := make(map[slot.Name]term.Term)
	for _, y := range p.along {
		env[p.at[y.axis]] = y.index
	}
	x.index = s.Subst(x.index, env)
	if p.has(x.axis) || x.index.Has(p.at[x.axis]) {
		return p
	}
	out := spot{p.at, []along{x}}
	for _, y := range p.along {
		y.index = s.Subst(y.index, map[slot.Name]term.Term{p.at[x.axis]: x.index})
		out.along = append(out.along, y)
	}
	slices.SortFunc(out.along, func(x, y along) int { return x.axis - y.axis })
	return out
}

// undo finds what is to be kept so that the steps of an array of all states can be undone, if
// that is a small part of them. The other loop is back, with a variable for the number of a step.
func (k *keeping) undo(all term.Term, back term.View, step term.Term) (*undoing, []term.Term) {
	s, n := k.s, k.body.Op.Sizes[0]
	u := &undoing{all: all}
	if k.body.Op.Type.Kind == types.KTuple {
		u.array = s.Op(all).N
	}
	typ := s.StateOf(k.body.Op.Type).Types[u.array]
	if typ.Elem != types.R || len(typ.Shape) == 0 || !allSteps(s, k.from) || !back.Op.Sizes[0].Equal(n) || k.at.ID != s.Apply(ops.SymSub, s.LitInt(k.steps-1), step).ID {
		return nil, nil
	}
	t := k.body.Kids[2]
	if s.Op(t).Sym == ops.SymTuple {
		t = s.Open(t).Kids[u.array]
	}
	var at []slot.Name
	var is []term.Term
	for range typ.Shape {
		v := s.Open(t)
		if v.Op.Sym != ops.SymBuild {
			return nil, nil
		}
		at, is, t = append(at, v.Binders[0]), append(is, s.Ivar(v.Binders[0], v.Op.Sizes[0])), v.Kids[0]
	}
	c := &changes{s: s, is: is, at: at, changed: make(found), zero: make(found), plus: make(map[string]bool), known: func(t term.Term) bool {
		return !t.Has(k.body.Binders[1])
	}, same: s.Index(s.Component(u.array, k.state), is...)}
	spots, ok := c.of(t)
	if !ok || len(spots) == 0 || c.adds && !c.positive(t) {
		return nil, nil
	}
	if first := s.Component(u.array, k.body.Kids[0]); c.adds && !c.positive(first) {
		u.first = &first
	}
	var kept []term.Term
	elements := int64(0)
	for _, p := range spots {
		here := spot{at: at}
		for _, x := range p.along {
			here.along = append(here.along, along{x.axis, s.Subst(x.index, map[slot.Name]term.Term{k.body.Binders[0]: k.at})})
		}
		old := here.rest(s, typ.Shape, func(is []term.Term) term.Term { return s.Index(all, append([]term.Term{k.at}, is...)...) })
		u.spots, kept = append(u.spots, here), append(kept, old)
		elements += elementsOf(s, old)
	}
	u.next = s.Var(fmt.Sprintf("state %d", u.array), typ)
	if elements*rowShare > elementsOf(s, u.next) {
		return nil, nil
	}
	return u, kept
}

// rest is what f makes of the elements at a spot, built along the other axes.
func (p spot) rest(s *term.Store, shape []size.Size, f func(is []term.Term) term.Term) term.Term {
	is := make([]term.Term, len(shape))
	var from func(axis int) term.Term
	from = func(axis int) term.Term {
		switch {
		case axis == len(shape):
			return f(p.indices(s, is))
		case p.has(axis):
			return from(axis + 1)
		}
		return s.Build(shape[axis], func(i term.Term) term.Term {
			is[axis] = i
			return from(axis + 1)
		})
	}
	return from(0)
}

// indices are all indices of an element of a spot, by those that it does not tell.
func (p spot) indices(s *term.Store, of []term.Term) []term.Term {
	is, env := slices.Clone(of), make(map[slot.Name]term.Term)
	for axis, n := range p.at {
		if !p.has(axis) {
			env[n] = is[axis]
		}
	}
	for _, x := range p.along {
		is[x.axis] = s.Subst(x.index, env)
	}
	return is
}

// read is the element of the state that is read at some indices, or a part of it: at is the
// number of the state.
func (u *undoing) read(s *term.Store, at term.Term, is []term.Term) term.Term {
	if u.first == nil {
		return part(s, u.now, is)
	}
	return spot{}.rest(s, s.Type(u.now).Shape[len(is):], func(more []term.Term) term.Term {
		is := slices.Concat(is, more)
		return s.Apply(ops.SymWhere, s.Apply(ops.SymEq, at, s.LitInt(0)), s.Index(*u.first, is...), s.Index(u.now, is...))
	})
}

// part is what is read of an array at indices of its first axes, if there are any.
func part(s *term.Store, t term.Term, is []term.Term) term.Term {
	if len(is) == 0 {
		return t
	}
	return s.Index(t, is...)
}

// back is the state before the one that u.next stands for: rows are what was kept of it.
func (u *undoing) back(s *term.Store, rows []term.Term) term.Term {
	return spot{}.rest(s, s.Type(u.next).Shape, func(is []term.Term) term.Term {
		t := s.Index(u.next, is...)
		for n, p := range u.spots {
			var here []term.Term
			rest := slices.Clone(is)
			told := p.indices(s, is)
			for _, x := range slices.Backward(p.along) {
				here = append(here, s.Apply(ops.SymEq, is[x.axis], told[x.axis]))
				rest = slices.Delete(rest, x.axis, x.axis+1)
			}
			old := rows[n]
			if len(rest) > 0 {
				old = s.Index(old, rest...)
			}
			t = s.Apply(ops.SymWhere, all(s, here), old, t)
		}
		return t
	})
}

// all is the conjunction of some truth values, at least one.
func all(s *term.Store, ts []term.Term) term.Term {
	t := ts[0]
	for _, u := range ts[1:] {
		t = s.Apply(ops.SymAnd, t, u)
	}
	return t
}

// changes tell where a term that makes an element of an array changes it.
type changes struct {
	s             *term.Store
	is            []term.Term          // the indices of the element
	at            []slot.Name          // the variables that they are
	same          term.Term            // the element as it is
	known         func(term.Term) bool // whether an index may tell a spot
	adds          bool                 // whether 0 is added outside of the spots
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
func (x found) once(t term.Term, find func() ([]spot, bool)) ([]spot, bool) {
	is := memo.Of(x, term.TermKey(t), func() (is spots) {
		if all, ok := find(); ok && len(all) <= maxSpots {
			is = spots{all, true}
		}
		return is
	})
	return is.all, is.known
}

// of are spots outside of which a term is the element as it was; ok is false if they are not
// known.
func (c *changes) of(t term.Term) (spots []spot, ok bool) {
	if t.Equal(c.same) {
		return nil, true
	}
	return c.changed.once(t, func() ([]spot, bool) { return c.change(t) })
}

func (c *changes) change(t term.Term) (spots []spot, ok bool) {
	return c.outside(t, c.of, func(v term.View) (spots []spot, ok bool) {
		if v.Op.Sym != ops.SymAdd {
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
func (c *changes) nonzero(t term.Term) (spots []spot, ok bool) {
	if op := c.s.Op(t); op.Sym == ops.SymConst && op.Const.Data == nil && op.Const.Fill == ops.ScalarZero(types.R) {
		return nil, true
	}
	return c.zero.once(t, func() ([]spot, bool) { return c.isZero(t) })
}

func (c *changes) isZero(t term.Term) (spots []spot, ok bool) {
	return c.outside(t, c.nonzero, func(v term.View) ([]spot, bool) {
		switch v.Op.Sym {
		case ops.SymNeg:
			return c.nonzero(v.Kids[0])
		case ops.SymAdd, ops.SymSub:
			spots, ok := c.nonzero(v.Kids[0])
			more, also := c.nonzero(v.Kids[1])
			return append(spots, more...), ok && also
		case ops.SymIndex:
			return c.scattered(v)
		}
		return nil, false
	})
}

// positive reports whether a term, or what it is built of, is never -0.
func (c *changes) positive(t term.Term) bool {
	return memo.Of(c.plus, term.TermKey(t), func() bool { return c.isPositive(t) })
}

func (c *changes) isPositive(t term.Term) bool {
	v := c.s.Open(t)
	switch v.Op.Sym {
	case ops.SymConst:
		return v.Op.Const.Data == nil && !math.Signbit(v.Op.Const.Fill.Num.Float64())
	case ops.SymBuild, ops.SymSub:
		return c.positive(v.Kids[0])
	case ops.SymAdd:
		return c.positive(v.Kids[0]) || c.positive(v.Kids[1])
	case ops.SymWhere:
		return c.positive(v.Kids[1]) && c.positive(v.Kids[2])
	case ops.SymIndex:
		return c.s.Op(v.Kids[0]).Sym == ops.SymScatter // which adds to 0
	}
	return false
}

// negative reports whether a term is -0 where it is 0.
func (c *changes) negative(t term.Term) bool {
	v := c.s.Open(t)
	return v.Op.Sym == ops.SymNeg && c.positive(v.Kids[0])
}

// outside are the spots of a choice, by what they are of both that it may be, or those of another
// term.
func (c *changes) outside(t term.Term, of func(term.Term) ([]spot, bool), other func(term.View) ([]spot, bool)) (spots []spot, ok bool) {
	v := c.s.Open(t)
	if v.Op.Sym != ops.SymWhere {
		return other(v)
	}
	for n, x := range v.Kids[1:] {
		some, ok := of(x)
		if here := c.equal(v.Kids[0], n == 0); len(here.along) > 0 && (!ok || len(some) > 1) {
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
func (c *changes) equal(t term.Term, is bool) spot {
	v := c.s.Open(t)
	switch {
	case v.Op.Sym == ops.SymNot:
		return c.equal(v.Kids[0], !is)
	case v.Op.Sym == ops.SymAnd && is, v.Op.Sym == ops.SymOr && !is:
		p := c.equal(v.Kids[0], is)
		for _, x := range c.equal(v.Kids[1], is).along {
			p = p.and(c.s, x)
		}
		return p
	case v.Op.Sym == ops.SymEq && is:
		for n, x := range v.Kids {
			if axis := slices.IndexFunc(c.is, x.Equal); axis >= 0 && c.known(v.Kids[1-n]) {
				return spot{at: c.at}.and(c.s, along{axis, v.Kids[1-n]})
			}
		}
	}
	return spot{at: c.at}
}

// maxSpots is at how many spots an array may be changed in a step.
const maxSpots = 8

// scattered are the spots of a scatter of which the element is read.
func (c *changes) scattered(v term.View) (spots []spot, ok bool) {
	s := c.s
	of := s.Open(v.Kids[0])
	if of.Op.Sym != ops.SymScatter || len(of.Op.Sizes) > 1 {
		return nil, false
	}
	at := []map[slot.Name]term.Term{nil} // what the index of the scatter is at each of the spots
	if len(of.Op.Sizes) == 1 {
		own := s.Ivar(of.Binders[0], of.Op.Sizes[0])
		times, ok := of.Op.Sizes[0].Const()
		if ok && times <= maxSpots {
			at = slice.Make(int(times), func(l int) map[slot.Name]term.Term {
				return map[slot.Name]term.Term{of.Binders[0]: s.LitInt(int64(l))}
			})
		} else if axis := slices.IndexFunc(of.Kids[1:], own.Equal); axis >= 0 && axis+1 < len(v.Kids) {
			at[0] = map[slot.Name]term.Term{of.Binders[0]: v.Kids[axis+1]}
		} else {
			return nil, false
		}
	}
	for _, env := range at {
		p := spot{at: c.at}
		for axis, x := range of.Kids[1:] {
			x = s.Subst(x, env)
			if axis+1 < len(v.Kids) && v.Kids[axis+1].Equal(c.is[axis]) && c.known(x) {
				p = p.and(s, along{axis, x})
			}
		}
		if len(p.along) == 0 {
			return nil, false
		}
		spots = append(spots, p)
	}
	return spots, true
}
