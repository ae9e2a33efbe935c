package term

import (
	"fmt"
	"slices"
)

// Scalars is the arithmetic of real elements in some representation. Integers
// and truth values mean the same in all of them.
type Scalars[S any] interface {
	FromNum(n Num) (S, error)
	FromInt(i int64) (S, error)
	// Unary applies an elementwise R -> R operator; n is its attribute (the
	// order of polygamma).
	Unary(sym Sym, n int, a S) (S, error)
	// Binary applies an elementwise R, R -> R operator.
	Binary(sym Sym, a, b S) (S, error)
	// Compare applies <, <= or ==.
	Compare(sym Sym, a, b S) bool
	Floor(a S) int64
	Round(a S) int64
	IsNaN(a S) bool
}

// Value is an array over S, or a tuple of values.
type Value[S any] struct {
	Elem  Elem
	Shape []int
	R     []S     // the elements if Elem is R, row-major
	N     []int64 // the elements if Elem is I, or B as 0 and 1
	Parts []*Value[S]
	// Map is a linear map, in algebras that know them.
	Map any
}

// Arrays is the algebra that defines what programs mean: concrete arrays,
// computed by slow and obvious loops (section 1 of docs/language.md).
type Arrays[S any] struct {
	Scalars Scalars[S]
	// MaxElements bounds the elements of one array; 0 means DefaultMaxElements.
	MaxElements int64
	// Ended, if not nil, is asked again and again; its error ends the evaluation.
	Ended func() error
}

// DefaultMaxElements bounds one array of an evaluation: 1 GiB of float64.
const DefaultMaxElements = 1 << 27

// Len is the number of elements of an array.
func (v *Value[S]) Len() int {
	if v == nil {
		return 0
	}
	if v.Elem == R {
		return len(v.R)
	}
	return len(v.N)
}

// Copy is v in memory of its own, with all its parts.
func (v *Value[S]) Copy() *Value[S] {
	if v == nil {
		return nil
	}
	c := &Value[S]{Elem: v.Elem, Shape: slices.Clone(v.Shape), R: slices.Clone(v.R), N: slices.Clone(v.N), Map: v.Map}
	if v.Parts != nil { // a tuple of nothing has parts, none
		c.Parts = make([]*Value[S], len(v.Parts))
	}
	for i, p := range v.Parts {
		c.Parts[i] = p.Copy()
	}
	return c
}

// ShapeOf gives the axes of a constant array type as ints, or an error if the
// array has more than limit elements.
func ShapeOf(t *Type, limit int64) ([]int, int, error) {
	shape, n := make([]int, len(t.Shape)), int64(1)
	empty := false
	for i, s := range t.Shape {
		c, ok := s.Const()
		if !ok || c < 0 {
			return nil, 0, fmt.Errorf("size %s has no value", s)
		}
		if c > limit {
			return nil, 0, fmt.Errorf("an array %s has more than the %d elements that are allowed", t, limit)
		}
		empty = empty || c == 0
		shape[i] = int(c)
	}
	if empty {
		return shape, 0, nil
	}
	for _, c := range shape {
		if n *= int64(c); n > limit {
			return nil, 0, fmt.Errorf("an array %s has more than the %d elements that are allowed", t, limit)
		}
	}
	return shape, int(n), nil
}

// New is an array of type t with room for its elements, all zero (for S: the
// zero value of the Go type, which the caller overwrites).
func (a Arrays[S]) New(t *Type) (*Value[S], error) {
	if err := a.ended(); err != nil {
		return nil, err
	}
	limit := a.MaxElements
	if limit == 0 {
		limit = DefaultMaxElements
	}
	shape, n, err := ShapeOf(t, limit)
	if err != nil {
		return nil, err
	}
	v := &Value[S]{Elem: t.Elem, Shape: shape}
	if t.Elem == R {
		v.R = make([]S, n)
	} else {
		v.N = make([]int64, n)
	}
	return v, nil
}

func (a Arrays[S]) ended() error {
	if a.Ended == nil {
		return nil
	}
	return a.Ended()
}

// zeros is a new array of zeros.
func (a Arrays[S]) zeros(t *Type) (*Value[S], error) {
	v, err := a.New(t)
	if err != nil || t.Elem != R {
		return v, err
	}
	zero, err := a.Scalars.FromInt(0)
	for i := range v.R {
		v.R[i] = zero
	}
	return v, err
}

// copyBlock copies n elements of src from position i to position j of dst.
func copyBlock[S any](dst *Value[S], j int, src *Value[S], i, n int) {
	if dst.Elem == R {
		copy(dst.R[j:j+n], src.R[i:i+n])
	} else {
		copy(dst.N[j:j+n], src.N[i:i+n])
	}
}

// Const is the literal c.
func (a Arrays[S]) Const(c *Const, t *Type) (*Value[S], error) {
	v, err := a.New(t)
	if err != nil {
		return nil, err
	}
	for i := range v.Len() {
		s := c.Fill
		if c.Data != nil {
			s = c.Data[i]
		}
		if t.Elem == R {
			if v.R[i], err = a.Scalars.FromNum(s.Num); err != nil {
				return nil, err
			}
		} else {
			v.N[i] = s.Int
		}
	}
	return v, nil
}

// Iota is [0, …, n-1].
func (a Arrays[S]) Iota(t *Type) (*Value[S], error) {
	v, err := a.New(t)
	if err != nil {
		return nil, err
	}
	for i := range v.N {
		v.N[i] = int64(i)
	}
	return v, nil
}

// offset is the position of the subarray at ix and its number of elements, or
// -1 if a component is out of range.
func offset[S any](v *Value[S], ix []*Value[S]) (int, int) {
	block := 1
	for _, n := range v.Shape[len(ix):] {
		block *= n
	}
	at := 0
	for k, i := range ix {
		if i.N[0] < 0 || i.N[0] >= int64(v.Shape[k]) {
			return -1, block
		}
		at = at*v.Shape[k] + int(i.N[0])
	}
	return at * block, block
}

// Index is the subarray of v at ix, or zeros if ix is out of range.
func (a Arrays[S]) Index(v *Value[S], ix []*Value[S], t *Type) (*Value[S], error) {
	at, n := offset(v, ix)
	if at < 0 {
		return a.zeros(t)
	}
	r, err := a.New(t)
	if err == nil {
		copyBlock(r, 0, v, at, n)
	}
	return r, err
}

// Gather reads v at f(is) for every is, in index order.
func (a Arrays[S]) Gather(sizes []int64, v *Value[S], f func([]*Value[S]) ([]*Value[S], error), t *Type) (*Value[S], error) {
	r, err := a.zeros(t)
	if err != nil {
		return nil, err
	}
	pos := 0
	return r, a.each(sizes, func(is []*Value[S]) error {
		ix, err := f(is)
		if err != nil {
			return err
		}
		at, n := offset(v, ix)
		if at >= 0 {
			copyBlock(r, pos, v, at, n)
		}
		pos += n
		return nil
	})
}

// Scatter is a left fold from zeros in index order; what is sent out of range
// is dropped.
func (a Arrays[S]) Scatter(sizes []int64, v *Value[S], f func([]*Value[S]) ([]*Value[S], error), t *Type) (*Value[S], error) {
	r, err := a.zeros(t)
	if err != nil {
		return nil, err
	}
	pos := 0
	return r, a.each(sizes, func(is []*Value[S]) error {
		ix, err := f(is)
		if err != nil {
			return err
		}
		at, n := offset(r, ix)
		if at >= 0 {
			if err := a.addBlock(r, at, v, pos, n); err != nil {
				return err
			}
		}
		pos += n
		return nil
	})
}

// addBlock adds n elements of src from i to dst from j.
func (a Arrays[S]) addBlock(dst *Value[S], j int, src *Value[S], i, n int) error {
	for k := range n {
		if dst.Elem != R {
			dst.N[j+k] += src.N[i+k]
			continue
		}
		s, err := a.Scalars.Binary(SymAdd, dst.R[j+k], src.R[i+k])
		if err != nil {
			return err
		}
		dst.R[j+k] = s
	}
	return nil
}

// each calls f for every index below sizes, the last component fastest.
func (a Arrays[S]) each(sizes []int64, f func(is []*Value[S]) error) error {
	if slices.Contains(sizes, 0) {
		return nil
	}
	ix := make([]int64, len(sizes))
	for {
		if err := a.ended(); err != nil {
			return err
		}
		is := make([]*Value[S], len(sizes))
		for k, i := range ix {
			is[k] = intValue[S](i)
		}
		if err := f(is); err != nil {
			return err
		}
		k := len(ix) - 1
		for ; k >= 0; k-- {
			if ix[k]++; ix[k] < sizes[k] {
				break
			}
			ix[k] = 0
		}
		if k < 0 {
			return nil
		}
	}
}

func intValue[S any](i int64) *Value[S] {
	return &Value[S]{Elem: I, N: []int64{i}}
}

// Reduce folds the subarrays of v along its outer axis from the left.
func (a Arrays[S]) Reduce(sym Sym, v *Value[S], t *Type) (*Value[S], error) {
	r, err := a.zeros(t)
	if err != nil {
		return nil, err
	}
	n, block := v.Shape[0], r.Len()
	if sym == SymSum {
		for i := range n {
			if err := a.addBlock(r, 0, v, i*block, block); err != nil {
				return nil, err
			}
		}
		return r, nil
	}
	if sym != SymArgmax && n == 0 && block > 0 {
		sign := -1
		if sym == SymMinimum {
			sign = 1
		}
		inf, err := a.Scalars.FromNum(NumInf(sign))
		if err != nil {
			return nil, err
		}
		for k := range r.R {
			r.R[k] = inf
		}
		return r, nil
	}
	op := SymMax
	if sym == SymMinimum {
		op = SymMin
	}
	for k := range block {
		best, at := *new(S), 0
		for i := range n {
			x := v.R[i*block+k]
			switch {
			case i == 0:
				best = x
			case sym == SymArgmax:
				if !a.Scalars.IsNaN(best) && (a.Scalars.IsNaN(x) || a.Scalars.Compare(SymLt, best, x)) {
					best, at = x, i
				}
			default:
				if best, err = a.Scalars.Binary(op, best, x); err != nil {
					return nil, err
				}
			}
		}
		if sym == SymArgmax {
			r.N[k] = int64(at)
		} else {
			r.R[k] = best
		}
	}
	return r, nil
}

// Stack makes one array of equal-shaped parts.
func (a Arrays[S]) Stack(parts []*Value[S], t *Type) (*Value[S], error) {
	r, err := a.New(t)
	if err != nil {
		return nil, err
	}
	for i, p := range parts {
		copyBlock(r, i*p.Len(), p, 0, p.Len())
	}
	return r, nil
}

// Replicate repeats v along a new outer axis.
func (a Arrays[S]) Replicate(v *Value[S], t *Type) (*Value[S], error) {
	r, err := a.New(t)
	if err != nil {
		return nil, err
	}
	for at := 0; at < r.Len(); at += v.Len() {
		copyBlock(r, at, v, 0, v.Len())
	}
	return r, nil
}

// Tr permutes the leading axes of v.
func (a Arrays[S]) Tr(perm []int, v *Value[S], t *Type) (*Value[S], error) {
	r, err := a.New(t)
	if err != nil {
		return nil, err
	}
	block := 1
	for _, n := range v.Shape[len(perm):] {
		block *= n
	}
	stride := make([]int, len(perm)) // of v's leading axes, in elements
	for i, s := len(perm)-1, block; i >= 0; i-- {
		stride[i] = s
		s *= v.Shape[i]
	}
	sizes := make([]int64, len(perm))
	for i := range perm {
		sizes[i] = int64(r.Shape[i])
	}
	if block == 0 {
		return r, nil
	}
	pos := 0
	err = a.each(sizes, func(is []*Value[S]) error {
		at := 0
		for i, j := range perm {
			at += int(is[i].N[0]) * stride[j]
		}
		copyBlock(r, pos, v, at, block)
		pos += block
		return nil
	})
	return r, err
}

// Reshape gives v another shape.
func (a Arrays[S]) Reshape(v *Value[S], t *Type) (*Value[S], error) {
	r, err := a.New(t)
	if err == nil {
		copyBlock(r, 0, v, 0, v.Len())
	}
	return r, err
}

// Build computes the elements f(0), f(1), … in order.
func (a Arrays[S]) Build(n int64, f func(*Value[S]) (*Value[S], error), t *Type) (*Value[S], error) {
	r, err := a.New(t)
	if err != nil {
		return nil, err
	}
	for i := range n {
		if err := a.ended(); err != nil {
			return nil, err
		}
		v, err := f(intValue[S](i))
		if err != nil {
			return nil, err
		}
		copyBlock(r, int(i)*v.Len(), v, 0, v.Len())
	}
	return r, nil
}

// Cond picks a branch; both have been evaluated.
func (a Arrays[S]) Cond(b, u, v *Value[S], t *Type) (*Value[S], error) {
	if b.N[0] != 0 {
		return u, nil
	}
	return v, nil
}

// Tuple and Proj make tuples and take them apart.
func (a Arrays[S]) Tuple(parts []*Value[S]) (*Value[S], error) {
	return &Value[S]{Parts: parts}, nil
}

// Proj is component n.
func (a Arrays[S]) Proj(n int, v *Value[S], t *Type) (*Value[S], error) { return v.Parts[n], nil }

// Linear fails: linear maps have their meaning in package linmap.
func (a Arrays[S]) Linear(op Op, body func([]*Value[S]) ([]*Value[S], error), t *Type) (*Value[S], error) {
	return nil, fmt.Errorf("a linear map has no value as an array")
}
