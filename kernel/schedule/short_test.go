package schedule_test

import (
	"math/rand/v2"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/schedule"
	"egad/term"
)

// TestShort: what a scatter adds at each place is written out where that is a few numbers, and makes what the
// evaluator makes: also where what it adds is read beyond the ends of arrays, and where places are out of range.
func TestShort(t *testing.T) {
	const text = `
def ends[n, m](f: R[m, 3], a: I[m], b: I[m]): R[n, 3] = scatter [n] f (\[e] -> [a[e]]) + scatter [n] (2.5 * f) (\[e] -> [b[e]])
def beside[n, m](f: R[m, 3], a: I[m]): R[n, 3] = scatter [n] (build [m, 3] (\e j -> index f [e, j - 1] + 2 * index f [e, j + 1])) (\[e] -> [a[e]])
def boxes[n, m](f: R[m, 2, 2], a: I[m]): R[n, 2, 2] = scatter [n] f (\[e] -> [a[e]])
def wide[n, m](f: R[m, 40], a: I[m]): R[n, 40] = scatter [n] f (\[e] -> [a[e]])
`
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 30, "m": 200}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		loops := 0
		for _, one := range k.Kernels {
			for _, s := range one.Body {
				if l, ok := s.(*kernel.Loop); ok && l.Order == kernel.InOrder {
					loops = schedule.LoopsInCode(k, one)
				}
			}
		}
		want := map[string]int{"ends": 1, "beside": 1, "wide": 2}[p.Name]
		if loops != want && want > 0 {
			t.Errorf("%s: machine code has %d loops for a scatter, want %d\n%s", p.Name, loops, want, k)
		}
		run := kerneltest.Comparison(t, p, k, kerneltest.Ways)
		for most := range int64(3) { // no place is out of range, some are, and most of them
			env := kerneltest.Values(t, p, 1)
			r := rand.New(rand.NewPCG(1, uint64(most)))
			for _, name := range []string{"a", "b"} {
				if v := env[name]; v != nil {
					for i := range v.N {
						if v.N[i] = r.Int64N(30); r.Int64N(2) < most {
							v.N[i] -= 20
						}
					}
				}
			}
			run(env)
		}
	})
}
