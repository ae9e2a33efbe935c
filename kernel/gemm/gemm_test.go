package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestProduct: products of matrices of odd sizes, with gaps, transposed and scaled, are as sums in a loop say, by all
// tiles; what lies between rows is left alone; and the elements do not depend on how many rows and columns there are.
func TestProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, tile := range tiles() {
		room := new(Buffers)
		for range 300 {
			m, n, k := 1+r.IntN(40), 1+r.IntN(60), 1+r.IntN(40)
			switch r.IntN(8) {
			case 0:
				m += blockRows
			case 1:
				k += blockInner
			case 2:
				n += blockColumns
			}
			a, b := matrix(r, m, k), matrix(r, k, n)
			c := Matrix{random(r, m*(n+3)), n + 3, 1, 1, nil}
			add := r.IntN(2) == 0
			before := slices.Clone(c.Data)
			if tile.product(m, n, k, a, b, c, add, room, never) {
				t.Fatal("stopped")
			}
			for i := range m {
				for j := range n + 3 {
					x, got := 0.0, c.Data[i*c.Row+j]
					if j >= n {
						if got != before[i*c.Row+j] {
							t.Fatalf("%d × %d × %d by %d × %d: element %d, %d has changed", m, k, n, tile.rows, tile.columns, i, j)
						}
						continue
					}
					most := 0.0
					if add {
						x = before[i*c.Row+j]
						most = math.Abs(x)
					}
					for p := range k {
						y := a.at(i, p) * b.at(p, j)
						x += y
						most += math.Abs(y)
					}
					if math.Abs(got-x) > float64(k+1)*most*0x1p-52 {
						t.Fatalf("%d × %d × %d by %d × %d: element %d, %d is %v, not %v", m, k, n, tile.rows, tile.columns, i, j, got, x)
					}
				}
			}
			a.Kept, b.Kept = new(Kept), new(Kept)
			for range 2 {
				again := Matrix{slices.Clone(before), n + 3, 1, 1, nil}
				tile.product(m, n, k, a, b, again, add, room, never)
				if !slices.Equal(again.Data, c.Data) {
					t.Fatalf("%d × %d × %d by %d × %d: factors that are kept make another product", m, k, n, tile.rows, tile.columns)
				}
			}
			part := Matrix{make([]float64, n), n, 1, 1, nil}
			i, j := r.IntN(m), r.IntN(n)
			tile.product(1, n-j, k, a.from(i, 0), b.from(0, j), part, false, room, never)
			if x := part.Data[0]; !add && x != c.Data[i*c.Row+j] {
				t.Fatalf("%d × %d × %d by %d × %d: element %d, %d is %v alone, and not %v", m, k, n, tile.rows, tile.columns, i, j, x, c.Data[i*c.Row+j])
			}
		}
	}
}

// TestSpecials: products of what is not finite are as those of numbers in a loop.
func TestSpecials(t *testing.T) {
	some := []float64{0, math.Copysign(0, -1), 1, -2, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, 5e-324}
	n := len(some)
	for _, tile := range tiles() {
		c := Matrix{make([]float64, n*n), n, 1, 1, nil}
		tile.product(n, n, 1, Matrix{some, 1, 1, 1, nil}, Matrix{some, 1, 1, 1, nil}, c, false, new(Buffers), never)
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
		m := Matrix{make([]float64, 400*400), 400, 1, 1, nil}
		asked := 0
		if !tile.product(400, 400, 400, m, m, Matrix{make([]float64, 400*400), 400, 1, 1, nil}, false, new(Buffers), func() bool { asked++; return asked == 3 }) || asked != 3 {
			t.Errorf("asked %d times", asked)
		}
	}
}

// at is an element, and from the part of a matrix that begins with one.
func (m Matrix) at(i, j int) float64 { return m.Scale * m.Data[i*m.Row+j*m.Column] }

func (m Matrix) from(i, j int) Matrix {
	m.Data, m.Kept = m.Data[i*m.Row+j*m.Column:], nil
	return m
}

// matrix is a random matrix that lies in memory in one of many ways.
func matrix(r *rand.Rand, m, n int) Matrix {
	scale := []float64{1, 1, 2, -1, 0.3}[r.IntN(5)]
	gap := 1 + r.IntN(2)
	if r.IntN(2) == 0 {
		return Matrix{random(r, m*n*gap), n * gap, gap, scale, nil}
	}
	return Matrix{random(r, m*n*gap), gap, m * gap, scale, nil}
}

// BenchmarkProduct multiplies square matrices, of which both or none are transposed.
func BenchmarkProduct(b *testing.B) {
	for _, t := range tiles() {
		for _, n := range []int{32, 64, 128, 256, 512, 1024} {
			for _, transposed := range []bool{false, true} {
				b.Run(fmt.Sprintf("%dx%d/%d/%v", t.rows, t.columns, n, transposed), func(b *testing.B) {
					r := rand.New(rand.NewPCG(1, 2))
					x, y, z := random(r, n*n), random(r, n*n), make([]float64, n*n)
					row, column := n, 1
					if transposed {
						row, column = column, row
					}
					room := new(Buffers)
					for b.Loop() {
						t.product(n, n, n, Matrix{x, row, column, 1, nil}, Matrix{y, row, column, 1, nil}, Matrix{z, n, 1, 1, nil}, false, room, never)
					}
					b.ReportMetric(2*float64(n*n*n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
				})
			}
		}
	}
}

// BenchmarkPack packs rows of a matrix, for the left and for the right side.
func BenchmarkPack(b *testing.B) {
	const lines, numbers = 96, blockInner
	from, to := make([]float64, lines*numbers), make([]float64, lines*numbers)
	for _, t := range tiles() {
		for _, group := range []int{t.rows, t.columns} {
			b.Run(fmt.Sprint(group), func(b *testing.B) {
				for b.Loop() {
					pack(to, group, from, lines, numbers, numbers, 1, 1)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*lines*numbers), "ns/number")
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
