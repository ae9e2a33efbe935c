package chad

import (
	"fmt"

	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
)

// CotangentOf is a cotangent of a value of type t with the given numbers for its reals, from
// the left.
func CotangentOf(v fun.Value, t *fun.Type, reals []float64) (fun.Value, error) {
	switch n := len(fun.Leaves[float64](v, t)); {
	case n > len(reals):
		return nil, fmt.Errorf("a cotangent has %d numbers, and the result has more reals", len(reals))
	case n < len(reals):
		return nil, fmt.Errorf("a cotangent has %d numbers, and the result has %d reals", len(reals), n)
	}
	return cotangentOf(v, t, func() float64 {
		x := reals[0]
		reals = reals[1:]
		return x
	}), nil
}

func cotangentOf(v fun.Value, t *fun.Type, next func() float64) fun.Value {
	switch t.Kind {
	case fun.KReal:
		return next()
	case fun.KProd:
		p := v.(*fun.Pairing)
		l := cotangentOf(p.L, t.Parts[0], next)
		return &lpair{l: l, r: cotangentOf(p.R, t.Parts[1], next)}
	case fun.KSum:
		s := v.(*fun.Side)
		return &lside{right: s.Right, x: cotangentOf(s.X, t.Parts[fun.Place(s.Right)], next)}
	case fun.KArray:
		return wholeBag(slice.Map(v.(*fun.Elements).X, func(x fun.Value) fun.Value { return cotangentOf(x, t.Parts[0], next) }))
	}
	return fun.Nothing{}
}

// realsOf lists the numbers in a cotangent x of a value v of type t, one for each real of v,
// from the left.
func realsOf(x, v fun.Value, t *fun.Type) (out []float64, err error) {
	defer raise.Caught(&err)
	s := &state{linear: sparse{}}
	var walk func(x, v fun.Value, t *fun.Type)
	walk = func(x, v fun.Value, t *fun.Type) {
		switch t.Kind {
		case fun.KReal:
			if x == nil {
				x = 0.0
			}
			out = append(out, x.(float64))
		case fun.KProd:
			p := v.(*fun.Pairing)
			var l, r fun.Value
			if x != nil {
				l, r = x.(*lpair).l, x.(*lpair).r
			}
			walk(l, p.L, t.Parts[0])
			walk(r, p.R, t.Parts[1])
		case fun.KSum:
			y := v.(*fun.Side)
			x, _ := s.cast(x, y.Right, lunit)
			if _, ok := x.(fun.Nothing); ok {
				x = nil
			}
			walk(x, y.X, t.Parts[fun.Place(y.Right)])
		case fun.KArray:
			xs := v.(*fun.Elements).X
			sums := make([]fun.Value, len(xs))
			bagOf(x).collect(func(i int64, d fun.Value) {
				if 0 <= i && i < int64(len(sums)) {
					sums[i], _ = s.plus(d, sums[i])
				}
			})
			for i, x := range xs {
				walk(sums[i], x, t.Parts[0])
			}
		}
	}
	walk(x, v, t)
	return out, nil
}

// Gradient runs a derivative and lists a number for each real of the inputs, from the left.
func (d *Derivative) Gradient(inputs []fun.Value, ct []float64, o Options) (grad []float64, m *Measured, err error) {
	defer raise.Caught(&err)
	v := raise.Must(d.Value(inputs, o))
	x := raise.Must(CotangentOf(v, d.Program.Result, ct))
	m = raise.Must(d.Measure(inputs, x, nil, o))
	for i, x := range m.Cotangents {
		grad = append(grad, raise.Must(realsOf(x, inputs[i], d.Program.Context[i]))...)
	}
	return grad, m, nil
}
