package term

import "testing"

// BenchmarkSearch looks for many points among a few knots.
func BenchmarkSearch(b *testing.B) {
	knots, points := randomArray([]int{17}), randomArray([]int{2000})
	for i := range knots.R {
		knots.R[i] = float64(i)/4 - 2
	}
	f := NewFilling(Op{Sym: SymSearchsorted}, &Value[float64]{Elem: I, Shape: points.Shape, N: make([]int64, len(points.R))}, []*Value[float64]{knots, points})
	b.ReportAllocs()
	for range b.N {
		if err := f.Run(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(points.R)), "ns/point")
}
