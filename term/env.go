package term

import (
	"fmt"
	"maps"
	"slices"

	"egad/diag"
)

// CheckEnv reports what is wrong with the values of inputs: each leaf of each
// input must have a value with the element type and the shape that its type says,
// with as many elements as the shape, truth values being 0 or 1. A value for a
// name that is no leaf is an error too.
func CheckEnv[S any](inputs []Input, env Env[*Value[S]]) error {
	var names []string
	known := make(map[string]bool)
	for _, in := range inputs {
		for _, leaf := range in.Leaves() {
			names = append(names, leaf.Name)
			known[leaf.Name] = true
			v, ok := env[leaf.Name]
			if !ok || v == nil {
				return fmt.Errorf("no value for input %s: %s", leaf.Name, leaf.Type)
			}
			if why := v.isNot(leaf.Type); why != "" {
				return fmt.Errorf("input %s: %s, and its value is %s", leaf.Name, leaf.Type, why)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if known[name] {
			continue
		}
		for _, in := range inputs {
			if in.Name == name {
				return fmt.Errorf("input %s is a tuple %s: its components have values, as %s.0", name, in.Type, name)
			}
		}
		return fmt.Errorf("there is no input %s%s", name, diag.DidYouMean(name, names))
	}
	return nil
}

// isNot says what v is if it is no value of an array type, else "".
func (v *Value[S]) isNot(t *Type) string {
	switch {
	case t.Kind != KArray || v.Map != nil:
		return "no array"
	case v.Parts != nil:
		return fmt.Sprintf("a tuple of %d", len(v.Parts))
	case v.Elem != R && v.Elem != I && v.Elem != B:
		return "an array of no element type"
	}
	dims := make([]Size, len(v.Shape))
	n := 1
	for i, d := range v.Shape {
		if d < 0 {
			return fmt.Sprintf("of shape %v", v.Shape)
		}
		dims[i] = SizeConst(int64(d))
		if n > 0 && d > DefaultMaxElements/n {
			return fmt.Sprintf("of shape %v, which is more than %d elements", v.Shape, DefaultMaxElements)
		}
		n *= d
	}
	is := ArrayOf(v.Elem, dims...)
	if !is.Equal(t) {
		return is.String()
	}
	if v.Len() != n {
		return fmt.Sprintf("%s with %s", is, countOf(v.Len(), "element"))
	}
	if v.Elem == B {
		for _, b := range v.N {
			if b != 0 && b != 1 {
				return fmt.Sprintf("%s with the element %d, neither 0 nor 1", is, b)
			}
		}
	}
	return ""
}
