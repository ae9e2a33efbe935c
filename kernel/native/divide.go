package native

import (
	"math/bits"

	"egad/kernel"
	"egad/kernel/wasm"
	"egad/term/ops"
)

// division writes x div d or x mod d for a literal d > 0 without an instruction that divides, and
// reports whether it can: if d is a power of two, or the range of x is small.
func (e *emitter) division(v *kernel.Value, arg func(i int)) bool {
	mod, d, ok := v.Inverted()
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
	less := min(0, ops.IntBinary(ops.SymIdiv)(v.Args[0].Range.Lo, d))
	if less < 0 {
		f.OpI64(wasm.I64Add, -less*d)
	}
	by, shift := kernel.Reciprocal(d)
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

// magicBits are the bits of [vecmath.Magic]: with an integer added to them, which is not beyond [kernel.MaxWhole], they
// are those of their sum as reals.
const magicBits = 0x4338000000000000
