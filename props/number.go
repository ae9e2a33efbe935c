package props

import (
	"fmt"
	"math"
	"math/big"

	"egad/internal/raise"
	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
)

// Number is a real as two ways to compute one thing are compared by: the exact
// rational while that is known, else a float64 with a bound on its error, how far
// it may be from what exact arithmetic on the same operands gives, with some room.
// Numbers have no largest one: only what is not rational overflows, and of that
// nothing is known any more. NaN is what is no number, as 0 / 0.
type Number struct {
	V float64  // the nearest float64; an infinity or NaN by itself if Q is nil
	E float64  // the bound on the error; infinite if nothing is known
	Q *big.Rat // the exact number, nil if it is not known
	// Pole marks what depends on a quotient by 0 or the like: the sign of a zero
	// may decide, and that does not count.
	Pole bool
	// from tells how an inexact number was computed: those computed alike are
	// equal.
	from uint64
}

// unit is a few roundings of float64: library functions are not always correctly
// rounded.
const unit = 4 * 0x1p-52

// tiny is more than the error of a result that underflows.
const tiny = 0x1p-1072

// exactBits bounds the size of exact rationals; beyond it they are rounded.
const exactBits = 4096

// Running is the arithmetic of numbers with their errors.
type Running struct {
	// Unsure is set when a comparison or a rounding to an integer depends on an
	// error; nil if nobody asks.
	Unsure *bool
}

func exactly(q *big.Rat) Number {
	v, _ := q.Float64()
	if q.Num().BitLen() > exactBits || q.Denom().BitLen() > exactBits {
		if math.IsInf(v, 0) {
			return unknown
		}
		return Number{V: v, E: unit*math.Abs(v) + tiny}
	}
	return Number{V: v, Q: q}
}

// numberOf is a float64: a rational number, an infinity, or no number.
func numberOf(x float64) Number {
	if q := new(big.Rat).SetFloat64(x); q != nil {
		return Number{V: x, Q: q}
	}
	return Number{V: x}
}

var (
	unknown = Number{E: math.Inf(1)}
	zero    = numberOf(0)
	one     = numberOf(1)
)

func (a Number) known() bool { return a.Q != nil || !math.IsInf(a.E, 0) && a.finite() }

func (a Number) finite() bool { return !math.IsNaN(a.V) && !math.IsInf(a.V, 0) }

func (a Number) unknown() bool { return a.Q == nil && math.IsInf(a.E, 1) }

// is reports whether a is exactly the integer n.
func (a Number) is(n int64) bool {
	return a.Q != nil && a.Q.IsInt() && a.Q.Num().IsInt64() && a.Q.Num().Int64() == n
}

// sign is that of a number; sure is false if its error reaches 0.
func (a Number) sign() (s int, sure bool) {
	switch {
	case a.Q != nil:
		return a.Q.Sign(), true
	case a.V > a.E:
		return 1, true
	case a.V < -a.E:
		return -1, true
	}
	return 0, false
}

// error bounds the distance of a from its float64.
func (a Number) error() float64 {
	if a.Q == nil {
		return a.E
	}
	if _, exact := a.Q.Float64(); exact && (a.V != 0 || a.Q.Sign() == 0) || math.IsInf(a.V, 0) {
		return 0
	}
	return unit*math.Abs(a.V) + tiny
}

// float is a number as a float64 with an error, if it is one.
func (a Number) float() (Number, bool) {
	if a.Q != nil {
		return Number{V: a.V, E: a.error()}, a.finite()
	}
	return a, true
}

// mix makes one origin of some.
func mix(x uint64, ys ...uint64) uint64 {
	for _, y := range ys {
		x = (x ^ y) * 0x9e3779b97f4a7c15
		x ^= x >> 29
	}
	return x
}

func (a Number) origin() uint64 {
	if a.Q == nil {
		return a.from
	}
	x := uint64(1)
	for _, w := range append(a.Q.Num().Bits(), a.Q.Denom().Bits()...) {
		x = mix(x, uint64(w))
	}
	return mix(x, uint64(a.Q.Sign()+1))
}

// FromNum is exact.
func (Running) FromNum(n numeric.Num) Number {
	if q := n.Rat(); q != nil {
		return exactly(q)
	}
	return Number{V: n.Float64()}
}

// FromInt is exact.
func (Running) FromInt(i int64) Number { return exactly(new(big.Rat).SetInt64(i)) }

// Unary is exact where the result is rational, and else carries the error through
// the operator by its values around the operand.
func (Running) Unary(sym ops.Sym, n int, a Number) Number {
	if a.unknown() {
		return unknown
	}
	if a.Q != nil {
		if q := exactUnary(sym, a.Q); q != nil {
			out := exactly(q)
			out.Pole = a.Pole
			return out
		}
	}
	x, ok := a.float()
	if !ok {
		return unknown
	}
	f := eval.Floats{}.PrepareUnary(sym, n)
	v := f(x.V)
	out := Number{V: v, Pole: a.Pole, from: mix(uint64(sym), uint64(n), a.origin())}
	if !x.finite() {
		return out.rounded()
	}
	lo, hi := x.V-x.E, x.V+x.E
	switch sym {
	case ops.SymNeg, ops.SymAbs:
		out.E = x.E
		return out
	case ops.SymSqrt:
		if x.V >= 0 {
			lo = max(lo, 0)
		}
	case ops.SymLog:
		if a.is(0) {
			out.Pole = true
			return out
		}
	case ops.SymLog1p:
		if a.is(-1) {
			out.Pole = true
			return out
		}
	case ops.SymAsin, ops.SymAcos:
		if math.Abs(x.V) <= 1 {
			lo, hi = max(lo, -1), min(hi, 1)
		}
	case ops.SymSin, ops.SymCos, ops.SymTan:
		if x.E > 0.1 || sym == ops.SymTan && x.E*math.Abs(v) > 0.5 { // there may be a pole
			return unknown
		}
	case ops.SymLgamma, ops.SymPolygamma:
		if x.V <= 0 && x.V == math.Trunc(x.V) {
			if x.E > 0 {
				return unknown
			}
			out.Pole = true
			return out
		}
		if math.Floor(lo) != math.Floor(hi) && lo <= 0 {
			return unknown
		}
	}
	if sym == ops.SymLgamma || sym == ops.SymPolygamma { // series, and near 0 differences
		out.E = 1e-12
		return out.between(f, x.V, lo, hi, 1e4)
	}
	return out.between(f, x.V, lo, hi, 1)
}

// between adds to the error of a result that f gives at x what its values between
// two bounds say, and roundings, of which it has so many times more than
// others. What overflows, and what is a number at some of them only, is not
// known.
func (a Number) between(f func(float64) float64, x, lo, hi, worse float64) Number {
	if math.IsInf(a.V, 0) {
		return unknown
	}
	d := 0.0
	for _, y := range []float64{lo, hi, (lo + x) / 2, (x + hi) / 2} {
		if y == x {
			continue
		}
		v := f(y)
		if math.IsNaN(v) != math.IsNaN(a.V) || math.IsInf(v, 0) {
			return unknown
		}
		d = max(d, math.Abs(v-a.V))
	}
	if math.IsNaN(a.V) {
		return a
	}
	a.E += 2 * d
	return a.roundedBy(worse)
}

// rounded adds the error of one operation.
func (a Number) rounded() Number { return a.roundedBy(1) }

func (a Number) roundedBy(worse float64) Number {
	if a.finite() {
		a.E += worse * (unit*math.Abs(a.V) + tiny)
	}
	return a
}

// exactUnary is the value of an operator at a rational where that is rational and
// plain to see, else nil.
func exactUnary(sym ops.Sym, q *big.Rat) *big.Rat {
	if f := ops.RationalUnary(sym); f != nil {
		return f(q)
	}
	switch x, _ := q.Float64(); {
	case sym == ops.SymSqrt && q.Sign() > 0 && q.Num().BitLen() <= 512 && q.Denom().BitLen() <= 512:
		n, d := new(big.Int).Sqrt(q.Num()), new(big.Int).Sqrt(q.Denom())
		if r := new(big.Rat).SetFrac(n, d); new(big.Rat).Mul(r, r).Cmp(q) == 0 {
			return r
		}
	case q.Sign() == 0 || q.Cmp(one.Q) == 0:
		// What functions are at 0 and 1 is transcendental, or one of these.
		if f := ops.FloatUnary(sym, 0); f != nil {
			if y := f(x); y == 0 || y == 0.5 || y == 1 {
				return new(big.Rat).SetFloat64(y)
			}
		}
	}
	return nil
}

// Binary is exact where the result is rational, and else carries the errors of
// both operands through.
func (Running) Binary(sym ops.Sym, a, b Number) (out Number) {
	defer func() { out.Pole = out.Pole || a.Pole || b.Pole }()
	if a.Q != nil && b.Q != nil {
		if out, ok := exactBinary(sym, a.Q, b.Q); ok {
			return out
		}
	}
	if sym == ops.SymMul && (a.is(0) && b.known() || b.is(0) && a.known()) {
		return zero
	}
	if a.unknown() || b.unknown() {
		return unknown
	}
	if (sym == ops.SymMin || sym == ops.SymMax) && !(a.known() && b.known()) {
		return extreme(sym, a, b)
	}
	x, ok1 := a.float()
	y, ok2 := b.float()
	if !ok1 || !ok2 {
		return unknown
	}
	v := eval.Floats{}.Binary(sym, x.V, y.V)
	out = Number{V: v, from: mix(uint64(sym)<<32, a.origin(), b.origin())}
	if !x.finite() || !y.finite() {
		if s, sure := a.sign(); sym == ops.SymMul && x.finite() && (!sure || s == 0 && !a.is(0)) {
			return unknown
		}
		if s, sure := b.sign(); (sym == ops.SymMul || sym == ops.SymDiv) && y.finite() && (!sure || s == 0 && !b.is(0)) {
			return unknown
		}
		return out.rounded()
	}
	switch sym {
	case ops.SymAdd, ops.SymSub, ops.SymMin, ops.SymMax:
		out.E = x.E + y.E
	case ops.SymMul:
		out.E = math.Abs(x.V)*y.E + math.Abs(y.V)*x.E + x.E*y.E
	case ops.SymDiv:
		if b.is(0) { // and a is not exact: its sign counts, if it is sure
			if s, sure := a.sign(); !sure || s == 0 {
				return unknown
			}
			out.Pole = true
			return out
		}
		if _, sure := b.sign(); !sure {
			return unknown
		}
		least := math.Abs(y.V) - y.E
		out.E = x.E/least + math.Abs(v)*y.E/least
	case ops.SymPow:
		return out.power(a, b, x, y)
	case ops.SymAtan2:
		if s, sure := a.sign(); s == 0 || !sure {
			if t, sure := b.sign(); t <= 0 || !sure {
				return unknown // the sign of a zero decides, or an error
			}
		}
		left := func(x float64) float64 { return numeric.Atan2(x, y.V) }
		right := func(y float64) float64 { return numeric.Atan2(x.V, y) }
		out = out.between(left, x.V, x.V-x.E, x.V+x.E, 1)
		return out.between(right, y.V, y.V-y.E, y.V+y.E, 1)
	}
	if !out.finite() || math.IsInf(out.E, 0) || math.IsNaN(out.E) {
		return unknown // it overflows
	}
	return out.rounded()
}

// extreme is the greater or lesser of two of which one is not a number.
func extreme(sym ops.Sym, a, b Number) Number {
	v := eval.Floats{}.Binary(sym, a.V, b.V)
	for _, x := range []Number{a, b} {
		if x.V == v && !math.IsNaN(v) {
			return x
		}
	}
	return Number{V: v}
}

// power sets the error of a ^ b.
func (out Number) power(a, b, x, y Number) Number {
	sa, sure := a.sign()
	switch {
	case a.is(0):
		switch sb, sure := b.sign(); {
		case !sure:
			return unknown
		case sb < 0:
			out.Pole = true
			return out
		case sb > 0:
			return zero
		}
		return one
	case b.is(0) || a.is(1):
		return one
	case !sure || sa == 0:
		return unknown
	case sa < 0 && y.E > 0:
		return unknown // whether the exponent is an integer is not known
	}
	pow := ops.FloatBinary(ops.SymPow)
	left := func(x float64) float64 { return pow(x, y.V) }
	right := func(y float64) float64 { return pow(x.V, y) }
	// Go computes exp (y * log x) with a rounded product, or multiplies y times.
	out = out.between(left, x.V, x.V-x.E, x.V+x.E, 16+math.Abs(y.V)*(1+math.Abs(math.Log(math.Abs(x.V)))))
	return out.between(right, y.V, y.V-y.E, y.V+y.E, 1)
}

// exactBinary is the value of an operator at rationals; ok is false where it is
// not rational.
func exactBinary(sym ops.Sym, a, b *big.Rat) (out Number, ok bool) {
	if sym == ops.SymDiv && b.Sign() == 0 {
		if a.Sign() == 0 {
			return Number{V: math.NaN(), Pole: true}, true
		}
		return Number{V: math.Inf(a.Sign()), Pole: true}, true
	}
	err := raise.Catch(func() { out = exactly(eval.Rationals{Bits: exactBits}.Binary(sym, a, b)) })
	return out, err == nil
}

// Compare is exact where both operands are, or were computed alike. Where their
// errors overlap it looks at the values.
func (r Running) Compare(sym ops.Sym, a, b Number) bool {
	if a.Q != nil && b.Q != nil {
		return eval.Rationals{}.Compare(sym, a.Q, b.Q)
	}
	switch {
	case a.unknown() || b.unknown():
		r.unsure()
	case a.Q == nil && b.Q == nil && a.from == b.from && a.from != 0:
		return !math.IsNaN(a.V) && sym != ops.SymLt
	case a.known() && b.known() && math.Abs(a.V-b.V) <= a.error()+b.error(), a.Pole, b.Pole:
		r.unsure()
	}
	return eval.Floats{}.Compare(sym, a.V, b.V)
}

func (r Running) unsure() {
	if r.Unsure != nil {
		*r.Unsure = true
	}
}

// whole rounds to an integer.
func (r Running) whole(a Number, exact func(*big.Rat) int64, f func(float64) int64) int64 {
	if a.Q != nil {
		return exact(a.Q)
	}
	if a.unknown() || a.Pole || f(a.V-a.E) != f(a.V+a.E) {
		r.unsure()
	}
	return f(a.V)
}

// Floor rounds down.
func (r Running) Floor(a Number) int64 {
	return r.whole(a, eval.Rationals{}.Floor, eval.Floats{}.Floor)
}

// Round rounds to nearest, ties to even.
func (r Running) Round(a Number) int64 {
	return r.whole(a, eval.Rationals{}.Round, eval.Floats{}.Round)
}

// IsNaN looks at the value.
func (r Running) IsNaN(a Number) bool {
	if a.unknown() {
		r.unsure()
	}
	return a.Q == nil && math.IsNaN(a.V)
}

// agreement is what comparing the two sides of a real rule in an element says.
type agreement uint8

const (
	agrees   agreement = iota
	differs            // the rule is wrong
	noNumber           // the left side is no number: nothing is promised
	notKnown           // a side overflows, or the sign of a zero decides
)

// agree compares an element of both sides as docs/rules.md says: what is a number
// on the left is the same number on the right, and what is infinite by itself, as
// the maximum of nothing, is so on the right.
func (a Number) agree(b Number) agreement {
	switch {
	case a.unknown():
		return notKnown
	case !a.known() && (math.IsNaN(a.V) || a.Pole):
		return noNumber
	case b.unknown():
		return notKnown
	case !a.known() || !b.known():
		if !a.known() && !b.known() && a.V == b.V {
			return agrees
		}
		return differs
	case a.Q != nil && b.Q != nil:
		if a.Q.Cmp(b.Q) == 0 {
			return agrees
		}
	case math.Abs(a.V-b.V) <= a.error()+b.error():
		return agrees
	}
	if a.Pole || b.Pole {
		return notKnown
	}
	return differs
}

// String is a number as it is shown in a counterexample.
func (a Number) String() string {
	if a.Q != nil {
		if s := a.Q.RatString(); len(s) <= 20 {
			return s
		}
	}
	return fmt.Sprint(a.V)
}
