package kernel

import (
	"fmt"
	"slices"

	"egad/internal/slice"
)

// Element is an element of an array, at indices of a builder.
type Element struct {
	Array *Array
	At    string
}

// ElementAt names an element of an array as it was when so much was forgotten of it.
func ElementAt(a Access, lost int) Element {
	at := slice.Map(a.At, func(v *Value) int { return v.Serial })
	return Element{a.Array, fmt.Sprint(lost, at)}
}

// SameAs reports whether v is the element of an access.
func (v *Value) SameAs(a Access) bool {
	return v.Kind == Load && v.Array == a.Array && slices.Equal(v.At, a.At)
}
