package fun

import (
	"fmt"

	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term"
)

// TypeOf is the type of values of a type of the array language: an array of n axes is an
// array of arrays, and a tuple nests to the left.
func TypeOf(t *term.Type) (*Type, error) {
	switch t.Kind {
	case term.KArray:
		return nested(OfElem(t.Elem), len(t.Shape)), nil
	case term.KTuple:
		parts, err := slice.Try(t.Parts, TypeOf)
		if err != nil {
			return nil, err
		}
		return Tuple(parts...), nil
	}
	return nil, fmt.Errorf("%s is no type of functional programs", t)
}

// FromArray is an array or a tuple of the array language as a value.
func (d *Concrete[S]) FromArray(v *term.Value[S], t *term.Type) Value {
	if t.Kind == term.KTuple {
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
		case term.R:
			return v.R[at-1]
		case term.I:
			return v.N[at-1]
		}
		return Truth(v.N[at-1] != 0)
	}
	return read(v.Shape)
}

// ToArray is a value as an array or a tuple of the array language, of the given type.
func (d *Concrete[S]) ToArray(v Value, t *term.Type) (_ *term.Value[S], err error) {
	defer raise.Caught(&err)
	return d.toArray(v, t), nil
}

func (d *Concrete[S]) toArray(v Value, t *term.Type) *term.Value[S] {
	if t.Kind == term.KTuple {
		parts := Untuple(v, len(t.Parts))
		return &term.Value[S]{Parts: slice.Make(len(parts), func(i int) *term.Value[S] { return d.toArray(parts[i], t.Parts[i]) })}
	}
	shape, n, err := term.ShapeOf(t, term.DefaultMaxElements)
	raise.Error(err)
	out := &term.Value[S]{Elem: t.Elem, Shape: shape}
	if t.Elem == term.R {
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
func (d *Concrete[S]) Whole(op term.Op, x Value, of, to *term.Type) Value {
	a := raise.Must(d.ToArray(x, of))
	kids := []*term.Value[S]{a}
	if of.Kind == term.KTuple {
		kids = a.Parts
	}
	v := raise.Must(term.Arrays[S]{Scalars: d.Scalars}.Apply(op, kids, nil, to))
	return d.FromArray(v, to)
}
