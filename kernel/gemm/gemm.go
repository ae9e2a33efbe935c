// Package gemm multiplies matrices by the widest vectors that the processor has, and by
// instructions that multiply and add at once. WebAssembly has neither: its vectors are of two numbers.
//
// The way is that of Goto and van de Geijn, "Anatomy of high-performance matrix multiplication" (2008):
// blocks of both factors that fit into caches are copied to where tiles of the product read them one
// number after the other.
package gemm

import "sync"

// Matrix is a matrix in memory: its element at i and j is Scale * Data[i*Row+j*Column].
type Matrix struct {
	Data        []float64
	Row, Column int
	Scale       float64
	Kept        *Kept // of a factor; nil: it is packed again for each product
}

// Kept is a copy of a factor as tiles read it, for the next products with this factor. The zero Kept is
// empty.
type Kept struct {
	numbers []float64
	of      *float64 // where the factor begins; nil: nothing is kept
}

// Forget says that factors may have changed.
func (k *Kept) Forget() { k.of = nil }

// tile is a way to compute a few rows and columns of a product at once.
type tile struct {
	rows, columns int
	// multiply computes a tile of a product from k columns of a and as many rows of b, which
	// are one after the other, and stores it, or adds it, to rows of c that are so far apart.
	multiply func(k int, a, b, c *float64, stride int, add bool)
}

// fastest is the fastest tile of this processor, or nil if there is none.
var fastest = sync.OnceValue(func() *tile {
	if all := tiles(); len(all) > 0 {
		return all[0]
	}
	return nil
})

// Available reports whether the processor has the instructions that [Multiply] needs.
func Available() bool { return fastest() != nil }

// Sizes of blocks: a block of the left factor is to fit into the second cache beside what goes through it, and one
// of the right factor into the third.
const (
	blockRows    = 96
	blockInner   = 192
	blockColumns = 1536
)

// Buffers are the memory of [Multiply], which may be used again, by one goroutine at a time.
type Buffers struct{ left, right, edge []float64 }

// Room is how many bytes the memory for a product has at most: what is kept of the factors, and the rest, which all
// products may share.
func Room(m, n, k int, keepLeft, keepRight bool) (kept, shared int64) {
	t := fastest()
	bytes := func(keep bool, lines, group, most int) {
		if keep {
			kept += 8 * int64(keptNumbers(lines, group, most, k))
		} else {
			shared += 8 * int64(up(min(lines, most), group)*min(k, blockInner))
		}
	}
	bytes(keepLeft, m, t.rows, blockRows)
	bytes(keepRight, n, t.columns, blockColumns)
	return kept, shared + 8*int64(t.rows*t.columns)
}

// sized makes a slice so long.
func sized(s *[]float64, n int) []float64 {
	if cap(*s) < n {
		*s = make([]float64, n)
	}
	return (*s)[:n]
}

func up(n, by int) int { return (n + by - 1) / by * by }

// Multiply computes the product of an m × k matrix and a k × n one, and stores it to c, or adds it to what is
// there. The rows of c are contiguous, and its scale is 1. Each element is added up in the order of k, whatever m and n are,
// but for parts of the sum that are added to one another. Now and then it asks whether to stop: it reports whether it
// did, and then c is of no use. It panics where the processor has no instructions for it: see [Available].
func Multiply(m, n, k int, a, b, c Matrix, add bool, room *Buffers, stop func() bool) (stopped bool) {
	return fastest().product(m, n, k, a, b, c, add, room, stop)
}

func (t *tile) product(m, n, k int, a, b, c Matrix, add bool, room *Buffers, stop func() bool) (stopped bool) {
	left := newSide(a, &room.left, t.rows, m, k, blockRows)
	right := newSide(b.transposed(), &room.right, t.columns, n, k, blockColumns)
	edge := sized(&room.edge, t.rows*t.columns)
	for j := 0; j < n; j += blockColumns {
		for p := 0; p < k; p += blockInner {
			inner := min(blockInner, k-p)
			columns, tb := right.packed(j, p, inner)
			for i := 0; i < m; i += blockRows {
				if stop() {
					return true
				}
				rows, ta := left.packed(i, p, inner)
				t.block(rows, columns, inner, ta, tb, edge, c.Data[i*c.Row+j:], c.Row, add || p > 0)
			}
		}
	}
	left.keep()
	right.keep()
	return false
}

func (m Matrix) transposed() Matrix {
	m.Row, m.Column = m.Column, m.Row
	return m
}

// side is a factor that is packed block by block, of lines of numbers that are multiplied by those of the other side:
// rows of the left factor, and columns of the right one.
type side struct {
	Matrix
	numbers     []float64
	lines, all  int // how many there are, and numbers of each
	group, most int // how many lines are together in a tile, and in a block at most
	there       bool
}

func newSide(m Matrix, room *[]float64, group, lines, all, most int) side {
	s := side{Matrix: m, lines: lines, all: all, group: group, most: min(most, lines)}
	if m.Kept == nil {
		s.numbers = sized(room, up(s.most, group)*min(all, blockInner))
	} else {
		s.there = m.Kept.of == &m.Data[0]
		s.numbers = sized(&m.Kept.numbers, keptNumbers(lines, group, most, all))
	}
	return s
}

// keptNumbers is how many numbers there are in all blocks of a side.
func keptNumbers(lines, group, most, all int) int {
	most = min(most, lines)
	return (lines + most - 1) / most * up(most, group) * all
}

// packed is the block of which the first numbers of the first line are those, which it packs if it is not there.
func (s *side) packed(first, p, inner int) (lines int, to []float64) {
	lines, to = min(s.most, s.lines-first), s.numbers
	if s.Kept != nil {
		to = to[up(s.most, s.group)*(first/s.most*s.all+p):]
	}
	if !s.there {
		pack(to, s.group, s.Data[first*s.Row+p*s.Column:], lines, inner, s.Row, s.Column, s.Scale)
	}
	return lines, to
}

// keep notes that all is packed.
func (s *side) keep() {
	if s.Kept != nil {
		s.Kept.of = &s.Data[0]
	}
}

// block multiplies packed blocks.
func (t *tile) block(rows, columns, inner int, left, right, edge, c []float64, stride int, add bool) {
	for j := 0; j < columns; j += t.columns {
		for i := 0; i < rows; i += t.rows {
			a, b, to := &left[i*inner], &right[j*inner], c[i*stride+j:]
			if i+t.rows <= rows && j+t.columns <= columns {
				_ = to[(t.rows-1)*stride+t.columns-1]
				t.multiply(inner, a, b, &to[0], stride, add)
				continue
			}
			t.multiply(inner, a, b, &edge[0], t.columns, false)
			for r := range min(t.rows, rows-i) {
				for q, x := range edge[r*t.columns:][:min(t.columns, columns-j)] {
					if add {
						x += to[r*stride+q]
					}
					to[r*stride+q] = x
				}
			}
		}
	}
}

// pack copies a matrix, of which lines are so far apart and the numbers of a line too, by groups of lines:
// of each group first the first numbers of its lines, then the second ones, and so on. The last group is
// filled up with zeros.
func pack(to []float64, group int, from []float64, lines, numbers, line, number int, scale float64) {
	for first := 0; first < lines; first += group {
		part := to[first*numbers : (first+group)*numbers]
		n := min(group, lines-first)
		if n < group {
			clear(part)
		}
		switch {
		case line == 1 && scale == 1:
			for p := range numbers {
				copy(part[p*group:p*group+n], from[p*number+first:])
			}
		case line == 1:
			for p := range numbers {
				row := part[p*group : p*group+n]
				for q, x := range from[p*number+first:][:n] {
					row[q] = scale * x
				}
			}
		default:
			q := 0
			for ; number == 1 && q+4 <= n && numbers >= 4; q += 4 {
				l := from[(first+q)*line:]
				some := numbers &^ 3
				_, _ = l[3*line+some-1], part[(some-1)*group+q+3]
				interleave4(some, group, scale, &l[0], &l[line], &l[2*line], &l[3*line], &part[q])
				for i := range 4 * (numbers - some) {
					p := some + i/4
					part[p*group+q+i%4] = scale * l[i%4*line+p]
				}
			}
			for ; q < n; q++ {
				at := (first + q) * line
				for p := q; p < len(part); p += group {
					part[p] = scale * from[at]
					at += number
				}
			}
		}
	}
}
