package fun

import (
	"fmt"

	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// TypeOf is the type of values of a type of the array language: an array of n axes is an
// array of arrays, and a tuple nests to the left.
func TypeOf(t *types.Type) (*Type, error) {
	switch t.Kind {
	case types.KArray:
		return nested(OfElem(t.Elem), len(t.Shape)), nil
	case types.KTuple:
		parts, err := slice.Try(t.Parts, TypeOf)
		if err != nil {
			return nil, err
		}
		return Tuple(parts...), nil
	}
	return nil, fmt.Errorf("%s is no type of functional programs", t)
}

// FromArray is an array or a tuple of the array language as a value.
func (d *Concrete[S]) FromArray(v *eval.Value[S], t *types.Type) Value {
	if t.Kind == types.KTuple {
		return TupleValue(slice.Make(len(t.Parts), func(i int) Value { return d.FromArray(v.Parts[i], t.Parts[i]) })...)
	}
	at := 0
	var read func(shape []int) Value
	read = func(shape []int) Value {
		if len(shape) > 0 {
			return &Elements{slice.Make(shape[0], func(int) Value { return read(shape[1:]) })}
		}
		at++
		switch v.Elem {
		case types.R:
			return v.R[at-1]
		case types.I:
			return v.N[at-1]
		}
		return Truth(v.N[at-1] != 0)
	}
	return read(v.Shape)
}

// ToArray is a value as an array or a tuple of the array language, of the given type.
func (d *Concrete[S]) ToArray(v Value, t *types.Type) (_ *eval.Value[S], err error) {
	defer raise.Caught(&err)
	return d.toArray(v, t), nil
}

func (d *Concrete[S]) toArray(v Value, t *types.Type) *eval.Value[S] {
	if t.Kind == types.KTuple {
		parts := Untuple(v, len(t.Parts))
		return &eval.Value[S]{Parts: slice.Make(len(parts), func(i int) *eval.Value[S] { return d.toArray(parts[i], t.Parts[i]) })}
	}
	shape, n, err := types.ShapeOf(t, types.DefaultMaxElements)
	raise.Error(err)
	out := &eval.Value[S]{Elem: t.Elem, Shape: shape}
	if t.Elem == types.R {
		out.R = make([]S, 0, n)
	} else {
		out.N = make([]int64, 0, n)
	}
	var write func(v Value, shape []int)
	write = func(v Value, shape []int) {
		if len(shape) > 0 {
			xs := v.(*Elements).X
			if len(xs) != shape[0] {
				raise.Error(fmt.Errorf("an array has %d elements where %d must be", len(xs), shape[0]))
			}
			for _, x := range xs {
				write(x, shape[1:])
			}
			return
		}
		switch x := v.(type) {
		case S:
			out.R = append(out.R, x)
		case int64:
			out.N = append(out.N, x)
		case *Side:
			out.N = append(out.N, 1-int64(Place(x.Right)))
		}
	}
	write(v, shape)
	return out
}

// Whole applies an operator of the array language to whole arrays.
func (d *Concrete[S]) Whole(op ops.Op, x Value, of, to *types.Type) Value {
	a := raise.Must(d.ToArray(x, of))
	kids := []*eval.Value[S]{a}
	if of.Kind == types.KTuple {
		kids = a.Parts
	}
	v := raise.Must(eval.Arrays[S]{Scalars: d.Scalars}.Apply(op, kids, nil, to))
	return d.FromArray(v, to)
}
