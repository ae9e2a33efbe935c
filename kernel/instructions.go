package kernel

import (
	"math"
	"math/bits"

	"egad/term/ops"
	"egad/term/types"
)

// IsFunction reports whether a function of the module computes v.
func (v *Value) IsFunction() bool {
	return v.Kind == Compute && v.Elem == types.R && v.Args[0].Elem == types.R && functionOf(v.Op)
}

// functionOf reports whether an operator on reals is a function of the module.
func functionOf(op ops.Sym) bool { return !instructions[op] && !Rounds(op) }

// isInstruction reports whether an operator on reals is one instruction.
func isInstruction(op ops.Sym) bool { return instructions[op] }

// instructions are the operators on reals that are an instruction of the machine, or a few.
var instructions = map[ops.Sym]bool{
	ops.SymAdd: true, ops.SymSub: true, ops.SymMul: true, ops.SymDiv: true, ops.SymMin: true, ops.SymMax: true, ops.SymNeg: true, ops.SymAbs: true,
	ops.SymSqrt: true, ops.SymLt: true, ops.SymLe: true, ops.SymEq: true, ops.SymWhere: true, ops.SymRelu: true,
}

// AllZero reports whether no bit of v is set.
func (v *Value) AllZero() bool {
	return v.Kind == Lit && (v.Elem == types.R && math.Float64bits(v.Const.Num.Float64()) == 0 || v.Elem != types.R && v.Const.Int == 0)
}

// ByBits reports whether v is a whole number in a real made an integer, or the other way round, by the bits of
// [vecmath.Magic]. Of no other integer that a real is rounded to the range is known.
func (v *Value) ByBits() bool {
	switch {
	case v.Kind != Compute:
		return false
	case v.Op == ops.SymReal:
		return v.Args[0].within(maxWhole)
	}
	return v.Op == ops.SymRound && v.Elem == types.I && v.within(maxWhole)
}

// costOfReciprocal is how many instructions take about as long as a division by a reciprocal.
const costOfReciprocal = 6

// costOfMaking is how many instructions it takes to make an integer of a real, or a real of it.
const costOfMaking = 2

// dividendBits is how long the integers are that reciprocals divide.
const dividendBits = 31

// Inverted reports whether a quotient or a remainder is computed by the reciprocal of its divisor.
func (v *Value) Inverted() (mod bool, d int64, ok bool) {
	sym, x, d, ok := v.division()
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
