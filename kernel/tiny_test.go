package kernel_test

import (
	"testing"

	"egad/fusion"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
)

// BenchmarkRunInto measures a tiny program, whose time is that of steps.
func BenchmarkRunInto(b *testing.B) {
	p := kerneltest.Program(b, `def f(x: R[2], y: R[2]): (R, R[2]) = (x[0] * y[1] + x[1], [y[1], 1])`)
	m, err := fusion.Prepare(nil, p, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	in := []machine.Elements{{R: []float64{1, 2}}, {R: []float64{3, 4}}}
	out := []machine.Elements{{R: make([]float64, 1)}, {R: make([]float64, 2)}}
	b.ReportAllocs()
	for b.Loop() {
		if err := m.RunInto(out, in); err != nil {
			b.Fatal(err)
		}
	}
}
