package term

import (
	"slices"
)

// Cells is an operator applied to arrays, as the meaning in its descriptor sees it:
// positions of elements, whatever the elements are. Operands are numbered; those
// under the binders follow the others, once they are entered. [Result] is the array
// that is made, which begins as zeros.
type Cells interface {
	Op() Op
	Operands() int
	// Shape is the axes of operand k.
	Shape(k int) []int
	// Len is how many elements operand k has.
	Len(k int) int
	// Int is element i of operand k, an integer or a truth value as 0 and 1.
	Int(k, i int) int64
	// NaN and Less compare elements of operand k, which are reals.
	NaN(k, i int) bool
	Less(k, i, j int) bool
	// SetInt and SetLiteral give an element of the result its value.
	SetInt(at int, v int64)
	SetLiteral(at int, c Scalar) error
	// Copy makes n elements of the result, from at, those of operand k, from i.
	Copy(at, k, i, n int)
	// Combine applies a binary operator to n elements of the result and as many of
	// operand k, one by one, in order.
	Combine(sym Sym, at, k, i, n int) error
	// Each calls f for every index below sizes, the last component fastest.
	Each(sizes []int, f func(is []int) error) error
	// Enter evaluates what is under the binders, where they are is.
	Enter(is []int) error
	// Return makes operand k the result, Component component n of operand 0, and
	// Tuple the tuple of all.
	Return(k int)
	Component(n int)
	Tuple()
}

// Result is the number of the result among the operands of [Cells].
const Result = -1

type cells[S any] struct {
	alg    Arrays[S]
	op     Op
	kids   []*Value[S]
	outer  int
	body   Body[*Value[S]]
	result *Value[S]
}

func (c *cells[S]) of(k int) *Value[S] {
	if k == Result {
		return c.result
	}
	return c.kids[k]
}

func (c *cells[S]) Op() Op                 { return c.op }
func (c *cells[S]) Operands() int          { return len(c.kids) }
func (c *cells[S]) Shape(k int) []int      { return c.of(k).Shape }
func (c *cells[S]) Len(k int) int          { return c.of(k).Len() }
func (c *cells[S]) Int(k, i int) int64     { return c.kids[k].N[i] }
func (c *cells[S]) NaN(k, i int) bool      { return c.alg.Scalars.IsNaN(c.kids[k].R[i]) }
func (c *cells[S]) SetInt(at int, v int64) { c.result.N[at] = v }
func (c *cells[S]) Return(k int)           { c.result = c.kids[k] }
func (c *cells[S]) Component(n int)        { c.result = c.kids[0].Parts[n] }

func (c *cells[S]) Less(k, i, j int) bool {
	return c.alg.Scalars.Compare(SymLt, c.kids[k].R[i], c.kids[k].R[j])
}

func (c *cells[S]) SetLiteral(at int, x Scalar) (err error) {
	if c.result.Elem == R {
		c.result.R[at], err = c.alg.Scalars.FromNum(x.Num)
	} else {
		c.result.N[at] = x.Int
	}
	return err
}

func (c *cells[S]) Copy(at, k, i, n int) { copyBlock(c.result, at, c.of(k), i, n) }

func (c *cells[S]) Combine(sym Sym, at, k, i, n int) (err error) {
	r, v := c.result, c.of(k)
	if r.Elem != R {
		f := IntBinary(sym)
		for j := range n {
			r.N[at+j] = f(r.N[at+j], v.N[i+j])
		}
		return nil
	}
	for j := range n {
		if r.R[at+j], err = c.alg.Scalars.Binary(sym, r.R[at+j], v.R[i+j]); err != nil {
			return err
		}
	}
	return nil
}

func (c *cells[S]) Each(sizes []int, f func(is []int) error) error {
	if slices.Contains(sizes, 0) {
		return nil
	}
	is := make([]int, len(sizes))
	for {
		if err := c.alg.ended(); err != nil {
			return err
		}
		if err := f(is); err != nil {
			return err
		}
		k := len(is) - 1
		for ; k >= 0; k-- {
			if is[k]++; is[k] < sizes[k] {
				break
			}
			is[k] = 0
		}
		if k < 0 {
			return nil
		}
	}
}

func (c *cells[S]) Enter(is []int) error {
	if c.body == nil { // a list of no indices is under them
		return nil
	}
	at := make([]int64, len(is))
	for k, i := range is {
		at[k] = int64(i)
	}
	inner, err := c.body(at)
	c.kids = append(c.kids[:c.outer:c.outer], inner...)
	return err
}

func (c *cells[S]) Tuple() {
	// A tuple of nothing has parts, none.
	c.result = &Value[S]{Parts: append([]*Value[S]{}, c.kids...)}
}

// ranges are the sizes of an operator's index variables.
func ranges(op Op) []int {
	out := make([]int, len(op.Sizes))
	for i, s := range op.Sizes {
		n, _ := s.Const()
		out[i] = int(n)
	}
	return out
}

// product is how many elements an array has with the given axes.
func product(shape []int) int {
	n := 1
	for _, k := range shape {
		n *= k
	}
	return n
}
