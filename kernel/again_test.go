package kernel_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"egad/fusion"
	"egad/internal/interrupt"
	"egad/kernel"
	"egad/term"
)

// TestOtherwise: where a result is NaN the run is done by the other machine, which is made once;
// where none is, or there is no other machine, results stay.
func TestOtherwise(t *testing.T) {
	p := program(t, `def f(a: R[3], k: I): (R[3], R, I) = (a / a, sum a, k)`)
	q := program(t, `def f(a: R[3], k: I): (R[3], R, I) = (where (a == 0) 5 (a / a), sum a, k + 1)`)
	prepared := func(native bool) (out [2]*kernel.Machine) {
		for i, p := range []*term.Program{p, q} {
			var how *kernel.Native
			if native {
				how = new(kernel.Native)
			}
			m, err := fusion.Prepare(nil, p, nil, how)
			if err != nil {
				t.Fatal(err)
			}
			out[i] = m
		}
		return out
	}
	in := func(x float64) []kernel.Elements {
		return []kernel.Elements{{R: []float64{1, x, 2}}, {N: []int64{7}}}
	}
	for _, native := range []bool{false, true} {
		ms := prepared(native)
		m, made := ms[0], 0
		m.Otherwise(func(*interrupt.Stop) (*kernel.Machine, error) {
			made++
			return ms[1], nil
		})
		run := func(x float64) (float64, int64) {
			out := []kernel.Elements{{R: make([]float64, 3)}, {R: make([]float64, 1)}, {N: make([]int64, 1)}}
			if err := m.RunInto(out, in(x)); err != nil {
				t.Fatal(err)
			}
			if out[1].R[0] != 3+x {
				t.Errorf("the sum is %g", out[1].R[0])
			}
			return out[0].R[1], out[2].N[0]
		}
		if v, k := run(4); v != 1 || k != 7 || made != 0 {
			t.Errorf("%g, %d, made %d times", v, k, made)
		}
		for range 2 {
			if v, k := run(0); v != 5 || k != 8 || made != 1 {
				t.Errorf("%g, %d, made %d times", v, k, made)
			}
		}
		s, err := m.Session()
		if err != nil {
			t.Fatal(err)
		}
		copy(s.In[0].R, []float64{1, 0, 2})
		if n := testing.AllocsPerRun(10, func() { err = s.Run(t.Context()) }); err != nil || n != 0 || s.Out[0].R[1] != 5 || s.In[0].R[2] != 2 {
			t.Errorf("%v, %g allocations: %v of %v", err, n, s.Out[0].R, s.In[0].R)
		}

		left, cancel := context.WithCancel(t.Context())
		cancel()
		failed := errors.New("failed")
		for _, c := range []struct {
			other func(*interrupt.Stop) (*kernel.Machine, error)
			ctx   context.Context
			want  error
		}{
			{func(*interrupt.Stop) (*kernel.Machine, error) { return nil, nil }, t.Context(), nil},
			{func(*interrupt.Stop) (*kernel.Machine, error) { return nil, failed }, t.Context(), failed},
			{func(*interrupt.Stop) (*kernel.Machine, error) { return ms[1], nil }, left, context.Canceled},
		} {
			m := prepared(native)[0]
			m.Otherwise(c.other)
			if s, err = m.Session(); err != nil {
				t.Fatal(err)
			}
			copy(s.In[0].R, []float64{1, 0, 2})
			if err := s.Run(c.ctx); !errors.Is(err, c.want) || err == nil && !math.IsNaN(s.Out[0].R[1]) {
				t.Errorf("%v: %v, want %v", err, s.Out[0].R, c.want)
			}
		}
	}
}
