package term

import "math"

// Elementwise applies op to corresponding elements.
func (a Arrays[S]) Elementwise(op Op, args []*Value[S], t *Type) (*Value[S], error) {
	r, err := a.New(t)
	if err != nil {
		return nil, err
	}
	for i := range r.Len() {
		if err := a.element(op, args, r, i); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// element computes element i of r.
func (a Arrays[S]) element(op Op, args []*Value[S], r *Value[S], i int) (err error) {
	x := args[0]
	switch op.Sym {
	case SymWhere:
		from := args[2]
		if x.N[i] != 0 {
			from = args[1]
		}
		copyBlock(r, i, from, i, 1)
		return nil
	case SymReal:
		r.R[i], err = a.Scalars.FromInt(x.N[i])
		return err
	case SymFloor:
		r.N[i] = a.Scalars.Floor(x.R[i])
		return nil
	case SymRound:
		r.N[i] = a.Scalars.Round(x.R[i])
		return nil
	}
	real := x.Elem == R
	if len(args) == 1 {
		if real {
			r.R[i], err = a.Scalars.Unary(op.Sym, op.N, x.R[i])
		} else {
			r.N[i] = IntUnary(op.Sym, x.N[i])
		}
		return err
	}
	y := args[1]
	switch {
	case real && r.Elem == B:
		r.N[i] = truth(a.Scalars.Compare(op.Sym, x.R[i], y.R[i]))
	case real:
		r.R[i], err = a.Scalars.Binary(op.Sym, x.R[i], y.R[i])
	default:
		r.N[i] = IntBinary(op.Sym, x.N[i], y.N[i])
	}
	return err
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// IntUnary is the meaning of a unary operator on I (wrapping) or on B as 0 and 1.
func IntUnary(sym Sym, x int64) int64 {
	switch {
	case sym == SymNot:
		return 1 - x
	case sym == SymNeg || sym == SymAbs && x < 0:
		return -x
	}
	return x
}

// IntBinary is the meaning of a binary operator on I (wrapping; div and mod
// floor, and are 0 by 0) or on B as 0 and 1.
func IntBinary(sym Sym, x, y int64) int64 {
	switch sym {
	case SymAdd:
		return x + y
	case SymSub:
		return x - y
	case SymMul:
		return x * y
	case SymMin:
		return min(x, y)
	case SymMax:
		return max(x, y)
	case SymIdiv:
		return floorDiv(x, y)
	case SymMod:
		if y == 0 {
			return 0
		}
		return x - y*floorDiv(x, y)
	case SymLt:
		return truth(x < y)
	case SymLe:
		return truth(x <= y)
	case SymEq:
		return truth(x == y)
	case SymAnd:
		return x & y
	case SymOr:
		return x | y
	}
	return 0
}

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
