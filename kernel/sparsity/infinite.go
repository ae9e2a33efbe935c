package sparsity

import (
	"math"

	"egad/internal/memo"
	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// signed is a number, and a sign of what may be infinite there.
type signed struct {
	*kernel.Value
	sign int
}

// isInf reports whether a number is an infinity of a sign.
func isInf(x ops.Scalar, sign int) bool {
	return x.Elem == types.R && math.IsInf(x.Num.Float64(), sign)
}

// infinite finds conditions without which a number is an infinity of a sign, if all numbers are finite that no mask
// has made infinite. So there are some for what is taken the exponential of in a softmax of what a mask leaves,
//
//	exp (where (m == s[i, j]) 0 (s[i, j] - m))
//
// where m is the largest of a row: the exponential is 0 without them.
func (b *Bounder) infinite(v *kernel.Value, sign int) Limits {
	return memo.Of(b.infinities, signed{v, sign}, func() Limits {
		b.infinities[signed{v, sign}] = nil // an array that is made of itself
		switch {
		case v.Elem != types.R:
		case v.Kind == kernel.Load:
			if s := b.filler(v.Access); s != nil {
				return b.at(b.Of(b.infinite(s.Value, sign), s.Access), v.Access)
			}
		case v.Kind != kernel.Compute:
		case v.Op == ops.SymWhere:
			if of, when := masked(v, sign); of != nil {
				return b.Holds(when.Of, when.One).And(b.infinite(of, sign))
			}
			if is := v.Args[0]; is.Kind == kernel.Compute && is.Op == ops.SymEq && is.Args[0].Elem == types.R {
				for i, x := range is.Args { // which is not what is finite where it is infinite
					if b.finite(is.Args[1-i]) {
						return b.infinite(v.Args[2], sign).or(b.infinite(x, -1).And(b.infinite(x, 1)))
					}
				}
			}
		case scales(v) != nil:
			x := scales(v)
			return b.infinite(x.Value, sign*x.sign)
		case v.Op == ops.SymAdd && b.finite(v.Args[0]):
			return b.infinite(v.Args[1], sign)
		case (v.Op == ops.SymAdd || v.Op == ops.SymSub) && b.finite(v.Args[1]):
			return b.infinite(v.Args[0], sign)
		case v.Op == ops.SymSub && b.finite(v.Args[0]):
			return b.infinite(v.Args[1], -sign)
		}
		return nil
	})
}

// masked is the number of a choice between it and an infinity of a sign, and what has to hold for it, or nil.
func masked(v *kernel.Value, sign int) (of *kernel.Value, when Truth) {
	for i := range 2 {
		if x := v.Args[2-i]; x.Kind == kernel.Lit && isInf(x.Const, sign) {
			return v.Args[1+i], Truth{v.Args[0], i == 0}
		}
	}
	return nil, Truth{}
}

// filler is what stores each element of the array of an access that is known to be there, or nil if there are several
// stores, or none that is known.
func (b *Bounder) filler(a kernel.Access) *kernel.Store {
	ss := b.Stores[a.Array]
	if a.Checked || b.Whole[a.Array] || len(ss) != 1 || ss[0].Add || !IsEach(ss[0]) {
		return nil
	}
	for i, x := range ss[0].At {
		if int(x.Range.Hi)+1 != a.Array.Shape[i] { // there are zeros beside
			return nil
		}
	}
	return ss[0]
}

// scales is the number of which a number is a multiple, with the sign of what it is multiplied by, or nil.
func scales(v *kernel.Value) *signed {
	by := func(i int, x *kernel.Value) *signed {
		if c := v.Args[i]; c.Kind == kernel.Lit && !isInf(c.Const, 0) {
			switch f := c.Const.Num.Float64(); {
			case f > 0:
				return &signed{x, 1}
			case f < 0:
				return &signed{x, -1}
			}
		}
		return nil
	}
	switch v.Op {
	case ops.SymNeg:
		return &signed{v.Args[0], -1}
	case ops.SymMul:
		if x := by(0, v.Args[1]); x != nil {
			return x
		}
		return by(1, v.Args[0])
	case ops.SymDiv:
		return by(1, v.Args[0])
	}
	return nil
}
