package native

import (
	"math"
	"slices"

	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/vecmath"
	"egad/kernel/wasm"
	"egad/term/ops"
	"egad/term/types"
)

// push pushes the value of v, which is the same for all lanes, in a row.
func (e *emitter) push(v *kernel.Value, p place) {
	if _, ok := e.regs[v]; ok {
		e.f.Get(e.reg(v, p))
		return
	}
	switch v.Kind {
	case kernel.Lit:
		switch v.Elem {
		case types.R:
			e.f.F64(v.Const.Num.Float64())
		case types.B:
			e.f.I32(int32(v.Const.Int))
		default:
			e.f.I64(v.Const.Int)
		}
	case kernel.Var, kernel.Linear:
		e.pushLinear(v, p)
	default:
		e.compute(v, p)
	}
}

// pushCounter pushes the index of a loop as an integer, of which its counter is eight times as much.
func (e *emitter) pushCounter(v *kernel.Value) {
	e.f.OnI32(wasm.I32ShrU, e.counters[v], 3)
	e.f.Op(wasm.I64ExtendI32U)
}

// pushLinear pushes the index of a loop, or a linear value, for one lane if it varies.
func (e *emitter) pushLinear(v *kernel.Value, p place) {
	if v.Kind == kernel.Var {
		e.pushCounter(v)
		n := e.ahead[v]
		if e.jammed(v) {
			n += int64(p.row)
		}
		if e.varying(v) {
			n += int64(2*p.u) + int64(p.lane)
		}
		if n != 0 {
			e.f.OpI64(wasm.I64Add, n)
		}
		return
	}
	e.f.I64(v.Const.Int)
	for i, a := range v.Args {
		e.pushLane(a, p)
		e.f.I64(v.Coef[i])
		e.f.Op(wasm.I64Mul, wasm.I64Add)
	}
}

// compute computes v, which is the same for all lanes, on the stack.
func (e *emitter) compute(v *kernel.Value, p place) {
	if v.Kind == kernel.Load {
		e.load(v, p)
		return
	}
	e.operation(v, func(i int) { e.push(v.Args[i], p) })
}

// pushVector pushes v for the lanes of a place.
func (e *emitter) pushVector(v *kernel.Value, p place) {
	switch _, ok := e.regs[v]; {
	case !e.varying(v):
		e.pushWide(v, p)
	case ok:
		e.f.Get(e.reg(v, p))
	default:
		e.vector(v, p)
	}
}

// pushAs pushes v for the lanes of a place if another value varies, and else once.
func (e *emitter) pushAs(other, v *kernel.Value, p place) {
	if e.varying(other) {
		e.pushVector(v, p)
	} else {
		e.push(v, p)
	}
}

// pushWide pushes a value for each lane that does not vary.
func (e *emitter) pushWide(v *kernel.Value, p place) {
	if w, ok := e.wide[v]; ok {
		if !e.jammed(v) {
			p.row = 0
		}
		e.f.Get(w[p.row])
		return
	}
	if v.Kind == kernel.Compute && v.Op == ops.SymNeg && v.Args[0].Kind == kernel.Lit && v.Elem == types.R { // -0
		e.f.F64x2(-v.Args[0].Const.Num.Float64())
		return
	}
	if v.Kind != kernel.Lit {
		e.splat(v, p)
		return
	}
	switch v.Elem {
	case types.R:
		e.f.F64x2(v.Const.Num.Float64())
	case types.B:
		e.f.I64x2(-v.Const.Int)
	default:
		e.f.I64x2(v.Const.Int)
	}
}

// vector computes v, which varies, for the lanes of a place. A truth value is all
// bits or none.
func (e *emitter) vector(v *kernel.Value, p place) {
	switch v.Kind {
	case kernel.Var:
		e.f.I64x2(0) // not what a register was before, for which a splat waits
		for lane := range byte(2) {
			e.pushCounter(v)
			e.f.Lane(wasm.I64x2ReplaceLane, lane)
		}
		first := int64(2*p.u) + e.ahead[v]
		e.f.I64x2Of(first, first+1)
		e.f.Op(wasm.I64x2Add)
	case kernel.Linear:
		e.f.I64x2(v.Const.Int)
		for i, a := range v.Args {
			e.pushVector(a, p)
			if v.Coef[i] == 1 {
				e.f.Op(wasm.I64x2Add)
				continue
			}
			if v.Coef[i] == -1 {
				e.f.Op(wasm.I64x2Sub)
				continue
			}
			e.f.I64x2(v.Coef[i])
			e.f.Op(wasm.I64x2Mul, wasm.I64x2Add)
		}
	case kernel.Load:
		e.load(v, p)
	default:
		if !e.vectorOperation(v, p) {
			lanes(e.f, v.Elem, func(lane byte) {
				e.operation(v, func(i int) { e.pushLane(v.Args[i], p.in(lane)) })
			})
		}
	}
}

// single reports whether an integer is computed for each lane by itself: it is loaded so, or
// made of integers that are.
func (e *emitter) single(v *kernel.Value) bool {
	if v.Elem != types.I || !e.varying(v) {
		return false
	}
	if v.Kind == kernel.Load { // what is checked is asked for each lane
		return !e.neighbours(v.Access) || e.checking != nil && e.checking.Index(v)
	}
	return !slices.ContainsFunc(v.Args, func(a *kernel.Value) bool { return !e.byLane(a) })
}

// byLane reports whether an integer is known for each lane by itself.
func (e *emitter) byLane(v *kernel.Value) bool {
	switch {
	case v.Elem != types.I:
		return false
	case v.Kind == kernel.Linear:
		return !slices.ContainsFunc(v.Args, func(a *kernel.Value) bool { return !e.byLane(a) })
	}
	return v.Kind == kernel.Var || !e.varying(v) || e.scalars[v] != nil
}

// oneByOne computes an integer for each lane of a place, and pushes them as a vector.
func (e *emitter) oneByOne(v *kernel.Value, p place) {
	var ls [2]wasm.Local
	for lane := range byte(2) {
		if v.Kind == kernel.Load {
			e.loadOne(v, p.in(lane))
		} else {
			e.operation(v, func(i int) { e.pushLane(v.Args[i], p.in(lane)) })
		}
		ls[lane] = e.f.Local(wasm.I64)
		e.f.Set(ls[lane])
	}
	e.scalars[v] = append(e.scalars[v], ls[:]...)
	if v.Kind == kernel.Load || !e.vectorOperation(v, p) {
		lanes(e.f, v.Elem, func(lane byte) { e.f.Get(ls[lane]) })
	}
}

// pushLane pushes v at a place, for one lane if there are lanes.
func (e *emitter) pushLane(v *kernel.Value, p place) {
	if !e.varying(v) {
		e.push(v, p)
		return
	}
	if ls := e.scalars[v]; ls != nil {
		e.f.Get(ls[2*e.number(v, p)+int(p.lane)])
		return
	}
	if _, ok := e.regs[v]; !ok && e.byLane(v) {
		e.pushLinear(v, p)
		return
	}
	e.pushVector(v, p)
	e.extract(v.Elem, p.lane)
}

// extract takes a lane out of the vector on the stack.
func (e *emitter) extract(t types.Elem, lane byte) {
	if t == types.R {
		e.f.Lane(wasm.F64x2ExtractLane, lane)
		return
	}
	e.f.Lane(wasm.I64x2ExtractLane, lane)
	if t == types.B {
		e.f.OpI64(wasm.I64Ne, 0)
	}
}

// lanes pushes a vector of what one pushes for each lane.
func lanes(f *wasm.Func, t types.Elem, one func(lane byte)) {
	for lane := range byte(2) {
		one(lane)
		switch t {
		case types.I:
			f.Op(wasm.F64ReinterpretI64)
		case types.B:
			f.Op(wasm.I64ExtendI32U, wasm.F64ReinterpretI64)
		}
		if lane == 0 {
			f.Op(wasm.F64x2Splat)
		} else {
			f.Lane(wasm.F64x2ReplaceLane, 1)
		}
	}
	if t == types.B {
		f.Op(wasm.I64x2Neg)
	}
}

// scalarOps and vectorOps are the operators on reals that are one instruction.
var (
	scalarOps = map[ops.Sym]wasm.Op{
		ops.SymAdd: wasm.F64Add, ops.SymSub: wasm.F64Sub, ops.SymMul: wasm.F64Mul, ops.SymDiv: wasm.F64Div,
		ops.SymMin: wasm.F64Min, ops.SymMax: wasm.F64Max, ops.SymNeg: wasm.F64Neg, ops.SymAbs: wasm.F64Abs,
		ops.SymSqrt: wasm.F64Sqrt, ops.SymLt: wasm.F64Lt, ops.SymLe: wasm.F64Le, ops.SymEq: wasm.F64Eq,
	}
	vectorOps = map[ops.Sym]wasm.Op{
		ops.SymAdd: wasm.F64x2Add, ops.SymSub: wasm.F64x2Sub, ops.SymMul: wasm.F64x2Mul, ops.SymDiv: wasm.F64x2Div,
		ops.SymMin: wasm.F64x2Min, ops.SymMax: wasm.F64x2Max, ops.SymNeg: wasm.F64x2Neg, ops.SymAbs: wasm.F64x2Abs,
		ops.SymSqrt: wasm.F64x2Sqrt, ops.SymLt: wasm.F64x2Lt, ops.SymLe: wasm.F64x2Le, ops.SymEq: wasm.F64x2Eq,
	}
	intOps = map[ops.Sym]wasm.Op{
		ops.SymAdd: wasm.I64Add, ops.SymSub: wasm.I64Sub, ops.SymMul: wasm.I64Mul,
		ops.SymLt: wasm.I64LtS, ops.SymLe: wasm.I64LeS, ops.SymEq: wasm.I64Eq,
	}
	intVectorOps = map[ops.Sym]wasm.Op{
		ops.SymAdd: wasm.I64x2Add, ops.SymSub: wasm.I64x2Sub, ops.SymMul: wasm.I64x2Mul,
		ops.SymLt: wasm.I64x2LtS, ops.SymEq: wasm.I64x2Eq,
	}
	// Of two integers these operators choose the first, if they compare so.
	intFirst       = map[ops.Sym]wasm.Op{ops.SymMin: wasm.I64LtS, ops.SymMax: wasm.I64GtS}
	intVectorFirst = map[ops.Sym]wasm.Op{ops.SymMin: wasm.I64x2LtS, ops.SymMax: wasm.I64x2GtS}
	truthVectorOps = map[ops.Sym]wasm.Op{ops.SymAnd: wasm.V128And, ops.SymOr: wasm.V128Or, ops.SymEq: wasm.I64x2Eq}
)

// operation writes an operator on one lane; arg pushes an operand, as often as it is
// called. The meaning is that of eval.Floats.
func (e *emitter) operation(v *kernel.Value, arg func(i int)) {
	all := func(op wasm.Op) {
		for _, x := range e.inOrder(v) {
			arg(slices.Index(v.Args, x))
		}
		e.f.Op(op)
	}
	of := v.Args[0].Elem
	if v.Op == ops.SymWhere {
		arg(1)
		arg(2)
		arg(0)
		if v.Elem == types.R && v.Args[1].Kind != kernel.Lit {
			e.f.SelectF64()
		} else {
			e.f.Op(wasm.Select)
		}
		return
	}
	switch of {
	case types.R:
		switch op, ok := scalarOps[v.Op]; {
		case ok:
			all(op)
		case v.Op == ops.SymFloor, v.Op == ops.SymRound:
			arg(0)
			if v.ByBits() {
				e.f.F64(vecmath.Magic)
				e.f.Op(wasm.F64Add, wasm.I64ReinterpretF64)
				e.f.OpI64(wasm.I64Sub, magicBits)
				return
			}
			e.f.Op(map[bool]wasm.Op{true: wasm.F64Floor, false: wasm.F64Nearest}[v.Op == ops.SymFloor], wasm.I64TruncSatF64S)
			if v.Elem == types.R {
				e.f.Op(wasm.F64ConvertI64S)
			}
		case v.Op == ops.SymRelu: // NaN of NaN
			e.f.F64(0)
			arg(0)
			arg(0)
			e.f.F64(0)
			e.f.Op(wasm.F64Le, wasm.Select)
		default:
			for i := range v.Args {
				arg(i)
				e.f.Op(wasm.F64x2Splat)
			}
			e.f.Call(e.library.Function(v.Op, v.N, len(v.Args), 1))
			e.f.Lane(wasm.F64x2ExtractLane, 0)
		}
	case types.I:
		switch op, ok := intOps[v.Op]; {
		case ok:
			all(op)
		case v.Op == ops.SymReal:
			all(wasm.F64ConvertI64S)
		case v.Op == ops.SymNeg:
			e.f.I64(0)
			all(wasm.I64Sub)
		case intFirst[v.Op] != 0:
			arg(0)
			arg(1)
			all(intFirst[v.Op])
			e.f.Op(wasm.Select)
		case e.division(v, arg):
		default:
			for i := range v.Args {
				arg(i)
			}
			e.f.Call(e.integer(v.Op, len(v.Args)))
		}
	default:
		switch v.Op {
		case ops.SymNot:
			all(wasm.I32Eqz)
		case ops.SymAnd:
			all(wasm.I32And)
		case ops.SymOr:
			all(wasm.I32Or)
		default: // eq
			all(wasm.I32Eq)
		}
	}
}

// vectorOperation writes an operator on vectors, and reports whether it can.
func (e *emitter) vectorOperation(v *kernel.Value, p place) bool {
	push := func(args ...*kernel.Value) {
		for _, a := range args {
			e.pushVector(a, p)
		}
	}
	all := func(op wasm.Op) bool {
		push(e.inOrder(v)...)
		e.f.Op(op)
		return true
	}
	x, of := v.Args, v.Args[0].Elem
	if v.Op == ops.SymWhere {
		switch {
		case x[1].IsZero():
			push(x[2], x[0])
			e.f.Op(wasm.V128AndNot)
		case x[2].IsZero():
			push(x[1], x[0])
			e.f.Op(wasm.V128And)
		default:
			push(x[1], x[2], x[0])
			e.f.Op(wasm.V128Bitselect)
		}
		return true
	}
	table := map[types.Elem]map[ops.Sym]wasm.Op{types.R: vectorOps, types.I: intVectorOps, types.B: truthVectorOps}[of]
	if op, ok := table[v.Op]; ok {
		return all(op)
	}
	switch mod, d, ok := v.Inverted(); {
	case ok && mod && d&(d-1) == 0:
		push(x[0])
		e.f.I64x2(d - 1)
		e.f.Op(wasm.V128And)
		return true
	case v.Op == ops.SymNot:
		return all(wasm.V128Not)
	case v.ByBits() && v.Elem == types.I:
		push(x[0])
		e.f.F64x2(vecmath.Magic)
		e.f.Op(wasm.F64x2Add)
		e.f.I64x2(magicBits)
		e.f.Op(wasm.I64x2Sub)
		return true
	case v.ByBits():
		push(x[0])
		e.f.I64x2(magicBits)
		e.f.Op(wasm.I64x2Add)
		e.f.F64x2(vecmath.Magic)
		e.f.Op(wasm.F64x2Sub)
		return true
	case of == types.I && v.Op == ops.SymNeg:
		return all(wasm.I64x2Neg)
	case of == types.I && intVectorFirst[v.Op] != 0:
		push(x[0], x[1])
		all(intVectorFirst[v.Op])
		e.f.Op(wasm.V128Bitselect)
		return true
	case of == types.I && v.Op == ops.SymLe: // not y < x
		push(x[1], x[0])
		e.f.Op(wasm.I64x2LtS, wasm.V128Not)
		return true
	case v.Elem == types.R && cost.Rounds(v.Op): // as integers are: within 64 bits, no -0, and 0 of NaN
		push(x[0])
		e.f.Op(map[bool]wasm.Op{true: wasm.F64x2Floor, false: wasm.F64x2Nearest}[v.Op == ops.SymFloor])
		e.f.F64x2(0x1p63)
		e.f.Op(wasm.F64x2Pmin)
		e.f.F64x2(-0x1p63)
		e.f.Op(wasm.F64x2Pmax)
		e.f.F64x2(0)
		e.f.Op(wasm.F64x2Add)
		push(x[0], x[0])
		e.f.Op(wasm.F64x2Eq, wasm.V128And)
		return true
	case v.Op == ops.SymRelu: // a where not a <= 0, else 0
		push(x[0], x[0])
		e.f.F64x2(0)
		e.f.Op(wasm.F64x2Le, wasm.V128AndNot)
		return true
	case v.IsFunction():
		push(x...)
		e.f.Call(e.library.Function(v.Op, v.N, len(x), 1))
		return true
	}
	return false
}

// inOrder are the operands of v in the order in which they are pushed: of a sum or a product
// one that is computed for it comes first, or one that is used no more but for other rows and lanes,
// and for fewer of them, as wazero computes an operator in the place of its first operand, and
// copies that before if it is used again.
func (e *emitter) inOrder(v *kernel.Value) []*kernel.Value {
	if v.Op != ops.SymMul && v.Op != ops.SymAdd || v.Args[0].Kind == kernel.Folded || v.Args[0].Kind == kernel.Carried {
		return v.Args
	}
	uses := func(x *kernel.Value) int {
		if e.merged[x] || e.vectors > 0 && !e.varying(x) && e.wide[x] == nil {
			return 0
		}
		if e.last[x] != v {
			return math.MaxInt
		}
		n := 1
		if !e.jammed(x) {
			n = e.lines
		}
		if !e.varying(x) {
			n *= max(1, e.vectors)
		}
		return n
	}
	if uses(v.Args[1]) < uses(v.Args[0]) {
		return []*kernel.Value{v.Args[1], v.Args[0]}
	}
	return v.Args
}
