package wasm

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Func is a function that is being written.
type Func struct {
	Name            string // by which it is exported, unless it is ""
	Index           uint32 // for calls
	params, results []Type
	locals          []Type
	code            []byte
	spare           []Local // two, or none yet
}

// Local is a parameter or a local of a function.
type Local uint32

// Params is the number of parameters.
func (f *Func) Params() int { return len(f.params) }

// Local adds a local, which is 0 at the start.
func (f *Func) Local(t Type) Local {
	f.locals = append(f.locals, t)
	return Local(len(f.params) + len(f.locals) - 1)
}

func (f *Func) body() []byte {
	// Locals are declared in runs of one type.
	var runs []byte
	n := uint64(0)
	for i := 0; i < len(f.locals); {
		j := i
		for j < len(f.locals) && f.locals[j] == f.locals[i] {
			j++
		}
		runs = append(uleb(runs, uint64(j-i)), byte(f.locals[i]))
		n++
		i = j
	}
	return append(append(append(uleb(nil, n), runs...), f.code...), byte(end))
}

// Get pushes a local, Set pops one, and Tee sets one to the top of the stack.
func (f *Func) Get(l Local) { f.local(localGet, l) }

// Set pops a local.
func (f *Func) Set(l Local) { f.local(localSet, l) }

// Tee sets a local to the top of the stack, which stays there.
func (f *Func) Tee(l Local) { f.local(localTee, l) }

func (f *Func) local(op Op, l Local) {
	f.Op(op)
	f.code = uleb(f.code, uint64(l))
}

// Op writes instructions that have no operands but those on the stack.
func (f *Func) Op(ops ...Op) {
	for _, op := range ops {
		if !f.several(op) {
			f.op(op)
		}
	}
}

func (f *Func) op(op Op) {
	switch {
	case op >= simd:
		f.code = uleb(append(f.code, vector), uint64(op-simd))
	case op>>8 != 0: // the saturating truncations: a prefix, and a number
		f.code = uleb(append(f.code, saturating), uint64(op&0xff))
	default:
		f.code = append(f.code, byte(op))
	}
}

// OpI32 writes an instruction of which the last operand is a number.
func (f *Func) OpI32(op Op, x int32) {
	switch {
	case x == 0 && (op == I32Add || op == I32Sub), x == 1 && op == I32Mul:
		return
	case op == I32Mul && x > 0 && x&(x-1) == 0: // which wazero would multiply by
		op, x = I32Shl, int32(bits.TrailingZeros32(uint32(x)))
	}
	f.I32(x)
	f.Op(op)
}

// OpI64 is [Func.OpI32] of a number of 64 bits.
func (f *Func) OpI64(op Op, x int64) {
	f.I64(x)
	f.Op(op)
}

// On pushes what an instruction makes of two locals.
func (f *Func) On(op Op, x, y Local) {
	f.Get(x)
	f.Get(y)
	f.Op(op)
}

// OnI32 pushes what an instruction makes of a local and a number.
func (f *Func) OnI32(op Op, l Local, x int32) {
	f.Get(l)
	f.OpI32(op, x)
}

// SetI32 sets a local to a number.
func (f *Func) SetI32(l Local, x int32) {
	f.I32(x)
	f.Set(l)
}

// AddI32 adds a number to a local.
func (f *Func) AddI32(l Local, x int32) {
	f.OnI32(I32Add, l, x)
	f.Set(l)
}

// I32 pushes a number, and so do I64, F64 and F64x2, the last one twice.
func (f *Func) I32(x int32) {
	f.Op(i32Const)
	f.code = sleb(f.code, int64(x))
}

// I64 pushes a number.
func (f *Func) I64(x int64) {
	f.Op(i64Const)
	f.code = sleb(f.code, x)
}

// F64 pushes a number.
func (f *Func) F64(x float64) {
	f.Op(f64Const)
	f.code = binary.LittleEndian.AppendUint64(f.code, math.Float64bits(x))
}

// F64x2 pushes a vector whose lanes are both x.
func (f *Func) F64x2(x float64) { f.I64x2(int64(math.Float64bits(x))) }

// I64x2 pushes a vector whose lanes are both x.
func (f *Func) I64x2(x int64) { f.I64x2Of(x, x) }

// Memory writes a load or a store at the address on the stack plus offset, aligned
// to 8 bytes.
func (f *Func) Memory(op Op, offset uint32) {
	f.Op(op)
	f.code = uleb(uleb(f.code, 3), uint64(offset))
}

// Fill fills memory: on the stack are the address, the byte, and how many.
func (f *Func) Fill() { f.code = append(f.code, saturating, 0x0b, 0) }

// Copy copies memory: on the stack are the address to copy to, that to copy from, and
// how many bytes.
func (f *Func) Copy() { f.code = append(f.code, saturating, 0x0a, 0, 0) }

// Lane writes an instruction on a lane of a vector.
func (f *Func) Lane(op Op, lane byte) {
	f.Op(op)
	f.code = append(f.code, lane)
}

// Call writes a call.
func (f *Func) Call(index uint32) {
	f.Op(call)
	f.code = uleb(f.code, uint64(index))
}

// empty is the type of a block that has no result.
const empty = 0x40

// Block writes what body writes as a block: a Break of depth 0 in it goes to its end.
func (f *Func) Block(body func()) { f.structure(block, body) }

// Loop writes what body writes as a loop: a Break of depth 0 in it goes to its begin.
func (f *Func) Loop(body func()) { f.structure(loop, body) }

// If writes what body writes, to be done if the number on the stack is not 0. It says that else nothing is to be
// done: behind an if without an else, wazero does not know which addresses were checked before it.
func (f *Func) If(body func()) { f.IfElse(body, func() {}) }

// IfElse writes what then or what otherwise writes, by the number on the stack.
func (f *Func) IfElse(then, otherwise func()) {
	f.structure(ifThen, func() {
		then()
		f.Op(elseThen)
		otherwise()
	})
}

func (f *Func) structure(op Op, body func()) {
	f.Op(op)
	f.code = append(f.code, empty)
	body()
	f.Op(end)
}

// Break goes to the end of a block, or to the begin of a loop, of so many around it.
func (f *Func) Break(depth uint32) {
	f.Op(br)
	f.code = uleb(f.code, uint64(depth))
}

// Again goes to the begin of the loop that it ends if the number on the stack is not 0. It is
// no br_if: wazero would make a block of the way back, and compare for a register, not for a jump.
func (f *Func) Again() { f.structure(ifThen, func() { f.Break(1) }) }

// I64x2Of pushes a vector of two numbers.
func (f *Func) I64x2Of(x, y int64) {
	f.Op(v128Const)
	f.code = binary.LittleEndian.AppendUint64(f.code, uint64(x))
	f.code = binary.LittleEndian.AppendUint64(f.code, uint64(y))
}
