package kernel_test

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// TestSmallSystems: what statements make of small matrices is what the operators make of them, bit for bit, with
// pivots that are the same or 0, and numbers that are not finite, for one or several matrices and columns.
func TestSmallSystems(t *testing.T) {
	text := new(strings.Builder)
	for n := 1; n <= 7; n++ {
		for _, op := range []string{"solve", "solvet", "trisolve", "trisolvet", "lusolve", "lusolvet"} {
			a := fmt.Sprintf("a: R[b, %d, %d]", n, n)
			if strings.HasPrefix(op, "lu") {
				a = fmt.Sprintf("a: R[b, %d, %d]", n, n+1)
			}
			fmt.Fprintf(text, "def %[1]s%[2]d[b, m](%[3]s, y: R[b, %[2]d, m]): R[b, %[2]d, m] = build b (\\i -> %[1]s a[i] y[i])\n", op, n, a)
		}
		fmt.Fprintf(text, "def factors%[1]d[b, m](a: R[b, %[1]d, %[1]d]): (R[b, %[1]d, %[2]d], R[b, %[1]d, %[1]d], R[b]) = build b (\\i -> (lu a[i], cholesky a[i], logdet a[i]))\n", n, n+1)
		fmt.Fprintf(text, "def det%[1]d[b, m](a: R[b, %[1]d, %[2]d]): R[b] = build b (\\i -> lulogdet a[i])\n", n, n+1)
		fmt.Fprintf(text, "def along%[1]d[b, m](a: R[b, %[1]d, %[1]d], y: R[%[1]d, b]): (R[%[1]d, b], R[b, %[1]d]) = (solve a[0] y, scan (\\s c -> sum (solve (c + replicate %[1]d s) (transpose c))) (replicate %[1]d 0) a)\n", n)
	}
	some := []float64{0, math.Copysign(0, -1), 1, -1, 2, -2, 0.5, 3, -0.25, 1e300, 1e-300, math.Inf(1), math.Inf(-1), math.NaN()}
	statements := 0
	kerneltest.EachLowered(t, text.String(), []map[string]int64{{"b": 40, "m": 1}, {"b": 30, "m": 3}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		r := rand.New(rand.NewSource(1))
		env := kerneltest.Values(t, p, 1)
		compare := kerneltest.Comparison(t, p, k, append(kerneltest.Ways, kerneltest.TwoThreads))
		for _, finite := range []int{7, 9, 11, len(some)} {
			for _, name := range []string{"a", "y"} {
				if v := env[name]; v != nil {
					for i := range v.R {
						if v.R[i] = some[r.Intn(finite)]; r.Intn(3) == 0 {
							v.R[i] = r.NormFloat64()
						}
					}
				}
			}
			compare(env)
		}
		if !strings.Contains(k.String(), "solve") {
			statements++
		}
	})
	if statements < 6*10 {
		t.Errorf("%d programs have no calls", statements)
	}
}
