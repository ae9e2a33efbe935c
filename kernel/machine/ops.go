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
		if v.Elem != types.R {
			return choose(&out.n, x, &args[1].n, &args[2].n)
		}
		return choose(&out.r, x, &args[1].r, &args[2].r)
	case ops.SymReal:
		return func(n int) {
			to := out.r[:n]
			for i, a := range x.n[:n] {
				to[i] = float64(a)
			}
		}
	case ops.SymFloor:
		return each(&out.n, &x.r, eval.Floats{}.Floor)
	case ops.SymRound:
		return each(&out.n, &x.r, eval.Floats{}.Round)
	}
	real := v.Args[0].Elem == types.R
	switch {
	case len(args) == 1 && real:
		return unary(v, out, x)
	case len(args) == 1:
		return each(&out.n, &x.n, ops.IntUnary(v.Op))
	case real && v.Elem == types.B:
		return compare(v.Op, out, x, args[1])
	case real:
		return arithmetic(v.Op, out, x, args[1])
	}
	return both(&out.n, &x.n, &args[1].n, ops.IntBinary(v.Op))
}

// each makes numbers of others by a function.
func each[S, T any](to *[]T, x *[]S, f func(S) T) step {
	return func(n int) {
		out := (*to)[:n]
		for i, a := range (*x)[:n] {
			out[i] = f(a)
		}
	}
}

// both makes numbers of two others each by a function.
func both[S any](to, x, y *[]S, f func(a, b S) S) step {
	return func(n int) {
		out, b := (*to)[:n], (*y)[:n]
		for i, a := range (*x)[:n] {
			out[i] = f(a, b[i])
		}
	}
}

// choose makes of each two numbers that of which a truth value says that it is.
func choose[S any](to *[]S, test *reg, x, y *[]S) step {
	return func(n int) {
		out, a, b := (*to)[:n], (*x)[:n], (*y)[:n]
		for i, t := range test.n[:n] {
			if t != 0 {
				out[i] = a[i]
			} else {
				out[i] = b[i]
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
	return each(&out.r, &x.r, ops.FloatUnary(v.Op, v.N))
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
	return both(&out.r, &x.r, &y.r, ops.FloatBinary(op))
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
