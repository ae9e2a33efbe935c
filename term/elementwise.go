package term

import "math"

// elementwise applies op to corresponding elements.
func (a Arrays[S]) elementwise(o *Operator, op Op, args []*Value[S], t *Type) (*Value[S], error) {
	r, err := a.New(t)
	if err != nil {
		return nil, err
	}
	for i := range r.Len() {
		if err := a.element(o, op, args, r, i); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// element computes element i of r.
func (a Arrays[S]) element(o *Operator, op Op, args []*Value[S], r *Value[S], i int) (err error) {
	x := args[0]
	switch {
	case o.kind == whereKind:
		from := args[2]
		if x.N[i] != 0 {
			from = args[1]
		}
		copyBlock(r, i, from, i, 1)
	case op.Sym == SymWithslope:
		r.R[i] = x.R[i]
	case o.kind == intToR:
		r.R[i], err = a.Scalars.FromInt(x.N[i])
	case op.Sym == SymFloor:
		r.N[i] = a.Scalars.Floor(x.R[i])
	case op.Sym == SymRound:
		r.N[i] = a.Scalars.Round(x.R[i])
	case x.Elem != R && len(args) == 1:
		r.N[i] = o.int1(x.N[i])
	case x.Elem != R:
		r.N[i] = o.int2(x.N[i], args[1].N[i])
	case len(args) == 1:
		r.R[i], err = a.Scalars.Unary(op.Sym, op.N, x.R[i])
	case r.Elem == B:
		r.N[i] = truth(a.Scalars.Compare(op.Sym, x.R[i], args[1].R[i]))
	default:
		r.R[i], err = a.Scalars.Binary(op.Sym, x.R[i], args[1].R[i])
	}
	return err
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
