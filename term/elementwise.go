package term

import "math"

// elementwise prepares op on operands whose elements correspond.
func (a Arrays[S]) elementwise(o *Operator, op Op, args []*Value[S], t *Type) (*Value[S], Step, error) {
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
func (a Arrays[S]) scalar(o *Operator, op Op, args []*Value[S], r *Value[S]) Step {
	switch {
	case op.Sym == SymWhere || op.Sym == SymWithslope || args[0].Elem != r.Elem:
	case r.Elem == R && o.Arity == 1:
		f, z, x := PreparedUnary(a.Scalars, op.Sym, op.N), &r.R[0], &args[0].R[0]
		return func() (err error) { *z, err = f(*x); return err }
	case r.Elem == R:
		f, z, x, y := PreparedBinary(a.Scalars, op.Sym), &r.R[0], &args[0].R[0], &args[1].R[0]
		return func() (err error) { *z, err = f(*x, *y); return err }
	case o.Arity == 2:
		f, z, x, y := o.int2, &r.N[0], &args[0].N[0], &args[1].N[0]
		switch op.Sym {
		case SymAdd:
			return func() error { *z = *x + *y; return nil }
		case SymSub:
			return func() error { *z = *x - *y; return nil }
		case SymMul:
			return func() error { *z = *x * *y; return nil }
		}
		return func() error { *z = f(*x, *y); return nil }
	}
	each := a.element(o, op, args, r)
	return func() error { return each(0) }
}

// element gives what computes an element of r.
func (a Arrays[S]) element(o *Operator, op Op, args []*Value[S], r *Value[S]) func(i int) error {
	sym, n, x := op.Sym, op.N, args[0]
	switch {
	case op.Sym == SymWhere:
		return func(i int) error {
			from := args[2]
			if x.N[i] != 0 {
				from = args[1]
			}
			copyBlock(r, i, from, i, 1)
			return nil
		}
	case sym == SymWithslope:
		return func(i int) error {
			r.R[i] = x.R[i]
			return nil
		}
	case sym == SymReal:
		return func(i int) (err error) {
			r.R[i], err = a.Scalars.FromInt(x.N[i])
			return err
		}
	case sym == SymFloor:
		return func(i int) error {
			r.N[i] = a.Scalars.Floor(x.R[i])
			return nil
		}
	case sym == SymRound:
		return func(i int) error {
			r.N[i] = a.Scalars.Round(x.R[i])
			return nil
		}
	case x.Elem != R && o.Arity == 1:
		f := o.int1
		return func(i int) error {
			r.N[i] = f(x.N[i])
			return nil
		}
	case x.Elem != R:
		f, y := o.int2, args[1]
		return func(i int) error {
			r.N[i] = f(x.N[i], y.N[i])
			return nil
		}
	case o.Arity == 1:
		f := PreparedUnary(a.Scalars, sym, n)
		return func(i int) (err error) { r.R[i], err = f(x.R[i]); return err }
	}
	y := args[1]
	if r.Elem == B {
		return func(i int) error {
			r.N[i] = truth(a.Scalars.Compare(sym, x.R[i], y.R[i]))
			return nil
		}
	}
	f := PreparedBinary(a.Scalars, sym)
	return func(i int) (err error) { r.R[i], err = f(x.R[i], y.R[i]); return err }
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// IntUnary returns the meaning of a unary operator on I (wrapping) or on B as 0 and 1.
func IntUnary(sym Sym) func(int64) int64 { return operators[sym].int1 }

// IntBinary returns the meaning of a binary operator on I (wrapping; div and mod
// floor, and are 0 by 0) or on B as 0 and 1.
func IntBinary(sym Sym) func(a, b int64) int64 { return operators[sym].int2 }

func floorDiv(x, y int64) int64 {
	switch {
	case y == 0:
		return 0
	case y == -1:
		return -x // wraps for the least integer, where x / y would trap
	}
	q := x / y
	if x%y != 0 && (x < 0) != (y < 0) {
		q--
	}
	return q
}

// saturate converts a whole float64 to int64 as Wasm's trunc_sat does: NaN to 0,
// too large values to the nearest bound.
func saturate(x float64) int64 {
	switch {
	case math.IsNaN(x):
		return 0
	case x >= 1<<63:
		return math.MaxInt64
	case x < -1<<63:
		return math.MinInt64
	}
	return int64(x)
}
