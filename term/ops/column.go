package ops

import (
	"cmp"
	"slices"

	"egad/internal/slice"
	"egad/term/numeric"
	"egad/term/types"
)

// Columnwise operators: they take each column of an array, along the outer axis, to
// a column.

func init() {
	describe(SymCumsum, Operator{
		Name: "cumsum", Work: WorkFold,
		Fill: func(c Cells) {
			if !summed(c) {
				running(c, func(at, n int) { c.Combine(SymAdd, at, 0, at, n) })
			}
		},
		bounds: func(b Bounding) Bounds {
			_, most := counts(b.Kids[0].Type, 1)
			return b.sum(1, most)
		},
	})
	describe(SymCumprod, Operator{
		Name: "cumprod", Work: WorkFold,
		Fill: func(c Cells) {
			if x := floats(c, 0); x != nil {
				sofar(c, func(product float64, i int) float64 {
					if i == 0 {
						return x[0]
					}
					return product * x[i]
				})
				return
			}
			running(c, func(at, n int) {
				if at == 0 {
					c.Copy(0, 0, 0, n)
				} else {
					c.Combine(SymMul, at, 0, at, n)
				}
			})
		},
	})
	describe(SymLinrec, Operator{
		Name: "linrec", Work: WorkEach, Operations: 2, Ports: []string{"factors", "summands"},
		Fill: func(c Cells) {
			if f, x := floats(c, 0), floats(c, 1); f != nil {
				sofar(c, func(y float64, i int) float64 {
					if i > 0 {
						y = float64(y * f[i])
					}
					return y + x[i]
				})
				return
			}
			running(c, func(at, n int) {
				if at > 0 { // the first factor has nothing before it
					c.Combine(SymMul, at, 0, at, n)
				}
				c.Combine(SymAdd, at, 1, at, n)
			})
		},
	})
	describe(SymSort, Operator{
		Name: "sort", Work: WorkEach, Operations: 3,
		Fill: func(c Cells) {
			if x := c.Floats(0); x != nil {
				sortFloats(c.Floats(Result), x, columns(c))
			} else {
				ordered(c, func(at, from int) { c.Copy(at, 0, from, 1) })
			}
		},
		bounds: same,
	})
	describe(SymArgsort, Operator{
		Name: "argsort", Work: WorkEach, Operations: 3,
		Fill: func(c Cells) {
			n := columns(c)
			ordered(c, func(at, from int) { c.SetInt(at, int64(from/n)) })
		},
		bounds: positions,
	})
	describe(SymSearchsorted, Operator{
		Name: "searchsorted", Work: WorkEach, Operations: 3, Ports: []string{"sorted", "values"},
		Fill: searchFill,
		bounds: func(b Bounding) Bounds {
			_, most := counts(b.Kids[0].Type, 1)
			return Bounds{Range{0, Saturate(most)}, numeric.AnyReal}
		},
	})
	describe(SymSoftmax, Operator{
		Name: "softmax", Work: WorkEach, Operations: 5,
		Fill: softmaxFill,
		bounds: func(b Bounding) Bounds {
			return Bounds{AnyInt, numeric.Interval{Lo: 0, Hi: 1, Number: b.Kids[0].Real.Number}}
		},
	})
}

// columns is how many columns operand 0 has.
func columns(c Cells) int { return slice.Product(c.Shape(0)[1:]) }

// running calls f for each row of the result, at its first element, where the row
// before it has been copied to; before the first there are zeros.
func running(c Cells, f func(at, n int)) {
	n := columns(c)
	for at := 0; at < c.Len(Result); at += n {
		if at > 0 {
			c.Copy(at, Result, at-n, n)
		}
		f(at, n)
	}
}

// floats are the elements of operand k if they are float64 in one column, in which a call for
// each element would take longer than what is done with it.
func floats(c Cells, k int) []float64 {
	if columns(c) != 1 {
		return nil
	}
	return c.Floats(k)
}

// sofar makes each element of one column of f of the one before it, which is 0 for the first.
func sofar(c Cells, f func(before float64, i int) float64) {
	to, x := c.Floats(Result), 0.0
	for i := range to {
		x = f(x, i)
		to[i] = x
	}
}

// summed makes running sums of one column of float64, or of integers, and reports whether that
// is what there is.
func summed(c Cells) bool {
	if x := floats(c, 0); x != nil {
		sofar(c, func(sum float64, i int) float64 { return sum + x[i] })
		return true
	}
	if c.Elem() != types.I || columns(c) != 1 {
		return false
	}
	sum := int64(0)
	for i := range c.Len(Result) {
		sum += c.Int(0, i)
		c.SetInt(i, sum)
	}
	return true
}

// ordered tells for each element of the result from which of operand 0 it comes, so
// that columns ascend. Those that are equal stay in order, and NaN comes last.
func ordered(c Cells, f func(at, from int)) {
	if x := c.Floats(0); x != nil {
		orderedFloats(x, columns(c), f)
		return
	}
	n := columns(c)
	at := c.Positions(c.Shape(0)[0])
	for k := range n {
		for i := range at {
			at[i] = k + i*n
		}
		slices.SortFunc(at, func(i, j int) int {
			switch {
			case c.Less(0, i, j):
				return -1
			case c.Less(0, j, i):
				return 1
			}
			return cmp.Or(cmp.Compare(Truth(c.NaN(0, i)), Truth(c.NaN(0, j))), i-j)
		})
		for i, from := range at {
			f(k+i*n, from)
		}
	}
}

// sortFloats sorts n columns of float64, as ordered has them.
func sortFloats(to, x []float64, n int) {
	column := make([]float64, 0, len(x)/max(1, n))
	var last []float64 // zeros of either sign, which are equal, and NaN
	for k := range n {
		column, last = column[:0], last[:0]
		zeros := 0
		for i := k; i < len(x); i += n {
			switch v := x[i]; {
			case v == 0:
				last = slices.Insert(last, zeros, v)
				zeros++
				column = append(column, v)
			case v == v:
				column = append(column, v)
			default:
				last = append(last, v)
			}
		}
		slices.Sort(column)
		if zeros > 0 {
			first, _ := slices.BinarySearch(column, 0)
			copy(column[first:], last[:zeros])
		}
		at := k
		for _, v := range append(column, last[zeros:]...) {
			to[at] = v
			at += n
		}
	}
}

// orderedFloats is ordered of n columns of float64, which are sorted side by side with their
// places.
func orderedFloats(x []float64, n int, f func(at, from int)) {
	type placed struct {
		x  float64
		at int
	}
	column := make([]placed, 0, len(x)/max(1, n))
	for k := range n {
		column = column[:0]
		for i := k; i < len(x); i += n {
			if x[i] == x[i] {
				column = append(column, placed{x[i], i})
			}
		}
		slices.SortFunc(column, func(a, b placed) int {
			if a.x < b.x {
				return -1
			}
			if a.x > b.x {
				return 1
			}
			return a.at - b.at
		})
		to := k
		for _, p := range column {
			f(to, p.at)
			to += n
		}
		for i := k; to < len(x); i += n { // NaN
			if x[i] != x[i] {
				f(to, i)
				to += n
			}
		}
	}
}

// exponentials makes of each element x of column k of operand 0 exp (x - m), where m is
// the largest, in operand to, every step from at on; and adds them up in sum, whose
// second element is 0. Of m itself it makes 1, be it infinite.
func exponentials(c Cells, k, n, to, at, step, sum int) (m int) {
	m = best(c, largest, 0, k, n)
	c.Move(sum, 0, sum, 1, 1)
	for i := k; i < c.Len(0); i, at = i+n, at+step {
		if c.NaN(0, m) || c.Less(0, i, m) {
			c.Move(to, at, 0, i, 1)
			c.Do(SymSub, to, at, 0, m, 1)
		} else {
			c.Move(to, at, sum, 1, 1)
		}
		c.Do(SymExp, to, at, to, at, 1)
		c.Do(SymAdd, sum, 0, to, at, 1)
	}
	return m
}

func largest(c Cells, i, j int) bool { return c.Less(0, i, j) }

var twoZeros = []Scalar{ScalarR(numeric.Int(0)), ScalarR(numeric.Int(0))}

func softmaxFill(c Cells) {
	n := columns(c)
	sum := c.Scratch(twoZeros...)
	for k := range n {
		exponentials(c, k, n, Result, k, n, sum)
		for i := k; i < c.Len(0); i += n {
			c.Do(SymDiv, Result, i, sum, 0, 1)
		}
	}
}

// searchFill finds by halves the first place in a column that no smaller element is at;
// NaN comes after all numbers, as in a sorted column. Which elements are looked at does not
// depend on those that were: no machine has to guess the next one. What is in order is looked for
// in order.
func searchFill(c Cells) {
	n := columns(c)
	if x, y := floats(c, 0), c.Floats(1); x != nil && y != nil {
		place := 0 // of the number before, from which one goes on if both are in order
		inOrder := 0 < len(x) && len(x) <= len(y) && x[0] == x[0] && slices.IsSorted(y) && slices.IsSorted(x)
		for k, v := range y {
			if v != v {
				c.SetInt(k, int64(halves(len(x), func(i int) bool { return x[i] == x[i] })))
				continue
			}
			if inOrder {
				for place < len(x) && x[place] < v {
					place++
				}
				c.SetInt(k, int64(place))
				continue
			}
			from, n := 0, len(x) // as in halves
			for n > 0 {
				half := int(uint(n+1) / 2)
				from += half * int(Truth(x[from+half-1] < v)) // a product where a branch would be guessed
				n -= half
			}
			c.SetInt(k, int64(from))
		}
		return
	}
	both := c.Scratch(twoZeros...)
	for k := range c.Len(1) {
		c.Move(both, 1, 1, k, 1)
		c.SetInt(k, int64(halves(c.Shape(0)[0], func(i int) bool {
			c.Move(both, 0, 0, i*n+k%n, 1)
			return c.Less(both, 0, 1) || c.NaN(both, 1) && !c.NaN(both, 0)
		})))
	}
}

// halves finds how many of n elements in order are less than another.
func halves(n int, less func(i int) bool) int {
	from := 0
	for n > 0 {
		half := (n + 1) / 2
		if less(from + half - 1) {
			from += half
		}
		n -= half
	}
	return from
}
