package kernel

import (
	"math/big"
	"math/bits"

	"egad/kernel/cost"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// IsFunction reports whether a function of the module computes v.
func (v *Value) IsFunction() bool {
	return v.Kind == Compute && v.Elem == types.R && v.Args[0].Elem == types.R && cost.IsFunction(v.Op)
}

// ByBits reports whether v is a whole number in a real made an integer, or the other way round, by the bits of
// [vecmath.Magic]. Of no other integer that a real is rounded to the range is known.
func (v *Value) ByBits() bool {
	switch {
	case v.Kind != Compute:
		return false
	case v.Op == ops.SymReal:
		return v.Args[0].Within(MaxWhole)
	}
	return v.Op == ops.SymRound && v.Elem == types.I && v.Within(MaxWhole)
}

// dividendBits is how long the integers are that reciprocals divide.
const dividendBits = 31

// Inverted reports whether a quotient or a remainder is computed by the reciprocal of its divisor.
func (v *Value) Inverted() (mod bool, d int64, ok bool) {
	sym, x, d, ok := v.Division()
	const most = 1 << (dividendBits - 2) // so that a dividend is small with a divisor added twice
	ok = ok && d > 0 && (d&(d-1) == 0 || d < most && x.Range.Lo > -most && x.Range.Hi < most)
	return sym == ops.SymMod, d, ok
}

// Mergeable reports whether a real may be computed, or loaded, where it is used, among
// statements that store where some arrays lie.
func (v *Value) Mergeable(stored func(*Array) bool) bool {
	return v.Elem == types.R && (v.Kind == Compute && !v.IsFunction() || v.Kind == Load && !v.Checked && !stored(v.Array))
}

// Merges reports whether a value is computed by an operator that uses its operands once.
func (v *Value) Merges() bool {
	switch v.Op {
	case ops.SymAdd, ops.SymSub, ops.SymMul, ops.SymDiv, ops.SymNeg, ops.SymMin, ops.SymMax, ops.SymAbs, ops.SymSqrt, ops.SymWhere:
		return v.Kind == Compute
	}
	return false
}

// Reciprocal are the factor and the shift of "Division by invariant integers using
// multiplication" (Granlund and Montgomery 1994, theorem 4.2): x div d is x * by >> shift for
// all x from 0 up to 2^dividendBits, and x * by is below 2^64.
func Reciprocal(d int64) (by, shift int64) {
	n := int64(bits.Len64(uint64(d - 1)))
	return ((int64(1)<<n-d)<<dividendBits)/d + 1<<dividendBits + 1, dividendBits + n
}

// TakesLong reports whether it takes long to compute a value, of one run alone.
func (v *Value) TakesLong() bool {
	return v.IsFunction() || v.Kind == Compute && v.Elem == types.R && (v.Op == ops.SymDiv || v.Op == ops.SymSqrt)
}

// Within reports whether the range of an integer is from -most to most.
func (v *Value) Within(most int64) bool { return v.Range.Lo >= -most && v.Range.Hi <= most }

// MaxWhole bounds integers that are reals whose lowest bits are those of the integer if [vecmath.Magic] is added.
const MaxWhole = 1 << 51

// Twin is the number of which, or of whose negative, v is a function.
func (v *Value) Twin() (of *Value, negative bool) {
	of = v.Args[0]
	if of.Kind == Compute && of.Op == ops.SymNeg {
		return of.Args[0], true
	}
	return of, false
}

// Real64 makes a literal of a number.
func Real64(x float64) *Value {
	return NewBuilder(nil).Lit(ops.ScalarR(numeric.Of(new(big.Rat).SetFloat64(x))))
}
