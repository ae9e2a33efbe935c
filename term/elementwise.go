package term

import "math"

// elementwise prepares op on operands whose elements correspond, of which the first has
// elements of the given type.
func (a Arrays[S]) elementwise(o *Operator, op Op, first Elem, t *Type) (Step[S], error) {
	r, err := a.New(t)
	if err != nil {
		return nil, err
	}
	each := a.element(o, op, first, r)
	if len(t.Shape) == 0 {
		return func(args []*Value[S]) (*Value[S], error) { return r, each(args, 0) }, nil
	}
	return func(args []*Value[S]) (*Value[S], error) {
		if err := a.ended(); err != nil {
			return nil, err
		}
		for i := range r.Len() {
			if err := each(args, i); err != nil {
				return nil, err
			}
		}
		return r, nil
	}, nil
}

// element gives what computes an element of r.
func (a Arrays[S]) element(o *Operator, op Op, first Elem, r *Value[S]) func(args []*Value[S], i int) error {
	sym, n := op.Sym, op.N
	switch {
	case o.kind == whereKind:
		return func(args []*Value[S], i int) error {
			from := args[2]
			if args[0].N[i] != 0 {
				from = args[1]
			}
			copyBlock(r, i, from, i, 1)
			return nil
		}
	case sym == SymWithslope:
		return func(args []*Value[S], i int) error {
			r.R[i] = args[0].R[i]
			return nil
		}
	case o.kind == intToR:
		return func(args []*Value[S], i int) (err error) {
			r.R[i], err = a.Scalars.FromInt(args[0].N[i])
			return err
		}
	case sym == SymFloor:
		return func(args []*Value[S], i int) error {
			r.N[i] = a.Scalars.Floor(args[0].R[i])
			return nil
		}
	case sym == SymRound:
		return func(args []*Value[S], i int) error {
			r.N[i] = a.Scalars.Round(args[0].R[i])
			return nil
		}
	case first != R && o.Arity == 1:
		f := o.int1
		return func(args []*Value[S], i int) error {
			r.N[i] = f(args[0].N[i])
			return nil
		}
	case first != R:
		f := o.int2
		return func(args []*Value[S], i int) error {
			r.N[i] = f(args[0].N[i], args[1].N[i])
			return nil
		}
	case o.Arity == 1:
		return func(args []*Value[S], i int) (err error) {
			r.R[i], err = a.Scalars.Unary(sym, n, args[0].R[i])
			return err
		}
	case r.Elem == B:
		return func(args []*Value[S], i int) error {
			r.N[i] = truth(a.Scalars.Compare(sym, args[0].R[i], args[1].R[i]))
			return nil
		}
	}
	return func(args []*Value[S], i int) (err error) {
		r.R[i], err = a.Scalars.Binary(sym, args[0].R[i], args[1].R[i])
		return err
	}
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
