package machine

import (
	"egad/kernel"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// scalarForms reports whether v is computed by a form that takes an operand
// that does not vary as it is.
func scalarForms(v *kernel.Value) bool {
	if v.Elem != types.R || len(v.Args) != 2 {
		return false
	}
	switch v.Op {
	case ops.SymAdd, ops.SymSub, ops.SymMul, ops.SymDiv:
		return true
	}
	return false
}

// compute emits an elementwise operator. Its meaning is that of eval.Floats,
// or the same machine operation.
func (c *compiler) compute(v *kernel.Value) *reg {
	out := newReg(v.Elem, c.width(v))
	args := make([]*reg, len(v.Args))
	switch {
	case !c.Varies(v):
		for i, a := range v.Args {
			args[i] = c.reg(a)
		}
	case scalarForms(v) && !c.Varies(v.Args[0]):
		x, y := c.reg(v.Args[0]), c.reg(v.Args[1])
		c.emit(scalarLeft(v.Op, out, x, y))
		return out
	case scalarForms(v) && !c.Varies(v.Args[1]):
		x, y := c.reg(v.Args[0]), c.reg(v.Args[1])
		c.emit(scalarRight(v.Op, out, x, y))
		return out
	default:
		for i, a := range v.Args {
			args[i] = c.each(a)
		}
	}
	c.emitFor(v, operation(v, out, args))
	return out
}

// operation computes v lane by lane.
func operation(v *kernel.Value, out *reg, args []*reg) step {
	x := args[0]
	switch v.Op {
	case ops.SymWhere:
		return choose(v.Elem, out, x, args[1], args[2])
	case ops.SymReal:
		return func(n int) {
			to := out.r[:n]
			for i, a := range x.n[:n] {
				to[i] = float64(a)
			}
		}
	case ops.SymFloor, ops.SymRound:
		f := eval.Floats{}.Floor
		if v.Op == ops.SymRound {
			f = eval.Floats{}.Round
		}
		return func(n int) {
			for i, a := range x.r[:n] {
				out.n[i] = f(a)
			}
		}
	}
	real := v.Args[0].Elem == types.R
	if len(args) == 1 {
		if real {
			return unary(v, out, x)
		}
		f := ops.IntUnary(v.Op)
		return func(n int) {
			for i, a := range x.n[:n] {
				out.n[i] = f(a)
			}
		}
	}
	y := args[1]
	switch {
	case real && v.Elem == types.B:
		return compare(v.Op, out, x, y)
	case real:
		return arithmetic(v.Op, out, x, y)
	}
	f := ops.IntBinary(v.Op)
	return func(n int) {
		b := y.n[:n]
		for i, a := range x.n[:n] {
			out.n[i] = f(a, b[i])
		}
	}
}

func choose(elem types.Elem, out, test, x, y *reg) step {
	if elem != types.R {
		return func(n int) {
			for i, t := range test.n[:n] {
				if t != 0 {
					out.n[i] = x.n[i]
				} else {
					out.n[i] = y.n[i]
				}
			}
		}
	}
	return func(n int) {
		to, a, b := out.r[:n], x.r[:n], y.r[:n]
		for i, t := range test.n[:n] {
			if t != 0 {
				to[i] = a[i]
			} else {
				to[i] = b[i]
			}
		}
	}
}

func unary(v *kernel.Value, out, x *reg) step {
	if v.Op == ops.SymNeg {
		return func(n int) {
			to := out.r[:n]
			for i, a := range x.r[:n] {
				to[i] = -a
			}
		}
	}
	f := ops.FloatUnary(v.Op, v.N)
	return func(n int) {
		to := out.r[:n]
		for i, a := range x.r[:n] {
			to[i] = f(a)
		}
	}
}

func compare(op ops.Sym, out, x, y *reg) step {
	return func(n int) {
		b := y.r[:n]
		for i, a := range x.r[:n] {
			out.n[i] = 0
			if (eval.Floats{}).Compare(op, a, b[i]) {
				out.n[i] = 1
			}
		}
	}
}

func arithmetic(op ops.Sym, out, x, y *reg) step {
	switch op {
	case ops.SymAdd:
		return func(n int) {
			to, b := out.r[:n], y.r[:n]
			for i, a := range x.r[:n] {
				to[i] = a + b[i]
			}
		}
	case ops.SymSub:
		return func(n int) {
			to, b := out.r[:n], y.r[:n]
			for i, a := range x.r[:n] {
				to[i] = a - b[i]
			}
		}
	case ops.SymMul:
		return func(n int) {
			to, b := out.r[:n], y.r[:n]
			for i, a := range x.r[:n] {
				to[i] = a * b[i]
			}
		}
	case ops.SymDiv:
		return func(n int) {
			to, b := out.r[:n], y.r[:n]
			for i, a := range x.r[:n] {
				to[i] = a / b[i]
			}
		}
	}
	f := ops.FloatBinary(op)
	return func(n int) {
		to, b := out.r[:n], y.r[:n]
		for i, a := range x.r[:n] {
			to[i] = f(a, b[i])
		}
	}
}

// scalarLeft is [arithmetic] with a left operand that does not vary.
func scalarLeft(op ops.Sym, out, x, y *reg) step {
	switch op {
	case ops.SymAdd:
		return func(n int) {
			to, a := out.r[:n], x.r[0]
			for i, b := range y.r[:n] {
				to[i] = a + b
			}
		}
	case ops.SymSub:
		return func(n int) {
			to, a := out.r[:n], x.r[0]
			for i, b := range y.r[:n] {
				to[i] = a - b
			}
		}
	case ops.SymMul:
		return func(n int) {
			to, a := out.r[:n], x.r[0]
			for i, b := range y.r[:n] {
				to[i] = a * b
			}
		}
	default: // SymDiv
		return func(n int) {
			to, a := out.r[:n], x.r[0]
			for i, b := range y.r[:n] {
				to[i] = a / b
			}
		}
	}
}

// scalarRight is [arithmetic] with a right operand that does not vary.
func scalarRight(op ops.Sym, out, x, y *reg) step {
	switch op {
	case ops.SymSub:
		return func(n int) {
			to, b := out.r[:n], y.r[0]
			for i, a := range x.r[:n] {
				to[i] = a - b
			}
		}
	case ops.SymDiv:
		return func(n int) {
			to, b := out.r[:n], y.r[0]
			for i, a := range x.r[:n] {
				to[i] = a / b
			}
		}
	}
	return scalarLeft(op, out, y, x) // add and mul commute, but for which NaN they give
}
