package fun

import (
	"errors"
	"fmt"

	"egad/internal/raise"
	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// Concrete is the domain of reals in some representation, with integers as they are and
// arrays of which each element is there: float64, rationals, dual numbers.
type Concrete[S any] struct {
	Scalars eval.Scalars[S]
}

// Floats is the domain of float64.
func Floats() *Concrete[float64] { return &Concrete[float64]{Scalars: eval.Floats{}} }

// Literal is a number.
func (d *Concrete[S]) Literal(n numeric.Num, t *Type) Value {
	if t.Kind == KInt {
		i, ok := n.Int64()
		if !ok {
			raise.Error(fmt.Errorf("%s is no integer of 64 bits", n))
		}
		return i
	}
	return d.Scalars.FromNum(n)
}

// Op applies an operator to scalars.
func (d *Concrete[S]) Op(op ops.Op, xs []Value) Value {
	switch op.Sym {
	case ops.SymWhere:
		if xs[0].(*Side).Right {
			return xs[2]
		}
		return xs[1]
	case ops.SymWithslope:
		return xs[0]
	case ops.SymReal:
		return d.Scalars.FromInt(xs[0].(int64))
	case ops.SymFloor:
		return d.Scalars.Floor(xs[0].(S))
	case ops.SymRound:
		return d.Scalars.Round(xs[0].(S))
	}
	switch x := xs[0].(type) {
	case S:
		if len(xs) == 1 {
			return d.Scalars.Unary(op.Sym, op.N, x)
		}
		y := xs[1].(S)
		switch op.Sym {
		case ops.SymLt, ops.SymLe, ops.SymEq:
			return Truth(d.Scalars.Compare(op.Sym, x, y))
		}
		return d.Scalars.Binary(op.Sym, x, y)
	case int64:
		if len(xs) == 1 {
			return ops.IntUnary(op.Sym)(x)
		}
		z := ops.IntBinary(op.Sym)(x, xs[1].(int64))
		switch op.Sym {
		case ops.SymLt, ops.SymLe, ops.SymEq:
			return Truth(z != 0)
		}
		return z
	default: // truth values
		ns := [2]int64{}
		for i, x := range xs {
			ns[i] = 1 - int64(Place(x.(*Side).Right))
		}
		if len(xs) == 1 {
			return Truth(ops.IntUnary(op.Sym)(ns[0]) != 0)
		}
		return Truth(ops.IntBinary(op.Sym)(ns[0], ns[1]) != 0)
	}
}

// Case has nothing to do: sides are known.
func (d *Concrete[S]) Case(Value, func(Value) Value, func(Value) Value) Value {
	raise.Error(errors.New("the side of a sum is not known"))
	return nil
}

// Count is how many elements an array of length n has: none if that is negative. It is an
// error if there are more than an array may have.
func (d *Concrete[S]) Count(n int64) (int64, error) {
	if n > types.DefaultMaxElements {
		return 0, fmt.Errorf("an array of %d elements has more than the %d that are allowed", n, types.DefaultMaxElements)
	}
	return max(n, 0), nil
}

// Array makes all elements.
func (d *Concrete[S]) Array(n Value, _ *Type, f func(i Value) Value) Value {
	k := raise.Must(d.Count(n.(int64)))
	out := make([]Value, 0, min(k, 1<<16)) // a run that ends early takes no memory for the rest
	for i := range k {
		out = append(out, f(i))
	}
	return &Elements{out}
}

// Length is the number of elements.
func (d *Concrete[S]) Length(a Value) Value { return int64(len(a.(*Elements).X)) }

// Index is an element, or zero.
func (d *Concrete[S]) Index(a, i Value, t *Type) Value {
	x, at := a.(*Elements).X, i.(int64)
	if at < 0 || at >= int64(len(x)) {
		return Zero(d, t)
	}
	return x[at]
}

// Zero is the value of type t that stands outside of an array: 0, false, the left side of a
// sum, the empty array.
func Zero(d Domain, t *Type) Value {
	switch t.Kind {
	case KReal, KInt:
		return d.Literal(numeric.Int(0), t)
	case KUnit:
		return Nothing{}
	case KProd:
		return &Pairing{Zero(d, t.Parts[0]), Zero(d, t.Parts[1])}
	case KSum:
		if t.Equal(Bool) {
			return False
		}
		return &Side{false, Zero(d, t.Parts[0])}
	case KArray:
		return &Elements{}
	}
	if t.Form != nil && t.Form.Zero != nil {
		return t.Form.Zero
	}
	raise.Error(fmt.Errorf("there is no zero of type %s", t))
	return nil
}

// Reduce combines neighbours until one is left.
func (d *Concrete[S]) Reduce(a Value, _ *Type, f func(x, y Value) Value) Value {
	xs := a.(*Elements).X
	if len(xs) == 0 {
		raise.Error(errors.New("reduce of an empty array"))
	}
	return reduced(xs, f)
}

func reduced(xs []Value, f func(x, y Value) Value) Value {
	if len(xs) == 1 {
		return xs[0]
	}
	mid := (len(xs) + 1) / 2
	l := reduced(xs[:mid], f)
	return f(l, reduced(xs[mid:], f))
}
