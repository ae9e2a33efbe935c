package data

import (
	"reflect"

	"egad/term/eval"
)

// Part gives component i of n of a Go value that stands for a tuple: a struct, of which
// its exported fields are the components in their order, a pointer to one, a slice
// of anything, a value of programs, or a list that was read from a file. The parts of what is pointed to are pointers.
func Part(x any, i, n int) (any, bool) {
	switch x := x.(type) {
	case []any:
		if len(x) != n {
			return nil, false
		}
		return x[i], true
	case *eval.Value[float64]:
		if x == nil || len(x.Parts) != n {
			return nil, false
		}
		return x.Parts[i], true
	case *Raw:
		if x == nil || !x.val.isList() || x.val.count() != n {
			return nil, false
		}
		part := *x
		part.val = x.val.items()[i]
		return &part, true
	}
	v := reflect.ValueOf(x)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	f, ok := field(v, i, n)
	switch {
	case !ok:
		return nil, false
	case f.CanAddr():
		return f.Addr().Interface(), true
	}
	return f.Interface(), true
}

// field is exported field i of n of a struct.
func field(v reflect.Value, i, n int) (out reflect.Value, ok bool) {
	if v.Kind() != reflect.Struct {
		return v, false
	}
	count := 0
	for k := range v.NumField() {
		if f := v.Field(k); f.CanInterface() { // it is exported
			if count == i {
				out = f
			}
			count++
		}
	}
	return out, count == n && i < n
}

// fieldType is the type of exported field i of n of structs of a type.
func fieldType(t reflect.Type, i, n int) (reflect.Type, bool) {
	f, ok := field(reflect.Zero(t), i, n)
	if !ok {
		return nil, false
	}
	return f.Type(), true
}

// Step goes from a tuple that is an item of nested slices, so many deep, to component I
// of N: an array of tuples, as (R, R[3])[n], is a tuple of arrays, and may be a slice of
// structs in Go.
type Step struct{ Depth, I, N int }

// of is the component of a struct or of a slice of anything.
func (s Step) of(v reflect.Value) (reflect.Value, bool) {
	if list, ok := v, v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Interface; ok {
		if list.Len() != s.N {
			return v, false
		}
		return list.Index(s.I), true
	}
	return field(v, s.I, s.N)
}

// IsList reports whether a Go value is a slice or an array, or points to one, that is no
// tuple by itself.
func IsList(x any) bool {
	if _, ok := x.([]any); ok {
		return false
	}
	t := reflect.TypeOf(x)
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array)
}
