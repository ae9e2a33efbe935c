package eval

import (
	"fmt"
	"maps"
	"slices"

	"egad/diag"
	"egad/term"
	"egad/term/types"
)

// CheckEnv reports what is wrong with the values of inputs: each leaf of each
// input must have a value with the element type and the shape that its type says,
// with as many elements as the shape, truth values being 0 or 1. A value for a
// name that is no leaf is an error too.
func CheckEnv[S any](inputs []term.Input, env Env[*Value[S]]) error {
	var names []string
	known := make(map[string]bool)
	for _, leaf := range term.Leaves(inputs) {
		names = append(names, leaf.Name)
		known[leaf.Name] = true
		if err := env[leaf.Name].check(leaf.Name, leaf.Type); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if known[name] {
			continue
		}
		for _, in := range inputs {
			if in.Name == name {
				return wanted(in.Type.String(), "input %s is a tuple %s: its components have values, as %s.0", name, in.Type, name)
			}
		}
		return wanted("", "there is no input %s%s", name, diag.DidYouMean(name, names))
	}
	return nil
}

// wanted is a finding about a value that should be of a type.
func wanted(t string, format string, args ...any) error {
	e := diag.Errorf(nil, 0, "%s", fmt.Sprintf(format, args...))
	e.Want = t
	return e
}

// check reports that v is no value of an input.
func (v *Value[S]) check(name string, t *types.Type) error {
	if v == nil {
		return noValue(name, t)
	}
	if why := v.isNot(t); why != "" {
		return wanted(t.String(), "input %s: %s, and its value is %s", name, t, why)
	}
	return nil
}

func noValue(name string, t *types.Type) error {
	return wanted(t.String(), "no value for input %s: %s", name, t)
}

// isNot says what v is if it is no value of an array type, else "".
func (v *Value[S]) isNot(t *types.Type) string {
	if t.Kind != types.KArray {
		return "no array"
	}
	if flaw := v.Flaw(); flaw != "" {
		return flaw
	}
	if is := v.typ(); !is.Equal(t) {
		return is.String()
	}
	return ""
}

func (v *Value[S]) typ() *types.Type { return types.ArrayOfShape(v.Elem, v.Shape) }

// Flaw says what v is if it is no array as it should be, with an element type, a
// shape, as many elements as the shape says, and truth values 0 or 1; else "".
func (v *Value[S]) Flaw() string {
	switch {
	case v == nil:
		return "nil"
	case v.Map != nil:
		return "no array"
	case v.Parts != nil:
		return fmt.Sprintf("a tuple of %d", len(v.Parts))
	case v.Elem != types.R && v.Elem != types.I && v.Elem != types.B:
		return "an array of no element type"
	}
	n := 1
	for _, d := range v.Shape {
		if d < 0 {
			return fmt.Sprintf("of shape %v", v.Shape)
		}
		if n > 0 && d > types.DefaultMaxElements/n {
			return fmt.Sprintf("of shape %v, which is more than %d elements", v.Shape, types.DefaultMaxElements)
		}
		n *= d
	}
	if v.Len() != n {
		return fmt.Sprintf("%s with %s", v.typ(), diag.Count(v.Len(), "element"))
	}
	if v.Elem == types.B {
		for _, b := range v.N {
			if b != 0 && b != 1 {
				return fmt.Sprintf("%s with the element %d, neither 0 nor 1", v.typ(), b)
			}
		}
	}
	return ""
}
