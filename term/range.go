package term

import "math"

// Range bounds the elements of an integer array: Lo <= x <= Hi. It is an
// abstract value of interval analysis; narrower is better and never wrong.
type Range struct{ Lo, Hi int64 }

// AnyInt is the range that says nothing.
var AnyInt = Range{math.MinInt64, math.MaxInt64}

// Meet is what two ranges of the same values say together. An empty range has
// Lo > Hi: no integer is in both.
func (r Range) Meet(s Range) Range { return Range{max(r.Lo, s.Lo), min(r.Hi, s.Hi)} }

// Join is the range of values that are in one or the other.
func (r Range) Join(s Range) Range { return Range{min(r.Lo, s.Lo), max(r.Hi, s.Hi)} }

// Empty reports whether no integer is in r.
func (r Range) Empty() bool { return r.Lo > r.Hi }

// known reports whether r says anything, so that arithmetic on it is not
// arithmetic on the ends of the type.
func (r Range) known() bool { return r != AnyInt }

// RangeOf bounds the elements of op applied to children within the given ranges
// (AnyInt for children that are not integers). The result has type t.
func RangeOf(op Op, t *Type, kids []Range) Range {
	if t.Kind != KArray || t.Elem != I {
		return AnyInt
	}
	zero := Range{0, 0}
	switch op.Sym {
	case SymConst:
		r := Range{op.Const.Fill.Int, op.Const.Fill.Int}
		for i, s := range op.Const.Data {
			if i == 0 {
				r = Range{s.Int, s.Int}
			}
			r = r.Join(Range{s.Int, s.Int})
		}
		return r
	case SymIvar, SymIota:
		if n, ok := op.Sizes[0].Const(); ok && n > 0 {
			return Range{0, n - 1}
		}
	case SymIndex, SymGather:
		return kids[0].Join(zero) // out of range reads 0
	case SymReplicate, SymTr, SymReshape, SymBuild:
		return kids[0]
	case SymStack:
		r := kids[0]
		for _, k := range kids[1:] {
			r = r.Join(k)
		}
		return r
	case SymCond, SymWhere:
		return kids[1].Join(kids[2])
	case SymNeg:
		return checked(func(x int64) (int64, bool) { return -x, x != math.MinInt64 }, kids[0].Hi, kids[0].Lo)
	case SymAbs:
		if kids[0].Lo >= 0 {
			return kids[0]
		}
		if kids[0].Lo > math.MinInt64 {
			return Range{0, max(-kids[0].Lo, kids[0].Hi)}
		}
	case SymAdd:
		return combine(kids[0], kids[1], addInt)
	case SymSub:
		return combine(kids[0], Range{kids[1].Lo, kids[1].Hi}, func(a, b int64) (int64, bool) {
			r := a - b
			return r, (r < a) == (b > 0)
		})
	case SymMul:
		return combine(kids[0], kids[1], mulInt)
	case SymMin:
		return Range{min(kids[0].Lo, kids[1].Lo), min(kids[0].Hi, kids[1].Hi)}
	case SymMax:
		return Range{max(kids[0].Lo, kids[1].Lo), max(kids[0].Hi, kids[1].Hi)}
	case SymIdiv:
		if kids[1].Lo > 0 && kids[0].known() {
			return combine(kids[0], kids[1], func(a, b int64) (int64, bool) { return floorDiv(a, b), true })
		}
	case SymMod:
		if kids[1].Lo > 0 {
			if kids[0].Lo >= 0 && kids[0].Hi < kids[1].Lo {
				return kids[0]
			}
			return Range{0, kids[1].Hi - 1}
		}
	}
	return AnyInt
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
