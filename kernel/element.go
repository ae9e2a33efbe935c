package kernel

import (
	"encoding/binary"
	"slices"
)

// Element is an element of an array, at indices of a builder.
type Element struct {
	Array *Array
	At    string
}

// ElementAt names an element of an array as it was when so much was forgotten of it.
func ElementAt(a Access, lost int) Element {
	at := binary.AppendUvarint(nil, uint64(lost))
	for _, v := range a.At {
		at = binary.AppendUvarint(at, uint64(v.Serial))
	}
	return Element{a.Array, string(at)}
}

// SameAs reports whether v is the element of an access.
func (v *Value) SameAs(a Access) bool {
	return v.Kind == Load && v.Array == a.Array && slices.Equal(v.At, a.At)
}
