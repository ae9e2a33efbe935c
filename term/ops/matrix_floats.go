package ops

import (
	"math"

	"gonum.org/v1/gonum/blas"
	blas64 "gonum.org/v1/gonum/blas/gonum"
	lapack "gonum.org/v1/gonum/lapack/gonum"

	"egad/internal/slice"
	"egad/term/numeric"
)

// smallMatrix is of how many rows matrices are at most that plain loops take apart in less
// time than the routines of LAPACK, which pay off where blocks do.
const smallMatrix = 64

// floatMatrices are the operands of an operator for one matrix of float64: a has n rows, of w
// elements each, which are n, with room for one more, or, of factors, one more; b, if there is another,
// has n rows and m columns. They are one row after the other, and copies, but for factors.
type floatMatrices struct {
	a, b    []float64
	n, w, m int
	at      []int     // room for the rows that were exchanged with each row
	y       []float64 // room for columns of b, if they are few, or for a number
}

// onFloats does for each matrix what f does, which reports what results, in its memory, if
// that is not NaN all over.
func onFloats(c Cells, n, step int, f func(x floatMatrices) (result []float64, ok bool)) {
	a, to, b, m := c.Floats(0), c.Floats(Result), []float64(nil), 0
	if c.Operands() > 1 {
		b, m = c.Floats(1), c.Shape(1)[1]
	}
	w := c.Shape(0)[1]
	size, few := n*(n+1), 1
	if n > smallMatrix && 1 < m && m <= fewColumns {
		few = n * m
	}
	asis := step == 1 && w > n // factors are but read
	if asis {
		size = 0
	}
	all := c.Floats(c.Room(size + n*m + few))
	behind := all[size:]
	x := floatMatrices{all[:min(size, n*w)], behind[:n*m], n, w, m, c.Positions(n), behind[n*m:]}
	if asis {
		x.a = a
	}
	for from := range step {
		if !asis {
			slice.Strided(x.a, a, from, step)
		}
		slice.Strided(x.b, b, from, step)
		result, ok := f(x)
		for i, at := 0, from; at < len(to); i, at = i+1, at+step {
			if ok {
				to[at] = result[i]
			} else {
				to[at] = math.NaN()
			}
		}
	}
}

// less subtracts f times the elements of x from those of y, of which there are as many.
func less(y, x []float64, f float64) {
	if len(x) >= longRow && f != 0 { // 0 times an infinity is NaN, which Daxpy leaves out
		blas64.Implementation{}.Daxpy(len(x), -f, x, 1, y, 1)
		return
	}
	y = y[:len(x)]
	for i, v := range x {
		y[i] -= float64(f * v)
	}
}

// longRow is how many elements a row has at least with which vectors are faster.
const longRow = 12

// cholesky makes the factor of a, of which the lower triangle is read.
func (x floatMatrices) cholesky() ([]float64, bool) {
	a, n := x.a, x.n
	for i := range n {
		clear(a[i*n+i+1 : i*n+n])
	}
	if n > smallMatrix {
		return a, lapack.Implementation{}.Dpotrf(blas.Lower, n, a, n)
	}
	for i := range n {
		row := a[i*n : i*n+i+1]
		for j := range row {
			s, other := row[j], a[j*n:j*n+j+1]
			for k, v := range other[:j] {
				s -= float64(row[k] * v)
			}
			if j < i {
				row[j] = s / other[j]
			} else if row[i] = math.Sqrt(s); !(s > 0) {
				return nil, false
			}
		}
	}
	return a, true
}

// factor makes of a its factors L, with 1 on the diagonal, which is left out, and U, with rows
// exchanged so that the pivots are the largest. It reports that no pivot is 0.
func (x *floatMatrices) factor() (ok bool) {
	a, n := x.a, x.n
	if n > smallMatrix {
		return lapack.Implementation{}.Dgetrf(n, n, a, n, x.at)
	}
	for j := range n {
		top, best := j, math.Abs(a[j*n+j])
		for i := j + 1; i < n; i++ {
			if v := math.Abs(a[i*n+j]); v > best {
				top, best = i, v
			}
		}
		if best == 0 {
			return false
		}
		x.at[j] = top
		if top != j {
			exchange(a[j*n:j*n+n], a[top*n:])
		}
		pivot := a[j*n+j : j*n+n]
		for i := j + 1; i < n; i++ {
			row := a[i*n+j : i*n+n]
			row[0] /= pivot[0]
			less(row[1:], pivot[1:], row[0])
		}
	}
	return true
}

// exchange swaps the elements of x and the first ones of y.
func exchange(x, y []float64) {
	for i, v := range x {
		x[i], y[i] = y[i], v
	}
}

// exchangeRows swaps rows of b as those of a were.
func (x *floatMatrices) exchangeRows(i int) {
	if j := x.at[i]; j != i {
		exchange(x.b[i*x.m:][:x.m], x.b[j*x.m:])
	}
}

// lu makes the factors of a, each row with the number of the one that it was exchanged with.
func (x floatMatrices) lu() ([]float64, bool) {
	if !x.factor() {
		return nil, false
	}
	n := x.n
	all := x.a[:n*(n+1)]
	for i := n - 1; i >= 0; i-- {
		row := all[i*(n+1):][:n+1]
		copy(row, all[i*n:][:n])
		row[n] = float64(x.at[i])
	}
	return all, true
}

// factored reads which rows were exchanged, and reports whether a has factors.
func (x *floatMatrices) factored() bool {
	for i := range x.n {
		v := x.a[i*x.w+x.n]
		switch {
		case v != v:
			return false
		case v >= float64(x.n):
			x.at[i] = x.n - 1
		default:
			x.at[i] = max(i, int(max(v, 0)))
		}
	}
	return true
}

// solve solves the system of a for b, or that of its transpose.
func (x floatMatrices) solve(t blas.Transpose) ([]float64, bool) {
	return x.b, x.factor() && x.substitute(t)
}

// lusolve solves the system of which a has the factors, or that of its transpose.
func (x floatMatrices) lusolve(t blas.Transpose) ([]float64, bool) {
	return x.b, x.factored() && !x.singular() && x.substitute(t)
}

// substitute solves the system of which a has the factors for b, or that of its transpose.
func (x *floatMatrices) substitute(t blas.Transpose) bool {
	column := x.byFactors
	if t == blas.Trans {
		column = x.byFactorst
	}
	switch {
	case x.columns(column):
	case x.n > smallMatrix:
		lapack.Implementation{}.Dgetrs(t, x.n, x.m, x.a, x.w, x.at, x.b, x.m)
	case t == blas.Trans:
		for k := range x.n {
			x.row(k, 0, 0)
			x.others(k, k+1, x.n)
		}
		for k := x.n - 1; k >= 0; k-- {
			x.others(k, 0, k)
		}
		for i := x.n - 1; i >= 0; i-- {
			x.exchangeRows(i)
		}
	default:
		for i := range x.n {
			x.exchangeRows(i)
		}
		for k := range x.n { // on the diagonal of L is 1
			y := x.b[k*x.m:][:x.m]
			for i := k + 1; i < x.n; i++ {
				if f := x.a[i*x.w+k]; f != 0 {
					less(x.b[i*x.m:][:x.m], y, f)
				}
			}
		}
		for i := x.n - 1; i >= 0; i-- {
			x.row(i, i+1, x.n)
		}
	}
	return true
}

// row solves equation i of b for what is on the diagonal of a, where the unknowns from one to
// another are known, and all others have the factor 0.
func (x *floatMatrices) row(i, from, to int) {
	a, y := x.a[i*x.w:][:x.n], x.b[i*x.m:][:x.m]
	for k := from; k < to; k++ {
		if a[k] != 0 {
			less(y, x.b[k*x.m:][:x.m], a[k])
		}
	}
	for c, v := range y {
		y[c] = v / a[i]
	}
}

// others takes unknown k, which is known, out of the equations from one to another of the transpose.
func (x *floatMatrices) others(k, from, to int) {
	a, y := x.a[k*x.w:], x.b[k*x.m:][:x.m]
	for i := from; i < to; i++ {
		if a[i] != 0 {
			less(x.b[i*x.m:][:x.m], y, a[i])
		}
	}
}

// singular reports whether there is a 0 on the diagonal of a.
func (x *floatMatrices) singular() bool {
	for i := range x.n {
		if x.a[i*x.w+i] == 0 {
			return true
		}
	}
	return false
}

// trisolve solves the system of the lower triangle of a for b, or that of its transpose.
func (x floatMatrices) trisolve(t blas.Transpose) ([]float64, bool) {
	if x.singular() {
		return nil, false
	}
	column := x.lower
	if t == blas.Trans {
		column = x.transposed
	}
	switch {
	case x.columns(column):
	case x.n > smallMatrix:
		return x.b, lapack.Implementation{}.Dtrtrs(blas.Lower, t, blas.NonUnit, x.n, x.m, x.a, x.n, x.b, x.m)
	case t == blas.Trans:
		for k := x.n - 1; k >= 0; k-- {
			x.row(k, 0, 0)
			x.others(k, 0, k)
		}
	default:
		for i := range x.n {
			x.row(i, 0, i)
		}
	}
	return x.b, true
}

// logdet is the logarithm of the determinant of a.
func (x floatMatrices) logdet() ([]float64, bool) { return x.logarithm(x.factor()) }

// lulogdet is that of the matrix of which a has the factors.
func (x floatMatrices) lulogdet() ([]float64, bool) { return x.logarithm(x.factored()) }

// logarithm is the logarithm of the determinant of the matrix of which a has the factors, if it has
// any.
func (x floatMatrices) logarithm(ok bool) ([]float64, bool) {
	if !ok { // the determinant is 0
		x.y[0] = math.Inf(-1)
		return x.y, true
	}
	sum, negative := 0.0, false
	for i, j := range x.at {
		u := x.a[i*x.w+i]
		negative = negative != ((u < 0) != (i != j))
		sum += numeric.Log(math.Abs(u))
	}
	x.y[0] = sum
	return x.y, !negative
}
