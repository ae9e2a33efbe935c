package chad

import (
	"fmt"

	"egad/fun"
	"egad/internal/raise"
)

// A cotangent is a float64 of type lR, [fun.Nothing] of l1, a *lpair of a product, a *lside
// of a sum or a *bag of a bag; nil is the zero of all but lR and l1, where the
// implementation has it.

// lpair is a cotangent of a pair.
type lpair struct {
	l, r fun.Value
	used uint8 // which halves were taken, if that is watched
}

// lside is a cotangent of a sum: of a value of that side.
type lside struct {
	right bool
	x     fun.Value
	used  uint8
}

// linear is an implementation of the linear types (002, Fig. 3): what differs is how the
// zero of a product is represented. Costs are in steps.
type linear interface {
	// zero makes the zero of a type.
	zero(t *fun.Type) (fun.Value, int64)
	// join adds bags that are not zero, in constant time (BPlus).
	join(x, y *bag) *bag
}

// dense is the implementation of Fig. 4: pairs of zeros.
type dense struct{}

func (dense) zero(t *fun.Type) (fun.Value, int64) {
	if t.Form == formProd {
		l, a := dense{}.zero(t.Parts[0])
		r, b := dense{}.zero(t.Parts[1])
		return &lpair{l: l, r: r}, 1 + a + b
	}
	return sparse{}.zero(t)
}

func (dense) join(x, y *bag) *bag { return sparse{}.join(x, y) }

// sparse is that of Section 4.1: the zero of a product has a representation of its own.
type sparse struct{}

func (sparse) zero(t *fun.Type) (fun.Value, int64) {
	switch t.Form {
	case formReal:
		return 0.0, 1
	case formUnit:
		return fun.Nothing{}, 1
	}
	return nil, 1
}

func (sparse) join(x, y *bag) *bag { return &bag{l: x, r: y} }

// SideError says that cotangents of different sides of a sum met, which never happens where
// a transformation is right (002, Section 2).
type SideError struct{ What string }

func (e *SideError) Error() string { return e.What + " of the other side of a sum" }

// AffineError says that a cotangent was used twice (002, Section 4.3: cotangents are used
// affinely, or the amortised cost of additions would not hold).
type AffineError struct{}

func (*AffineError) Error() string { return "a cotangent is used twice" }

// plus adds cotangents, and gives the steps that it takes: those that are not zero on both
// sides (002, Figs. 4 and B).
func (s *state) plus(x, y fun.Value) (fun.Value, int64) {
	if x == nil {
		return y, 1
	}
	if y == nil {
		return x, 1
	}
	switch x := x.(type) {
	case float64:
		return x + y.(float64), 1
	case fun.Nothing:
		return x, 1
	case *lpair:
		y := y.(*lpair)
		s.use(&x.used, 3)
		s.use(&y.used, 3)
		l, a := s.plus(x.l, y.l)
		r, b := s.plus(x.r, y.r)
		return &lpair{l: l, r: r}, 1 + a + b
	case *lside:
		y := y.(*lside)
		if x.right != y.right {
			raise.Error(&SideError{"a sum with a cotangent"})
		}
		s.use(&x.used, 3)
		s.use(&y.used, 3)
		z, c := s.plus(x.x, y.x)
		return &lside{right: x.right, x: z}, 1 + c
	case *packed:
		y := y.(*packed)
		if !x.tag.Equal(y.tag) {
			raise.Error(&SideError{"a sum with a cotangent"})
		}
		z, c := s.plus(x.x, y.x)
		return &packed{x.tag, z}, 1 + c
	case *bag:
		s.Bags++
		return s.linear.join(x, y.(*bag)), 1
	}
	raise.Error(fmt.Errorf("%T is no cotangent", x))
	return nil, 0
}

// use marks halves of a cotangent as taken.
func (s *state) use(used *uint8, halves uint8) {
	if !s.affine {
		return
	}
	if *used&halves != 0 {
		raise.Error(&AffineError{})
	}
	*used |= halves
}

// half is a component of a cotangent of a pair, of type t; absent says that it is the zero
// of the pair of which it is one, for which its cost is c.
func (s *state) half(x fun.Value, right bool, t *fun.Type) (v fun.Value, absent bool, c int64) {
	if x == nil {
		v, c = s.linear.zero(t)
		return v, true, c
	}
	p, bit := x.(*lpair), uint8(1)
	v = p.l
	if right {
		v, bit = p.r, 2
	}
	if v == nil { // maybe of a type that was not known
		v, _ = s.linear.zero(t)
	}
	s.use(&p.used, bit)
	return v, false, 0
}

// cast is what is below a cotangent of a sum, of type t (lcastl, lcastr).
func (s *state) cast(x fun.Value, right bool, t *fun.Type) (fun.Value, int64) {
	if x == nil {
		return s.linear.zero(t)
	}
	y := x.(*lside)
	if y.right != right {
		raise.Error(&SideError{"a cast"})
	}
	s.use(&y.used, 3)
	return y.x, 0
}

// sizeOf is how many constructors a cotangent has (002, Section 4.3); its potential is the
// same number, since an addition takes a step for each that vanishes.
func sizeOf(x fun.Value) int64 {
	switch x := x.(type) {
	case *lpair:
		return 1 + sizeOf(x.l) + sizeOf(x.r)
	case *lside:
		return 1 + sizeOf(x.x)
	case *packed:
		return 1 + sizeOf(x.x)
	case *bag:
		return x.size()
	}
	return 1
}
