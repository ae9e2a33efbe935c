package ops

import (
	"slices"

	"egad/internal/slice"
)

// fewColumns is how many columns the right side of a large matrix has at most that are solved for
// one by one: the routines of LAPACK go along rows of the right side, which then are short.
const fewColumns = 8

// columns solves for each column of b, if they are few, and reports whether it did. The numbers are
// those that are made of any number of columns: the operations are done in the same order.
func (x *floatMatrices) columns(solve func(y []float64)) bool {
	if x.m == 1 {
		solve(x.b)
		return true
	}
	if x.n <= smallMatrix || x.m > fewColumns {
		return false
	}
	for c := range x.m {
		y := x.y[c*x.n:][:x.n]
		slice.Strided(y, x.b, c, x.m)
		solve(y)
	}
	for c := range x.m {
		for i, v := range x.y[c*x.n:][:x.n] {
			x.b[i*x.m+c] = v
		}
	}
	return true
}

// over is v over d, of large matrices as LAPACK has it.
func (x *floatMatrices) over(v, d float64) float64 {
	if x.n > smallMatrix {
		return v * (1 / d)
	}
	return v / d
}

// lower solves the system of the lower triangle of a.
func (x *floatMatrices) lower(y []float64) {
	for i := range y {
		row := x.a[i*x.w:][:i+1]
		y[i] = x.over(without(y[i], row[:i], y[:i]), row[i])
	}
}

// upper solves the system of the upper triangle of a.
func (x *floatMatrices) upper(y []float64) {
	for i := x.n - 1; i >= 0; i-- {
		row := x.a[i*x.w:][i:x.n]
		y[i] = x.over(without(y[i], row[1:], y[i+1:]), row[0])
	}
}

// transposed solves the system of the transpose of the lower triangle of a.
func (x *floatMatrices) transposed(y []float64) {
	for k := x.n - 1; k >= 0; k-- {
		row := x.a[k*x.w:][:k+1]
		y[k] = x.over(y[k], row[k])
		take(y, row[:k], y[k])
	}
}

// byFactors solves the system of which a has the factors, as LAPACK leaves them.
func (x *floatMatrices) byFactors(y []float64) {
	for i, j := range x.at {
		y[i], y[j] = y[j], y[i]
	}
	for i := range y { // on the diagonal of L is 1
		y[i] = without(y[i], x.a[i*x.w:][:i], y[:i])
	}
	x.upper(y)
}

// byFactorst solves that of the transpose.
func (x *floatMatrices) byFactorst(y []float64) {
	for k := range y {
		row := x.a[k*x.w:][k:x.n]
		y[k] = x.over(y[k], row[0])
		take(y[k+1:], row[1:], y[k])
	}
	for k := x.n - 1; k >= 0; k-- {
		take(y, x.a[k*x.w:][:k], y[k])
	}
	for i, j := range slices.Backward(x.at) {
		y[i], y[j] = y[j], y[i]
	}
}

// without is s without the products of the elements of x and those of y, of which there are as
// many; where an element of x is 0 there is none.
func without(s float64, x, y []float64) float64 {
	for i, v := range x {
		if v != 0 {
			s -= float64(v * y[i])
		}
	}
	return s
}

// take takes from each element of y f times that of x, if that is not 0.
func take(y, x []float64, f float64) {
	for i, v := range x {
		if v != 0 {
			y[i] -= float64(v * f)
		}
	}
}
