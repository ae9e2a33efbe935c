package data

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"egad/diag"
	"egad/internal/slice"
	"egad/term/eval"
	"egad/term/types"

	"gonum.org/v1/gonum/mat"
)

// Array is an array on its way from a Go value to a program, or from a program to a
// place in Go. It has no elements of its own: they are copied once, if at all.
type Array struct {
	Elem  types.Elem
	Shape []int // axes that an empty slice does not tell are missing at the end

	lie  bool      // the elements are in reals or ints
	real []float64 // the elements if Elem is R, row-major
	ints []int64   // the elements if Elem is I, or B as 0 and 1
	one  [1]float64
	from any // where they are else; nil if all are 0
	to   any // the place where they go
	seen int // how many numbers were met by measure

	steps []Step // to the elements, from items of from or to
}

// Read looks at the elements of a Go value: a number or a truth value, slices and arrays
// of them, nested for more axes, pointers to these, gonum's vectors and matrices,
// values of programs, and what was read from files. Integers can be read as R, nothing else as what it is not.
// X must not be changed before the elements are used. The error says what x is instead.
func (a *Array) Read(x any, elem types.Elem) error { return a.ReadColumn(x, elem, nil) }

// ReadColumn is [Array.Read] of what is at the end of steps from the items of a list of
// tuples. Without steps it is Read.
func (a *Array) ReadColumn(x any, elem types.Elem, steps []Step) error {
	a.Forget()
	a.Elem, a.steps = elem, steps
	if elem == types.R && len(steps) == 0 {
		switch x := x.(type) {
		case float64:
			a.scalar(x)
			return nil
		case *float64:
			if x != nil {
				a.scalar(*x)
				return nil
			}
		case []float64:
			a.lies(x, nil, len(x))
			return nil
		case *[]float64:
			if x != nil {
				a.lies(*x, nil, len(*x))
				return nil
			}
		}
	}
	v := reflect.ValueOf(x)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return errNil
	}
	switch x := x.(type) {
	case *eval.Value[float64]:
		return a.value(x)
	case *Raw:
		a.from = x
		return a.raw(x)
	case **mat.Dense:
		return a.Read(*x, elem)
	case **mat.VecDense:
		return a.Read(*x, elem)
	case mat.Matrix:
		if elem != types.R {
			return fmt.Errorf("a matrix of reals (%T)", x)
		}
		a.from = x
		a.matrix(x)
		return nil
	}
	a.from = x
	return a.measure(v, 0)
}

var errNil = errors.New("nil")

func (a *Array) scalar(x float64) {
	a.one[0] = x
	a.lies(a.one[:], nil)
}

// lies says where the elements lie as they should.
func (a *Array) lies(r []float64, n []int64, shape ...int) {
	a.lie, a.real, a.ints, a.Shape = true, r, n, append(a.Shape[:0], shape...)
}

// Lies gives the elements if they lie in memory of what was read, or are one real.
func (a *Array) Lies() (reals []float64, ints []int64, ok bool) { return a.real, a.ints, a.lie }

// Elements are the elements: in memory of what was read, if they lie there, or else new.
func (a *Array) Elements() (reals []float64, ints []int64) {
	if a.lie {
		return a.real, a.ints
	}
	n := a.len()
	if a.Elem == types.R {
		reals = make([]float64, n)
	} else {
		ints = make([]int64, n)
	}
	a.Fill(reals, ints)
	return reals, ints
}

// len is the number of elements.
func (a *Array) len() int { return slice.Product(a.Shape) }

// Fill copies the elements.
func (a *Array) Fill(reals []float64, ints []int64) {
	switch x := a.from.(type) {
	case nil:
		clear(reals[copy(reals, a.real):])
		clear(ints[copy(ints, a.ints):])
	case *Raw:
		from := x.val.from
		for i := range reals {
			reals[i] = x.val.nums.real(from + i)
		}
		for i := range ints {
			ints[i], _ = x.val.nums.integer(from + i)
		}
	case *mat.Dense:
		raw := x.RawMatrix()
		for i := range raw.Rows {
			copy(reals[i*raw.Cols:(i+1)*raw.Cols], raw.Data[i*raw.Stride:])
		}
	case mat.Matrix:
		r, c := x.Dims()
		for i := range r {
			for j := range c {
				reals[i*c+j] = x.At(i, j)
			}
		}
	default:
		f := filler{a.Elem, reals, ints, a.steps}
		f.item(reflect.ValueOf(x), 0)
	}
}

func (a *Array) value(v *eval.Value[float64]) error {
	if flaw := v.Flaw(); flaw != "" {
		return errors.New(flaw)
	}
	if v.Elem != a.Elem {
		return fmt.Errorf("an array of %s", v.Elem)
	}
	if a.Elem == types.R {
		a.lies(v.R, nil, v.Shape...)
	} else {
		a.lies(nil, v.N, v.Shape...)
	}
	return nil
}

// raw looks at a value from a file. A list without items tells no axes but one.
func (a *Array) raw(r *Raw) error {
	n := r.val
	if n.plain() && n.nums == nil {
		return errors.New("no value")
	}
	if !n.plain() || n.len() > 0 && n.kind == truth && a.Elem != types.B {
		return errors.New(n.String())
	}
	a.Shape = append(a.Shape, n.shape...)
	i := n.stray(a.Elem)
	switch {
	case i < 0:
		return nil
	case a.Elem == types.B:
		return fmt.Errorf("%s with the element %v, neither 0 nor 1", n, n.nums.real(n.from+i))
	}
	return fmt.Errorf("%s with the element %v", n, n.nums.real(n.from+i))
}

func (a *Array) matrix(m mat.Matrix) {
	switch m := m.(type) {
	case *mat.Dense:
		raw := m.RawMatrix()
		if raw.Stride == raw.Cols {
			a.from = nil
			a.lies(raw.Data[:raw.Rows*raw.Cols], nil, raw.Rows, raw.Cols)
			return
		}
	case mat.Vector:
		a.Shape = append(a.Shape, m.Len())
		if v, ok := m.(*mat.VecDense); ok && v.RawVector().Inc == 1 {
			a.from = nil
			a.lies(v.RawVector().Data[:m.Len()], nil, m.Len())
		}
		return
	}
	r, c := m.Dims()
	a.Shape = append(a.Shape, r, c)
}

// measure finds the shape of what lies at an item of a nested slice of some depth, all
// items of which are looked at.
func (a *Array) measure(v reflect.Value, depth int) error {
	v, err := pointed(v)
	for i := 0; err == nil && i < len(a.steps); i++ {
		if s := a.steps[i]; s.Depth == depth {
			part, ok := s.of(v)
			if !ok {
				return fmt.Errorf("of the Go type %s where a tuple of %d is expected", v.Type(), s.N)
			}
			v, err = pointed(part)
		}
	}
	if err != nil {
		return err
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
		case depth == len(a.Shape) && a.seen > 0:
			return errMixed
		case depth == len(a.Shape):
			a.Shape = append(a.Shape, n)
		}
		if k := v.Type().Elem().Kind(); n > 0 && depth+1 == len(a.Shape) && !a.later(depth) && (k == reflect.Float64 || k == reflect.Int) {
			if err := a.takes(v.Index(0)); err != nil { // all are alike
				return err
			}
			a.seen += n
			return nil
		}
		for i := range n {
			if err := a.measure(v.Index(i), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if depth < len(a.Shape) {
		return errMixed
	}
	a.seen++
	if a.later(depth) {
		return fmt.Errorf("of the Go type %s where slices of tuples are expected", v.Type())
	}
	return a.takes(v)
}

// later reports whether there are steps from items that are deeper.
func (a *Array) later(depth int) bool {
	return len(a.steps) > 0 && a.steps[len(a.steps)-1].Depth > depth
}

var errDeep = fmt.Errorf("of more than %d slices or pointers within each other", MaxDepth)

var errMixed = errors.New("a slice of numbers and of slices")

// takes is an error if a number or a truth value is no element.
func (a *Array) takes(v reflect.Value) error {
	ok := false
	switch a.Elem {
	case types.B:
		ok = v.Kind() == reflect.Bool
	case types.R:
		ok = v.CanFloat() || v.CanInt() || v.CanUint()
	case types.I:
		ok = v.CanInt() || v.CanUint() && v.Uint() <= math.MaxInt64
	}
	switch {
	case ok:
		return nil
	case a.Elem == types.I && v.CanUint():
		within := ""
		if len(a.Shape) > 0 {
			within = "an array with "
		}
		return fmt.Errorf("%sthe number %d, where the largest I is %d", within, v.Uint(), int64(math.MaxInt64))
	}
	return fmt.Errorf("of the Go type %s", v.Type())
}

// pointed is what a pointer points to, or v itself.
func pointed(v reflect.Value) (reflect.Value, error) {
	for hops := 0; v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface; hops++ {
		if v.IsNil() {
			return v, errNil
		}
		if hops > MaxDepth {
			return v, errDeep
		}
		v = v.Elem()
	}
	return v, nil
}

// filler copies what was measured to memory, of which it has what is left.
type filler struct {
	elem  types.Elem
	reals []float64
	ints  []int64
	steps []Step
}

func (f *filler) item(v reflect.Value, depth int) {
	v, _ = pointed(v)
	for _, s := range f.steps {
		if s.Depth == depth {
			v, _ = s.of(v)
			v, _ = pointed(v)
		}
	}
	if k := v.Kind(); k != reflect.Slice && k != reflect.Array {
		f.scalar(v)
		return
	}
	if v.CanAddr() && f.elem == types.R {
		if row, ok := v.Addr().Interface().(*[]float64); ok {
			f.reals = f.reals[copy(f.reals, *row):]
			return
		}
	}
	for i := range v.Len() {
		f.item(v.Index(i), depth+1)
	}
}

func (f *filler) scalar(v reflect.Value) {
	switch {
	case f.elem != types.R:
		f.ints[0] = 0
		switch {
		case v.CanInt():
			f.ints[0] = v.Int()
		case v.CanUint():
			f.ints[0] = int64(v.Uint())
		case v.Bool():
			f.ints[0] = 1
		}
		f.ints = f.ints[1:]
		return
	case v.CanFloat():
		f.reals[0] = v.Float()
	case v.CanInt():
		f.reals[0] = float64(v.Int())
	default:
		f.reals[0] = float64(v.Uint())
	}
	f.reals = f.reals[1:]
}

// Zero makes a an array of zeros.
func (a *Array) Zero(elem types.Elem, shape []int) {
	a.Forget()
	a.Elem, a.Shape = elem, append(a.Shape, shape...)
}

// Forget makes a no array, and lets go of what was read.
func (a *Array) Forget() { *a = Array{Shape: a.Shape[:0]} }

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
	if v, ok := x.(*eval.Value[float64]); ok && v != nil && v.Parts != nil {
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
	if a.Elem == types.B {
		k = truth
	}
	return &Raw{Src: src, Pos: pos, Key: pos, bare: true, val: node{kind: k, shape: slices.Clone(a.Shape)}}
}
