package growth

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"egad/ad"
	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel/machine"
	"egad/rules"
	"egad/term"
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

// making is what it takes to make the gradient of a program in machine code, and how much
// is made on the way.
type making struct {
	derive, lower, compile time.Duration
	nodes, kernels         int
}

// makeGradient makes the gradient of a program in machine code.
func makeGradient(tb testing.TB, lib *rules.Library, p *term.Program) (m making) {
	start := time.Now()
	d, err := ad.Grad(lib, p, ad.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	derived := time.Now()
	k, err := fusion.Lower(lib, d.Program, nil)
	if err != nil {
		tb.Fatal(err)
	}
	lowered := time.Now()
	if _, err := machine.CompileNative(k, false); err != nil {
		tb.Fatal(err)
	}
	m = making{derived.Sub(start), lowered.Sub(derived), time.Since(lowered), 0, len(k.Kernels)}
	for _, s := range d.Stages {
		if s.Report != nil {
			m.nodes += s.Report.Nodes
		}
	}
	return m
}

// BenchmarkLayers reports what it takes to make the gradient of networks of 1 to 32 layers,
// in milliseconds, and how many e-nodes and kernels there are.
func BenchmarkLayers(b *testing.B) {
	for n := 1; n <= 32; n *= 2 {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			lib, p := defs.Last(b, layers(n))
			var sum, last making
			for b.Loop() {
				last = makeGradient(b, lib, p)
				sum.derive, sum.lower, sum.compile = sum.derive+last.derive, sum.lower+last.lower, sum.compile+last.compile
			}
			each := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(b.N) }
			b.ReportMetric(each(sum.derive), "derive-ms")
			b.ReportMetric(each(sum.lower), "lower-ms")
			b.ReportMetric(each(sum.compile), "compile-ms")
			b.ReportMetric(float64(last.nodes), "e-nodes")
			b.ReportMetric(float64(last.kernels), "kernels")
		})
	}
}

// TestLayers makes what [BenchmarkLayers] measures, of networks of one layer and of two.
func TestLayers(t *testing.T) {
	var of [2]making
	for i := range of {
		lib, p := defs.Last(t, layers(i+1))
		of[i] = makeGradient(t, lib, p)
	}
	if of[0].nodes == 0 || of[0].kernels == 0 || of[1].nodes <= of[0].nodes || of[1].kernels <= of[0].kernels {
		t.Errorf("one layer takes %d e-nodes and %d kernels, two %d and %d", of[0].nodes, of[0].kernels, of[1].nodes, of[1].kernels)
	}
}
