package eval

import (
	"egad/term/ops"
	"egad/term/types"
)

// elementwise prepares op on operands whose elements correspond.
func (a Arrays[S]) elementwise(o *ops.Operator, op ops.Op, args []*Value[S], t *types.Type) (*Value[S], Step, error) {
	r, err := a.New(t)
	if err != nil {
		return nil, nil, err
	}
	if len(t.Shape) == 0 {
		return r, a.scalar(o, op, args, r), nil
	}
	each := a.element(o, op, args, r)
	return r, func() error {
		if err := a.ended(); err != nil {
			return err
		}
		for i := range r.Len() {
			if err := each(i); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// scalar is element of a scalar r; the operators that programs have most are computed at once.
func (a Arrays[S]) scalar(o *ops.Operator, op ops.Op, args []*Value[S], r *Value[S]) Step {
	switch {
	case op.Sym == ops.SymWhere || op.Sym == ops.SymWithslope || args[0].Elem != r.Elem:
	case r.Elem == types.R && o.Arity == 1:
		f, z, x := PreparedUnary(a.Scalars, op.Sym, op.N), &r.R[0], &args[0].R[0]
		return func() (err error) { *z, err = f(*x); return err }
	case r.Elem == types.R:
		f, z, x, y := PreparedBinary(a.Scalars, op.Sym), &r.R[0], &args[0].R[0], &args[1].R[0]
		return func() (err error) { *z, err = f(*x, *y); return err }
	case o.Arity == 2:
		f, z, x, y := ops.IntBinary(o.Sym), &r.N[0], &args[0].N[0], &args[1].N[0]
		switch op.Sym {
		case ops.SymAdd:
			return func() error { *z = *x + *y; return nil }
		case ops.SymSub:
			return func() error { *z = *x - *y; return nil }
		case ops.SymMul:
			return func() error { *z = *x * *y; return nil }
		}
		return func() error { *z = f(*x, *y); return nil }
	}
	each := a.element(o, op, args, r)
	return func() error { return each(0) }
}

// element gives what computes an element of r.
func (a Arrays[S]) element(o *ops.Operator, op ops.Op, args []*Value[S], r *Value[S]) func(i int) error {
	sym, n, x := op.Sym, op.N, args[0]
	switch {
	case op.Sym == ops.SymWhere:
		return func(i int) error {
			from := args[2]
			if x.N[i] != 0 {
				from = args[1]
			}
			copyBlock(r, i, from, i, 1)
			return nil
		}
	case sym == ops.SymWithslope:
		return func(i int) error {
			r.R[i] = x.R[i]
			return nil
		}
	case sym == ops.SymReal:
		return func(i int) (err error) {
			r.R[i], err = a.Scalars.FromInt(x.N[i])
			return err
		}
	case sym == ops.SymFloor:
		return func(i int) error {
			r.N[i] = a.Scalars.Floor(x.R[i])
			return nil
		}
	case sym == ops.SymRound:
		return func(i int) error {
			r.N[i] = a.Scalars.Round(x.R[i])
			return nil
		}
	case x.Elem != types.R && o.Arity == 1:
		f := ops.IntUnary(o.Sym)
		return func(i int) error {
			r.N[i] = f(x.N[i])
			return nil
		}
	case x.Elem != types.R:
		f, y := ops.IntBinary(o.Sym), args[1]
		return func(i int) error {
			r.N[i] = f(x.N[i], y.N[i])
			return nil
		}
	case o.Arity == 1:
		f := PreparedUnary(a.Scalars, sym, n)
		return func(i int) (err error) { r.R[i], err = f(x.R[i]); return err }
	}
	y := args[1]
	if r.Elem == types.B {
		return func(i int) error {
			r.N[i] = ops.Truth(a.Scalars.Compare(sym, x.R[i], y.R[i]))
			return nil
		}
	}
	f := PreparedBinary(a.Scalars, sym)
	return func(i int) (err error) { r.R[i], err = f(x.R[i], y.R[i]); return err }
}
