// Package gemm multiplies matrices by the widest vectors that the processor has, and by
// instructions that multiply and add at once. WebAssembly has neither: its vectors are of two numbers.
//
// The way is that of Goto and van de Geijn, "Anatomy of high-performance matrix multiplication" (2008):
// blocks of both factors that fit into caches are copied to where tiles of the product read them one
// number after the other.
package gemm

import "sync"

// Matrix is a matrix in memory: its element at i and j is Scale * Data[a + b], where a is place i of Rows and b place j of
// Columns.
type Matrix struct {
	Data          []float64
	Rows, Columns Index
	Scale         float64
	Kept          *Kept // of a factor; nil: it is packed again for each product
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
type Buffers struct {
	left, right, edge []float64
	places            [4][]int // of the lines and numbers of both sides
	rows, columns     []int    // places of the product
}

// Room is how many bytes the memory for a product has at most: what is kept of the factors, and the rest, which all
// products may share.
func Room(m, n, k int, keepLeft, keepRight bool) (kept, shared int64) {
	t := fastest()
	bytes := func(keep bool, lines, group, most int) {
		if keep {
			kept += 8 * int64(keptNumbers(lines, group, most, k))
		} else {
			shared += 8 * int64(blockNumbers(lines, group, most, k))
		}
		shared += 8 * int64(2*min(lines, most)+min(k, blockInner))
	}
	bytes(keepLeft, m, t.rows, blockRows)
	bytes(keepRight, n, t.columns, blockColumns)
	return kept, shared + 8*int64(t.rows*t.columns)
}

// sized makes a slice so long.
func sized[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n)
	}
	return (*s)[:n]
}

func up(n, by int) int { return (n + by - 1) / by * by }

// Multiply computes the product of an m × k matrix and a k × n one, and stores it to c, whose scale is 1, or adds
// it to what is there. Each element is added up in the order of k, whatever m and n are, but for parts of the sum that
// are added to one another. Now and then it asks whether to stop: it reports whether it did, and then c is of no use.
// It panics where the processor has no instructions for it: see [Available].
func Multiply(a, b, c Matrix, add bool, room *Buffers, stop func() bool) (stopped bool) {
	return fastest().product(a, b, c, add, room, stop)
}

func (t *tile) product(a, b, c Matrix, add bool, room *Buffers, stop func() bool) (stopped bool) {
	m, n, k := c.Rows.Len(), c.Columns.Len(), a.Columns.Len()
	left := newSide(a, &room.left, room.places[:2], t.rows, m, k, blockRows)
	right := newSide(Matrix{b.Data, b.Columns, b.Rows, b.Scale, b.Kept}, &room.right, room.places[2:], t.columns, n, k, blockColumns)
	edge := sized(&room.edge, t.rows*t.columns)
	for j := 0; j < n; j += blockColumns {
		columns := c.Columns.places(j, sized(&room.columns, min(blockColumns, n-j)))
		for p := 0; p < k; p += blockInner {
			inner := min(blockInner, k-p)
			tb := right.packed(j, p, inner)
			for i := 0; i < m; i += blockRows {
				if stop() {
					return true
				}
				rows := c.Rows.places(i, sized(&room.rows, min(blockRows, m-i)))
				t.block(rows, columns, inner, left.packed(i, p, inner), tb, edge, c.Data, add || p > 0)
			}
		}
	}
	left.keep()
	right.keep()
	return false
}

// side is a factor that is packed block by block, of lines of numbers that are multiplied by those of the other side:
// rows of the left factor, and columns of the right one.
type side struct {
	Matrix      // whose rows are the lines
	numbers     []float64
	room        [][]int
	lines, all  int // how many there are, and numbers of each
	group, most int // how many lines are together in a tile, and in a block at most
	there       bool
}

func newSide(m Matrix, room *[]float64, places [][]int, group, lines, all, most int) side {
	s := side{Matrix: m, room: places, lines: lines, all: all, group: group, most: min(most, lines)}
	if m.Kept == nil {
		s.numbers = sized(room, blockNumbers(lines, group, most, all))
	} else {
		s.there = m.Kept.of == &m.Data[0]
		s.numbers = sized(&m.Kept.numbers, keptNumbers(lines, group, most, all))
	}
	return s
}

// blockNumbers is how many numbers there are in a block of a side at most.
func blockNumbers(lines, group, most, all int) int {
	return up(min(most, lines), group) * min(all, blockInner)
}

// keptNumbers is how many numbers there are in all blocks of a side.
func keptNumbers(lines, group, most, all int) int {
	most = min(most, lines)
	return (lines + most - 1) / most * up(most, group) * all
}

// packed is the block of which the first numbers of the first line are those, which it packs if it is not there.
func (s *side) packed(first, p, inner int) []float64 {
	to := s.numbers
	if s.Kept != nil {
		to = to[up(s.most, s.group)*(first/s.most*s.all+p):]
	}
	if !s.there {
		lines := s.Rows.places(first, sized(&s.room[0], min(s.most, s.lines-first)))
		numbers := s.Columns.places(p, sized(&s.room[1], inner))
		pack(to, s.group, s.Data, lines, numbers, s.Scale)
	}
	return to
}

// keep notes that all is packed.
func (s *side) keep() {
	if s.Kept != nil {
		s.Kept.of = &s.Data[0]
	}
}

// block multiplies packed blocks, of which the product has those rows and columns. A row of tiles is done after the other if
// the right block fits into the second cache, as neighbours in memory are stored one after the other then; else columns.
func (t *tile) block(rows, columns []int, inner int, left, right, edge, c []float64, add bool) {
	if len(columns)*inner <= blockRows*blockInner {
		for i := 0; i < len(rows); i += t.rows {
			for j := 0; j < len(columns); j += t.columns {
				t.one(rows, columns, i, j, inner, left, right, edge, c, add)
			}
		}
		return
	}
	for j := 0; j < len(columns); j += t.columns {
		for i := 0; i < len(rows); i += t.rows {
			t.one(rows, columns, i, j, inner, left, right, edge, c, add)
		}
	}
}

// one computes the tile that begins at a row and a column of a block.
func (t *tile) one(rows, columns []int, i, j, inner int, left, right, edge, c []float64, add bool) {
	a, b := &left[i*inner], &right[j*inner]
	lines, some := rows[i:min(i+t.rows, len(rows))], columns[j:min(j+t.columns, len(columns))]
	if len(lines) == t.rows && run(some) == t.columns {
		if stride, even := evenly(lines); even {
			to := c[lines[0]+some[0]:]
			_ = to[(t.rows-1)*stride+t.columns-1]
			t.multiply(inner, a, b, &to[0], stride, add)
			return
		}
	}
	t.multiply(inner, a, b, &edge[0], t.columns, false)
	for r, line := range lines {
		for q, x := range edge[r*t.columns:][:len(some)] {
			if add {
				x += c[line+some[q]]
			}
			c[line+some[q]] = x
		}
	}
}

// evenly reports whether places are at equal distances, which are not negative, and at which.
func evenly(places []int) (stride int, ok bool) {
	if len(places) < 2 {
		return 0, true
	}
	stride = places[1] - places[0]
	for i, x := range places[1:] {
		if x-places[i] != stride {
			return 0, false
		}
	}
	return stride, stride >= 0
}

// run is how many of the first places are side by side.
func run(places []int) int {
	n := 1
	for n < len(places) && places[n] == places[0]+n {
		n++
	}
	return n
}
