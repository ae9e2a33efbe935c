package machine_test

import (
	"slices"
	"testing"

	"egad/kernel/machine"
)

// TestSession: a session gives what a run gives, of inputs that are written where the
// program reads them, and makes no memory.
func TestSession(t *testing.T) {
	p, k := lowered(t, `def f(a: R[50], k: I): (R[50], R, R[50], I) = let b = exp a in (b, sum (b * a), a, k + argmax a)`)
	eachMachine(t, k, func(name string, m *machine.Machine) {
		s, err := m.Session()
		if err != nil {
			t.Fatal(err)
		}
		for seed := range int64(3) {
			env := drawn(t, p, seed)
			want, err := m.Run(env)
			if err != nil {
				t.Fatal(err)
			}
			copy(s.In[0].R, env["a"].R)
			copy(s.In[1].N, env["k"].N)
			if n := testing.AllocsPerRun(1, func() { err = s.Run(t.Context()) }); err != nil || n != 0 {
				t.Errorf("%s: %v, %g allocations", name, err, n)
			}
			for i, part := range want.Parts {
				if !slices.Equal(part.R, s.Out[i].R) || !slices.Equal(part.N, s.Out[i].N) {
					t.Errorf("%s: result %d is %v, and of a run %v", name, i, s.Out[i], part)
				}
			}
		}
	})
}
