package eval

import (
	"egad/term/ops"
	"egad/term/types"
)

// elementwise prepares op on operands whose elements correspond.
func (a Arrays[S]) elementwise(o *ops.Operator, op ops.Op, args []*Value[S], t *types.Type) (*Value[S], Step) {
	r := a.room(t)
	if len(t.Shape) == 0 {
		return r, a.scalar(o, op, args, r)
	}
	each := a.element(o, op, args, r)
	return r, func() {
		a.ended()
		for i := range r.Len() {
			each(i)
		}
	}
}

// scalar is element of a scalar r; the operators that programs have most are computed at once.
func (a Arrays[S]) scalar(o *ops.Operator, op ops.Op, args []*Value[S], r *Value[S]) Step {
	switch {
	case op.Sym == ops.SymWhere || op.Sym == ops.SymWithslope || args[0].Elem != r.Elem:
	case r.Elem == types.R && o.Arity == 1:
		f, z, x := PreparedUnary(a.Scalars, op.Sym, op.N), &r.R[0], &args[0].R[0]
		return func() { *z = f(*x) }
	case r.Elem == types.R:
		f, z, x, y := PreparedBinary(a.Scalars, op.Sym), &r.R[0], &args[0].R[0], &args[1].R[0]
		return func() { *z = f(*x, *y) }
	case o.Arity == 2:
		f, z, x, y := ops.IntBinary(o.Sym), &r.N[0], &args[0].N[0], &args[1].N[0]
		switch op.Sym {
		case ops.SymAdd:
			return func() { *z = *x + *y }
		case ops.SymSub:
			return func() { *z = *x - *y }
		case ops.SymMul:
			return func() { *z = *x * *y }
		}
		return func() { *z = f(*x, *y) }
	}
	each := a.element(o, op, args, r)
	return func() { each(0) }
}

// element gives what computes an element of r.
func (a Arrays[S]) element(o *ops.Operator, op ops.Op, args []*Value[S], r *Value[S]) func(i int) {
	sym, n, x := op.Sym, op.N, args[0]
	switch {
	case op.Sym == ops.SymWhere:
		return func(i int) {
			from := args[2]
			if x.N[i] != 0 {
				from = args[1]
			}
			copyBlock(r, i, from, i, 1)
		}
	case sym == ops.SymWithslope:
		return func(i int) { r.R[i] = x.R[i] }
	case sym == ops.SymReal:
		return func(i int) { r.R[i] = a.Scalars.FromInt(x.N[i]) }
	case sym == ops.SymFloor:
		return func(i int) { r.N[i] = a.Scalars.Floor(x.R[i]) }
	case sym == ops.SymRound:
		return func(i int) { r.N[i] = a.Scalars.Round(x.R[i]) }
	case x.Elem != types.R && o.Arity == 1:
		f := ops.IntUnary(o.Sym)
		return func(i int) { r.N[i] = f(x.N[i]) }
	case x.Elem != types.R:
		f, y := ops.IntBinary(o.Sym), args[1]
		return func(i int) { r.N[i] = f(x.N[i], y.N[i]) }
	case o.Arity == 1:
		f := PreparedUnary(a.Scalars, sym, n)
		return func(i int) { r.R[i] = f(x.R[i]) }
	}
	y := args[1]
	if r.Elem == types.B {
		return func(i int) { r.N[i] = ops.Truth(a.Scalars.Compare(sym, x.R[i], y.R[i])) }
	}
	f := PreparedBinary(a.Scalars, sym)
	return func(i int) { r.R[i] = f(x.R[i], y.R[i]) }
}
