package numeric

import (
	"fmt"
	"math"
)

// Interval bounds the elements of an array of reals, as floats: those that are
// numbers are in Lo <= x <= Hi, where an infinite end stands for an infinity too.
// Operations round outwards, so that the bounds hold of the real numbers as well
// that the floats stand for.
type Interval struct {
	Lo, Hi float64
	// NonZero: no element is 0 or -0.
	NonZero bool
	// Number: no element is NaN.
	Number bool
}

// AnyReal is the interval that says nothing.
var AnyReal = Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}

// AnyFinite is the interval of the finite numbers.
var AnyFinite = Interval{Lo: -math.MaxFloat64, Hi: math.MaxFloat64, Number: true}

// PointOf returns the interval of one float; of NaN nothing is known.
func PointOf(x float64) Interval {
	if math.IsNaN(x) {
		return AnyReal
	}
	return Interval{x, x, x != 0, true}
}

// Integers returns the interval of the integers from lo to hi, as reals.
func Integers(lo, hi int64) Interval {
	const exact = 1 << 53
	a, b := float64(lo), float64(hi)
	if -exact <= lo && hi <= exact {
		return Interval{a, b, lo > 0 || hi < 0, true}
	}
	return hullOf(true, exactly(a), exactly(b))
}

// Interval returns what contains a literal and the float it is rounded to.
func (n Num) Interval() Interval {
	v := PointOf(n.Float64())
	if r := n.Rat(); r != nil {
		f, exact := r.Float64()
		v.NonZero = f != 0
		if !exact {
			v.Lo, v.Hi = math.Nextafter(f, math.Inf(-1)), math.Nextafter(f, math.Inf(1))
		}
	}
	return v
}

// String says where the elements are: [0, 1], or without 0 if none is 0.
func (a Interval) String() string {
	left, right, without := "[", "]", ""
	switch {
	case !a.NonZero:
	case a.Lo < 0 && a.Hi > 0:
		without = " without 0"
	default: // an end that is 0 is open
		if a.Lo == 0 {
			left = "("
		}
		if a.Hi == 0 {
			right = ")"
		}
	}
	return fmt.Sprintf("in %s%g, %g%s%s", left, a.Lo, a.Hi, right, without)
}

// Finite reports whether all elements are finite.
func (a Interval) Finite() bool {
	return a.Number && a.Lo >= -math.MaxFloat64 && a.Hi <= math.MaxFloat64
}

// AtMost reports whether no element of a is greater than one of b; NaN is not.
func (a Interval) AtMost(b Interval) bool { return a.Hi <= b.Lo }

// Less reports whether every element of a is less than all of b, NaN aside.
func (a Interval) Less(b Interval) bool {
	return a.Hi < b.Lo || a.Hi == b.Lo && a.Hi == 0 && (a.NonZero || b.NonZero)
}

// Differ reports whether no element of a is one of b.
func (a Interval) Differ(b Interval) bool {
	return a.Less(b) || b.Less(a) || a.NonZero && b.IsZero() || b.NonZero && a.IsZero()
}

// IsZero reports whether all elements are 0.
func (a Interval) IsZero() bool { return a.Lo == 0 && a.Hi == 0 }

// Join returns the interval of what is in one or the other.
func (a Interval) Join(b Interval) Interval {
	return Interval{min(a.Lo, b.Lo), max(a.Hi, b.Hi), a.NonZero && b.NonZero, a.Number && b.Number}
}

// Meet returns what two intervals of the same values say together. It is empty if
// Lo > Hi.
func (a Interval) Meet(b Interval) Interval {
	return Interval{max(a.Lo, b.Lo), min(a.Hi, b.Hi), a.NonZero || b.NonZero, a.Number || b.Number}
}

// Empty reports whether no number is in a.
func (a Interval) Empty() bool { return a.Lo > a.Hi || a.NonZero && a.IsZero() }

// MayBeZero reports whether an element may be 0.
func (a Interval) MayBeZero() bool { return !a.NonZero && a.Lo <= 0 && a.Hi >= 0 }

func (a Interval) mayBeInf() bool { return math.IsInf(a.Lo, 0) || math.IsInf(a.Hi, 0) }

// upward and downward are the least power of two that is not below x, and the
// greatest that is not above it. With bounds of few values, narrowing them in a
// circle ends soon. What is tiny counts as 0, as products of tiny numbers do.
func upward(x float64) float64 { return -downward(-x) }

func downward(x float64) float64 {
	switch {
	case x == 0 || math.IsInf(x, 0):
		return x
	case math.IsNaN(x):
		return math.Inf(-1)
	case x > 0 && x < tiny:
		return 0
	case x < 0 && x > -tiny:
		return -tiny
	}
	frac, exp := math.Frexp(x) // 1/2 <= |frac| < 1
	if frac > 0 {
		return math.Ldexp(0.5, exp)
	}
	if frac == -0.5 {
		return x
	}
	return max(math.Ldexp(-1, exp), -math.MaxFloat64)
}

const tiny = 0x1p-1000

// hull is the interval of computed values. That of 0 and of a power of two may
// have been rounded, unless they are exact; others are rounded here.
func hull(number bool, vs ...rounded) Interval {
	out := Interval{math.Inf(1), math.Inf(-1), false, number}
	for _, v := range vs {
		lo, hi := v.x, v.x
		if v.err != 0 {
			// It is enough to go one float further.
			lo, hi = math.Nextafter(v.x, math.Inf(-1)), math.Nextafter(v.x, math.Inf(1))
			if v.sign > 0 {
				lo = max(lo, 0)
			} else if v.sign < 0 {
				hi = min(hi, 0)
			}
		}
		if math.IsNaN(v.x) {
			return Interval{math.Inf(-1), math.Inf(1), false, number}
		}
		out.Lo, out.Hi = min(out.Lo, downward(lo)), max(out.Hi, upward(hi))
	}
	out.NonZero = out.Lo > 0 || out.Hi < 0
	return out
}

// rounded is a float that was computed: err is 0 if it is exact. If sign is not 0
// the number that it stands for is on that side of 0, or 0.
type rounded struct {
	x, err float64
	sign   int
}

func exactly(x float64) rounded { return rounded{x: x} }

func signOf(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

func addRounded(a, b float64) rounded {
	s := a + b
	if math.IsInf(a, 0) || math.IsInf(b, 0) {
		return exactly(s)
	}
	c := s - a
	err := (a - (s - c)) + (b - c)
	if math.IsInf(s, 0) {
		err = 0
	}
	return rounded{s, err, 0}
}

func mulRounded(a, b float64) rounded {
	if a == 0 || b == 0 {
		return exactly(0) // also of an infinity: the products of what is near it
	}
	r := rounded{x: a * b, sign: signOf(a) * signOf(b)}
	switch {
	case math.IsInf(r.x, 0):
	case math.Abs(r.x) < tiny:
		r.err = 1
	default:
		r.err = math.FMA(a, b, -r.x)
	}
	return r
}

func divRounded(a, b float64) rounded {
	if a == 0 || math.IsInf(b, 0) {
		if math.IsInf(a, 0) {
			return rounded{x: 0, sign: signOf(a) * signOf(b)}
		}
		return exactly(0)
	}
	r := rounded{x: a / b, sign: signOf(a) * signOf(b)}
	switch {
	case math.IsInf(r.x, 0):
	case math.Abs(r.x) < tiny || math.Abs(a) < tiny:
		r.err = 1
	default:
		r.err = math.FMA(r.x, b, -a)
	}
	return r
}

// Neg bounds -x.
func (a Interval) Neg() Interval { return Interval{-a.Hi, -a.Lo, a.NonZero, a.Number} }

// Abs bounds |x|.
func (a Interval) Abs() Interval {
	switch {
	case a.Lo >= 0:
		return a
	case a.Hi <= 0:
		return a.Neg()
	}
	return Interval{0, max(-a.Lo, a.Hi), a.NonZero, a.Number}
}

// Add bounds a sum of two.
func (a Interval) Add(b Interval) Interval {
	number := a.Number && b.Number && !(math.IsInf(a.Lo, -1) && math.IsInf(b.Hi, 1)) && !(math.IsInf(a.Hi, 1) && math.IsInf(b.Lo, -1))
	out := hullOf(number, addRounded(a.Lo, b.Lo), addRounded(a.Hi, b.Hi))
	if a.Lo >= 0 && b.Lo >= 0 || a.Hi <= 0 && b.Hi <= 0 { // nothing is lost
		out.NonZero = out.NonZero || a.NonZero || b.NonZero
	}
	return out
}

// hullOf is hull of a lower and an upper end.
func hullOf(number bool, lo, hi rounded) Interval {
	l, h := hull(number, lo), hull(number, hi)
	out := Interval{l.Lo, h.Hi, false, number}
	out.NonZero = out.Lo > 0 || out.Hi < 0
	return out
}

// Mul bounds a product of two.
func (a Interval) Mul(b Interval) Interval {
	number := a.Number && b.Number && !(a.MayBeZero() && b.mayBeInf()) && !(a.mayBeInf() && b.MayBeZero())
	return hull(number, mulRounded(a.Lo, b.Lo), mulRounded(a.Lo, b.Hi), mulRounded(a.Hi, b.Lo), mulRounded(a.Hi, b.Hi))
}

// Div bounds a quotient: a divisor that may be 0 may be -0, and tells nothing.
func (a Interval) Div(b Interval) Interval {
	number := a.Number && b.Number && !(a.MayBeZero() && b.MayBeZero()) && !(a.mayBeInf() && b.mayBeInf())
	if b.Lo <= 0 && b.Hi >= 0 {
		return Interval{math.Inf(-1), math.Inf(1), false, number}
	}
	return hull(number, divRounded(a.Lo, b.Lo), divRounded(a.Lo, b.Hi), divRounded(a.Hi, b.Lo), divRounded(a.Hi, b.Hi))
}

// Monotone returns the interval of a growing function that is within some units in the
// last place, and within floor and ceiling.
func (a Interval) Monotone(f func(float64) float64, floor, ceiling float64) Interval {
	end := func(x float64, toward float64) float64 {
		y := f(x)
		if math.IsInf(y, 0) || math.IsNaN(y) {
			return y
		}
		return y + math.Copysign(1e-12, toward)*math.Abs(y)
	}
	out := hullOf(a.Number, exactly(end(a.Lo, -1)), exactly(end(a.Hi, 1)))
	out.Lo, out.Hi = max(out.Lo, floor), min(out.Hi, ceiling)
	out.NonZero = out.Lo > 0 || out.Hi < 0
	return out
}

// MonotoneThrough is Monotone for a function that is y at x, and on the right side
// of y beside x.
func (a Interval) MonotoneThrough(f func(float64) float64, x, y, floor, ceiling float64) Interval {
	if a.Lo >= x {
		floor = y
	}
	if a.Hi <= x {
		ceiling = y
	}
	return a.Monotone(f, floor, ceiling)
}

// Pow bounds a power. It knows powers of what is not negative, and even powers.
func (a Interval) Pow(b Interval) Interval {
	pow := func(a Interval) Interval {
		c := a.Monotone(func(x float64) float64 { return Pow(x, b.Lo) }, 0, math.Inf(1))
		d := a.Monotone(func(x float64) float64 { return Pow(x, b.Hi) }, 0, math.Inf(1))
		return Interval{min(c.Lo, d.Lo), max(c.Hi, d.Hi), false, a.Number && b.Number}
	}
	var out Interval
	switch {
	case b.Lo == b.Hi && math.Mod(b.Lo, 2) == 0 && b.Lo > 0:
		out = pow(a.Abs())
	case b.Lo == b.Hi && math.Mod(b.Lo, 2) == 0:
		out = Interval{Lo: 0, Hi: math.Inf(1), Number: a.Number && b.Number}
	case a.Lo < 0 || a.MayBeZero() && b.Lo < 0:
		return AnyReal
	case b.Lo >= 0 && b.Number:
		out = pow(a)
		out.Lo, out.Hi = min(out.Lo, 1), max(out.Hi, 1)
		if a.Lo >= 1 {
			out.Lo = 1
		}
	default:
		out = Interval{Lo: 0, Hi: math.Inf(1), Number: a.Number && b.Number}
	}
	out.NonZero = out.Lo > 0
	return out
}

// Sum bounds a sum of from least to most elements, added in any order
// from 0.
func (a Interval) Sum(least, most float64) Interval {
	number := a.Number && (a.Lo >= 0 || a.Hi <= 0 || !a.mayBeInf())
	// A sum of n floats is off by at most n parts in 2^53.
	times := func(x, n, toward float64) float64 {
		if n == 0 || x == 0 {
			return 0
		}
		y := x * n
		if n < 1<<40 {
			return y + toward*math.Abs(y)*(n+2)*0x1p-52
		}
		return math.Inf(int(toward))
	}
	lo, hi := times(a.Lo, most, -1), times(a.Hi, most, 1)
	if a.Lo >= 0 {
		lo = max(times(a.Lo, least, -1), 0)
	}
	if a.Hi <= 0 {
		hi = min(times(a.Hi, least, 1), 0)
	}
	return hullOf(number, exactly(lo), exactly(hi))
}
