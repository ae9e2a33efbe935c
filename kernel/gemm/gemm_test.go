package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestProduct: products of matrices of odd sizes, whose elements lie in memory in one of many ways, are as sums in a
// loop say, by all tiles; what is no element of the product is left alone; and an element does not depend on how many
// rows and columns there are.
func TestProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, tile := range tiles() {
		room := new(Buffers)
		for range 40 {
			m, n, k := sizes(r, 40), sizes(r, 60), sizes(r, 40)
			switch r.IntN(8) {
			case 0:
				m[0] += blockRows
			case 1:
				k[0] += blockInner
			case 2:
				n[0] += blockColumns / len(n)
			}
			a, b, c := matrix(r, m, k), matrix(r, k, n), matrix(r, m, n)
			c.Scale = 1
			add := r.IntN(2) == 0
			before := slices.Clone(c.Data)
			if tile.product(a, b, c, add, room, never) {
				t.Fatal("stopped")
			}
			about := fmt.Sprintf("%v × %v × %v by %d × %d", m, k, n, tile.rows, tile.columns)
			got := slices.Clone(c.Data)
			for i := range c.Rows.Len() {
				for j := range c.Columns.Len() {
					x, most := 0.0, 0.0
					at := c.place(i, j)
					if add {
						x = before[at]
						most = math.Abs(x)
					}
					for p := range a.Columns.Len() {
						y := a.Scale * a.Data[a.place(i, p)] * (b.Scale * b.Data[b.place(p, j)])
						x += y
						most += math.Abs(y)
					}
					if math.Abs(c.Data[at]-x) > float64(a.Columns.Len()+1)*most*0x1p-52 {
						t.Fatalf("%s: element %d, %d is %v, not %v", about, i, j, c.Data[at], x)
					}
					got[at] = before[at]
				}
			}
			if !slices.Equal(got, before) {
				t.Fatalf("%s: other numbers have changed", about)
			}
			a.Kept, b.Kept = new(Kept), new(Kept)
			for range 2 {
				again := c
				again.Data = slices.Clone(before)
				if tile.product(a, b, again, add, room, never); !slices.Equal(again.Data, c.Data) {
					t.Fatalf("%s: factors that are kept make another product", about)
				}
			}
			i, j := r.IntN(c.Rows.Len()), r.IntN(c.Columns.Len())
			one := Index{[]int{1}, []int{1}}
			a.Data, a.Rows, a.Kept = a.Data[a.place(i, 0):], one, nil
			b.Data, b.Columns, b.Kept = b.Data[b.place(0, j):], one, nil
			alone := Matrix{Data: []float64{0}, Rows: one, Columns: one, Scale: 1}
			if tile.product(a, b, alone, false, room, never); !add && alone.Data[0] != c.Data[c.place(i, j)] {
				t.Fatalf("%s: element %d, %d is %v alone, and not %v", about, i, j, alone.Data[0], c.Data[c.place(i, j)])
			}
		}
	}
}

// TestSpecials: products of what is not finite are as those of numbers in a loop.
func TestSpecials(t *testing.T) {
	some := []float64{0, math.Copysign(0, -1), 1, -2, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, 5e-324}
	n := len(some)
	all, one := Index{[]int{n}, []int{1}}, Index{[]int{1}, []int{1}}
	for _, tile := range tiles() {
		c := square(make([]float64, n*n), n, false)
		tile.product(Matrix{some, all, one, 1, nil}, Matrix{some, one, all, 1, nil}, c, false, new(Buffers), never)
		for i, x := range some {
			for j, y := range some {
				want, got := 0+x*y, c.Data[i*n+j]
				if math.Float64bits(want) != math.Float64bits(got) && !(math.IsNaN(want) && math.IsNaN(got)) {
					t.Errorf("0 + %v * %v is %v, not %v", x, y, got, want)
				}
			}
		}
	}
}

// TestStops: a product that is told to stop does, before it has read all.
func TestStops(t *testing.T) {
	for _, tile := range tiles() {
		m, asked := square(make([]float64, 400*400), 400, false), 0
		c := square(make([]float64, 400*400), 400, false)
		if !tile.product(m, m, c, false, new(Buffers), func() bool { asked++; return asked == 3 }) || asked != 3 {
			t.Errorf("asked %d times", asked)
		}
	}
}

// place is where an element is.
func (m Matrix) place(i, j int) int {
	var to [1]int
	at := m.Rows.places(i, to[:])[0]
	return at + m.Columns.places(j, to[:])[0]
}

// sizes are those of one to three axes, of about so many elements.
func sizes(r *rand.Rand, most int) []int {
	switch r.IntN(3) {
	case 0:
		return []int{1 + r.IntN(most)}
	case 1:
		return []int{1 + r.IntN(5), 1 + r.IntN(most/4)}
	}
	return []int{1 + r.IntN(4), 1 + r.IntN(3), 1 + r.IntN(most/8)}
}

// matrix is a random matrix whose rows and columns are the elements of some axes, which lie in memory in one of many ways.
func matrix(r *rand.Rand, rows, columns []int) Matrix {
	all := slices.Concat(rows, columns)
	steps := make([]int, len(all))
	next := 1 + r.IntN(2)
	order := r.Perm(len(all))
	if r.IntN(2) == 0 { // as they are
		slices.Sort(order)
		slices.Reverse(order)
	}
	for _, i := range order {
		steps[i] = next
		next = next*all[i] + r.IntN(2)*r.IntN(3)
	}
	scale := []float64{1, 1, 2, -1, 0.3}[r.IntN(5)]
	return Matrix{random(r, next), Index{rows, steps[:len(rows)]}, Index{columns, steps[len(rows):]}, scale, nil}
}

// square is a matrix of n rows and columns.
func square(data []float64, n int, transposed bool) Matrix {
	m := Matrix{data, Index{[]int{n}, []int{n}}, Index{[]int{n}, []int{1}}, 1, nil}
	if transposed {
		m.Rows, m.Columns = m.Columns, m.Rows
	}
	return m
}

// BenchmarkProduct multiplies square matrices, of which both or none are transposed.
func BenchmarkProduct(b *testing.B) {
	for _, t := range tiles() {
		for _, n := range []int{32, 64, 128, 256, 512, 1024} {
			for _, transposed := range []bool{false, true} {
				b.Run(fmt.Sprintf("%dx%d/%d/%v", t.rows, t.columns, n, transposed), func(b *testing.B) {
					r := rand.New(rand.NewPCG(1, 2))
					x, y, z := square(random(r, n*n), n, transposed), square(random(r, n*n), n, transposed), square(make([]float64, n*n), n, false)
					room := new(Buffers)
					for b.Loop() {
						t.product(x, y, z, false, room, never)
					}
					b.ReportMetric(2*float64(n*n*n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
				})
			}
		}
	}
}

// BenchmarkPack packs rows of a matrix, for the left and for the right side.
func BenchmarkPack(b *testing.B) {
	const n = blockInner
	from, to := make([]float64, n*n), make([]float64, n*n)
	lines, numbers := Index{[]int{n}, []int{n}}.places(0, make([]int, n)), Index{[]int{n}, []int{1}}.places(0, make([]int, n))
	for _, t := range tiles() {
		for _, group := range []int{t.rows, t.columns} {
			b.Run(fmt.Sprint(group), func(b *testing.B) {
				for b.Loop() {
					pack(to, group, from, lines, numbers, 1)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*n), "ns/number")
			})
		}
	}
}

func never() bool { return false }

func random(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = r.NormFloat64()
	}
	return out
}
