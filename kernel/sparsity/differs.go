package sparsity

import (
	"egad/internal/memo"
	"egad/kernel"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// something is what a value may be: a literal, or an element.
type something struct {
	ops.Scalar
	element *kernel.Access // nil: a literal
	sign    int            // of an infinity, or 0
}

// What values are asked about again and again: 0 by the type of elements, the same of what may be multiplied by an infinity, of
// which 0 makes no number (that an element is 0 as it is out of range does not count then), and infinities by
// their signs and 1.
var (
	zeros      = [...]*something{types.R: {Scalar: ops.ScalarZero(types.R)}, types.I: {Scalar: ops.ScalarZero(types.I)}, types.B: {Scalar: ops.ScalarZero(types.B)}}
	factors    = [...]*something{types.R: {Scalar: ops.ScalarZero(types.R)}, types.I: {Scalar: ops.ScalarZero(types.I)}, types.B: {Scalar: ops.ScalarZero(types.B)}}
	infinities = [...]*something{0: {Scalar: ops.ScalarR(numeric.Inf(-1)), sign: -1}, 2: {Scalar: ops.ScalarR(numeric.Inf(1)), sign: 1}}
)

// literally is a literal as something.
func literally(c ops.Scalar) *something {
	for _, s := range []*something{zeros[c.Elem], infinities[0], infinities[2]} {
		if s.Scalar == c {
			return s
		}
	}
	return &something{Scalar: c}
}

// zero reports whether it is 0, or false.
func (s *something) zero() bool { return s == zeros[s.Elem] || s == factors[s.Elem] }

// is reports whether a value is written as that.
func (s *something) is(v *kernel.Value) bool {
	if s.element != nil {
		return v.SameAs(*s.element)
	}
	return v.Kind == kernel.Lit && v.Const == s.Scalar
}

// difference are conditions without which a value is something: where one of them does not hold, it is. Never says
// that it is that, whatever holds.
type difference struct {
	Limits
	never bool
}

// or are the conditions that hold whichever of two differences there is.
func (d difference) or(e difference) difference {
	switch {
	case d.never:
		return e
	case e.never:
		return d
	}
	return difference{Limits: d.Limits.or(e.Limits)}
}

// differing is a value, and what it may be.
type differing struct {
	*kernel.Value
	from *something
}

// differs finds conditions without which a value is something.
func (b *Bounder) differs(v *kernel.Value, from *something) difference {
	return memo.Of(b.differences, differing{v, from}, func() difference {
		b.differences[differing{v, from}] = difference{} // an array that is made of itself
		return b.difference(v, from)
	})
}

func (b *Bounder) difference(v *kernel.Value, from *something) (d difference) {
	zero, sign := from.zero(), from.sign
	switch {
	case from.is(v):
		d.never = true
	case v.Kind == kernel.Load && zero:
		d.Limits = b.at(b.Filled(v.Array), v.Access)
		if from != factors[v.Elem] {
			d.Limits = d.And(inRange(v.Access))
		}
	case v.Kind == kernel.Load && sign != 0:
		if s := b.filler(v.Access); s != nil {
			d.Limits = b.at(b.Of(b.infinite(s.Value, sign), s.Access), v.Access)
		}
	case v.Kind == kernel.Folded:
		d.Limits = b.ofFold(b.folds[v], b.inside[v], from)
	case v.Elem == types.B && from.element == nil:
		d.Limits = b.Holds(v, zero)
	case v.Kind != kernel.Compute:
	case v.Op == ops.SymWhere:
		in := func(x *kernel.Value, holds bool) difference {
			d := b.differs(x, from)
			if !d.never {
				d.Limits = b.Holds(v.Args[0], holds).And(d.Limits)
			}
			return d
		}
		yes, no := in(v.Args[1], true), in(v.Args[2], false)
		if sign != 0 && !yes.never && !no.never {
			if ls := b.unequal(v, sign); len(ls) > 0 {
				return difference{Limits: ls}
			}
		}
		d = yes.or(no)
	case sign != 0 && scales(v) != nil:
		x := scales(v)
		d.Limits = b.infinite(x.Value, sign*x.sign)
	case v.Op == ops.SymAdd || v.Op == ops.SymSub:
		d.Limits = b.ofSum(v, from)
	case !zero:
	case v.Op == ops.SymNeg:
		d.Limits = b.differs(v.Args[0], from).Limits
	case v.Op == ops.SymMul:
		d.Limits = finite(b.factor(v.Args[0]).And(b.factor(v.Args[1])))
	case v.Op == ops.SymExp || v.Op == ops.SymSigmoid:
		d.Limits = finite(b.infinite(v.Args[0], -1))
	case v.Op == ops.SymDiv && b.surely(v.Args[1], positive).always():
		d.Limits = finite(b.factor(v.Args[0]))
	}
	return d
}

// ofFold is [Bounder.differs] of what a loop folds: what it is of no runs, if nothing changes that, or an element
// from which a sum goes on.
func (b *Bounder) ofFold(f *kernel.Fold, l *kernel.Loop, from *something) Limits {
	switch {
	case f == nil:
	case from.element != nil && f.Op == ops.SymSum && f.From != nil && f.From.SameAs(*from.element):
		return finite(b.Nonzero(f.Value).some(l)) // as is -0 + 0
	case f.Op == ops.SymSum && from.zero(), f.From == nil && !f.Positional() && from.element == nil && f.Neutral() == from.Scalar:
		return b.differs(f.Value, from).some(l) // what a sum goes on from is 0 where it stores: see Filled
	}
	return nil
}

// ofSum is [Bounder.differs] of a sum or a difference of two numbers.
func (b *Bounder) ofSum(v *kernel.Value, from *something) (ls Limits) {
	sign := from.sign
	if from.zero() {
		return b.differs(v.Args[0], from).Limits.or(b.differs(v.Args[1], from).Limits)
	}
	for i, x := range v.Args {
		second := v.Op == ops.SymSub && i == 1
		switch {
		case from.element != nil && !second && b.differs(x, from).never:
			// -0 + 0 is 0, which only exact code tells from it, as is -0 - -0.
			ls = finite(b.Nonzero(v.Args[1-i]))
		case sign != 0 && b.finite(v.Args[1-i]):
			if second {
				sign = -sign
			}
			return finite(b.infinite(x, sign))
		}
	}
	return ls
}

// unequal are conditions without which a choice by whether two numbers are equal is infinite: they are not where one
// is infinite, and the other one is not.
func (b *Bounder) unequal(v *kernel.Value, sign int) Limits {
	is := v.Args[0]
	if is.Kind != kernel.Compute || is.Op != ops.SymEq || is.Args[0].Elem != types.R {
		return nil
	}
	for i, x := range is.Args {
		if b.finite(is.Args[1-i]) {
			return finite(b.infinite(v.Args[2], sign).or(b.infinite(x, -1).And(b.infinite(x, 1))))
		}
	}
	return nil
}

// Nonzero finds conditions without which a number is 0, or a truth value false.
func (b *Bounder) Nonzero(v *kernel.Value) Limits {
	return b.differs(v, zeros[v.Elem]).Limits
}

// factor is [Bounder.Nonzero] for a number that is multiplied.
func (b *Bounder) factor(v *kernel.Value) Limits {
	return b.differs(v, factors[v.Elem]).Limits
}

// infinite finds conditions without which a number is an infinity of a sign, if all numbers are finite that no mask
// has made infinite. So there are some for what is taken the exponential of in a softmax of what a mask leaves,
//
//	exp (where (m == s[i, j]) 0 (s[i, j] - m))
//
// where m is the largest of a row: the exponential is 0 without them.
func (b *Bounder) infinite(v *kernel.Value, sign int) Limits {
	return b.differs(v, infinities[1+sign]).Limits
}

// changing finds conditions without which a fold goes on with what it has, as a value is what the fold is of no runs:
// a maximum goes on where an element is -inf.
func (b *Bounder) changing(f kernel.Fold, v *kernel.Value) Limits {
	return b.differs(v, literally(f.Neutral())).Limits
}

// Changed finds conditions without which a store stores what is there: an element of its array, or
// of one that lies in its place, if it is not nil.
func (b *Bounder) Changed(s *kernel.Store, in *kernel.Array) Limits {
	ls, _ := b.Changes(s.Value, s.Access)
	if in != nil {
		more, _ := b.Changes(s.Value, kernel.Access{Array: in, At: s.At})
		ls = ls.And(more)
	}
	return ls
}

// Changes finds conditions without which a value is an element of an array; never says that it
// is that, whatever holds.
func (b *Bounder) Changes(v *kernel.Value, of kernel.Access) (ls Limits, never bool) {
	d := b.differs(v, &something{element: &of})
	return d.Limits, d.never
}
