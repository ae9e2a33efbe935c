package data

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"egad/term"

	"gonum.org/v1/gonum/mat"
)

// Place makes x the place where the elements of an array go: R or N is memory of x
// if they can lie there as they are, else they go there by [Array.Store]. A place
// is a slice of the right length, nested for more axes, a matrix or vector of gonum,
// a value of programs, or a pointer: to a number, a truth value, or a slice, which is
// made if it has another length. What is nil is no place, and takes nothing. The
// error says what x is instead.
func (a *Array) Place(x any, elem term.Elem, shape []int) error {
	a.Elem, a.R, a.N, a.Shape, a.place = elem, nil, nil, append(a.Shape[:0], shape...), nil
	if x == nil {
		return nil
	}
	n := 1
	for _, d := range shape {
		n *= d
	}
	switch x := x.(type) {
	case []float64:
		if elem == term.R && len(shape) == 1 && len(x) == n {
			a.R = x
			return nil
		}
	case *[]float64:
		if elem == term.R && len(shape) == 1 && x != nil {
			if len(*x) != n {
				*x = make([]float64, n)
			}
			a.R = *x
			return nil
		}
	case *term.Value[float64]:
		if x != nil {
			return a.placeValue(x, n)
		}
	case *mat.Dense:
		if x != nil && elem == term.R && len(shape) == 2 {
			return a.placeDense(x)
		}
	case **mat.Dense:
		if x != nil && elem == term.R && len(shape) == 2 {
			if *x == nil {
				*x = new(mat.Dense)
			}
			return a.placeDense(*x)
		}
	case *mat.VecDense:
		if x != nil && elem == term.R && len(shape) == 1 {
			return a.placeVector(x, n)
		}
	case **mat.VecDense:
		if x != nil && elem == term.R && len(shape) == 1 {
			if *x == nil {
				*x = new(mat.VecDense)
			}
			return a.placeVector(*x, n)
		}
	default:
		v := reflect.ValueOf(x)
		if v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		if !a.makeRoom(v, 0) {
			return a.noPlace(x)
		}
		a.R, a.N = a.own(n)
		a.place = x
		return nil
	}
	return a.noPlace(x)
}

// noPlace says what x is, that is no place for the array.
func (a *Array) noPlace(x any) error {
	v := reflect.ValueOf(x)
	switch {
	case v.Kind() == reflect.Pointer && v.IsNil():
		return errNil
	case v.Kind() == reflect.Slice:
		return fmt.Errorf("a %T of length %d", x, v.Len())
	}
	if m, ok := x.(mat.Matrix); ok {
		r, c := m.Dims()
		return fmt.Errorf("a %T of shape [%d, %d]", x, r, c)
	}
	if v, ok := x.(*term.Value[float64]); ok && v.Flaw() == "" {
		return fmt.Errorf("a value %s of shape %s", v.Elem, shapeText(v.Shape))
	}
	return fmt.Errorf("a %T", x)
}

func (a *Array) placeValue(v *term.Value[float64], n int) error {
	if v.Elem == term.NoElem && v.Parts == nil {
		v.Elem, v.Shape = a.Elem, slices.Clone(a.Shape)
		if a.Elem == term.R {
			v.R = make([]float64, n)
		} else {
			v.N = make([]int64, n)
		}
	}
	if v.Flaw() != "" || v.Elem != a.Elem || !slices.Equal(v.Shape, a.Shape) {
		return a.noPlace(v)
	}
	if a.Elem == term.R {
		a.R = v.R
	} else {
		a.N = v.N
	}
	return nil
}

var errNoElements = errors.New("a matrix or vector of gonum, which has elements")

func (a *Array) placeDense(m *mat.Dense) error {
	r, c := a.Shape[0], a.Shape[1]
	if r*c == 0 {
		return errNoElements
	}
	if m.IsEmpty() {
		m.ReuseAs(r, c)
	}
	raw := m.RawMatrix()
	switch {
	case raw.Rows != r || raw.Cols != c:
		return a.noPlace(m)
	case raw.Stride == c:
		a.R = raw.Data[:r*c]
	default:
		a.R, _ = a.own(r * c)
		a.place = m
	}
	return nil
}

func (a *Array) placeVector(v *mat.VecDense, n int) error {
	if n == 0 {
		return errNoElements
	}
	if v.IsEmpty() {
		v.ReuseAsVec(n)
	}
	switch {
	case v.Len() != n:
		return a.noPlace(v)
	case v.RawVector().Inc == 1:
		a.R = v.RawVector().Data[:n]
	default:
		a.R, _ = a.own(n)
		a.place = v
	}
	return nil
}

// makeRoom gives nested slices, from depth on, the lengths of the axes, and reports
// whether it can.
func (a *Array) makeRoom(v reflect.Value, depth int) bool {
	if depth == len(a.Shape) {
		return v.CanSet() && holds(v, a.Elem)
	}
	n := a.Shape[depth]
	k := v.Kind()
	switch {
	case k != reflect.Slice && k != reflect.Array:
		return false
	case v.Len() == n:
	case k == reflect.Slice && v.CanSet():
		v.Set(reflect.MakeSlice(v.Type(), n, n))
	default:
		return false
	}
	if k := v.Type().Elem().Kind(); k != reflect.Slice && k != reflect.Array {
		return n == 0 || a.makeRoom(v.Index(0), depth+1) // all are alike
	}
	for i := range n {
		if !a.makeRoom(v.Index(i), depth+1) {
			return false
		}
	}
	return true
}

// Store puts the elements where they go, if they are not there. It is an error if an
// integer does not fit.
func (a *Array) Store() error {
	var err error
	switch x := a.place.(type) {
	case nil:
	case *float64:
		*x = a.R[0]
	case mat.Mutable:
		r, c := x.Dims()
		for i := range r {
			for j := range c {
				x.Set(i, j, a.R[i*c+j])
			}
		}
	case *mat.VecDense:
		for i, e := range a.R {
			x.SetVec(i, e)
		}
	default:
		v := reflect.ValueOf(x)
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		_, err = a.store(v, 0)
	}
	a.place = nil
	return err
}

// store puts the elements from number i on into v, and returns the number after them.
func (a *Array) store(v reflect.Value, i int) (next int, err error) {
	switch k := v.Kind(); {
	case k == reflect.Slice || k == reflect.Array:
		for j := 0; j < v.Len() && err == nil; j++ {
			i, err = a.store(v.Index(j), i)
		}
		return i, err
	case a.Elem == term.R:
		v.SetFloat(a.R[i])
	case a.Elem == term.B:
		v.SetBool(a.N[i] != 0)
	case v.OverflowInt(a.N[i]):
		return i, fmt.Errorf("the integer %d does not fit %s", a.N[i], v.Type())
	default:
		v.SetInt(a.N[i])
	}
	return i + 1, nil
}

// Takes reports whether fields of a type can be places of arrays of some rank, by
// their address, if fixed lengths are right.
func Takes(t reflect.Type, elem term.Elem, rank int) bool {
	switch {
	case t == nil:
		return false
	case t == reflect.TypeFor[*mat.Dense]() || t == reflect.TypeFor[mat.Dense]():
		return elem == term.R && rank == 2
	case t == reflect.TypeFor[*mat.VecDense]() || t == reflect.TypeFor[mat.VecDense]():
		return elem == term.R && rank == 1
	case t == reflect.TypeFor[term.Value[float64]]():
		return true
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		return rank > 0 && Takes(t.Elem(), elem, rank-1)
	}
	return rank == 0 && holds(reflect.Zero(t), elem)
}

// holds reports whether v can be set to an element.
func holds(v reflect.Value, elem term.Elem) bool {
	switch elem {
	case term.R:
		return v.CanFloat()
	case term.B:
		return v.Kind() == reflect.Bool
	}
	return elem == term.I && v.CanInt()
}
