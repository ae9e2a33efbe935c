package kernel

import (
	"math/bits"

	"egad/kernel/wasm"
	"egad/term"
)

// division writes x div d or x mod d for a literal d > 0 without an instruction that divides, and
// reports whether it can: if d is a power of two, or the range of x is small.
func (e *emitter) division(v *Value, arg func(i int)) bool {
	mod, d, ok := v.inverted()
	if !ok {
		return false
	}
	f := e.f
	arg(0)
	if d&(d-1) == 0 { // both round down
		if mod {
			f.OpI64(wasm.I64And, d-1)
			return true
		}
		f.OpI64(wasm.I64ShrS, int64(bits.TrailingZeros64(uint64(d))))
		return true
	}
	if mod { // x - d * (x div d)
		arg(0)
	}
	less := min(0, floorDiv(v.Args[0].Range.Lo, d))
	if less < 0 {
		f.OpI64(wasm.I64Add, -less*d)
	}
	by, shift := reciprocal(d)
	f.OpI64(wasm.I64Mul, by)
	f.OpI64(wasm.I64ShrU, shift)
	if less < 0 {
		f.OpI64(wasm.I64Add, less)
	}
	if mod {
		f.I64(d)
		f.Op(wasm.I64Mul, wasm.I64Sub)
	}
	return true
}

// magicBits are the bits of [vecmath.Magic]: with an integer added to them, which is not beyond maxWhole, they
// are those of their sum as reals.
const magicBits = 0x4338000000000000

// made reports whether v is a whole number in a real made an integer, or the other way round, by the bits of
// [vecmath.Magic]. Of no other integer that a real is rounded to the range is known.
func (v *Value) made() bool {
	switch {
	case v.Kind != Compute:
		return false
	case v.Op == term.SymReal:
		return v.Args[0].within(maxWhole)
	}
	return v.Op == term.SymRound && v.Elem == term.I && v.within(maxWhole)
}

// costOfReciprocal is how many instructions take about as long as a division by a reciprocal.
const costOfReciprocal = 6

// costOfMaking is how many instructions it takes to make an integer of a real, or a real of it.
const costOfMaking = 2

// dividendBits is how long the integers are that reciprocals divide.
const dividendBits = 31

// inverted reports whether a quotient or a remainder is computed by the reciprocal of its divisor.
func (v *Value) inverted() (mod bool, d int64, ok bool) {
	sym, x, d, ok := v.division()
	const most = 1 << (dividendBits - 2) // so that a dividend is small with a divisor added twice
	ok = ok && d > 0 && (d&(d-1) == 0 || d < most && x.Range.Lo > -most && x.Range.Hi < most)
	return sym == term.SymMod, d, ok
}

// reciprocal are the factor and the shift of "Division by invariant integers using
// multiplication" (Granlund and Montgomery 1994, theorem 4.2): x div d is x * by >> shift for
// all x from 0 up to 2^dividendBits, and x * by is below 2^64.
func reciprocal(d int64) (by, shift int64) {
	n := int64(bits.Len64(uint64(d - 1)))
	return ((int64(1)<<n-d)<<dividendBits)/d + 1<<dividendBits + 1, dividendBits + n
}
