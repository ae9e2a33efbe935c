// Package linmap gives linear maps their meaning as matrices, against which
// their laws are tested, and runs the laws that transpose and apply them.
//
// A linear map is a term of type S -o T (Coconut, Section 2). Its laws are rule
// sets: linear_transpose, linear_apply and linear_laws.
package linmap

import (
	"fmt"
	"slices"

	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// Matrix is the matrix of a linear map: a row for each real element of the
// codomain, a column for each of the domain, in row-major order of arrays and
// from left to right in tuples.
type Matrix[S any] struct {
	Rows, Cols int
	At         []S         // row by row
	Path       []bool      // whether there is a path from the column to the row; where not, At is 0
	To         *types.Type // the codomain
}

// MaxEntries bounds the entries of one matrix.
const MaxEntries = 1 << 22

// Algebra is the algebra of arrays in which linear maps are matrices.
type Algebra[S any] struct {
	eval.Arrays[S]
	// Abs takes the absolute value of every factor: then a composition counts
	// the sum of the absolute path products instead of their sum.
	Abs bool
}

// Apply is the meaning of arrays, of linear maps and of their application (Coconut,
// Figs. 3 and 4).
func (a Algebra[S]) Apply(op ops.Op, kids []*eval.Value[S], body eval.Body[*eval.Value[S]], t *types.Type) (_ *eval.Value[S], err error) {
	defer raise.Caught(&err)
	if of, ok := op.OfMap(); ok {
		return a.value(t, a.columns(of, kids, body, t)), nil
	}
	switch op.Sym {
	case ops.SymLapply:
		x, m := flatten(kids[1]), matrixOf(kids[0])
		zero := a.integer(0)
		changes := slice.Make(m.Cols, func(i int) bool { return !a.Scalars.Compare(ops.SymEq, x[i], zero) })
		y := a.mul(m, &Matrix[S]{Rows: m.Cols, Cols: 1, At: x, Path: changes})
		return a.unflatten(m.To, &y.At), nil
	case ops.SymLreached:
		m := matrixOf(kids[0])
		v := raise.Must(a.New(t))
		for i := range m.Rows {
			if slices.Contains(m.Path[i*m.Cols:(i+1)*m.Cols], true) {
				v.N[i] = 1
			}
		}
		return v, nil
	case ops.SymLcompose:
		m, n := matrixOf(kids[0]), matrixOf(kids[1])
		return a.value(t, a.mul(m, n)), nil
	case ops.SymLadd:
		m, n := matrixOf(kids[0]), matrixOf(kids[1])
		r := &Matrix[S]{Rows: m.Rows, Cols: m.Cols, At: make([]S, len(m.At)), Path: make([]bool, len(m.At))}
		for i := range r.At {
			r.Path[i] = m.Path[i] || n.Path[i]
			r.At[i] = a.binary(ops.SymAdd, m.At[i], n.At[i])
		}
		return a.value(t, r), nil
	case ops.SymLtranspose:
		m := matrixOf(kids[0])
		r := &Matrix[S]{Rows: m.Cols, Cols: m.Rows, At: make([]S, len(m.At)), Path: make([]bool, len(m.At))}
		for i := range m.Rows {
			for j := range m.Cols {
				r.At[j*m.Rows+i], r.Path[j*m.Rows+i] = m.At[i*m.Cols+j], m.Path[i*m.Cols+j]
			}
		}
		return a.value(t, r), nil
	case ops.SymLpair, ops.SymLjoin:
		return a.value(t, join(slice.Map(kids, matrixOf[S]), op.Sym == ops.SymLpair)), nil
	case ops.SymLbuild, ops.SymLbuildT:
		return a.value(t, a.build(op, body, t)), nil
	case ops.SymLstates:
		return a.value(t, a.states(op, kids[0], body, t)), nil
	case ops.SymLzero, ops.SymLone, ops.SymLscale, ops.SymLmask, ops.SymLcond, ops.SymLproj, ops.SymLinj:
		return a.value(t, a.diagonal(op, kids, t)), nil
	}
	return a.Arrays.Apply(op, kids, body, t)
}

func (a Algebra[S]) integer(n int64) S { return a.Scalars.FromInt(n) }

func (a Algebra[S]) binary(sym ops.Sym, x, y S) S { return a.Scalars.Binary(sym, x, y) }

func matrixOf[S any](v *eval.Value[S]) *Matrix[S] { return v.Map.(*Matrix[S]) }

// value makes a result of a matrix for a map of type t.
func (a Algebra[S]) value(t *types.Type, m *Matrix[S]) *eval.Value[S] {
	m.To = t.Parts[1]
	return &eval.Value[S]{Map: m}
}

// reals counts the real elements of a type.
func reals(t *types.Type) (n int) {
	if t.Kind == types.KTuple {
		return slice.Sum(t.Parts, reals)
	}
	if t.Kind != types.KArray || t.Elem != types.R {
		return 0
	}
	_, n, err := types.ShapeOf(t, MaxEntries)
	raise.Error(err)
	return n
}

// blank is the zero matrix of a map of type t.
func (a Algebra[S]) blank(t *types.Type) *Matrix[S] {
	cols := reals(t.Parts[0])
	return a.zeros(reals(t.Parts[1]), cols)
}

func (a Algebra[S]) zeros(rows, cols int) *Matrix[S] {
	if rows*cols > MaxEntries {
		raise.Error(fmt.Errorf("a matrix of %d × %d entries is too large", rows, cols))
	}
	return &Matrix[S]{Rows: rows, Cols: cols, At: slices.Repeat([]S{a.integer(0)}, rows*cols), Path: make([]bool, rows*cols)}
}

// mul is the product of two matrices. A path that does not exist adds nothing,
// whatever the factors along it; one with the factor 0 does.
func (a Algebra[S]) mul(m, n *Matrix[S]) *Matrix[S] {
	r, zero := a.zeros(m.Rows, n.Cols), a.integer(0)
	for i := range m.Rows {
		for j := range n.Cols {
			sum := zero
			for k := range m.Cols {
				if !m.Path[i*m.Cols+k] || !n.Path[k*n.Cols+j] {
					continue
				}
				r.Path[i*n.Cols+j] = true
				sum = a.binary(ops.SymAdd, sum, a.binary(ops.SymMul, m.At[i*m.Cols+k], n.At[k*n.Cols+j]))
			}
			r.At[i*n.Cols+j] = sum
		}
	}
	return r
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
func (a Algebra[S]) build(op ops.Op, body eval.Body[*eval.Value[S]], t *types.Type) *Matrix[S] {
	n, _ := op.Sizes[0].Const()
	if n == 0 {
		return a.blank(t)
	}
	return join(slice.Make(n, func(i int) *Matrix[S] { return matrixOf(body([]int64{int64(i)})[0]) }), op.Sym == ops.SymLbuild)
}

// states makes the map of a loop: each state is the map of the one before with what is
// added to it.
func (a Algebra[S]) states(op ops.Op, k *eval.Value[S], body eval.Body[*eval.Value[S]], t *types.Type) *Matrix[S] {
	m, one := a.blank(t), a.integer(1)
	n, _ := op.Sizes[0].Const()
	steps := raise.Must(ops.StepCount(n, k.N[0]))
	place, d := places(t.Parts[0].Parts[0])
	now := &Matrix[S]{Rows: d, Cols: m.Cols, At: m.At[: d*m.Cols : d*m.Cols], Path: m.Path[: d*m.Cols : d*m.Cols]}
	now.At, now.Path = append([]S{}, now.At...), append([]bool{}, now.Path...)
	add := func(row, col int) {
		at := row*m.Cols + col
		now.At[at], now.Path[at] = a.binary(ops.SymAdd, now.At[at], one), true
	}
	for r := range d {
		add(r, r)
	}
	for i := int64(0); ; i++ {
		for r := range d {
			at := place(r, int(i), int(n+1)) * m.Cols
			copy(m.At[at:at+m.Cols], now.At[r*m.Cols:])
			copy(m.Path[at:at+m.Cols], now.Path[r*m.Cols:])
		}
		if i == n {
			return m
		}
		if i >= steps {
			continue
		}
		for r := range d {
			add(r, d+place(r, int(i), int(n)))
		}
		now = a.mul(matrixOf(body([]int64{i})[0]), now)
	}
}

// places tells where element r of value number i is among those of n values of a type,
// an array or a tuple of arrays, each of which has an axis for the values; d is how
// many elements a value has.
func places(t *types.Type) (at func(r, i, n int) int, d int) {
	parts := []*types.Type{t}
	if t.Kind == types.KTuple {
		parts = t.Parts
	}
	sizes := slice.Map(parts, reals)
	return func(r, i, n int) int {
		before := 0
		for _, k := range sizes {
			if r < k {
				return before*n + i*k + r
			}
			before, r = before+k, r-k
		}
		return 0
	}, reals(t)
}

// diagonal makes the maps whose matrix has at most one entry in a column.
func (a Algebra[S]) diagonal(op ops.Op, kids []*eval.Value[S], t *types.Type) *Matrix[S] {
	m, one := a.blank(t), a.integer(1)
	skip := 0 // the elements before component N
	if op.Sym == ops.SymLproj || op.Sym == ops.SymLinj {
		skip = slice.Sum(op.Type.Parts[:op.N], reals)
	}
	for i := range min(m.Rows, m.Cols) {
		row, col, x := i, i, one
		switch op.Sym {
		case ops.SymLzero:
			continue
		case ops.SymLscale:
			x = a.factor(kids[0].R[i])
		case ops.SymLmask:
			if kids[0].N[i] == 0 {
				continue
			}
		case ops.SymLcond:
			if kids[0].N[0] == 0 {
				continue
			}
		case ops.SymLproj:
			col += skip
		case ops.SymLinj:
			row += skip
		}
		m.At[row*m.Cols+col], m.Path[row*m.Cols+col] = x, true
	}
	return m
}

// columns makes the matrix of a linear operator by applying it to every unit vector.
func (a Algebra[S]) columns(op ops.Op, kids []*eval.Value[S], body eval.Body[*eval.Value[S]], t *types.Type) *Matrix[S] {
	m, zero, one := a.blank(t), a.integer(0), a.integer(1)
	apart := 1 // so many columns are by themselves
	if o := ops.Builtin(op.Sym); o.Columnwise || o.Matrixwise {
		if k, _ := t.Parts[0].Shape[0].Const(); k > 0 {
			apart = m.Cols / int(k)
		}
	}
	for j := range m.Cols {
		unit := slices.Repeat([]S{zero}, m.Cols)
		unit[j] = one
		x := a.unflatten(t.Parts[0], &unit)
		y := raise.Must(a.Arrays.Apply(op, slices.Insert(slices.Clone(kids), ops.Builtin(op.Sym).Operand(), x), body, t.Parts[1]))
		for i, v := range y.R {
			if i%apart != j%apart {
				continue // there is no path from another column, be it NaN
			}
			path := !a.Scalars.Compare(ops.SymEq, v, zero)
			switch o := ops.Builtin(op.Sym); {
			case op.Sym == ops.SymLinrec:
				path = i >= j // a factor holds nothing back, be it 0
			case o.Matrixwise:
				path = true // whatever the matrix
			}
			m.At[i*m.Cols+j], m.Path[i*m.Cols+j] = a.factor(v), path
		}
	}
	return m
}

// factor is a factor as it counts.
func (a Algebra[S]) factor(x S) S {
	if !a.Abs {
		return x
	}
	return a.Scalars.Unary(ops.SymAbs, 0, x)
}

// flatten lists the real elements of a value.
func flatten[S any](v *eval.Value[S]) []S {
	if v.Parts == nil {
		return v.R
	}
	return slices.Concat(slice.Map(v.Parts, flatten[S])...)
}

// unflatten takes the elements of a value of type t from the front of xs.
func (a Algebra[S]) unflatten(t *types.Type, xs *[]S) *eval.Value[S] {
	if t.Kind == types.KTuple {
		return &eval.Value[S]{Parts: slice.Map(t.Parts, func(p *types.Type) *eval.Value[S] { return a.unflatten(p, xs) })}
	}
	v := raise.Must(a.New(t))
	n := copy(v.R, *xs)
	*xs = (*xs)[n:]
	return v
}
