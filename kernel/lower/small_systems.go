package lower

import (
	"egad/kernel"
	"egad/term/numeric"
	"egad/term/ops"
)

// system computes what an operator on matrices makes of one small matrix, and of a column, by the steps of the
// operator for float64, in their order: which rows are exchanged is chosen element by element.
type system struct {
	*kernel.Builder
	n  int
	a  [][]*kernel.Value // the rows of the matrix, or of its factors
	y  []*kernel.Value   // the column
	ok *kernel.Value     // without which the result is NaN
	// from tells of rows which of those below each was exchanged with: from[i][k] is a truth value for row i + 1 + k.
	from [][]*kernel.Value
}

// system writes an operator on matrices.
func (w *small) system() {
	shape := w.call.Parts()[0].Shape
	x := &system{Builder: w.Builder, n: shape[0]}
	x.ok = x.Lit(ops.ScalarB(true))
	for i := range x.n {
		x.a = append(x.a, nil)
		for j := range shape[1] {
			x.a[i] = append(x.a[i], w.operand(0, x.Int(int64(i)), x.Int(int64(j))))
		}
	}
	store := func(v *kernel.Value, at ...*kernel.Value) {
		w.store(x.Where(x.ok, v, x.Lit(ops.ScalarR(numeric.NaN()))), at...)
	}
	rows := func() {
		for i, row := range x.a {
			for j, v := range row {
				store(v, x.Int(int64(i)), x.Int(int64(j)))
			}
		}
	}
	switch w.call.Op.Sym {
	case ops.SymLogdet:
		x.factor()
		store(x.logdet())
	case ops.SymLulogdet:
		x.factored()
		store(x.logdet())
	case ops.SymLu:
		x.lu()
		rows()
	case ops.SymCholesky:
		x.cholesky()
		rows()
	default:
		solve, column := x.solver(w.call.Op.Sym), w.loop(w.call.Parts()[1].Shape[1])
		for i := range x.n {
			x.y = append(x.y, w.operand(1, x.Int(int64(i)), column))
		}
		solve()
		for i, v := range x.y {
			store(v, x.Int(int64(i)), column)
		}
	}
}

// solver takes the matrix apart, or reads its factors, and is what solves the system for the column.
func (x *system) solver(sym ops.Sym) (solve func()) {
	switch sym {
	case ops.SymSolve, ops.SymSolvet:
		x.factor()
	case ops.SymLusolve, ops.SymLusolvet:
		x.factored()
		x.regular()
	default: // the matrix is a triangle
		x.regular()
	}
	switch sym {
	case ops.SymTrisolve:
		return func() {
			for i := range x.n {
				x.row(i, 0, i)
			}
		}
	case ops.SymTrisolvet:
		return func() { x.lower(x.n - 1) }
	case ops.SymSolve, ops.SymLusolve:
		return func() {
			for i := range x.n {
				x.exchange(i)
			}
			for k := range x.n {
				for i := k + 1; i < x.n; i++ {
					x.y[i] = x.less(x.y[i], x.y[k], x.a[i][k])
				}
			}
			for i := x.n - 1; i >= 0; i-- {
				x.row(i, i+1, x.n)
			}
		}
	}
	return x.transposed
}

func (x *system) number(k int) *kernel.Value { return x.Lit(ops.ScalarR(numeric.Int(int64(k)))) }

// factor makes of the matrix its factors, with rows exchanged so that the pivots are the largest.
func (x *system) factor() {
	for j := range x.n {
		best := x.Real(ops.SymAbs, x.a[j][j])
		var from []*kernel.Value
		for i := j + 1; i < x.n; i++ {
			v := x.Real(ops.SymAbs, x.a[i][j])
			more := x.Truth(ops.SymLt, best, v)
			for k, other := range from {
				from[k] = x.Truth(ops.SymAnd, other, x.Truth(ops.SymNot, more))
			}
			from, best = append(from, more), x.Where(more, v, best)
		}
		x.from = append(x.from, from)
		x.ok = x.Truth(ops.SymAnd, x.ok, x.Truth(ops.SymNot, x.Truth(ops.SymEq, best, x.number(0))))
		for k := range x.n {
			x.swap(j, func(i int) **kernel.Value { return &x.a[i][k] })
		}
		for i := j + 1; i < x.n; i++ {
			f := x.Real(ops.SymDiv, x.a[i][j], x.a[j][j])
			x.a[i][j] = f
			for k := j + 1; k < x.n; k++ {
				x.a[i][k] = x.Real(ops.SymSub, x.a[i][k], x.Real(ops.SymMul, f, x.a[j][k]))
			}
		}
	}
}

// swap exchanges number j of a column with the one that its row was exchanged with.
func (x *system) swap(j int, column func(i int) **kernel.Value) {
	old := *column(j)
	for k, from := range x.from[j] {
		below := column(j + 1 + k)
		*column(j), *below = x.Where(from, *below, *column(j)), x.Where(from, old, *below)
	}
}

// lu adds to each row of the factors the number of the one that it was exchanged with.
func (x *system) lu() {
	x.factor()
	for i, from := range x.from {
		at := x.number(i)
		for k, here := range from {
			at = x.Where(here, x.number(i+1+k), at)
		}
		x.a[i] = append(x.a[i], at)
	}
}

// factored reads which rows were exchanged.
func (x *system) factored() {
	for i, row := range x.a {
		v := row[x.n]
		x.ok = x.Truth(ops.SymAnd, x.ok, x.Truth(ops.SymEq, v, v))
		var from []*kernel.Value
		for k := i + 1; k < x.n; k++ {
			here := x.Truth(ops.SymLe, x.number(k), v)
			if k < x.n-1 {
				here = x.Truth(ops.SymAnd, here, x.Truth(ops.SymLt, v, x.number(k+1)))
			}
			from = append(from, here)
		}
		x.from = append(x.from, from)
	}
}

// regular asks that there is no 0 on the diagonal.
func (x *system) regular() {
	for i, row := range x.a {
		x.ok = x.Truth(ops.SymAnd, x.ok, x.Truth(ops.SymNot, x.Truth(ops.SymEq, row[i], x.number(0))))
	}
}

// exchange exchanges number i of the column as row i of the matrix was.
func (x *system) exchange(i int) { x.swap(i, func(i int) **kernel.Value { return &x.y[i] }) }

// less is y - f * v, or y if f is 0, whatever v.
func (x *system) less(y, v, f *kernel.Value) *kernel.Value {
	return x.Real(ops.SymSub, y, x.Where(x.Truth(ops.SymEq, f, x.number(0)), x.number(0), x.Real(ops.SymMul, f, v)))
}

// row solves equation i, where the unknowns from one to another are known.
func (x *system) row(i, from, to int) {
	for k := from; k < to; k++ {
		x.y[i] = x.less(x.y[i], x.y[k], x.a[i][k])
	}
	x.y[i] = x.Real(ops.SymDiv, x.y[i], x.a[i][i])
}

// lower solves the first equations of the transpose of the lower triangle, up to number k.
func (x *system) lower(k int) {
	for ; k >= 0; k-- {
		x.row(k, 0, 0)
		x.others(k, 0, k)
	}
}

// others takes unknown k, which is known, out of the equations from one to another of the transpose.
func (x *system) others(k, from, to int) {
	for i := from; i < to; i++ {
		x.y[i] = x.less(x.y[i], x.y[k], x.a[k][i])
	}
}

// transposed solves the system of the transpose of what the factors are of.
func (x *system) transposed() {
	for k := range x.n {
		x.row(k, 0, 0)
		x.others(k, k+1, x.n)
	}
	for k := x.n - 1; k >= 0; k-- { // on the diagonal of L is 1
		x.others(k, 0, k)
	}
	for i := x.n - 1; i >= 0; i-- {
		x.exchange(i)
	}
}

// cholesky makes the factor of the matrix, of which the lower triangle is read.
func (x *system) cholesky() {
	for i := range x.n {
		for j := range x.n {
			if j > i {
				x.a[i][j] = x.number(0)
				continue
			}
			s := x.a[i][j]
			for k := range j {
				s = x.Real(ops.SymSub, s, x.Real(ops.SymMul, x.a[i][k], x.a[j][k]))
			}
			if j < i {
				x.a[i][j] = x.Real(ops.SymDiv, s, x.a[j][j])
				continue
			}
			x.a[i][i] = x.Real(ops.SymSqrt, s)
			x.ok = x.Truth(ops.SymAnd, x.ok, x.Truth(ops.SymLt, x.number(0), s))
		}
	}
}

// logdet is the logarithm of the determinant of what the factors are of: that of 0 if there are none.
func (x *system) logdet() *kernel.Value {
	sum, negative := x.number(0), x.Lit(ops.ScalarB(false))
	differ := func(a, b *kernel.Value) *kernel.Value {
		return x.Truth(ops.SymOr, x.Truth(ops.SymAnd, a, x.Truth(ops.SymNot, b)), x.Truth(ops.SymAnd, b, x.Truth(ops.SymNot, a)))
	}
	for i, from := range x.from {
		u := x.a[i][i]
		negative = differ(negative, x.Truth(ops.SymLt, u, x.number(0)))
		for _, here := range from {
			negative = differ(negative, here)
		}
		sum = x.Real(ops.SymAdd, sum, x.Real(ops.SymLog, x.Real(ops.SymAbs, u)))
	}
	none := x.Where(negative, x.Lit(ops.ScalarR(numeric.NaN())), sum)
	out := x.Where(x.ok, none, x.Lit(ops.ScalarR(numeric.Inf(-1))))
	x.ok = x.Lit(ops.ScalarB(true))
	return out
}
