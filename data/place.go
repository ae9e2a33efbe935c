package data

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"egad/internal/slice"
	"egad/term/eval"
	"egad/term/types"

	"gonum.org/v1/gonum/mat"
)

// Place makes x the place where the elements of an array go, by [Array.Store]. A place
// is a slice of the right length, nested for more axes, a matrix or vector of gonum,
// a value of programs, or a pointer: to a number, a truth value, or a slice, which is
// made if it has another length. What is nil is no place, and takes nothing. The
// error says what x is instead. Nothing is made or changed before elements are stored.
func (a *Array) Place(x any, elem types.Elem, shape []int) error {
	return a.PlaceColumn(x, elem, shape, nil)
}

// PlaceColumn is [Array.Place] at the end of steps from the items of a list of tuples, a
// slice of structs or a pointer to one. Without steps it is Place.
func (a *Array) PlaceColumn(x any, elem types.Elem, shape []int, steps []Step) error {
	a.Forget()
	a.Elem, a.Shape, a.steps = elem, append(a.Shape, shape...), steps
	if x == nil {
		return nil
	}
	ok, real := false, elem == types.R && len(steps) == 0
	switch x := x.(type) {
	case *float64:
		ok = real && len(shape) == 0 && x != nil
	case []float64:
		ok = real && len(shape) == 1 && len(x) == shape[0]
	case *[]float64:
		ok = real && len(shape) == 1 && x != nil
	case *eval.Value[float64]:
		ok = x != nil && (unmade(x) || x.Flaw() == "" && x.Elem == elem && slices.Equal(x.Shape, shape))
	case *mat.Dense:
		ok = real && len(shape) == 2 && x != nil && a.dense(x)
	case **mat.Dense:
		ok = real && len(shape) == 2 && x != nil && (*x == nil || a.dense(*x))
	case *mat.VecDense:
		ok = real && len(shape) == 1 && x != nil && a.vector(x)
	case **mat.VecDense:
		ok = real && len(shape) == 1 && x != nil && (*x == nil || a.vector(*x))
	default:
		v := reflect.ValueOf(x)
		if v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		ok = a.goesTo(v, 0)
	}
	switch {
	case !ok:
		return a.noPlace(x)
	case a.len() == 0 && gonum(x):
		return errNoElements
	}
	a.to = x
	return nil
}

// gonum reports whether a place is a matrix or a vector of gonum.
func gonum(x any) bool {
	switch x.(type) {
	case mat.Matrix, **mat.Dense, **mat.VecDense:
		return true
	}
	return false
}

// dense reports whether a matrix has the shape of the array, or can be given it.
func (a *Array) dense(m *mat.Dense) bool {
	r, c := m.Dims()
	return m.IsEmpty() || r == a.Shape[0] && c == a.Shape[1]
}

func (a *Array) vector(v *mat.VecDense) bool { return v.IsEmpty() || v.Len() == a.Shape[0] }

// unmade reports whether a value is to be made.
func unmade(v *eval.Value[float64]) bool { return v.Elem == types.NoElem && v.Parts == nil }

// noPlace says what x is, that is no place for the array.
func (a *Array) noPlace(x any) error {
	switch m := x.(type) {
	case **mat.Dense:
		x = *m
	case **mat.VecDense:
		x = *m
	}
	v := reflect.ValueOf(x)
	switch {
	case v.Kind() == reflect.Pointer && v.IsNil():
		return errNil
	case v.Kind() == reflect.Slice:
		hint := ""
		if flat, ok := x.([]float64); ok && a.Elem == types.R && len(a.Shape) > 1 && len(flat) == slice.Product(a.Shape) {
			text := shapeText(a.Shape)
			hint = fmt.Sprintf("; egad.Array(x, %s), of that slice x, is one", text[1:len(text)-1])
		}
		return fmt.Errorf("a %T of length %d%s", x, v.Len(), hint)
	}
	if m, ok := x.(mat.Matrix); ok {
		r, c := m.Dims()
		return fmt.Errorf("a %T of shape [%d, %d]", x, r, c)
	}
	if v, ok := x.(*eval.Value[float64]); ok && v.Flaw() == "" {
		return fmt.Errorf("a value %s of shape %s", v.Elem, shapeText(v.Shape))
	}
	return fmt.Errorf("a %T", x)
}

var errNoElements = errors.New("a matrix or vector of gonum, which has elements")

// goesTo reports whether the elements can go to nested slices, from depth on: they have the
// lengths of the axes, or can be set.
func (a *Array) goesTo(v reflect.Value, depth int) bool {
	v, ok := a.inner(v, depth)
	if !ok {
		return false
	}
	if depth == len(a.Shape) {
		return v.CanSet() && holds(v.Type(), a.Elem)
	}
	n, k := a.Shape[depth], v.Kind()
	if k != reflect.Slice && k != reflect.Array {
		return false
	}
	switch {
	case v.Len() != n:
		return v.CanSet() && a.made(v.Type(), depth)
	case k == reflect.Array && n > 0 && !v.CanSet():
		return false
	}
	if e := v.Type().Elem().Kind(); n == 0 || e != reflect.Slice && e != reflect.Array {
		return a.made(v.Type().Elem(), depth+1) // all are alike
	}
	for i := range n {
		if !a.goesTo(v.Index(i), depth+1) {
			return false
		}
	}
	return true
}

// inner goes the steps from an item of nested slices.
func (a *Array) inner(v reflect.Value, depth int) (reflect.Value, bool) {
	for _, s := range a.steps {
		if s.Depth == depth {
			var ok bool
			if v, ok = field(v, s.I, s.N); !ok {
				return v, false
			}
		}
	}
	return v, true
}

// made reports whether a zero value of a type can be set so that elements go there.
func (a *Array) made(t reflect.Type, depth int) bool {
	return takes(t, a.Elem, len(a.Shape), a.steps, depth, a.Shape)
}

// Fits is an error if integers do not fit the place.
func (a *Array) Fits(ints []int64) error {
	if a.to == nil || a.Elem != types.I {
		return nil
	}
	t := reflect.TypeOf(a.to)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for depth := 0; ; depth++ {
		for _, s := range a.steps {
			if s.Depth == depth {
				t, _ = fieldType(t, s.I, s.N)
			}
		}
		if t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
			break
		}
		t = t.Elem()
	}
	if k := t.Kind(); k == reflect.Int64 || k == reflect.Struct {
		return nil
	}
	for _, n := range ints {
		if reflect.Zero(t).OverflowInt(n) {
			return fmt.Errorf("the integer %d does not fit %s", n, t)
		}
	}
	return nil
}

// Store puts elements where they go, which is made if it is not there or has another
// length. Integers have to fit: see [Array.Fits].
func (a *Array) Store(reals []float64, ints []int64) {
	switch x := a.to.(type) {
	case nil:
	case *float64:
		*x = reals[0]
	case []float64:
		copy(x, reals)
	case *[]float64:
		if len(*x) != len(reals) {
			*x = make([]float64, len(reals))
		}
		copy(*x, reals)
	case *eval.Value[float64]:
		if unmade(x) {
			*x = eval.Value[float64]{Elem: a.Elem, Shape: slices.Clone(a.Shape)}
			if a.Elem == types.R {
				x.R = make([]float64, len(reals))
			} else {
				x.N = make([]int64, len(ints))
			}
		}
		copy(x.R, reals)
		copy(x.N, ints)
	case **mat.Dense:
		if *x == nil {
			*x = new(mat.Dense)
		}
		a.storeDense(*x, reals)
	case *mat.Dense:
		a.storeDense(x, reals)
	case **mat.VecDense:
		if *x == nil {
			*x = new(mat.VecDense)
		}
		a.storeVector(*x, reals)
	case *mat.VecDense:
		a.storeVector(x, reals)
	default:
		v := reflect.ValueOf(x)
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		s := storer{a, reals, ints}
		s.item(v, 0)
	}
}

func (a *Array) storeDense(m *mat.Dense, reals []float64) {
	r, c := a.Shape[0], a.Shape[1]
	if m.IsEmpty() {
		m.ReuseAs(r, c)
	}
	raw := m.RawMatrix()
	for i := range r {
		copy(raw.Data[i*raw.Stride:i*raw.Stride+c], reals[i*c:])
	}
}

func (a *Array) storeVector(v *mat.VecDense, reals []float64) {
	if v.IsEmpty() {
		v.ReuseAsVec(len(reals))
	}
	raw := v.RawVector()
	for i, e := range reals {
		raw.Data[i*raw.Inc] = e
	}
}

// storer puts elements into nested slices; it has those that are left.
type storer struct {
	*Array
	reals []float64
	ints  []int64
}

func (s *storer) item(v reflect.Value, depth int) {
	v, _ = s.inner(v, depth)
	if depth < len(s.Shape) {
		n := s.Shape[depth]
		if v.Len() != n {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		if v.CanAddr() && depth+1 == len(s.Shape) {
			if row, ok := v.Addr().Interface().(*[]float64); ok {
				s.reals = s.reals[copy(*row, s.reals):]
				return
			}
		}
		for i := range n {
			s.item(v.Index(i), depth+1)
		}
		return
	}
	switch s.Elem {
	case types.R:
		v.SetFloat(s.reals[0])
		s.reals = s.reals[1:]
		return
	case types.B:
		v.SetBool(s.ints[0] != 0)
	default:
		v.SetInt(s.ints[0])
	}
	s.ints = s.ints[1:]
}

// Takes reports whether fields of a type can be places of arrays of some rank, by
// their address, if fixed lengths are right: or of what is at the end of steps from
// items of a list of tuples.
func Takes(t reflect.Type, elem types.Elem, rank int, steps []Step) bool {
	switch {
	case t == nil:
		return false
	case t == reflect.TypeFor[*mat.Dense]() || t == reflect.TypeFor[mat.Dense]():
		return elem == types.R && rank == 2 && len(steps) == 0
	case t == reflect.TypeFor[*mat.VecDense]() || t == reflect.TypeFor[mat.VecDense]():
		return elem == types.R && rank == 1 && len(steps) == 0
	case t == reflect.TypeFor[eval.Value[float64]]():
		return len(steps) == 0
	}
	return takes(t, elem, rank, steps, 0, nil)
}

// takes reports whether elements can go to nested slices or arrays of a type, from depth
// on; shape is that of the array, if it is known.
func takes(t reflect.Type, elem types.Elem, rank int, steps []Step, depth int, shape []int) bool {
	for _, s := range steps {
		if s.Depth == depth {
			var ok bool
			if t, ok = fieldType(t, s.I, s.N); !ok {
				return false
			}
		}
	}
	switch {
	case depth == rank:
		return holds(t, elem)
	case t.Kind() == reflect.Array && shape != nil && t.Len() != shape[depth]:
		return false
	}
	return (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) && takes(t.Elem(), elem, rank, steps, depth+1, shape)
}

// holds reports whether what is of a type can be set to an element.
func holds(t reflect.Type, elem types.Elem) bool {
	v := reflect.Zero(t)
	switch elem {
	case types.R:
		return v.CanFloat()
	case types.B:
		return v.Kind() == reflect.Bool
	}
	return elem == types.I && v.CanInt()
}
