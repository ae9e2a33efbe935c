package ops

import (
	"math"

	"egad/term/numeric"
	"egad/term/types"
)

// Range bounds the elements of an integer array: Lo <= x <= Hi. It is an
// abstract value of interval analysis; narrower is better and never wrong.
type Range struct{ Lo, Hi int64 }

// AnyInt is the range that says nothing.
var AnyInt = Range{math.MinInt64, math.MaxInt64}

// Meet returns what two ranges of the same values say together. An empty range has
// Lo > Hi: no integer is in both.
func (r Range) Meet(s Range) Range { return Range{max(r.Lo, s.Lo), min(r.Hi, s.Hi)} }

// Join returns the range of values that are in one or the other.
func (r Range) Join(s Range) Range { return Range{min(r.Lo, s.Lo), max(r.Hi, s.Hi)} }

// Empty reports whether no integer is in r.
func (r Range) Empty() bool { return r.Lo > r.Hi }

// known reports whether r says anything, so that arithmetic on it is not
// arithmetic on the ends of the type.
func (r Range) known() bool { return r != AnyInt }

// RangeOf bounds the elements of op applied to children within the given ranges
// (AnyInt for children that are not integers). The result has type t.
func RangeOf(op Op, t *types.Type, kids []Range) Range {
	operands := make([]Operand, len(kids))
	for i, r := range kids {
		operands[i].Bounds = Bounds{r, numeric.AnyReal}
	}
	return BoundsOf(op, t, operands, false).Int
}

// checked maps the ends of a range, giving up if f does.
func checked(f func(int64) (int64, bool), lo, hi int64) Range {
	l, ok1 := f(lo)
	h, ok2 := f(hi)
	if !ok1 || !ok2 {
		return AnyInt
	}
	return Range{l, h}
}

// combine is the range of f over corners, for f monotone in each argument.
func combine(a, b Range, f func(a, b int64) (int64, bool)) Range {
	out := Range{math.MaxInt64, math.MinInt64}
	for _, x := range [2]int64{a.Lo, a.Hi} {
		for _, y := range [2]int64{b.Lo, b.Hi} {
			v, ok := f(x, y)
			if !ok {
				return AnyInt // it may wrap
			}
			out = out.Join(Range{v, v})
		}
	}
	return out
}

func addInt(a, b int64) (int64, bool) {
	r := a + b
	return r, (r > a) == (b > 0)
}

func mulInt(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	r := a * b
	return r, r/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64)
}
