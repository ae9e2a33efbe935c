package hand

// Sparse is the sum of squares of A x, and its gradient by val and x: row i of A has the elements from
// ptr[i] to ptr[i + 1] of val, in columns col, and x has d columns.
func Sparse(d int, val []float64, ptr, col []int64, x []float64) Func {
	row := make([]float64, d)
	grad := make([]float64, len(val)+len(x))
	dval, dx := grad[:len(val)], grad[len(val):]
	product := func(i int) (s float64) {
		clear(row)
		for e := ptr[i]; e < ptr[i+1]; e++ {
			v, from := val[e], x[int(col[e])*d:][:len(row)]
			for j, y := range from {
				row[j] += v * y
			}
		}
		for _, y := range row {
			s += y * y
		}
		return s
	}
	value := func() (s float64) {
		for i := range len(ptr) - 1 {
			s += product(i)
		}
		return s
	}
	return Func{value, func() (s float64, _ []float64) {
		clear(grad)
		for i := range len(ptr) - 1 {
			s += product(i)
			for e := ptr[i]; e < ptr[i+1]; e++ {
				at, v, g := int(col[e])*d, 2*val[e], 0.0
				from, to := x[at:][:len(row)], dx[at:][:len(row)]
				for j, y := range row {
					g += y * from[j]
					to[j] += v * y
				}
				dval[e] = 2 * g
			}
		}
		return s, grad
	}}
}
