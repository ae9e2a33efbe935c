package machine_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"egad/kernel"
	"egad/kernel/machine"
)

// TestEither: where a result is not finite the run is done by other kernels; where none is, or there are
// none, results stay.
func TestEither(t *testing.T) {
	var ks [2]*kernel.Program
	for i, text := range []string{
		"def f(a: R[3], k: I): (R[3], R, I) = (a / a, sum (a + a), k + 2)",
		"def f(a: R[3], k: I): (R[3], R, I) = (where (a == 0) 5 (a / a), sum (a + a), k + 1)",
	} {
		_, ks[i] = lowered(t, text)
	}
	for _, c := range []struct {
		otherwise *kernel.Program
		x, want   float64
		k         int64
	}{{ks[1], 4, 1, 9}, {ks[1], 0, 5, 8}, {ks[1], math.MaxFloat64, 1, 8}, {nil, 0, math.NaN(), 9}, {nil, 4, 1, 9}} {
		m, err := machine.Native{}.CompileEither(ks[0], c.otherwise)
		if err != nil {
			t.Fatal(err)
		}
		in := []machine.Elements{{R: []float64{1, c.x, 2}}, {N: []int64{7}}}
		for range 2 {
			out := []machine.Elements{{R: make([]float64, 3)}, {R: make([]float64, 1)}, {N: make([]int64, 1)}}
			if err := m.RunInto(out, in); err != nil {
				t.Fatal(err)
			}
			if got := out[0].R[1]; got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) || out[1].R[0] != 2*(3+c.x) || out[2].N[0] != c.k {
				t.Errorf("at %g: %v", c.x, out)
			}
		}
		s, err := m.Session()
		if err != nil {
			t.Fatal(err)
		}
		copy(s.In[0].R, in[0].R)
		s.In[1].N[0] = 7
		if n := testing.AllocsPerRun(10, func() { err = s.Run(t.Context()) }); err != nil || n != 0 || s.Out[2].N[0] != c.k || s.In[0].R[2] != 2 || s.In[1].N[0] != 7 {
			t.Errorf("%v, %g allocations: %v of %v", err, n, s.Out, s.In)
		}
		left, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.Run(left); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, and nobody waits for the run", err)
		}
	}

	// What there is not enough memory for is said when it is needed.
	m, err := machine.Native{}.CompileEither(ks[0], ks[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Allow(m.Memory()); err != nil {
		t.Fatal(err)
	}
	out := []machine.Elements{{R: make([]float64, 3)}, {R: make([]float64, 1)}, {N: make([]int64, 1)}}
	if err := m.RunInto(out, []machine.Elements{{R: []float64{1, 2, 3}}, {N: []int64{7}}}); err != nil {
		t.Error(err)
	}
}
