package ops

import "egad/term/types"

// Cells is an operator applied to arrays, as the meaning in its descriptor sees it:
// positions of elements, whatever the elements are. Operands are numbered; those
// under the binders follow the others, once they are entered. [Result] is the array
// that is made, which begins as zeros. What cannot be computed is raised (see package raise).
type Cells interface {
	Op() Op
	Operands() int
	// Shape is the axes of operand k.
	Shape(k int) []int
	// Len is how many elements operand k has.
	Len(k int) int
	// Int is element i of operand k, an integer or a truth value as 0 and 1.
	Int(k, i int) int64
	// Elem is the type of the elements of the result.
	Elem() types.Elem
	// NaN and Less compare elements of operand k, which are reals.
	NaN(k, i int) bool
	Less(k, i, j int) bool
	// SetInt and SetLiteral give an element of the result its value.
	SetInt(at int, v int64)
	SetLiteral(at int, c Scalar)
	// Copy makes n elements of the result, from at, those of operand k, from i.
	Copy(at, k, i, n int)
	// Pick is Copy of elements that lie step apart in operand k.
	Pick(at, k, i, step, n int)
	// Combine applies a binary operator to n elements of the result and as many of
	// operand k, one by one, in order.
	Combine(sym Sym, at, k, i, n int)
	// Move is Copy to operand to.
	Move(to, at, k, i, n int)
	// Scratch is a new operand of the given reals.
	Scratch(is ...Scalar) int
	// Room is a new operand of n zeros.
	Room(n int) int
	// Floats are the elements of operand k, which are reals, if they are float64.
	Floats(k int) []float64
	// Positions is room for n positions.
	Positions(n int) []int
	// Do gives n elements of operand to, from at, new values: of an operator on one
	// real those at operand k, from i; of one on two those at both.
	Do(sym Sym, to, at, k, i, n int)
	// Ranges are the sizes of the operator's index variables.
	Ranges() []int
	// Each calls f for every index below sizes, the last component fastest. It is not
	// called again by f.
	Each(sizes []int, f func(is []int))
	// Enter evaluates what is under the binders, where they are is.
	Enter(is []int)
	// Offset is the position of the part of operand of at the indices that are the
	// operands from number first on, and its number of elements, or -1 if a component
	// is out of range.
	Offset(of, first int) (at, n int)
}

// Result is the number of the result among the operands of [Cells].
const Result = -1
