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
	describe(SymTrisolve, system("trisolve", workRows, func(m *matrices) (bool, error) { return m.triangular(false) }, floatMatrices.trisolve))
	describe(SymTrisolvet, system("trisolvet", workRows, func(m *matrices) (bool, error) { return m.triangular(true) }, floatMatrices.trisolvet))
	describe(SymSolve, system("solve", workCube, (*matrices).solve, floatMatrices.solve))
	describe(SymLogdet, Operator{
		Name: "logdet", work: workCube, empty: zeroOf,
		fill: onMatrices((*matrices).logdet, floatMatrices.logdet),
	})
}

// system describes what solves systems of linear equations, given their matrices and
// their right sides, which are columns of another matrix.
func system(name string, work work, solve func(m *matrices) (bool, error), floats func(x floatMatrices) ([]float64, bool)) Operator {
	return Operator{
		Name: name, Ports: []string{"matrix", "right"}, work: work,
		fill: onMatrices(solve, floats),
	}
}

// matrices are the operands of an operator for one matrix: a, which is square, and b, if
// there is another. They are copies, one row after the other; behind the elements of
// a there are a 0 and room for two numbers.
type matrices struct {
	c    Cells
	a, b int
	n, m int // of rows, and columns of b
	from int // where the first element of the matrix is in the operands and in the result
	step int // from one element to the next
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
		m := &matrices{c: c, n: n, m: n, step: step}
		if two {
			m.m = c.Shape(1)[1]
		}
		if m.a, err = c.Room(m.n*m.n + 3); err == nil && two {
			m.b, err = c.Room(m.n * m.m)
		}
		for ; m.from < m.step && err == nil; m.from++ {
			m.load(m.a, 0, m.n*m.n)
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
	room := m.n*m.n + 1
	m.c.Move(m.a, room, x, i, 1)
	err := m.c.Do(SymMul, m.a, room, y, j, 1)
	if err == nil {
		err = m.c.Do(SymSub, to, at, m.a, room, 1)
	}
	return err
}

// zero reports whether element i of a is 0.
func (m *matrices) zero(i int) bool {
	return !m.c.Less(m.a, m.n*m.n, i) && !m.c.Less(m.a, i, m.n*m.n) && !m.c.NaN(m.a, i)
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
	if err = m.substitute(at, row, true); err == nil {
		m.store(m.b)
	}
	return true, err
}

// substitute solves the system of a lower triangle for b, given where its elements and the
// rows of b are; what is on its diagonal is 1 unless it is divided by.
func (m *matrices) substitute(at func(i, j int) int, row func(i int) int, divide bool) (err error) {
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

// decompose makes of a its factors L, with 1 on the diagonal, and U, of which row number i
// is at[i].
func (m *matrices) decompose() (at []int, odd, ok bool, err error) {
	n := m.n
	at = m.c.Positions(n)
	for i := range at {
		at[i] = i
	}
	c, size, best := m.c, n*n+1, n*n+2
	for j := range n {
		pivot := j
		for i := j; i < n; i++ {
			c.Move(m.a, size, m.a, at[i]*n+j, 1)
			if err = c.Do(SymAbs, m.a, size, m.a, size, 1); err != nil {
				return nil, false, false, err
			}
			if i == j || c.Less(m.a, best, size) {
				pivot = i
				c.Move(m.a, best, m.a, size, 1)
			}
		}
		if m.zero(best) {
			return nil, false, false, nil
		}
		if pivot != j {
			at[j], at[pivot], odd = at[pivot], at[j], !odd
		}
		for i := j + 1; i < n; i++ {
			err = c.Do(SymDiv, m.a, at[i]*n+j, m.a, at[j]*n+j, 1)
			for k := j + 1; k < n && err == nil; k++ {
				err = m.less(m.a, at[i]*n+k, m.a, at[i]*n+j, m.a, at[j]*n+k)
			}
			if err != nil {
				return nil, false, false, err
			}
		}
	}
	return at, odd, true, nil
}

// solve solves the system of a.
func (m *matrices) solve() (ok bool, err error) {
	n := m.n
	at, _, ok, err := m.decompose()
	if err != nil || !ok {
		return false, err
	}
	err = m.substitute(func(i, j int) int { return at[i]*n + j }, func(i int) int { return at[i] * m.m }, false)
	if err == nil { // U, from the end
		last := n - 1
		err = m.substitute(func(i, j int) int { return at[last-i]*n + last - j }, func(i int) int { return at[last-i] * m.m }, true)
	}
	for i := range n {
		for col := range m.m {
			m.c.Copy(m.from+(i*m.m+col)*m.step, m.b, at[i]*m.m+col, 1)
		}
	}
	return true, err
}

// logdet adds the logarithms of the elements on the diagonal of U.
func (m *matrices) logdet() (ok bool, err error) {
	n := m.n
	at, negative, ok, err := m.decompose()
	if err != nil {
		return false, err
	}
	if !ok { // the determinant is 0
		return true, m.c.SetLiteral(m.from, ScalarR(numeric.Inf(-1)))
	}
	for i := range n {
		x := at[i]*n + i
		negative = negative != m.c.Less(m.a, x, n*n)
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
