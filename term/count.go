package term

// Counts is what an evaluation did, in elements.
type Counts struct {
	Float    int64 // arithmetic on R: 1 an element, 3 for pow, atan2, lgamma and polygamma
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

func (c Counting[S]) made(v *Value[S], err error) (*Value[S], error) {
	if err == nil && v.Elem == R && len(v.Shape) > 0 {
		c.Counts.Elements += int64(len(v.R))
	}
	return v, err
}

func (c Counting[S]) moved(v *Value[S], err error) (*Value[S], error) {
	if err == nil {
		c.Counts.Selected += int64(v.Len())
	}
	return c.made(v, err)
}

// Elementwise counts one operation, or three, an element.
func (c Counting[S]) Elementwise(op Op, args []*Value[S], t *Type) (*Value[S], error) {
	v, err := c.Arrays.Elementwise(op, args, t)
	if err != nil {
		return nil, err
	}
	c.Counts.Elementwise(op, v.Elem, int64(v.Len()))
	return c.made(v, nil)
}

// Elementwise counts an operation on n elements with a result of type elem.
func (c *Counts) Elementwise(op Op, elem Elem, n int64) {
	to := &c.Int
	switch {
	case op.Sym == SymWhere:
		to = &c.Selected
	case op.Sym == SymPow || op.Sym == SymAtan2 || op.Sym == SymLgamma || op.Sym == SymPolygamma:
		to, n = &c.Float, mulCount(3, n)
	case elem == R && op.Sym != SymReal:
		to = &c.Float
	}
	*to = addCount(*to, n)
}

// Reduce counts one operation an element of its operand.
func (c Counting[S]) Reduce(sym Sym, a *Value[S], t *Type) (*Value[S], error) {
	c.reduced(a)
	return c.made(c.Arrays.Reduce(sym, a, t))
}

// Scatter counts one operation an element of its operand.
func (c Counting[S]) Scatter(sizes []int64, a *Value[S], f func([]*Value[S]) ([]*Value[S], error), t *Type) (*Value[S], error) {
	c.reduced(a)
	return c.made(c.Arrays.Scatter(sizes, a, f, t))
}

func (c Counting[S]) reduced(a *Value[S]) {
	if a.Elem == R {
		c.Counts.Float += int64(a.Len())
	} else {
		c.Counts.Int += int64(a.Len())
	}
}

// Gather, Index, Stack, Replicate, Tr and Reshape move elements.
func (c Counting[S]) Gather(sizes []int64, a *Value[S], f func([]*Value[S]) ([]*Value[S], error), t *Type) (*Value[S], error) {
	return c.moved(c.Arrays.Gather(sizes, a, f, t))
}

// Index moves elements.
func (c Counting[S]) Index(a *Value[S], ix []*Value[S], t *Type) (*Value[S], error) {
	return c.moved(c.Arrays.Index(a, ix, t))
}

// Stack moves elements.
func (c Counting[S]) Stack(parts []*Value[S], t *Type) (*Value[S], error) {
	return c.moved(c.Arrays.Stack(parts, t))
}

// Replicate moves elements.
func (c Counting[S]) Replicate(a *Value[S], t *Type) (*Value[S], error) {
	return c.moved(c.Arrays.Replicate(a, t))
}

// Tr moves elements.
func (c Counting[S]) Tr(perm []int, a *Value[S], t *Type) (*Value[S], error) {
	return c.moved(c.Arrays.Tr(perm, a, t))
}

// Reshape moves elements.
func (c Counting[S]) Reshape(a *Value[S], t *Type) (*Value[S], error) {
	return c.moved(c.Arrays.Reshape(a, t))
}

// Build makes an array.
func (c Counting[S]) Build(n int64, f func(*Value[S]) (*Value[S], error), t *Type) (*Value[S], error) {
	return c.made(c.Arrays.Build(n, f, t))
}
