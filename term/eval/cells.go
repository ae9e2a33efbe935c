package eval

import (
	"reflect"
	"slices"

	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

type cells[S any] struct {
	alg    Arrays[S]
	op     ops.Op
	kids   []*Value[S]
	outer  int
	body   Body[*Value[S]]
	result *Value[S]

	scratch []*Value[S] // operands that were made, of which so many are in use
	used    int
	at      []int
	ranges  []int
	is      []int
	index   []int64
	unary   preparedOperators[func(a S) S]
	binary  preparedOperators[func(a, b S) S]
}

// filled prepares an operator that fills an array of zeros, as its descriptor tells.
func (a Arrays[S]) filled(o *ops.Operator, op ops.Op, operands []*Value[S], body Body[*Value[S]], t *types.Type) (*Value[S], Step) {
	r, zero := a.room(t), a.zero(t)
	c := &cells[S]{alg: a, op: op, kids: slices.Clip(operands), outer: len(operands), body: body, result: r}
	cleared := reflect.ValueOf(&zero).Elem().IsZero() // as it is made
	return r, func() {
		if !cleared {
			r.clear(zero)
		}
		cleared = false
		c.kids, c.used = c.kids[:c.outer], 0
		o.Fill(c)
	}
}

func (c *cells[S]) of(k int) *Value[S] {
	if k == ops.Result {
		return c.result
	}
	return c.kids[k]
}

func (c *cells[S]) Op() ops.Op             { return c.op }
func (c *cells[S]) Elem() types.Elem       { return c.result.Elem }
func (c *cells[S]) Operands() int          { return len(c.kids) }
func (c *cells[S]) Shape(k int) []int      { return c.of(k).Shape }
func (c *cells[S]) Len(k int) int          { return c.of(k).Len() }
func (c *cells[S]) Int(k, i int) int64     { return c.kids[k].N[i] }
func (c *cells[S]) NaN(k, i int) bool      { return c.alg.Scalars.IsNaN(c.of(k).R[i]) }
func (c *cells[S]) SetInt(at int, v int64) { c.result.N[at] = v }

func (c *cells[S]) Less(k, i, j int) bool {
	v := c.of(k)
	return c.alg.Scalars.Compare(ops.SymLt, v.R[i], v.R[j])
}

func (c *cells[S]) SetLiteral(at int, x ops.Scalar) {
	if c.result.Elem == types.R {
		c.result.R[at] = c.alg.Scalars.FromNum(x.Num)
	} else {
		c.result.N[at] = x.Int
	}
}

func (c *cells[S]) Copy(at, k, i, n int) { c.Move(ops.Result, at, k, i, n) }

func (c *cells[S]) Pick(at, k, i, step, n int) {
	to, from := c.result, c.of(k)
	if to.Elem == types.R {
		slice.Strided(to.R[at:at+n], from.R, i, step)
	} else {
		slice.Strided(to.N[at:at+n], from.N, i, step)
	}
}

func (c *cells[S]) Move(to, at, k, i, n int) { copyBlock(c.of(to), at, c.of(k), i, n) }

func (c *cells[S]) Combine(sym ops.Sym, at, k, i, n int) {
	c.Do(sym, ops.Result, at, k, i, n)
}

func (c *cells[S]) Scratch(is ...ops.Scalar) int {
	k := c.scratchOf(len(is))
	for i, x := range is {
		c.kids[k].R[i] = c.alg.Scalars.FromNum(x.Num)
	}
	return k
}

func (c *cells[S]) Room(n int) int {
	k := c.scratchOf(n)
	c.kids[k].clear(c.alg.Scalars.FromInt(0))
	return k
}

// scratchOf is a new operand with room for n reals.
func (c *cells[S]) scratchOf(n int) int {
	if c.used == len(c.scratch) {
		c.scratch = append(c.scratch, &Value[S]{Elem: types.R})
	}
	v := c.scratch[c.used]
	c.used++
	v.R = slices.Grow(v.R[:0], n)[:n]
	c.kids = append(c.kids, v)
	return len(c.kids) - 1
}

func (c *cells[S]) Floats(k int) []float64 {
	x, _ := any(c.of(k).R).([]float64)
	return x
}

func (c *cells[S]) Positions(n int) []int {
	c.at = slices.Grow(c.at[:0], n)[:n]
	return c.at
}

func (c *cells[S]) Do(sym ops.Sym, to, at, k, i, n int) {
	r, v := c.of(to), c.of(k)
	switch {
	case r.Elem != types.R:
		f := ops.IntBinary(sym)
		for j := range n {
			r.N[at+j] = f(r.N[at+j], v.N[i+j])
		}
	case ops.Builtin(sym).Arity == 1:
		f := c.unary.get(sym, func() func(a S) S { return PreparedUnary(c.alg.Scalars, sym, 0) })
		for j := range n {
			r.R[at+j] = f(v.R[i+j])
		}
	case atOnce(sym, c.Floats(to), at, c.Floats(k), i, n):
	default:
		f := c.binary.get(sym, func() func(a, b S) S { return PreparedBinary(c.alg.Scalars, sym) })
		for j := range n {
			r.R[at+j] = f(r.R[at+j], v.R[i+j])
		}
	}
}

// atOnce is Do of sums and products of float64, for which a call for each would take longer than
// the rest; it reports whether they are that.
func atOnce(sym ops.Sym, to []float64, at int, from []float64, i, n int) bool {
	if to == nil || from == nil {
		return false
	}
	to, from = to[at:at+n], from[i:i+n]
	switch sym {
	case ops.SymAdd:
		for j, x := range from {
			to[j] += x
		}
	case ops.SymMul:
		for j, x := range from {
			to[j] *= x
		}
	default:
		return false
	}
	return true
}

func (c *cells[S]) Ranges() []int {
	if c.ranges == nil {
		c.ranges = make([]int, len(c.op.Sizes))
		for i, s := range c.op.Sizes {
			n, _ := s.Const()
			c.ranges[i] = int(n)
		}
	}
	return c.ranges
}

func (c *cells[S]) Each(sizes []int, f func(is []int)) {
	if slices.Contains(sizes, 0) {
		return
	}
	c.is = slices.Grow(c.is[:0], len(sizes))[:len(sizes)]
	is := c.is
	clear(is)
	for {
		c.alg.ended()
		f(is)
		k := len(is) - 1
		for ; k >= 0; k-- {
			if is[k]++; is[k] < sizes[k] {
				break
			}
			is[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

func (c *cells[S]) Enter(is []int) {
	if c.body == nil { // a list of no indices is under them
		return
	}
	c.index = c.index[:0]
	for _, i := range is {
		c.index = append(c.index, int64(i))
	}
	inner := c.body(c.index)
	if !slices.Equal(c.kids[c.outer:], inner) {
		c.kids = append(c.kids[:c.outer], inner...)
	}
}

func (c *cells[S]) Offset(of, first int) (int, int) {
	shape, is, at := c.of(of).Shape, c.kids[first:], 0
	block := slice.Product(shape[len(is):])
	for k, v := range is {
		i := v.N[0]
		if uint64(i) >= uint64(shape[k]) {
			return -1, block
		}
		at = at*shape[k] + int(i)
	}
	return at * block, block
}

// Filling is an operator applied to arrays of float64 again and again, with the
// memory that it needs. It is one with [ops.Operator.Whole].
type Filling struct {
	fill func(c ops.Cells)
	c    cells[float64]
}

// NewFilling prepares op for operands and a result whose types stay as they are;
// where their elements are may change from run to run.
func NewFilling(op ops.Op, result *Value[float64], operands []*Value[float64]) *Filling {
	return &Filling{ops.Builtin(op.Sym).Fill, cells[float64]{alg: FloatArrays(), op: op, kids: slices.Clip(operands), outer: len(operands), result: result}}
}

// Run computes the result, whose elements are 0 before.
func (f *Filling) Run() (err error) {
	defer raise.Caught(&err)
	f.c.kids, f.c.used = f.c.kids[:f.c.outer], 0
	f.fill(&f.c)
	return nil
}
