package growth

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"egad/ad"
	"egad/internal/defs"
	"egad/kernel"
)

// layers is the loss of a network of n layers.
func layers(n int) string {
	var b strings.Builder
	b.WriteString("def f(x: R[64, 24], y: R[64, 24]")
	for i := range n {
		fmt.Fprintf(&b, ", w%d: R[24, 24], b%[1]d: R[24]", i)
	}
	b.WriteString("): R =\n  let x0 = x in\n")
	for i := range n {
		fmt.Fprintf(&b, "  let x%d = tanh (matmul(x%d, w%[2]d) + replicate 64 b%[2]d) in\n", i+1, i)
	}
	fmt.Fprintf(&b, "  sumsq (flat (x%d - y))\n", n)
	return b.String()
}

// BenchmarkLayers reports what it takes to make the gradient of networks of 1 to 32 layers,
// in milliseconds, and how many e-nodes and kernels there are.
func BenchmarkLayers(b *testing.B) {
	for n := 1; n <= 32; n *= 2 {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			lib, p := defs.Last(b, layers(n))
			var derive, lower, compile time.Duration
			var nodes, kernels int
			for b.Loop() {
				start := time.Now()
				d, err := ad.Grad(lib, p, ad.Options{})
				if err != nil {
					b.Fatal(err)
				}
				derived := time.Now()
				k, err := kernel.Lower(d.Program, nil)
				if err != nil {
					b.Fatal(err)
				}
				lowered := time.Now()
				if _, err := kernel.CompileNative(k, false); err != nil {
					b.Fatal(err)
				}
				derive, lower, compile = derive+derived.Sub(start), lower+lowered.Sub(derived), compile+time.Since(lowered)
				nodes, kernels = 0, len(k.Kernels)
				for _, s := range d.Stages {
					if s.Report != nil {
						nodes += s.Report.Nodes
					}
				}
			}
			each := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(b.N) }
			b.ReportMetric(each(derive), "derive-ms")
			b.ReportMetric(each(lower), "lower-ms")
			b.ReportMetric(each(compile), "compile-ms")
			b.ReportMetric(float64(nodes), "e-nodes")
			b.ReportMetric(float64(kernels), "kernels")
		})
	}
}
