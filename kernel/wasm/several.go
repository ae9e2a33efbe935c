package wasm

// Of each of the instructions here wazero 1.12.0 makes several ones of amd64, of which a later one changes, or leaves as
// it is, a register that an earlier one has set: its register allocator takes that for set once. If it loads an operand
// from the stack in between, into that very register, as the next block expects the operand there, then the register
// is loaded again as it was at first, or not at all. So they are written as others, each of which is one instruction of
// amd64, or have copies of operands, which no block expects anywhere.

// several writes others instead of a vector instruction, if it is one of these, and reports that.
func (f *Func) several(op Op) bool {
	switch op {
	case V128Bitselect:
		f.bitselect()
	case F64x2Min:
		f.minimum()
	case F64x2Max:
		f.maximum()
	case I64x2Mul:
		f.product()
	default:
		return false
	}
	return true
}

// SelectF64 is [Select] of two reals, of which it copies the first. A constant needs no copy.
func (f *Func) SelectF64() {
	c, y := f.Local(I32), f.Local(F64)
	f.Set(c)
	f.Set(y)
	f.F64(0)
	f.Op(F64Sub)
	f.Get(y)
	f.Get(c)
	f.Op(Select)
}

func (f *Func) bitselect() {
	mask, y := f.vectors()
	f.Set(mask)
	f.Get(mask)
	f.Op(V128AndNot)
	f.Set(y)
	f.Get(mask)
	f.Op(V128And)
	f.Get(y)
	f.Op(V128Or)
}

// minimum has all bits of the lesser number in either order: they are one number, but that -0 has a sign, and that the
// first of two is NaN if either is.
func (f *Func) minimum() {
	f.eitherOrder(F64x2Pmin)
	f.Op(V128Or)
}

// maximum has the bits that the greater number has in both orders, and is NaN where it is not one number.
func (f *Func) maximum() {
	f.eitherOrder(F64x2Pmax)
	x, y := f.vectors()
	f.Set(y)
	f.Set(x)
	f.On(V128And, x, y)
	f.On(F64x2Ne, x, y)
	f.Op(V128Or)
}

// eitherOrder pushes what an instruction makes of two vectors, and of the second and the first.
func (f *Func) eitherOrder(op Op) {
	x, y := f.vectors()
	f.Set(y)
	f.Set(x)
	f.On(op, x, y)
	f.On(op, y, x)
}

// product multiplies copies.
func (f *Func) product() {
	x, y := f.vectors()
	for _, l := range []Local{y, x} {
		f.Set(l)
		f.On(V128And, l, l)
		f.Set(l)
	}
	f.Get(x)
	f.Get(y)
	f.op(I64x2Mul)
}

// vectors are two locals for what an instruction needs in passing.
func (f *Func) vectors() (x, y Local) {
	if f.spare == nil {
		f.spare = []Local{f.Local(V128), f.Local(V128)}
	}
	return f.spare[0], f.spare[1]
}
