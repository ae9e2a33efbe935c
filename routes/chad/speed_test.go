package chad

import (
	"strconv"
	"testing"

	"egad/fun"
)

// BenchmarkChain is the derivative of a chain of 100,000 lets.
func BenchmarkChain(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		p := chain(n)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			d, err := Find("chad").Transform(library(b), p)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				_, m, err := d.Gradient([]fun.Value{1.0}, []float64{1}, Options{})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(m.Steps())/float64(m.Primal), "ratio")
			}
		})
	}
}
