package fun

import (
	"fmt"
	"slices"

	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term"
	"egad/term/eval"
	"egad/term/size"
	"egad/term/types"
)

// Layout says how values of a first-order type stand in arrays: an array for each scalar in
// the type, with an axis for each array around it. Of a sum these are whether it is the right
// side, and both sides; of () there are none.
type Layout struct {
	Type   *Type
	Length int64 // of an array
	// Parts are those of the type. Of a sum one is nil if it is never that side; then there
	// is no array for which side it is. That of an array without elements has no parts.
	Parts []*Layout
}

// LayoutOf is the layout of a type, given the lengths of the arrays in it from the left, an
// array before those in it.
func LayoutOf(t *Type, lengths ...int64) (_ *Layout, err error) {
	defer raise.Caught(&err)
	l, rest := layoutOf(t, lengths)
	if len(rest) > 0 {
		err = fmt.Errorf("%s has %d arrays, and there are %d lengths", t, len(lengths)-len(rest), len(lengths))
	}
	return l, err
}

func layoutOf(t *Type, lengths []int64) (*Layout, []int64) {
	l := &Layout{Type: t}
	switch {
	case t.Kind == KFun || t.Kind >= FirstTarget || t.Kind == KVar:
		raise.Error(fmt.Errorf("%s stands in no array", t))
	case t.Kind == KArray:
		if len(lengths) == 0 {
			raise.Error(fmt.Errorf("the length of an array %s is not given", t))
		}
		if l.Length, lengths = lengths[0], lengths[1:]; l.Length < 0 {
			raise.Error(fmt.Errorf("an array has the length %d", l.Length))
		}
	case t.Kind == KReal || t.Kind == KInt || t.Equal(Bool):
		return l, lengths
	}
	for _, p := range t.Parts {
		var part *Layout
		part, lengths = layoutOf(p, lengths)
		l.Parts = append(l.Parts, part)
	}
	if t.Kind == KArray && l.Length == 0 {
		l.Parts = nil
	}
	return l, lengths
}

// Lengths are those of the arrays in a value, for [LayoutOf]; an array of which there is no
// element has arrays of length 0 in it. All elements of an array must be alike.
func Lengths(v Value, t *Type) (_ []int64, err error) {
	defer raise.Caught(&err)
	return lengths([]Value{v}, t), nil
}

// lengths are those in all of some values.
func lengths(vs []Value, t *Type) []int64 {
	var out []int64
	var parts [2][]Value
	switch {
	case t.Kind == KProd:
		for _, v := range vs {
			p := v.(*Pairing)
			parts[0], parts[1] = append(parts[0], p.L), append(parts[1], p.R)
		}
	case t.Kind == KSum:
		for _, v := range vs {
			s := v.(*Side)
			parts[Place(s.Right)] = append(parts[Place(s.Right)], s.X)
		}
	case t.Kind == KArray:
		for i, v := range vs {
			xs := v.(*Elements).X
			if parts[0] = append(parts[0], xs...); i == 0 {
				out = append(out, int64(len(xs)))
			} else if out[0] != int64(len(xs)) {
				raise.Error(fmt.Errorf("arrays that are one array in an array program have %d and %d elements", out[0], len(xs)))
			}
		}
		if len(vs) == 0 {
			out = append(out, 0)
		}
	}
	for k, p := range t.Parts {
		out = append(out, lengths(parts[k], p)...)
	}
	return out
}

// Equal reports whether two layouts of one type are the same.
func (l *Layout) Equal(m *Layout) bool {
	return l == nil && m == nil || l != nil && m != nil && l.Length == m.Length && slices.EqualFunc(l.Parts, m.Parts, (*Layout).Equal)
}

// known reports whether the layout is of a sum of which the side is known.
func (l *Layout) known() bool { return l.Parts[0] == nil || l.Parts[1] == nil }

// sum reports whether the layout is of a sum that is no truth value.
func (l *Layout) sum() bool { return l.Type.Kind == KSum && l.Parts != nil }

// value is the value in a domain of terms whose arrays are given one after the other.
func (l *Layout) value(next func(t *Type, shape []size.Size) Value) Value {
	return l.valueIn(nil, next)
}

func (l *Layout) valueIn(shape []size.Size, next func(t *Type, shape []size.Size) Value) Value {
	switch {
	case l.Type.Kind == KProd:
		return &Pairing{l.Parts[0].valueIn(shape, next), l.Parts[1].valueIn(shape, next)}
	case l.Type.Kind == KUnit:
		return Nothing{}
	case l.Type.Kind == KArray && l.Length == 0:
		return &Elements{}
	case l.Type.Kind == KArray:
		return &rows{n: l.Length, x: l.Parts[0].valueIn(append(shape[:len(shape):len(shape)], size.Const(l.Length)), next)}
	case !l.sum():
		return next(l.Type, shape)
	case l.Parts[0] == nil:
		return &Side{true, l.Parts[1].valueIn(shape, next)}
	case l.Parts[1] == nil:
		return &Side{false, l.Parts[0].valueIn(shape, next)}
	}
	right := next(Bool, shape).(term.Term)
	return &either{right, l.Parts[0].valueIn(shape, next), l.Parts[1].valueIn(shape, next)}
}

// layout is the layout of a value of terms, and its arrays.
func (d *symbolic) layout(v Value, t *Type) (*Layout, []term.Term) {
	var out []term.Term
	l := d.layoutIn(v, t, nil, &out)
	return l, out
}

func (d *symbolic) layoutIn(v Value, t *Type, shape []size.Size, out *[]term.Term) *Layout {
	l := &Layout{Type: t}
	if _, ok := t.Elem(); ok {
		*out = append(*out, d.lift(v, shape))
		return l
	}
	switch v := v.(type) {
	case *Pairing:
		left := d.layoutIn(v.L, t.Parts[0], shape, out)
		l.Parts = []*Layout{left, d.layoutIn(v.R, t.Parts[1], shape, out)}
	case *Side:
		l.Parts = make([]*Layout, 2)
		l.Parts[Place(v.Right)] = d.layoutIn(v.X, t.Parts[Place(v.Right)], shape, out)
	case *either:
		l.Parts = make([]*Layout, 2)
		if v.l != nil && v.r != nil {
			*out = append(*out, v.right)
		}
		for k, x := range []Value{v.l, v.r} {
			if x != nil {
				l.Parts[k] = d.layoutIn(x, t.Parts[k], shape, out)
			}
		}
	case *Elements:
		if len(v.X) > 0 {
			return d.layoutIn(d.rows(v), t, shape, out)
		}
	case *rows:
		l.Length = d.whole(v).n
		l.Parts = []*Layout{d.layoutIn(v.x, t.Parts[0], append(shape[:len(shape):len(shape)], size.Const(v.n)), out)}
	}
	return l
}

// position is where an element of an array is.
func position(at []int, shape []int) int {
	p := 0
	for k, i := range at {
		p = p*shape[k] + i
	}
	return p
}

// Read is the value that stands in arrays, which are given one after the other.
func Read[S any](l *Layout, from []*eval.Value[S]) Value {
	next := func() *eval.Value[S] {
		v := from[0]
		from = from[1:]
		return v
	}
	return reading(l, next)(nil)
}

func reading[S any](l *Layout, next func() *eval.Value[S]) func(at []int) Value {
	parts := make([]func(at []int) Value, len(l.Parts))
	var tag *eval.Value[S]
	if l.Parts == nil && l.Type.Kind != KUnit && l.Type.Kind != KArray || l.sum() && !l.known() {
		tag = next()
	}
	for k, p := range l.Parts {
		if p != nil {
			parts[k] = reading(p, next)
		}
	}
	return func(at []int) Value {
		switch {
		case l.Type.Kind == KReal:
			return tag.R[position(at, tag.Shape)]
		case l.Type.Kind == KInt:
			return tag.N[position(at, tag.Shape)]
		case l.Type.Kind == KUnit:
			return Nothing{}
		case l.Type.Kind == KProd:
			return &Pairing{parts[0](at), parts[1](at)}
		case l.Type.Kind == KArray:
			return &Elements{slice.Make(l.Length, func(i int) Value { return parts[0](append(at[:len(at):len(at)], i)) })}
		case !l.sum():
			return Truth(tag.N[position(at, tag.Shape)] != 0)
		}
		right := l.Parts[0] == nil
		if tag != nil {
			right = tag.N[position(at, tag.Shape)] != 0
		}
		return &Side{right, parts[Place(right)](at)}
	}
}

// Write puts a value into arrays; where there is nothing they are zero.
func Write[S any](d *Concrete[S], l *Layout, v Value) (out []*eval.Value[S], err error) {
	defer raise.Caught(&err)
	writing(l, nil, func(t *types.Type) *eval.Value[S] {
		a := raise.Must(eval.Arrays[S]{Scalars: d.Scalars}.New(t))
		zero := d.Scalars.FromInt(0)
		for i := range a.R {
			a.R[i] = zero
		}
		out = append(out, a)
		return a
	})(v, nil)
	return out, nil
}

func writing[S any](l *Layout, shape []size.Size, next func(t *types.Type) *eval.Value[S]) func(v Value, at []int) {
	var own *eval.Value[S]
	e, scalar := l.Type.Elem()
	if l.sum() && !l.known() {
		e, scalar = types.B, true
	}
	if scalar {
		own = next(types.ArrayOf(e, shape...))
	}
	if l.Type.Kind == KArray {
		shape = append(shape[:len(shape):len(shape)], size.Const(l.Length))
	}
	parts := make([]func(v Value, at []int), len(l.Parts))
	for k, p := range l.Parts {
		if p != nil {
			parts[k] = writing(p, shape, next)
		}
	}
	return func(v Value, at []int) {
		switch v := v.(type) {
		case S:
			own.R[position(at, own.Shape)] = v
		case int64:
			own.N[position(at, own.Shape)] = v
		case *Pairing:
			parts[0](v.L, at)
			parts[1](v.R, at)
		case *Side:
			if !l.sum() {
				own.N[position(at, own.Shape)] = 1 - int64(Place(v.Right))
				return
			}
			if own != nil {
				own.N[position(at, own.Shape)] = int64(Place(v.Right))
			}
			write := parts[Place(v.Right)]
			if write == nil {
				raise.Error(fmt.Errorf("a value of %s is the side that it never is", l.Type))
			}
			write(v.X, at)
		case *Elements:
			if int64(len(v.X)) != l.Length {
				raise.Error(fmt.Errorf("an array has %d elements where %d must be", len(v.X), l.Length))
			}
			for i, x := range v.X {
				parts[0](x, append(at[:len(at):len(at)], i))
			}
		}
	}
}
