package ops

import (
	"math"

	"egad/term/numeric"
	"egad/term/types"
)

// Bounds is what interval analysis says of the elements of an array: of integers
// or of reals.
type Bounds struct {
	Int  Range
	Real numeric.Interval
}

// Unbounded says nothing.
var Unbounded = Bounds{AnyInt, numeric.AnyReal}

// Operand is a child of an operator with what is known of it. Of a literal without
// a type the type is nil.
type Operand struct {
	Type *types.Type
	Bounds
}

// join is what is known of elements that are of one or of the other.
func (b Bounds) join(c Bounds) Bounds { return Bounds{b.Int.Join(c.Int), b.Real.Join(c.Real)} }

// Bounding is the question what the elements of Op applied to operands are between.
type Bounding struct {
	Op    Op
	Type  *types.Type // of the result
	Kids  []Operand
	Equal bool // there are two operands, and they are equal
}

// BoundsOf bounds the elements of op applied to operands; the result has type t.
// Equal says that there are two operands and they are equal.
func BoundsOf(op Op, t *types.Type, kids []Operand, equal bool) Bounds {
	out := Unbounded
	o := Builtin(op.Sym)
	if t.Kind != types.KArray || t.Elem == types.B || o == nil || o.bounds == nil {
		return out
	}
	b := o.bounds(Bounding{op, t, kids, equal})
	if t.Elem == types.I {
		out.Int = b.Int
	} else {
		out.Real = b.Real
	}
	return out
}

// BoundsOfNum bounds a number that may be an integer or a real.
func BoundsOfNum(n numeric.Num) Bounds {
	b := Bounds{AnyInt, n.Interval()}
	if r := n.Rat(); r != nil && r.IsInt() && r.Num().IsInt64() {
		b.Int = Range{r.Num().Int64(), r.Num().Int64()}
	}
	return b
}

// Meet returns what is known of elements of which both are known.
func (b Bounds) Meet(c Bounds) Bounds { return Bounds{b.Int.Meet(c.Int), b.Real.Meet(c.Real)} }

// Beside bounds what is less than, at most, or equal to elements with some bounds, or
// not below the other way around. It may be NaN.
func (b Bounds) Beside(sym Sym, below bool, elem types.Elem) Bounds {
	out := Unbounded
	switch {
	case elem == types.I && sym == SymEq:
		out.Int = b.Int
	case elem == types.I && below:
		out.Int.Hi = b.Int.Hi
		if sym == SymLt {
			out.Int.Hi = max(out.Int.Hi, math.MinInt64+1) - 1
		}
	case elem == types.I:
		out.Int.Lo = b.Int.Lo
		if sym == SymLt {
			out.Int.Lo = min(out.Int.Lo, math.MaxInt64-1) + 1
		}
	case elem == types.R && sym == SymEq:
		out.Real = b.Real
	case elem == types.R && below:
		out.Real.Hi, out.Real.NonZero = b.Real.Hi, sym == SymLt && b.Real.Hi <= 0
	case elem == types.R:
		out.Real.Lo, out.Real.NonZero = b.Real.Lo, sym == SymLt && b.Real.Lo >= 0
	}
	return out
}

// Without bounds elements that are not those with other bounds.
func (b Bounds) Without(c Bounds) Bounds {
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
