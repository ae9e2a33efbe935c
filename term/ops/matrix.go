package ops

import (
	"gonum.org/v1/gonum/blas"

	"egad/internal/slice"
	"egad/term/numeric"
)

// Linear algebra on matrices, which lie along the first two axes of an array: one for
// each element along the others. Of numbers that are no float64 it is done as in textbooks,
// exactly if they are rational.

func init() {
	describe(SymCholesky, Operator{
		Name: "cholesky", Work: WorkCube,
		Fill: onMatrices((*matrices).cholesky, floatMatrices.cholesky),
	})
	systems(SymTrisolve, SymTrisolvet, "trisolve", "matrix", WorkRows, (*matrices).triangular, floatMatrices.trisolve)
	systems(SymSolve, SymSolvet, "solve", "matrix", WorkCube, (*matrices).factoring, floatMatrices.solve)
	describe(SymLogdet, Operator{
		Name: "logdet", Work: WorkCube, Empty: zeroOf,
		Fill: onMatrices(logarithm((*matrices).decompose), floatMatrices.logdet),
	})
	describe(SymLu, Operator{
		Name: "lu", Work: WorkCube,
		Fill: onMatrices((*matrices).lu, floatMatrices.lu),
	})
	systems(SymLusolve, SymLusolvet, "lusolve", "factors", WorkRows, (*matrices).byFactors, floatMatrices.lusolve)
	describe(SymLulogdet, Operator{
		Name: "lulogdet", Work: WorkRows, Empty: zeroOf,
		Fill: onMatrices(logarithm((*matrices).factored), floatMatrices.lulogdet),
	})
}

// systems describes what solves systems of linear equations, given their matrices, or the factors, and
// their right sides, which are columns of another matrix; and what solves those of the transposes.
func systems(plain, transposed Sym, name, of string, work Work, solve func(m *matrices, transposed bool) bool, floats func(x floatMatrices, t blas.Transpose) ([]float64, bool)) {
	for sym, t := range map[Sym]blas.Transpose{plain: blas.NoTrans, transposed: blas.Trans} {
		name := name
		if t == blas.Trans {
			name += "t"
		}
		describe(sym, Operator{
			Name: name, Ports: []string{of, "right"}, Work: work,
			Fill: onMatrices(func(m *matrices) bool { return solve(m, t == blas.Trans) },
				func(x floatMatrices) ([]float64, bool) { return floats(x, t) }),
		})
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
func onMatrices(f func(m *matrices) (ok bool), floats func(x floatMatrices) (result []float64, ok bool)) func(Cells) {
	return func(c Cells) {
		shape := c.Shape(0)
		n, step, two := shape[0], slice.Product(shape[2:]), c.Operands() > 1
		if n == 0 || c.Len(Result) == 0 {
			return
		}
		if c.Floats(0) != nil {
			onFloats(c, n, step, floats)
			return
		}
		m := &matrices{c: c, n: n, w: shape[1], m: n, step: step}
		if two {
			m.m = c.Shape(1)[1]
		}
		if m.a = c.Room(m.n*m.w + 3); two {
			m.b = c.Room(m.n * m.m)
		}
		rows := c.Positions(3 * n)
		m.rows, m.at, m.pivots = rows[:n], rows[n:2*n], rows[2*n:]
		for ; m.from < m.step; m.from++ {
			m.load(m.a, 0, m.n*m.w)
			if two {
				m.load(m.b, 1, m.n*m.m)
			}
			if !f(m) {
				m.none()
			}
		}
	}
}

// do is [Cells.Do] for one element.
func (m *matrices) do(op Sym, to, at, k, i int) { m.c.Do(op, to, at, k, i, 1) }

// put makes an element of the result a number.
func (m *matrices) put(at int, n numeric.Num) { m.c.SetLiteral(at, ScalarR(n)) }

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
func (m *matrices) none() {
	for at := m.from; at < m.c.Len(Result); at += m.step {
		m.put(at, numeric.NaN())
	}
}

// less subtracts from element at of operand to the product of element i of x and
// element j of y.
func (m *matrices) less(to, at, x, i, y, j int) {
	room := m.n*m.w + 1
	m.c.Move(m.a, room, x, i, 1)
	m.do(SymMul, m.a, room, y, j)
	m.do(SymSub, to, at, m.a, room)
}

// zero reports whether element i of a is 0.
func (m *matrices) zero(i int) bool {
	return !m.c.Less(m.a, m.n*m.w, i) && !m.c.Less(m.a, i, m.n*m.w) && !m.c.NaN(m.a, i)
}

// cholesky makes the factor of a, of which the lower triangle is read.
func (m *matrices) cholesky() bool {
	n := m.n
	for i := range n {
		for j := i + 1; j < n; j++ {
			m.c.Move(m.a, i*n+j, m.a, n*n, 1)
		}
	}
	for j := range n {
		for i := j; i < n; i++ {
			for k := range j {
				m.less(m.a, i*n+j, m.a, i*n+k, m.a, j*n+k)
			}
			switch {
			case i > j:
				m.do(SymDiv, m.a, i*n+j, m.a, j*n+j)
			case !m.c.Less(m.a, n*n, j*n+j):
				return false
			default:
				m.do(SymSqrt, m.a, j*n+j, m.a, j*n+j)
			}
		}
	}
	m.store(m.a)
	return true
}

// triangular solves the system of the lower triangle of a, or of its transpose.
func (m *matrices) triangular(transposed bool) bool {
	n := m.n
	for i := range n {
		if m.zero(i*n + i) {
			return false
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
	m.solve(at, row, true)
	m.store(m.b)
	return true
}

// solve solves the system of a lower triangle for b, given where its elements and the
// rows of b are; what is on its diagonal is 1 unless it is divided by.
func (m *matrices) solve(at func(i, j int) int, row func(i int) int, divide bool) {
	for i := range m.n {
		for col := range m.m {
			for k := range i {
				m.less(m.b, row(i)+col, m.a, at(i, k), m.b, row(k)+col)
			}
			if divide {
				m.do(SymDiv, m.b, row(i)+col, m.a, at(i, i))
			}
		}
	}
}

// decompose makes of a its factors L, with 1 on the diagonal, and U, with rows exchanged, and
// reports whether there are any.
func (m *matrices) decompose() bool {
	n := m.n
	for i := range m.rows {
		m.rows[i], m.at[i] = i*n, i
	}
	c, size, best := m.c, n*n+1, n*n+2
	for j := range n {
		pivot := j
		for i := j; i < n; i++ {
			c.Move(m.a, size, m.a, m.rows[i]+j, 1)
			m.do(SymAbs, m.a, size, m.a, size)
			if i == j || c.Less(m.a, best, size) {
				pivot = i
				c.Move(m.a, best, m.a, size, 1)
			}
		}
		if m.zero(best) {
			return false
		}
		m.swap(j, pivot)
		m.rows[j], m.rows[pivot] = m.rows[pivot], m.rows[j]
		for i := j + 1; i < n; i++ {
			m.do(SymDiv, m.a, m.rows[i]+j, m.a, m.rows[j]+j)
			for k := j + 1; k < n; k++ {
				m.less(m.a, m.rows[i]+k, m.a, m.rows[i]+j, m.a, m.rows[j]+k)
			}
		}
	}
	return true
}

// swap notes that row i was exchanged with row j, by which they are known.
func (m *matrices) swap(i, j int) {
	m.pivots[i] = j
	m.at[i], m.at[j] = m.at[j], m.at[i]
}

// lu gives the factors, each row with the number of the one that it was exchanged with.
func (m *matrices) lu() bool {
	if !m.decompose() {
		return false
	}
	n := m.n
	for i := range n {
		at := m.from + i*(n+1)*m.step
		for j := range n {
			m.c.Copy(at+j*m.step, m.a, m.rows[i]+j, 1)
		}
		m.put(at+n*m.step, numeric.Int(int64(m.pivots[i])))
	}
	return true
}

// factored reads what lu gives.
func (m *matrices) factored() bool {
	n := m.n
	if m.numbers == 0 {
		m.numbers = m.c.Scratch(slice.Make(n+1, func(i int) Scalar { return ScalarR(numeric.Int(int64(i))) })...)
	}
	for i := range n {
		m.rows[i], m.at[i] = i*m.w, i
	}
	for i := range n {
		m.c.Move(m.numbers, n, m.a, m.rows[i]+n, 1)
		if m.c.NaN(m.numbers, n) {
			return false
		}
		j := i
		for j+1 < n && !m.c.Less(m.numbers, n, j+1) {
			j++
		}
		m.swap(i, j)
	}
	return true
}

// factoring solves the system of a, or of its transpose, if it has factors.
func (m *matrices) factoring(transposed bool) bool {
	return m.decompose() && m.substitute(transposed)
}

// byFactors solves that of the matrix of which a has the factors.
func (m *matrices) byFactors(transposed bool) bool {
	ok := m.factored()
	for i := 0; i < m.n && ok; i++ {
		ok = !m.zero(m.rows[i] + i)
	}
	return ok && m.substitute(transposed)
}

// substitute solves the system of a, or of its transpose, given its factors.
func (m *matrices) substitute(transposed bool) bool {
	last := m.n - 1
	at, row := func(i, j int) int { return m.rows[i] + j }, func(i int) int { return m.at[i] * m.m }
	if transposed {
		at, row = func(i, j int) int { return m.rows[j] + i }, func(i int) int { return i * m.m }
	}
	m.solve(at, row, transposed) // on the diagonal of L is 1
	// The other factor, from the end.
	m.solve(func(i, j int) int { return at(last-i, last-j) }, func(i int) int { return row(last - i) }, !transposed)
	for to, from := range m.at {
		if transposed {
			to, from = from, to
		}
		m.storeRow(to, from)
	}
	return true
}

// storeRow makes row to of the result that of b which is number from.
func (m *matrices) storeRow(to, from int) {
	for col := range m.m {
		m.c.Copy(m.from+(to*m.m+col)*m.step, m.b, from*m.m+col, 1)
	}
}

// logarithm adds the logarithms of the elements on the diagonal of U, of which factors tells whether
// it is there.
func logarithm(factors func(m *matrices) bool) func(m *matrices) bool {
	return func(m *matrices) bool {
		if !factors(m) { // the determinant is 0
			m.put(m.from, numeric.Inf(-1))
			return true
		}
		negative := false
		for i, pivot := range m.pivots {
			x := m.rows[i] + i
			negative = negative != (m.c.Less(m.a, x, m.n*m.w) != (pivot != i))
			m.do(SymAbs, m.a, x, m.a, x)
			m.do(SymLog, m.a, x, m.a, x)
			m.do(SymAdd, Result, m.from, m.a, x)
		}
		return !negative
	}
}
