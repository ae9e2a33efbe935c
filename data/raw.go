package data

import (
	"fmt"
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/slice"
	"egad/term/types"
)

// Raw is a value read from a file before its type is known.
type Raw struct {
	File string       // where it was read, "" if that is no file
	Src  *diag.Source // the text it was read from, nil if it was not JSON
	Pos  diag.Pos     // of the value in Src
	Key  diag.Pos     // of its name in Src; Pos if it has none

	table bool // rows and columns of a CSV file
	bare  bool // a shape alone: see [Array.Raw]
	val   node
}

// String describes the form of the value: "a number", "an array of shape [2, 3]".
func (r *Raw) String() string {
	if r == nil {
		return "no value"
	}
	return r.val.String()
}

// kind tells what a value is made of.
type kind uint8

const (
	numeric kind = iota
	truth        // true and false, as 1 and 0
	mixed        // a list whose items differ in shape or kind, which only a tuple can be
	left         // {"inl": …}, a value of a sum
	right        // {"inr": …}
	object       // {"0": …, "1": …}, the components of a tuple
)

// node is a raw value or a part of one.
type node struct {
	kind  kind
	shape []int
	nums  *numbers
	from  int    // its elements are those of nums from here, row-major
	parts []node // of a mixed list, the components of an object, or the one of a sum
}

// len is the number of elements of a value that is not mixed.
func (n node) len() int { return slice.Product(n.shape) }

// stray is the first element of numbers that is none of a type, as for I and B what is not
// whole and for B what is not 0 or 1; -1 if there is none.
func (n node) stray(elem types.Elem) int {
	if elem == types.R {
		return -1
	}
	for i := range n.len() {
		if v, ok := n.nums.integer(n.from + i); !ok || elem == types.B && v != 0 && v != 1 {
			return i
		}
	}
	return -1
}

// text is what was written, if it was a text.
func (r *Raw) text() string {
	if r.Src == nil {
		return "…"
	}
	return r.Src.Text[r.Pos:skipValue(r.Src.Text, int(r.Pos))]
}

// plain reports whether n is an array or a scalar.
func (n node) plain() bool { return n.kind < mixed }

// same reports whether n and m can be items of one array.
func (n node) same(m node) bool {
	return n.plain() && n.kind == m.kind && slices.Equal(n.shape, m.shape)
}

// isList reports whether n was written as a list.
func (n node) isList() bool { return n.kind == mixed || len(n.shape) > 0 }

// isTuple reports whether n was written as a list or as components.
func (n node) isTuple() bool { return n.isList() || n.kind == object }

// items are the entries of a list, or components.
func (n node) items() []node {
	if n.kind >= mixed {
		return n.parts
	}
	item := n
	item.shape = n.shape[1:]
	return item.repeat(n.shape[0])
}

// repeat is count values of the form of n whose elements follow each other.
func (n node) repeat(count int) []node {
	out, size := make([]node, count), n.len()
	for i := range out {
		out[i] = n
		out[i].from += i * size
	}
	return out
}

// count is the number of entries of a list, or of components.
func (n node) count() int {
	if n.kind >= mixed {
		return len(n.parts)
	}
	return n.shape[0]
}

func (n node) String() string {
	switch {
	case n.kind == mixed:
		return fmt.Sprintf("a list of %s of different shapes", diag.Count(len(n.parts), "item"))
	case n.kind == object:
		return "an object of " + diag.Count(len(n.parts), "component")
	case n.kind == left:
		return "a value inl of a sum"
	case n.kind == right:
		return "a value inr of a sum"
	case len(n.shape) > 0 && n.kind == truth:
		return "an array of truth values of shape " + shapeText(n.shape)
	case len(n.shape) > 0:
		return "an array of shape " + shapeText(n.shape)
	case n.kind == truth:
		return "a truth value"
	}
	return "a number"
}

// ragged finds the first item that keeps a mixed list from being an array: its
// path below n, and how it differs from the first item of its list.
func (n node) ragged(name string, path []int) ([]int, string) {
	first := n.parts[0]
	for i, p := range n.parts {
		at := append(slices.Clone(path), i)
		if p.kind == mixed {
			return p.ragged(name, at)
		}
		if !p.same(first) {
			return at, difference(name, at, p, first)
		}
	}
	return path, pathText(name, path) + " is " + n.String()
}

// difference says how the item at path differs from the first of its list.
func difference(name string, path []int, item, first node) string {
	start := slices.Clone(path)
	start[len(start)-1] = 0
	here, there := pathText(name, path), pathText(name, start)
	if item.isList() && first.isList() && item.count() != first.count() {
		return fmt.Sprintf("%s has %s, and %s has %d", here, diag.Count(item.count(), "element"), there, first.count())
	}
	return fmt.Sprintf("%s is %s, and %s is %s", here, item, there, first)
}

// pathText names an element: "x[2, 0]".
func pathText(name string, path []int) string {
	if len(path) == 0 {
		return name
	}
	return name + shapeText(path)
}

func shapeText(shape []int) string {
	return strings.ReplaceAll(fmt.Sprint(shape), " ", ", ")
}

// sameShape is what a ragged list breaks.
const sameShape = "the items of an array have the same type and shape"
