package term

import "egad/term/numeric"

// Linear algebra on matrices, which lie along the first two axes of an array: one for
// each element along the others. Of numbers that are no float64 it is done as in textbooks,
// exactly if they are rational.

func init() {
	describe(SymCholesky, Operator{
		Name: "cholesky", work: workCube,
		fill: onMatrices((*matrices).cholesky, floatMatrices.cholesky),
	})
	describe(SymTrisolve, system("trisolve", "matrix", workRows, func(m *matrices) (bool, error) { return m.triangular(false) }, floatMatrices.trisolve))
	describe(SymTrisolvet, system("trisolvet", "matrix", workRows, func(m *matrices) (bool, error) { return m.triangular(true) }, floatMatrices.trisolvet))
	describe(SymSolve, system("solve", "matrix", workCube, factoring((*matrices).substitute), floatMatrices.solve))
	describe(SymSolvet, system("solvet", "matrix", workCube, factoring((*matrices).substitutet), floatMatrices.solvet))
	describe(SymLogdet, Operator{
		Name: "logdet", work: workCube, empty: zeroOf,
		fill: onMatrices(logarithm((*matrices).decompose), floatMatrices.logdet),
	})
	describe(SymLu, Operator{
		Name: "lu", work: workCube,
		fill: onMatrices((*matrices).lu, floatMatrices.lu),
	})
	describe(SymLusolve, system("lusolve", "factors", workRows, factored((*matrices).substitute), floatMatrices.lusolve))
	describe(SymLusolvet, system("lusolvet", "factors", workRows, factored((*matrices).substitutet), floatMatrices.lusolvet))
	describe(SymLulogdet, Operator{
		Name: "lulogdet", work: workRows, empty: zeroOf,
		fill: onMatrices(logarithm((*matrices).factored), floatMatrices.lulogdet),
	})
}

// system describes what solves systems of linear equations, given their matrices, or the factors, and
// their right sides, which are columns of another matrix.
func system(name, of string, work work, solve func(m *matrices) (bool, error), floats func(x floatMatrices) ([]float64, bool)) Operator {
	return Operator{
		Name: name, Ports: []string{of, "right"}, work: work,
		fill: onMatrices(solve, floats),
	}
}

// matrices are the operands of an operator for one matrix: a, which is square but that factors have
// a column more, and b, if there is another. They are copies, one row after the other; behind the
// elements of a there are a 0 and room for two numbers.
type matrices struct {
	c       Cells
	a, b    int
	n, w, m int   // of rows, of columns, and of columns of b
	from    int   // where the first element of the matrix is in the operands and in the result
	step    int   // from one element to the next
	rows    []int // where the rows of the factors are in a
	at      []int // which rows of what was factored these are
	pivots  []int // with which each was exchanged, one after the other
	numbers int   // the operand that has 0 to n - 1 and room for a number, 0 if there is none yet

}

// onMatrices is the meaning of an operator that f is for one matrix, and floats for one of
// float64; if it reports that there is none, the elements of the result are NaN.
func onMatrices(f func(m *matrices) (ok bool, err error), floats func(x floatMatrices) (result []float64, ok bool)) func(Cells) error {
	return func(c Cells) (err error) {
		shape := c.Shape(0)
		n, step, two := shape[0], product(shape[2:]), c.Operands() > 1
		if n == 0 || c.Len(Result) == 0 {
			return nil
		}
		if c.Floats(0) != nil {
			return onFloats(c, n, step, floats)
		}
		m := &matrices{c: c, n: n, w: shape[1], m: n, step: step}
		if two {
			m.m = c.Shape(1)[1]
		}
		if m.a, err = c.Room(m.n*m.w + 3); err == nil && two {
			m.b, err = c.Room(m.n * m.m)
		}
		rows := c.Positions(3 * n)
		m.rows, m.at, m.pivots = rows[:n], rows[n:2*n], rows[2*n:]
		for ; m.from < m.step && err == nil; m.from++ {
			m.load(m.a, 0, m.n*m.w)
			if two {
				m.load(m.b, 1, m.n*m.m)
			}
			ok := false
			if ok, err = f(m); err == nil && !ok {
				err = m.none()
			}
		}
		return err
	}
}

// load copies the n elements of the matrix in operand k to operand to.
func (m *matrices) load(to, k, n int) {
	for i := range n {
		m.c.Move(to, i, k, m.from+i*m.step, 1)
	}
}

// store copies the elements of operand k to the result.
func (m *matrices) store(k int) {
	for i := range m.n * m.m {
		m.c.Copy(m.from+i*m.step, k, i, 1)
	}
}

// none makes the elements of the result NaN.
func (m *matrices) none() (err error) {
	for at := m.from; at < m.c.Len(Result) && err == nil; at += m.step {
		err = m.c.SetLiteral(at, ScalarR(numeric.NaN()))
	}
	return err
}

// less subtracts from element at of operand to the product of element i of x and
// element j of y.
func (m *matrices) less(to, at, x, i, y, j int) error {
	room := m.n*m.w + 1
	m.c.Move(m.a, room, x, i, 1)
	err := m.c.Do(SymMul, m.a, room, y, j, 1)
	if err == nil {
		err = m.c.Do(SymSub, to, at, m.a, room, 1)
	}
	return err
}

// zero reports whether element i of a is 0.
func (m *matrices) zero(i int) bool {
	return !m.c.Less(m.a, m.n*m.w, i) && !m.c.Less(m.a, i, m.n*m.w) && !m.c.NaN(m.a, i)
}

// cholesky makes the factor of a, of which the lower triangle is read.
func (m *matrices) cholesky() (ok bool, err error) {
	n := m.n
	for i := range n {
		for j := i + 1; j < n; j++ {
			m.c.Move(m.a, i*n+j, m.a, n*n, 1)
		}
	}
	for j := range n {
		for i := j; i < n; i++ {
			for k := 0; k < j && err == nil; k++ {
				err = m.less(m.a, i*n+j, m.a, i*n+k, m.a, j*n+k)
			}
			switch {
			case err != nil:
			case i > j:
				err = m.c.Do(SymDiv, m.a, i*n+j, m.a, j*n+j, 1)
			case !m.c.Less(m.a, n*n, j*n+j):
				return false, nil
			default:
				err = m.c.Do(SymSqrt, m.a, j*n+j, m.a, j*n+j, 1)
			}
			if err != nil {
				return false, err
			}
		}
	}
	m.store(m.a)
	return true, nil
}

// triangular solves the system of the lower triangle of a, or of its transpose.
func (m *matrices) triangular(transposed bool) (ok bool, err error) {
	n := m.n
	for i := range n {
		if m.zero(i*n + i) {
			return false, nil
		}
	}
	at := func(i, j int) int { return i*n + j }
	if transposed {
		at = func(i, j int) int { return (n-1-j)*n + n - 1 - i }
	}
	row := func(i int) int {
		if transposed {
			i = n - 1 - i
		}
		return i * m.m
	}
	if err = m.solve(at, row, true); err == nil {

		m.store(m.b)
	}
	return true, err
}

// solve solves the system of a lower triangle for b, given where its elements and the
// rows of b are; what is on its diagonal is 1 unless it is divided by.
func (m *matrices) solve(at func(i, j int) int, row func(i int) int, divide bool) (err error) {
	for i := range m.n {
		for col := range m.m {
			for k := 0; k < i && err == nil; k++ {
				err = m.less(m.b, row(i)+col, m.a, at(i, k), m.b, row(k)+col)
			}
			if divide && err == nil {
				err = m.c.Do(SymDiv, m.b, row(i)+col, m.a, at(i, i), 1)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// decompose makes of a its factors L, with 1 on the diagonal, and U, with rows exchanged, and
// reports whether there are any.
func (m *matrices) decompose() (ok bool, err error) {
	n := m.n
	for i := range m.rows {
		m.rows[i], m.at[i] = i*n, i
	}
	c, size, best := m.c, n*n+1, n*n+2
	for j := range n {
		pivot := j
		for i := j; i < n; i++ {
			c.Move(m.a, size, m.a, m.rows[i]+j, 1)
			if err = c.Do(SymAbs, m.a, size, m.a, size, 1); err != nil {
				return false, err
			}
			if i == j || c.Less(m.a, best, size) {
				pivot = i
				c.Move(m.a, best, m.a, size, 1)
			}
		}
		if m.zero(best) {
			return false, nil
		}
		m.swap(j, pivot)
		m.rows[j], m.rows[pivot] = m.rows[pivot], m.rows[j]
		for i := j + 1; i < n; i++ {
			err = c.Do(SymDiv, m.a, m.rows[i]+j, m.a, m.rows[j]+j, 1)
			for k := j + 1; k < n && err == nil; k++ {
				err = m.less(m.a, m.rows[i]+k, m.a, m.rows[i]+j, m.a, m.rows[j]+k)
			}
			if err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// swap notes that row i was exchanged with row j, by which they are known.
func (m *matrices) swap(i, j int) {
	m.pivots[i] = j
	m.at[i], m.at[j] = m.at[j], m.at[i]
}

// lu gives the factors, each row with the number of the one that it was exchanged with.
func (m *matrices) lu() (ok bool, err error) {
	if ok, err = m.decompose(); err != nil || !ok {
		return false, err
	}
	n := m.n
	for i := range n {
		at := m.from + i*(n+1)*m.step
		for j := range n {
			m.c.Copy(at+j*m.step, m.a, m.rows[i]+j, 1)
		}
		if err = m.c.SetLiteral(at+n*m.step, ScalarR(numeric.Int(int64(m.pivots[i])))); err != nil {
			return false, err
		}
	}
	return true, nil
}

// factored reads what lu gives.
func (m *matrices) factored() (ok bool, err error) {
	n := m.n
	if m.numbers == 0 {
		is := make([]Scalar, n+1)
		for i := range is {
			is[i] = ScalarR(numeric.Int(int64(i)))
		}
		k, err := m.c.Scratch(is...)
		if err != nil {
			return false, err
		}
		m.numbers = k
	}
	for i := range n {
		m.rows[i], m.at[i] = i*m.w, i
	}
	for i := range n {
		m.c.Move(m.numbers, n, m.a, m.rows[i]+n, 1)
		if m.c.NaN(m.numbers, n) {
			return false, nil
		}
		j := i
		for j+1 < n && !m.c.Less(m.numbers, n, j+1) {
			j++
		}
		m.swap(i, j)
	}
	return true, nil
}

// factoring is the meaning of an operator that f is for a matrix that is factored, if it has factors.
func factoring(f func(m *matrices) error) func(m *matrices) (bool, error) {
	return func(m *matrices) (ok bool, err error) {
		if ok, err = m.decompose(); err == nil && ok {
			err = f(m)
		}
		return ok, err
	}
}

// factored is that of one that has the factors.
func factored(f func(m *matrices) error) func(m *matrices) (bool, error) {
	return func(m *matrices) (ok bool, err error) {
		ok, err = m.factored()
		for i := 0; i < m.n && ok; i++ {
			ok = !m.zero(m.rows[i] + i)
		}
		if err == nil && ok {
			err = f(m)
		}
		return ok, err
	}
}

// substitute solves the system of a, given its factors.
func (m *matrices) substitute() error {
	last := m.n - 1
	err := m.solve(func(i, j int) int { return m.rows[i] + j }, func(i int) int { return m.at[i] * m.m }, false)
	if err == nil { // U, from the end
		err = m.solve(func(i, j int) int { return m.rows[last-i] + last - j }, func(i int) int { return m.at[last-i] * m.m }, true)
	}
	for i, at := range m.at {
		m.storeRow(i, at)
	}
	return err
}

// substitutet solves that of the transpose.
func (m *matrices) substitutet() error {
	last := m.n - 1
	err := m.solve(func(i, j int) int { return m.rows[j] + i }, func(i int) int { return i * m.m }, true)
	if err == nil { // the transpose of L, from the end
		err = m.solve(func(i, j int) int { return m.rows[last-j] + last - i }, func(i int) int { return (last - i) * m.m }, false)
	}
	for i, at := range m.at {
		m.storeRow(at, i)
	}
	return err
}

// storeRow makes row to of the result that of b which is number from.
func (m *matrices) storeRow(to, from int) {
	for col := range m.m {
		m.c.Copy(m.from+(to*m.m+col)*m.step, m.b, from*m.m+col, 1)
	}
}

// logarithm adds the logarithms of the elements on the diagonal of U, of which factors tells whether
// it is there.
func logarithm(factors func(m *matrices) (bool, error)) func(m *matrices) (bool, error) {
	return func(m *matrices) (bool, error) {
		ok, err := factors(m)
		if err != nil {
			return false, err
		}
		if !ok { // the determinant is 0
			return true, m.c.SetLiteral(m.from, ScalarR(numeric.Inf(-1)))
		}
		negative := false
		for i, pivot := range m.pivots {
			x := m.rows[i] + i
			negative = negative != (m.c.Less(m.a, x, m.n*m.w) != (pivot != i))
			err = m.c.Do(SymAbs, m.a, x, m.a, x, 1)
			if err == nil {
				err = m.c.Do(SymLog, m.a, x, m.a, x, 1)
			}
			if err == nil {
				err = m.c.Combine(SymAdd, m.from, m.a, x, 1)
			}
			if err != nil {
				return false, err
			}
		}
		return !negative, nil
	}
}
