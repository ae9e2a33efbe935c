// Package linmap gives linear maps their meaning as matrices, against which
// their laws are tested, and runs the laws that transpose and apply them.
//
// A linear map is a term of type S -o T (Coconut, Section 2). Its laws are rule
// sets: linear_transpose, linear_apply and linear_laws.
package linmap

import (
	"fmt"
	"slices"

	"egad/internal/slice"
	"egad/term"
)

// Matrix is the matrix of a linear map: a row for each real element of the
// codomain, a column for each of the domain, in row-major order of arrays and
// from left to right in tuples.
type Matrix[S any] struct {
	Rows, Cols int
	At         []S        // row by row
	Path       []bool     // whether there is a path from the column to the row; where not, At is 0
	To         *term.Type // the codomain
}

// MaxEntries bounds the entries of one matrix.
const MaxEntries = 1 << 22

// Algebra is the algebra of arrays in which linear maps are matrices.
type Algebra[S any] struct {
	term.Arrays[S]
	// Abs takes the absolute value of every factor: then a composition counts
	// the sum of the absolute path products instead of their sum.
	Abs bool
}

// Apply is the meaning of arrays, of linear maps and of their application (Coconut,
// Figs. 3 and 4).
func (a Algebra[S]) Apply(op term.Op, kids []*term.Value[S], body term.Body[*term.Value[S]], t *term.Type) (*term.Value[S], error) {
	if of, ok := op.OfMap(); ok {
		return a.columns(of, kids, body, t)
	}
	var err error
	switch op.Sym {
	case term.SymLapply:
		x, m := flatten(kids[1]), matrixOf(kids[0])
		zero, err := a.Scalars.FromInt(0)
		if err != nil {
			return nil, err
		}
		changes := slice.Make(m.Cols, func(i int) bool { return !a.Scalars.Compare(term.SymEq, x[i], zero) })
		y, err := a.mul(m, &Matrix[S]{Rows: m.Cols, Cols: 1, At: x, Path: changes})
		if err != nil {
			return nil, err
		}
		return a.unflatten(m.To, &y.At)
	case term.SymLreached:
		m := matrixOf(kids[0])
		v, err := a.New(t)
		if err != nil {
			return nil, err
		}
		for i := range m.Rows {
			if slices.Contains(m.Path[i*m.Cols:(i+1)*m.Cols], true) {
				v.N[i] = 1
			}
		}
		return v, nil
	case term.SymLcompose:
		m, n := matrixOf(kids[0]), matrixOf(kids[1])
		return a.value(t)(a.mul(m, n))
	case term.SymLadd:
		m, n := matrixOf(kids[0]), matrixOf(kids[1])
		r := &Matrix[S]{Rows: m.Rows, Cols: m.Cols, At: make([]S, len(m.At)), Path: make([]bool, len(m.At))}
		for i := range r.At {
			r.Path[i] = m.Path[i] || n.Path[i]
			if r.At[i], err = a.Scalars.Binary(term.SymAdd, m.At[i], n.At[i]); err != nil {
				return nil, err
			}
		}
		return a.value(t)(r, nil)
	case term.SymLtranspose:
		m := matrixOf(kids[0])
		r := &Matrix[S]{Rows: m.Cols, Cols: m.Rows, At: make([]S, len(m.At)), Path: make([]bool, len(m.At))}
		for i := range m.Rows {
			for j := range m.Cols {
				r.At[j*m.Rows+i], r.Path[j*m.Rows+i] = m.At[i*m.Cols+j], m.Path[i*m.Cols+j]
			}
		}
		return a.value(t)(r, nil)
	case term.SymLpair, term.SymLjoin:
		return a.value(t)(join(slice.Map(kids, matrixOf[S]), op.Sym == term.SymLpair), nil)
	case term.SymLbuild, term.SymLbuildT:
		return a.build(op, body, t)
	case term.SymLstates:
		return a.states(op, kids[0], body, t)
	case term.SymLzero, term.SymLone, term.SymLscale, term.SymLmask, term.SymLcond, term.SymLproj, term.SymLinj:
		return a.diagonal(op, kids, t)
	}
	return a.Arrays.Apply(op, kids, body, t)
}

func matrixOf[S any](v *term.Value[S]) *Matrix[S] { return v.Map.(*Matrix[S]) }

// value makes a result of a matrix for a map of type t.
func (a Algebra[S]) value(t *term.Type) func(*Matrix[S], error) (*term.Value[S], error) {
	return func(m *Matrix[S], err error) (*term.Value[S], error) {
		if err != nil {
			return nil, err
		}
		m.To = t.Parts[1]
		return &term.Value[S]{Map: m}, nil
	}
}

// reals counts the real elements of a type.
func reals(t *term.Type) (int, error) {
	if t.Kind == term.KTuple {
		n := 0
		for _, p := range t.Parts {
			k, err := reals(p)
			if err != nil {
				return 0, err
			}
			n += k
		}
		return n, nil
	}
	if t.Kind != term.KArray || t.Elem != term.R {
		return 0, nil
	}
	_, n, err := term.ShapeOf(t, MaxEntries)
	return n, err
}

// blank is the zero matrix of a map of type t, with the one that entries are made of.
func (a Algebra[S]) blank(t *term.Type) (m *Matrix[S], one S, err error) {
	cols, err := reals(t.Parts[0])
	if err != nil {
		return nil, one, err
	}
	rows, err := reals(t.Parts[1])
	if err != nil {
		return nil, one, err
	}
	if m, _, err = a.zeros(rows, cols); err == nil {
		one, err = a.Scalars.FromInt(1)
	}
	return m, one, err
}

// zeros is a zero matrix, with the zero of the arithmetic.
func (a Algebra[S]) zeros(rows, cols int) (m *Matrix[S], zero S, err error) {
	if rows*cols > MaxEntries {
		return nil, zero, fmt.Errorf("a matrix of %d × %d entries is too large", rows, cols)
	}
	zero, err = a.Scalars.FromInt(0)
	return &Matrix[S]{Rows: rows, Cols: cols, At: slices.Repeat([]S{zero}, rows*cols), Path: make([]bool, rows*cols)}, zero, err
}

// mul is the product of two matrices. A path that does not exist adds nothing,
// whatever the factors along it; one with the factor 0 does.
func (a Algebra[S]) mul(m, n *Matrix[S]) (*Matrix[S], error) {
	r, zero, err := a.zeros(m.Rows, n.Cols)
	if err != nil {
		return nil, err
	}
	for i := range m.Rows {
		for j := range n.Cols {
			sum := zero
			for k := range m.Cols {
				if !m.Path[i*m.Cols+k] || !n.Path[k*n.Cols+j] {
					continue
				}
				r.Path[i*n.Cols+j] = true
				p, err := a.Scalars.Binary(term.SymMul, m.At[i*m.Cols+k], n.At[k*n.Cols+j])
				if err != nil {
					return nil, err
				}
				if sum, err = a.Scalars.Binary(term.SymAdd, sum, p); err != nil {
					return nil, err
				}
			}
			r.At[i*n.Cols+j] = sum
		}
	}
	return r, nil
}

// join puts matrices side by side (a join) or above each other (a pair).
func join[S any](ms []*Matrix[S], vertical bool) *Matrix[S] {
	r := &Matrix[S]{}
	if vertical {
		r.Cols = ms[0].Cols
		for _, m := range ms {
			r.Rows += m.Rows
			r.At = append(r.At, m.At...)
			r.Path = append(r.Path, m.Path...)
		}
		return r
	}
	r.Rows = ms[0].Rows
	for i := range r.Rows {
		for _, m := range ms {
			r.At = append(r.At, m.At[i*m.Cols:(i+1)*m.Cols]...)
			r.Path = append(r.Path, m.Path[i*m.Cols:(i+1)*m.Cols]...)
		}
	}
	for _, m := range ms {
		r.Cols += m.Cols
	}
	return r
}

// build is B, which puts the maps of all indices above each other, or B', which
// puts them side by side.
func (a Algebra[S]) build(op term.Op, body term.Body[*term.Value[S]], t *term.Type) (*term.Value[S], error) {
	n, _ := op.Sizes[0].Const()
	if n == 0 {
		m, _, err := a.blank(t)
		return a.value(t)(m, err)
	}
	var ms []*Matrix[S]
	for i := range n {
		k, err := body([]int64{i})
		if err != nil {
			return nil, err
		}
		ms = append(ms, matrixOf(k[0]))
	}
	return a.value(t)(join(ms, op.Sym == term.SymLbuild), nil)
}

// states makes the map of a loop: each state is the map of the one before with what is
// added to it.
func (a Algebra[S]) states(op term.Op, k *term.Value[S], body term.Body[*term.Value[S]], t *term.Type) (*term.Value[S], error) {
	m, one, err := a.blank(t)
	if err != nil {
		return nil, err
	}
	n, _ := op.Sizes[0].Const()
	steps, err := term.StepCount(n, k.N[0])
	if err != nil {
		return nil, err
	}
	state := t.Parts[0].Parts[0]
	place, d, err := places(state)
	if err != nil {
		return nil, err
	}
	now := &Matrix[S]{Rows: d, Cols: m.Cols, At: m.At[: d*m.Cols : d*m.Cols], Path: m.Path[: d*m.Cols : d*m.Cols]}
	now.At, now.Path = append([]S{}, now.At...), append([]bool{}, now.Path...)
	add := func(row, col int) error {
		at := row*m.Cols + col
		sum, err := a.Scalars.Binary(term.SymAdd, now.At[at], one)
		now.At[at], now.Path[at] = sum, true
		return err
	}
	for r := range d {
		if err := add(r, r); err != nil {
			return nil, err
		}
	}
	for i := int64(0); ; i++ {
		for r := range d {
			at := place(r, int(i), int(n+1)) * m.Cols
			copy(m.At[at:at+m.Cols], now.At[r*m.Cols:])
			copy(m.Path[at:at+m.Cols], now.Path[r*m.Cols:])
		}
		if i == n {
			return a.value(t)(m, nil)
		}
		if i >= steps {
			continue
		}
		for r := range d {
			if err := add(r, d+place(r, int(i), int(n))); err != nil {
				return nil, err
			}
		}
		k, err := body([]int64{i})
		if err != nil {
			return nil, err
		}
		if now, err = a.mul(matrixOf(k[0]), now); err != nil {
			return nil, err
		}
	}
}

// places tells where element r of value number i is among those of n values of a type,
// an array or a tuple of arrays, each of which has an axis for the values; d is how
// many elements a value has.
func places(t *term.Type) (at func(r, i, n int) int, d int, err error) {
	parts := []*term.Type{t}
	if t.Kind == term.KTuple {
		parts = t.Parts
	}
	var sizes []int
	for _, p := range parts {
		k, err := reals(p)
		if err != nil {
			return nil, 0, err
		}
		sizes = append(sizes, k)
		d += k
	}
	return func(r, i, n int) int {
		before := 0
		for _, k := range sizes {
			if r < k {
				return before*n + i*k + r
			}
			before, r = before+k, r-k
		}
		return 0
	}, d, nil
}

// diagonal makes the maps whose matrix has at most one entry in a column.
func (a Algebra[S]) diagonal(op term.Op, kids []*term.Value[S], t *term.Type) (*term.Value[S], error) {
	m, one, err := a.blank(t)
	if err != nil {
		return nil, err
	}
	skip := 0 // the elements before component N
	if op.Sym == term.SymLproj || op.Sym == term.SymLinj {
		for _, p := range op.Type.Parts[:op.N] {
			k, err := reals(p)
			if err != nil {
				return nil, err
			}
			skip += k
		}
	}
	for i := range min(m.Rows, m.Cols) {
		row, col, x := i, i, one
		switch op.Sym {
		case term.SymLzero:
			continue
		case term.SymLscale:
			x = kids[0].R[i]
			if x, err = a.factor(x); err != nil {
				return nil, err
			}
		case term.SymLmask:
			if kids[0].N[i] == 0 {
				continue
			}
		case term.SymLcond:
			if kids[0].N[0] == 0 {
				continue
			}
		case term.SymLproj:
			col += skip
		case term.SymLinj:
			row += skip
		}
		m.At[row*m.Cols+col], m.Path[row*m.Cols+col] = x, true
	}
	return a.value(t)(m, nil)
}

// columns makes the matrix of a linear operator by applying it to every unit vector.
func (a Algebra[S]) columns(op term.Op, kids []*term.Value[S], body term.Body[*term.Value[S]], t *term.Type) (*term.Value[S], error) {
	m, one, err := a.blank(t)
	if err != nil {
		return nil, err
	}
	zero, err := a.Scalars.FromInt(0)
	if err != nil {
		return nil, err
	}
	apart := 1 // so many columns are by themselves
	if o := term.Builtin(op.Sym); o.Columnwise || o.Matrixwise {
		if k, _ := t.Parts[0].Shape[0].Const(); k > 0 {
			apart = m.Cols / int(k)
		}
	}
	for j := range m.Cols {
		unit := slices.Repeat([]S{zero}, m.Cols)
		unit[j] = one
		x, err := a.unflatten(t.Parts[0], &unit)
		if err != nil {
			return nil, err
		}
		y, err := a.Arrays.Apply(op, slices.Insert(slices.Clone(kids), term.Builtin(op.Sym).Operand(), x), body, t.Parts[1])
		if err != nil {
			return nil, err
		}
		for i, v := range y.R {
			if i%apart != j%apart {
				continue // there is no path from another column, be it NaN
			}
			path := !a.Scalars.Compare(term.SymEq, v, zero)
			switch o := term.Builtin(op.Sym); {
			case op.Sym == term.SymLinrec:
				path = i >= j // a factor holds nothing back, be it 0
			case o.Matrixwise:
				path = true // whatever the matrix
			}
			if v, err = a.factor(v); err != nil {
				return nil, err
			}
			m.At[i*m.Cols+j], m.Path[i*m.Cols+j] = v, path
		}
	}
	return a.value(t)(m, nil)
}

// factor is a factor as it counts.
func (a Algebra[S]) factor(x S) (S, error) {
	if !a.Abs {
		return x, nil
	}
	return a.Scalars.Unary(term.SymAbs, 0, x)
}

// flatten lists the real elements of a value.
func flatten[S any](v *term.Value[S]) []S {
	if v.Parts == nil {
		return v.R
	}
	return slices.Concat(slice.Map(v.Parts, flatten[S])...)
}

// unflatten takes the elements of a value of type t from the front of xs.
func (a Algebra[S]) unflatten(t *term.Type, xs *[]S) (*term.Value[S], error) {
	if t.Kind == term.KTuple {
		v := &term.Value[S]{Parts: []*term.Value[S]{}}
		for _, p := range t.Parts {
			x, err := a.unflatten(p, xs)
			if err != nil {
				return nil, err
			}
			v.Parts = append(v.Parts, x)
		}
		return v, nil
	}
	v, err := a.New(t)
	if err != nil {
		return nil, err
	}
	n := copy(v.R, *xs)
	*xs = (*xs)[n:]
	return v, nil
}
