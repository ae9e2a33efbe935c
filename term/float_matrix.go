package term

import (
	"math"

	"gonum.org/v1/gonum/blas"
	blas64 "gonum.org/v1/gonum/blas/gonum"
	lapack "gonum.org/v1/gonum/lapack/gonum"

	"egad/term/numeric"
)

// smallMatrix is of how many rows matrices are at most that plain loops take apart in less
// time than the routines of LAPACK, which pay off where blocks do.
const smallMatrix = 64

// floatMatrices are the operands of an operator for one matrix of float64: a has n rows and n
// columns, b, if there is another, n rows and m columns. They are copies, one row after the other.
type floatMatrices struct {
	a, b []float64
	n, m int
	at   []int     // room for pivots
	y    []float64 // room for columns of b, if they are few
}

// onFloats does for each matrix what f does, which reports what results, in its memory, if
// that is not NaN all over.
func onFloats(c Cells, n, step int, f func(x floatMatrices) (result []float64, ok bool)) error {
	a, to, b, m := c.Floats(0), c.Floats(Result), []float64(nil), 0
	if c.Operands() > 1 {
		b, m = c.Floats(1), c.Shape(1)[1]
	}
	size := n * n
	few := 0
	if n > smallMatrix && m <= fewColumns {
		few = n * m
	}
	room, err := c.Room(size + n*m + few)
	if err != nil {
		return err
	}
	all := c.Floats(room)
	x := floatMatrices{all[:size], all[size : size+n*m], n, m, c.Positions(n), all[size+n*m:]}
	for from := range step {
		strided(x.a, a, from, step)
		strided(x.b, b, from, step)
		result, ok := f(x)
		for i, at := 0, from; at < len(to); i, at = i+1, at+step {
			if ok {
				to[at] = result[i]
			} else {
				to[at] = math.NaN()
			}
		}
	}
	return nil
}

// less subtracts f times the elements of x from those of y, of which there are as many.
func less(y, x []float64, f float64) {
	if len(x) >= longRow && f != 0 { // 0 times an infinity is NaN, which Daxpy leaves out
		blas64.Implementation{}.Daxpy(len(x), -f, x, 1, y, 1)
		return
	}
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

// eliminate makes of the upper triangle of a the factor U of a, with rows exchanged so that
// the pivots are the largest, and of b what U times the solution is. It reports whether an odd
// number of rows was exchanged, and, if ok, that no pivot is 0.
func (x floatMatrices) eliminate() (odd, ok bool) {
	a, b, n, m := x.a, x.b, x.n, x.m
	for j := range n {
		top, best := j, math.Abs(a[j*n+j])
		for i := j + 1; i < n; i++ {
			if v := math.Abs(a[i*n+j]); v > best {
				top, best = i, v
			}
		}
		if best == 0 {
			return odd, false
		}
		pivot, right := a[j*n+j:j*n+n], b[j*m:j*m+m]
		if top != j {
			odd = !odd
			exchange(pivot, a[top*n+j:])
			exchange(right, b[top*m:])
		}
		for i := j + 1; i < n; i++ {
			row := a[i*n+j : i*n+n]
			f := row[0] / pivot[0]
			less(row[1:], pivot[1:], f)
			if f != 0 {
				less(b[i*m:i*m+m], right, f)
			}
		}
	}
	return odd, true
}

// exchange swaps the elements of x and the first ones of y.
func exchange(x, y []float64) {
	for i, v := range x {
		x[i], y[i] = y[i], v
	}
}

// solve solves the system of a for b.
func (x floatMatrices) solve() ([]float64, bool) {
	a, b, n, m := x.a, x.b, x.n, x.m
	if n > smallMatrix {
		ok := lapack.Implementation{}.Dgetrf(n, n, a, n, x.at)
		if ok && !x.columns(x.factored) {
			lapack.Implementation{}.Dgetrs(blas.NoTrans, n, m, a, n, x.at, b, m)
		}
		return b, ok
	}
	if _, ok := x.eliminate(); !ok {
		return nil, false
	}
	for i := n - 1; i >= 0; i-- {
		x.row(i, i+1, n)
	}
	return b, true
}

// row solves equation i of b for what is on the diagonal of a, where the unknowns from one to
// another are known, and all others have the factor 0.
func (x floatMatrices) row(i, from, to int) {
	a, b, m := x.a[i*x.n:][:x.n], x.b, x.m
	y := b[i*m:][:m]
	for k := from; k < to; k++ {
		if a[k] != 0 {
			less(y, b[k*m:][:m], a[k])
		}
	}
	for c, v := range y {
		y[c] = v / a[i]
	}
}

// singular reports whether there is a 0 on the diagonal of a.
func (x floatMatrices) singular() bool {
	for i := range x.n {
		if x.a[i*x.n+i] == 0 {
			return true
		}
	}
	return false
}

// trisolve solves the system of the lower triangle of a for b.
func (x floatMatrices) trisolve() ([]float64, bool) {
	if x.singular() {
		return nil, false
	}
	if x.n > smallMatrix {
		return x.b, x.columns(x.lower) || lapack.Implementation{}.Dtrtrs(blas.Lower, blas.NoTrans, blas.NonUnit, x.n, x.m, x.a, x.n, x.b, x.m)
	}
	for i := range x.n {
		x.row(i, 0, i)
	}
	return x.b, true
}

// trisolvet solves the system of the transpose of that triangle.
func (x floatMatrices) trisolvet() ([]float64, bool) {
	n := x.n
	if x.singular() {
		return nil, false
	}
	if n > smallMatrix {
		return x.b, x.columns(x.transposed) || lapack.Implementation{}.Dtrtrs(blas.Lower, blas.Trans, blas.NonUnit, n, x.m, x.a, n, x.b, x.m)
	}
	for i := range n { // the lower triangle becomes the upper one
		for j := range i {
			x.a[j*n+i] = x.a[i*n+j]
		}
	}
	for i := n - 1; i >= 0; i-- {
		x.row(i, i+1, n)
	}
	return x.b, true
}

// logdet is the logarithm of the determinant of a.
func (x floatMatrices) logdet() ([]float64, bool) {
	a, n := x.a, x.n
	var negative, ok bool
	if n > smallMatrix {
		ok = lapack.Implementation{}.Dgetrf(n, n, a, n, x.at)
		for i, j := range x.at {
			negative = negative != (i != j)
		}
	} else {
		negative, ok = x.eliminate()
	}
	if !ok { // the determinant is 0
		a[0] = math.Inf(-1)
		return a, true
	}
	sum := 0.0
	for i := range n {
		u := a[i*n+i]
		negative = negative != (u < 0)
		sum += numeric.Log(math.Abs(u))
	}
	a[0] = sum
	return a, !negative
}
