package data

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"egad/diag"
	"egad/term"

	"gonum.org/v1/gonum/mat"
)

// Array is an array on its way from a Go value to a program, or from a program to a
// place in Go. It keeps the memory that it makes, for the next value.
type Array struct {
	Elem  term.Elem
	R     []float64 // the elements if Elem is R, row-major
	N     []int64   // the elements if Elem is I, or B as 0 and 1
	Shape []int     // axes that an empty slice does not tell are missing at the end

	reals []float64 // memory of its own
	ints  []int64
	place any // where the elements go that are in memory of its own
}

// Read takes the elements of a Go value: a number or a truth value, slices and arrays
// of them, nested for more axes, pointers to these, gonum's vectors and matrices,
// values of programs, and what was read from files. Integers can be read as R, nothing else as what it is not.
// The elements are memory of x where they lie there as they should; x must not
// be changed before they are used. The error says what x is instead.
func (a *Array) Read(x any, elem term.Elem) error {
	a.Elem, a.R, a.N, a.Shape, a.place = elem, nil, nil, a.Shape[:0], nil
	if elem == term.R {
		switch x := x.(type) {
		case float64:
			a.one(x)
			return nil
		case *float64:
			if x != nil {
				a.one(*x)
				return nil
			}
		case []float64:
			a.Shape, a.R = append(a.Shape, len(x)), x
			return nil
		case *[]float64:
			if x != nil {
				a.Shape, a.R = append(a.Shape, len(*x)), *x
				return nil
			}
		}
	}
	v := reflect.ValueOf(x)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return errNil
	}
	switch x := x.(type) {
	case *term.Value[float64]:
		return a.value(x)
	case *Raw:
		return a.raw(x)
	case **mat.Dense:
		return a.Read(*x, elem)
	case **mat.VecDense:
		return a.Read(*x, elem)
	case mat.Matrix:
		if elem != term.R {
			return fmt.Errorf("a matrix of reals (%T)", x)
		}
		a.matrix(x)
		return nil
	}
	a.reals, a.ints = a.reals[:0], a.ints[:0]
	if err := a.nested(v, 0); err != nil {
		return err
	}
	a.R, a.N = a.own(len(a.reals) + len(a.ints))
	return nil
}

var errNil = errors.New("nil")

// one is a scalar.
func (a *Array) one(x float64) {
	a.reals = append(a.reals[:0], x)
	a.R = a.reals
}

// own is memory for n elements.
func (a *Array) own(n int) ([]float64, []int64) {
	if a.Elem == term.R {
		a.reals = slices.Grow(a.reals[:0], n)[:n]
		return a.reals, nil
	}
	a.ints = slices.Grow(a.ints[:0], n)[:n]
	return nil, a.ints
}

func (a *Array) value(v *term.Value[float64]) error {
	if flaw := v.Flaw(); flaw != "" {
		return errors.New(flaw)
	}
	if v.Elem != a.Elem {
		return fmt.Errorf("an array of %s", v.Elem)
	}
	a.Shape = append(a.Shape, v.Shape...)
	if a.Elem == term.R {
		a.R = v.R
	} else {
		a.N = v.N
	}
	return nil
}

// raw takes the elements of a value from a file. A list without items tells no axes
// but one.
func (a *Array) raw(r *Raw) error {
	n := r.val
	if n.kind != mixed && n.nums == nil {
		return errors.New("no value")
	}
	if n.kind == mixed || n.len() > 0 && (n.kind == truth) != (a.Elem == term.B) {
		return errors.New(n.String())
	}
	a.Shape = append(a.Shape, n.shape...)
	a.R, a.N = a.own(n.len())
	for i := range a.R {
		a.R[i] = n.nums.real(n.from + i)
	}
	for i := range a.N {
		v, ok := n.nums.integer(n.from + i)
		if !ok {
			return fmt.Errorf("%s with the element %v", n, n.nums.real(n.from+i))
		}
		a.N[i] = v
	}
	return nil
}

func (a *Array) matrix(m mat.Matrix) {
	switch m := m.(type) {
	case *mat.Dense:
		raw := m.RawMatrix()
		a.Shape = append(a.Shape, raw.Rows, raw.Cols)
		if raw.Stride == raw.Cols {
			a.R = raw.Data[:raw.Rows*raw.Cols]
			return
		}
	case mat.Vector:
		a.Shape = append(a.Shape, m.Len())
		if v, ok := m.(*mat.VecDense); ok && v.RawVector().Inc == 1 {
			a.R = v.RawVector().Data[:m.Len()]
			return
		}
	default:
		r, c := m.Dims()
		a.Shape = append(a.Shape, r, c)
	}
	r, c := m.Dims()
	a.R, _ = a.own(r * c)
	for i := range r {
		for j := range c {
			a.R[i*c+j] = m.At(i, j)
		}
	}
}

// nested reads what lies at an item of a nested slice of some depth.
func (a *Array) nested(v reflect.Value, depth int) error {
	for hops := 0; v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface; hops++ {
		if v.IsNil() {
			return errNil
		}
		if hops > MaxDepth {
			return errDeep
		}
		v = v.Elem()
	}
	if depth > MaxDepth {
		return errDeep
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		n := v.Len()
		switch {
		case depth < len(a.Shape) && a.Shape[depth] != n:
			return fmt.Errorf("a slice of slices of lengths %d and %d", a.Shape[depth], n)
		case depth == len(a.Shape) && len(a.reals)+len(a.ints) > 0:
			return errMixed
		case depth == len(a.Shape):
			a.Shape = append(a.Shape, n)
		}
		if depth+1 == len(a.Shape) && v.Type().Elem().Kind() == reflect.Float64 && a.Elem == term.R {
			if v.CanAddr() {
				if row, ok := v.Addr().Interface().(*[]float64); ok {
					a.reals = append(a.reals, *row...)
					return nil
				}
			}
			for i := range n {
				a.reals = append(a.reals, v.Index(i).Float())
			}
			return nil
		}
		for i := range n {
			if err := a.nested(v.Index(i), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if depth < len(a.Shape) {
		return errMixed
	}
	return a.scalar(v)
}

var errDeep = fmt.Errorf("of more than %d slices or pointers within each other", MaxDepth)

var errMixed = errors.New("a slice of numbers and of slices")

func (a *Array) scalar(v reflect.Value) error {
	switch k := v.Kind(); {
	case a.Elem == term.B && k == reflect.Bool:
		n := int64(0)
		if v.Bool() {
			n = 1
		}
		a.ints = append(a.ints, n)
	case a.Elem == term.R && v.CanFloat():
		a.reals = append(a.reals, v.Float())
	case a.Elem == term.R && v.CanInt():
		a.reals = append(a.reals, float64(v.Int()))
	case a.Elem == term.R && v.CanUint():
		a.reals = append(a.reals, float64(v.Uint()))
	case a.Elem == term.I && v.CanInt():
		a.ints = append(a.ints, v.Int())
	case a.Elem == term.I && v.CanUint() && v.Uint() <= math.MaxInt64:
		a.ints = append(a.ints, int64(v.Uint()))
	default:
		return fmt.Errorf("of the Go type %s", v.Type())
	}
	return nil
}

// Zero makes a an array of zeros.
func (a *Array) Zero(elem term.Elem, shape []int) {
	a.Elem, a.Shape, a.place = elem, append(a.Shape[:0], shape...), nil
	n := 1
	for _, d := range shape {
		n *= d
	}
	a.R, a.N = a.own(n)
	clear(a.R)
	clear(a.N)
}

// Forget makes a no array, and lets go of memory that is not its own.
func (a *Array) Forget() {
	a.Elem, a.R, a.N, a.Shape, a.place = term.NoElem, nil, nil, a.Shape[:0], nil
}

// Has reports whether the array has a shape, as far as its value told it.
func (a *Array) Has(shape []int) bool {
	n := len(a.Shape)
	return slices.Equal(a.Shape, shape) || 0 < n && n < len(shape) && a.Shape[n-1] == 0 && slices.Equal(a.Shape, shape[:n])
}

// String describes the array: "R[2, 3]".
func (a *Array) String() string {
	if a == nil {
		return "no array"
	}
	if len(a.Shape) == 0 {
		return a.Elem.String()
	}
	return a.Elem.String() + shapeText(a.Shape)
}

// Describe says what a Go value is that is no array or tuple that it should be.
func Describe(x any) string {
	if x == nil {
		return "nil"
	}
	if v, ok := x.(*term.Value[float64]); ok && v != nil && v.Parts != nil {
		return "a tuple of " + strconv.Itoa(len(v.Parts))
	}
	if r, ok := x.(*Raw); ok {
		return r.String()
	}
	return fmt.Sprintf("of the Go type %T", x)
}

// Raw is the array as an input that is to be bound, as a shape alone. What is wrong
// with it is told at pos of src.
func (a *Array) Raw(src *diag.Source, pos diag.Pos) *Raw {
	k := numeric
	if a.Elem == term.B {
		k = truth
	}
	return &Raw{Src: src, Pos: pos, Key: pos, bare: true, val: node{kind: k, shape: slices.Clone(a.Shape)}}
}
