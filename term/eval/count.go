package eval

import (
	"egad/internal/raise"
	"egad/term/ops"
	"egad/term/types"
)

// Counts is what an evaluation did, in elements.
type Counts struct {
	Float    int64 // arithmetic on R: 1 an element, 3 for lgamma and the like, 4 for atan2
	Int      int64 // elementwise work on I and B, comparisons
	Selected int64 // elements chosen by where, and copied by data movement
	Elements int64 // elements of the R arrays of rank 1 and more that were made
}

// Counting is an algebra that does what Arrays does and counts operations.
type Counting[S any] struct {
	Arrays[S]
	Counts *Counts
}

// NewCounting counts in float64 arrays.
func NewCounting() Counting[float64] {
	return Counting[float64]{Arrays: FloatArrays(), Counts: new(Counts)}
}

// Apply counts what the operator costs.
func (c Counting[S]) Apply(op ops.Op, kids []*Value[S], body Body[*Value[S]], t *types.Type) (_ *Value[S], err error) {
	defer raise.Caught(&err)
	v := computed(c.Prepare(op, kids, body, t))
	c.Count(c.Costs(op, kids, v), 1)
	return v, nil
}

// Costs returns what an operator with these operands and this result costs.
func (c Counting[S]) Costs(op ops.Op, operands []*Value[S], result *Value[S]) (costs Counts) {
	if result.Parts != nil {
		return costs
	}
	first := &Value[S]{}
	if len(operands) > 0 {
		first = operands[0]
	}
	costs.add(op.Sym, result.Elem, len(result.Shape), int64(result.Len()), first.Elem, int64(first.Len()), rows(first.Shape))
	return costs
}

// Count adds costs n times.
func (c Counting[S]) Count(costs Counts, n int64) {
	costs.Elements = mulCount(costs.Elements, n)
	c.Counts.AddTimes(costs, n)
}

// rows is how many rows an array has.
func rows(shape []int) int64 {
	if len(shape) == 0 {
		return 1
	}
	return int64(shape[0])
}

// AddTimes adds what n evaluations of d do, but the arrays only once.
func (c *Counts) AddTimes(d Counts, n int64) {
	c.Float = addCount(c.Float, mulCount(d.Float, n))
	c.Int = addCount(c.Int, mulCount(d.Int, n))
	c.Selected = addCount(c.Selected, mulCount(d.Selected, n))
	c.Elements = addCount(c.Elements, d.Elements)
}

// operation counts o on n elements of type elem.
func (c *Counts) operation(o *ops.Operator, elem types.Elem, n int64) {
	to := &c.Int
	switch {
	case o.Work == ops.WorkMove:
		to = &c.Selected
	case o.Operations > 1:
		to, n = &c.Float, mulCount(o.Operations, n)
	case elem == types.R && o.Sym != ops.SymReal:
		to = &c.Float
	}
	*to = addCount(*to, n)
}

// Elementwise counts an elementwise operator on n elements with a result of type elem.
func (c *Counts) Elementwise(sym ops.Sym, elem types.Elem, n int64) {
	c.operation(ops.Builtin(sym), elem, n)
}

// Whole counts an operator with a result of n elements of type elem, whose first operand
// has of elements of type first, in arrays of the given shape.
func (c *Counts) Whole(sym ops.Sym, elem, first types.Elem, n, of int64, shape []int) {
	c.add(sym, elem, 0, n, first, of, rows(shape))
}

// add counts an operator whose result, of the given rank, has n elements, and whose first
// operand has of, in rows.
func (c *Counts) add(sym ops.Sym, elem types.Elem, rank int, n int64, first types.Elem, of, rows int64) {
	switch o := ops.Builtin(sym); o.Work {
	case ops.WorkNone:
		return
	case ops.WorkMake:
	case ops.WorkFold:
		c.operation(o, first, of)
	case ops.WorkCube:
		c.operation(o, types.R, mulCount(max(n, of), rows))
	case ops.WorkRows:
		c.operation(o, types.R, mulCount(n, rows))
	default:
		c.operation(o, elem, n)
	}
	if elem == types.R && rank > 0 {
		c.Elements = addCount(c.Elements, n)
	}
}
