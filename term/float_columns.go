package term

import (
	"math"

	blas64 "gonum.org/v1/gonum/blas/gonum"
)

// fewColumns is how many columns a right side has at most that are solved for one by one: the
// routines of LAPACK go along rows of the right side, which then are short.
const fewColumns = 8

// columns solves for each column of b, if they are few, and reports whether it did. It does not
// where a solution is not finite: what is 0 in the matrix then has to be left out.
func (x floatMatrices) columns(solve func(y []float64)) bool {
	if x.m > min(fewColumns, x.n) {
		return false
	}
	for c := range x.m {
		y := x.y[c*x.n:][:x.n]
		strided(y, x.b, c, x.m)
		solve(y)
		for _, v := range y {
			if math.IsInf(v, 0) || math.IsNaN(v) {
				return false
			}
		}
	}
	for c := range x.m {
		for i, v := range x.y[c*x.n:][:x.n] {
			x.b[i*x.m+c] = v
		}
	}
	return true
}

// lower solves the system of the lower triangle of a.
func (x floatMatrices) lower(y []float64) {
	for i := range y {
		row := x.a[i*x.n:][:i+1]
		y[i] = without(y[i], row[:i], y[:i]) / row[i]
	}
}

// upper solves the system of the upper triangle of a.
func (x floatMatrices) upper(y []float64) {
	for i := x.n - 1; i >= 0; i-- {
		row := x.a[i*x.n:][i:x.n]
		y[i] = without(y[i], row[1:], y[i+1:]) / row[0]
	}
}

// transposed solves the system of the transpose of the lower triangle of a.
func (x floatMatrices) transposed(y []float64) {
	for i := x.n - 1; i >= 0; i-- {
		row := x.a[i*x.n:][:i+1]
		y[i] /= row[i]
		less(y[:i], row[:i], y[i])
	}
}

// factored solves the system of which a has the factors, as LAPACK leaves them.
func (x floatMatrices) factored(y []float64) {
	for i, j := range x.at {
		y[i], y[j] = y[j], y[i]
	}
	for i := range y { // on the diagonal of L is 1
		y[i] = without(y[i], x.a[i*x.n:][:i], y[:i])
	}
	x.upper(y)
}

// without is s without the products of the elements of x and those of y, of which there are as
// many.
func without(s float64, x, y []float64) float64 {
	if len(x) >= longProduct {
		return s - blas64.Implementation{}.Ddot(len(x), x, 1, y, 1)
	}
	for i, v := range x {
		s -= float64(v * y[i])
	}
	return s
}

// longProduct is how many products a sum has at least with which vectors are faster.
const longProduct = 48
