package data

import (
	"reflect"

	"egad/term"
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
	case *term.Value[float64]:
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
	if v.Kind() != reflect.Struct {
		return nil, false
	}
	at, count := 0, 0
	for k := range v.NumField() {
		if v.Type().Field(k).IsExported() {
			if count == i {
				at = k
			}
			count++
		}
	}
	if count != n {
		return nil, false
	}
	if f := v.Field(at); f.CanAddr() {
		return f.Addr().Interface(), true
	}
	return v.Field(at).Interface(), true
}
