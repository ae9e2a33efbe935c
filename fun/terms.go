package fun

import (
	"egad/term"
	"egad/term/ops"
)

// Terms is the domain of terms of array programs (000, App. C), on which a program of the
// core runs with inputs that are not known. What its values are made of is told by its
// methods.
type Terms struct{ symbolic }

// OnTerms calls f with the domain of the terms of a store. Terms that are not well typed, and
// what the domain cannot say, are an error.
func OnTerms(s *term.Store, f func(d *Terms) error) error {
	return guard(func() error { return f(&Terms{symbolic{store: s}}) })
}

// Input is the value that stands in arrays.
func (d *Terms) Input(l *Layout, arrays []term.Input) Value { return d.input(l, arrays) }

// Scalar is a scalar as a term.
func (d *Terms) Scalar(v Value) term.Term { return d.lift(v, nil) }

// Sides are those of a value of a sum; nil is one that it is not. If it may be either, on says
// when it is the left and when the right one.
func (d *Terms) Sides(v Value) (left, right Value, on *[2]term.Term) {
	by := func(c term.Term) *[2]term.Term {
		if d.store.Op(c).Sym == ops.SymNot {
			return &[2]term.Term{c, d.store.OpenWith(c, nil).Kids[0]}
		}
		return &[2]term.Term{c, d.store.Apply(ops.SymNot, c)}
	}
	switch v := v.(type) {
	case *Side:
		if v.Right {
			return nil, v.X, nil
		}
		return v.X, nil, nil
	case *either:
		if v.l == nil || v.r == nil {
			return v.l, v.r, nil
		}
		c := by(v.right)
		return v.l, v.r, &[2]term.Term{c[1], c[0]}
	}
	return Nothing{}, Nothing{}, by(d.lift(v, nil))
}

// Rows is an array as the number n of its elements and, if there are any, one in which each
// term has an axis of n before those that it has.
func (d *Terms) Rows(v Value) (n int64, each Value) {
	if e, ok := v.(*Elements); ok && len(e.X) == 0 {
		return 0, nil
	}
	r := d.whole(d.rows(v))
	return r.n, r.x
}

// MapReals is a value of type t with something else for each real, from the left, in which
// arrays are written element by element.
func (d *Terms) MapReals(v Value, t *Type, f func(x term.Term) Value) Value {
	part := func(v Value, k int) Value {
		if v == nil {
			return nil
		}
		return d.MapReals(v, t.Parts[k], f)
	}
	switch t.Kind {
	case KReal:
		return f(v.(term.Term))
	case KProd:
		p := v.(*Pairing)
		l := part(p.L, 0)
		return &Pairing{l, part(p.R, 1)}
	case KSum:
		switch v := v.(type) {
		case *Side:
			return &Side{v.Right, part(v.X, Place(v.Right))}
		case *either:
			l := part(v.l, 0)
			return &either{v.right, l, part(v.r, 1)}
		}
	case KArray:
		return (&Unrolled{d}).Array(d.Length(v), t.Parts[0], func(i Value) Value { return part(d.Index(v, i, t.Parts[0]), 0) })
	}
	return v
}

// Unrolled is a domain of terms in which an array is computed element by element, each by
// itself, so that elements may be of any kind.
type Unrolled struct{ *Terms }

// Array makes all elements, of which there are as many as are known.
func (d *Unrolled) Array(n Value, t *Type, f func(i Value) Value) Value {
	if _, ok := n.(int64); !ok {
		return d.Terms.Array(n, t, f)
	}
	return (&Concrete[float64]{}).Array(n, t, f)
}

// Chosen is a value that stands beside reals on a domain of terms, and is no scalar.
type Chosen interface {
	// Choose is this value if c is true, and else another one of the same kind.
	Choose(c term.Term, other Value) Value
}
