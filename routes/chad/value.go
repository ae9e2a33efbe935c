package chad

import (
	"fmt"

	"egad/fun"
	"egad/internal/slice"
)

// CotangentOf is a cotangent of a value of type t with the given numbers for its reals, from
// the left.
func CotangentOf(v fun.Value, t *fun.Type, reals []float64) (fun.Value, error) {
	rest := reals
	x, err := cotangentOf(v, t, func() (float64, error) {
		if len(rest) == 0 {
			return 0, fmt.Errorf("a cotangent has %d numbers, and the result has more reals", len(reals))
		}
		x := rest[0]
		rest = rest[1:]
		return x, nil
	})
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("a cotangent has %d numbers, and the result has %d reals", len(reals), len(reals)-len(rest))
	}
	return x, err
}

func cotangentOf(v fun.Value, t *fun.Type, next func() (float64, error)) (fun.Value, error) {
	switch t.Kind {
	case fun.KReal:
		x, err := next()
		return x, err
	case fun.KProd:
		p := v.(*fun.Pairing)
		l, err := cotangentOf(p.L, t.Parts[0], next)
		if err != nil {
			return nil, err
		}
		r, err := cotangentOf(p.R, t.Parts[1], next)
		return &lpair{l: l, r: r}, err
	case fun.KSum:
		s := v.(*fun.Side)
		x, err := cotangentOf(s.X, t.Parts[fun.Place(s.Right)], next)
		return &lside{right: s.Right, x: x}, err
	case fun.KArray:
		xs, err := slice.Try(v.(*fun.Elements).X, func(x fun.Value) (fun.Value, error) { return cotangentOf(x, t.Parts[0], next) })
		if err != nil {
			return nil, err
		}
		return wholeBag(xs), nil
	}
	return fun.Nothing{}, nil
}

// Reals lists the numbers in a cotangent x of a value v of type t, one for each real of v,
// from the left.
func Reals(x, v fun.Value, t *fun.Type) ([]float64, error) {
	s := &state{linear: sparse{}}
	var out []float64
	var walk func(x, v fun.Value, t *fun.Type) error
	walk = func(x, v fun.Value, t *fun.Type) error {
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
			if err := walk(l, p.L, t.Parts[0]); err != nil {
				return err
			}
			return walk(r, p.R, t.Parts[1])
		case fun.KSum:
			y := v.(*fun.Side)
			x, _, err := s.cast(x, y.Right, lunit)
			if err != nil {
				return err
			}
			if _, ok := x.(fun.Nothing); ok {
				x = nil
			}
			return walk(x, y.X, t.Parts[fun.Place(y.Right)])
		case fun.KArray:
			xs := v.(*fun.Elements).X
			sums := make([]fun.Value, len(xs))
			if _, err := bagOf(x).collect(func(i int64, d fun.Value) (err error) {
				if 0 <= i && i < int64(len(sums)) {
					sums[i], _, err = s.plus(d, sums[i])
				}
				return err
			}); err != nil {
				return err
			}
			for i, x := range xs {
				if err := walk(sums[i], x, t.Parts[0]); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return out, walk(x, v, t)
}

// Gradient runs a derivative and lists a number for each real of the inputs, from the left.
func (d *Derivative) Gradient(inputs []fun.Value, ct []float64, o Options) ([]float64, *Measured, error) {
	v, err := d.Value(inputs, o)
	if err != nil {
		return nil, nil, err
	}
	x, err := CotangentOf(v, d.Program.Result, ct)
	if err != nil {
		return nil, nil, err
	}
	out, err := d.Measure(inputs, x, nil, o)
	if err != nil {
		return nil, nil, err
	}
	var grad []float64
	for i, x := range out.Cotangents {
		part, err := Reals(x, inputs[i], d.Program.Context[i])
		if err != nil {
			return nil, nil, err
		}
		grad = append(grad, part...)
	}
	return grad, out, nil
}
