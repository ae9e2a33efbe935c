package sparsity

import (
	"math"

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
