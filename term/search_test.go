package term_test

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// TestSearch: numbers are found at once where they are found one by one, in columns and numbers that
// are in order or not.
func TestSearch(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	number := func() float64 {
		return []float64{math.NaN(), math.Inf(-1), math.Inf(1), 0, math.Copysign(0, -1), float64(rng.Intn(9)), float64(rng.Intn(9))}[rng.Intn(7)]
	}
	search := func(column, numbers []float64) []int64 {
		real := func(x []float64) *eval.Value[float64] {
			return &eval.Value[float64]{Elem: types.R, Shape: []int{len(x)}, R: x}
		}
		out := &eval.Value[float64]{Elem: types.I, Shape: []int{len(numbers)}, N: make([]int64, len(numbers))}
		if err := eval.NewFilling(ops.Op{Sym: ops.SymSearchsorted}, out, []*eval.Value[float64]{real(column), real(numbers)}).Run(); err != nil {
			t.Fatal(err)
		}
		return out.N
	}
	for range 2000 {
		column, numbers := make([]float64, rng.Intn(8)), make([]float64, rng.Intn(12))
		for _, x := range [][]float64{column, numbers} {
			for i := range x {
				x[i] = number()
			}
			if rng.Intn(3) > 0 {
				slices.Sort(x) // NaN first
			}
		}
		got := search(column, numbers)
		for i, v := range numbers {
			if want := search(column, []float64{v}); got[i] != want[0] {
				t.Fatalf("%v in %v is at %d, and with %v at %d", v, column, want[0], numbers, got[i])
			}
		}
	}
}

// BenchmarkSearch looks for many points among a few knots, and for points in order among many.
func BenchmarkSearch(b *testing.B) {
	b.Run("few", func(b *testing.B) { benchmarkSearch(b, 17, false) })
	b.Run("sorted", func(b *testing.B) { benchmarkSearch(b, 10000, true) })
}

func benchmarkSearch(b *testing.B, n int, sorted bool) {
	knots, points := randomArray([]int{n}), randomArray([]int{20000})
	for i := range knots.R {
		knots.R[i] = 4*float64(i)/float64(n) - 2
	}
	if sorted {
		slices.Sort(points.R)
	}
	f := eval.NewFilling(ops.Op{Sym: ops.SymSearchsorted}, &eval.Value[float64]{Elem: types.I, Shape: points.Shape, N: make([]int64, len(points.R))}, []*eval.Value[float64]{knots, points})
	b.ReportAllocs()
	for range b.N {
		if err := f.Run(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(points.R)), "ns/point")
}
