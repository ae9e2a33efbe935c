package term

// fewColumns is how many columns a right side has at most that are solved for one by one: the
// routines of LAPACK go along rows of the right side, which then are short.
const fewColumns = 8

// columns solves for each column of b, if they are few, and reports whether it did. The numbers are
// those that LAPACK makes of any number of columns: its operations are done in its order.
func (x floatMatrices) columns(solve func(y []float64)) bool {
	if x.m > fewColumns {
		return false
	}
	for c := range x.m {
		y := x.y[c*x.n:][:x.n]
		strided(y, x.b, c, x.m)
		solve(y)
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
		y[i] = without(y[i], row[:i], y[:i]) * (1 / row[i])
	}
}

// upper solves the system of the upper triangle of a.
func (x floatMatrices) upper(y []float64) {
	for i := x.n - 1; i >= 0; i-- {
		row := x.a[i*x.n:][i:x.n]
		y[i] = without(y[i], row[1:], y[i+1:]) * (1 / row[0])
	}
}

// transposed solves the system of the transpose of the lower triangle of a.
func (x floatMatrices) transposed(y []float64) {
	for k := x.n - 1; k >= 0; k-- {
		row := x.a[k*x.n:][:k+1]
		y[k] *= 1 / row[k]
		for i, v := range row[:k] {
			if v != 0 {
				y[i] -= float64(v * y[k])
			}
		}
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
// many; where an element of x is 0 there is none.
func without(s float64, x, y []float64) float64 {
	for i, v := range x {
		if v != 0 {
			s -= float64(v * y[i])
		}
	}
	return s
}
