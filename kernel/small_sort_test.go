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

// TestSmallSorts: what is sorted by statements is what the operators sort, in their order where elements are the
// same, or NaN, in rows, in columns and in steps.
func TestSmallSorts(t *testing.T) {
	text := new(strings.Builder)
	for n := 1; n <= 11; n++ {
		fmt.Fprintf(text, `
def rows%[1]d[b](a: R[b, %[1]d]): (R[b, %[1]d], I[b, %[1]d]) = build b (\i -> (sort a[i], argsort a[i]))
def columns%[1]d[b](a: R[%[1]d, b], w: R[%[1]d, b]): (R[%[1]d, b], I[%[1]d, b], R[b]) = (sort a, argsort a, (sort (a * w))[0])
def steps%[1]d[b](a: R[b, %[1]d]): (R[b, %[1]d], I[b, %[1]d]) = scan (\(s, v) x -> (sort (if x[0] < 1 then s else x), argsort x - v)) (replicate %[1]d 0, argsort (replicate %[1]d 0)) a
`, n)
	}
	some := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, math.NaN(), math.Inf(1), math.Inf(-1)}
	statements := 0
	kerneltest.EachLowered(t, text.String(), []map[string]int64{{"b": 1}, {"b": 40}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		r := rand.New(rand.NewSource(1))
		env := kerneltest.Values(t, p, 1)
		compare := kerneltest.Comparison(t, p, k, append(kerneltest.Ways, kerneltest.TwoThreads))
		for range 3 {
			for i := range env["a"].R {
				if env["a"].R[i] = some[r.Intn(len(some))]; r.Intn(2) == 0 {
					env["a"].R[i] = r.NormFloat64()
				}
			}
			compare(env)
		}
		if strings.Contains(k.String(), "for  <") {
			t.Errorf("a loop has no name:\n%s", k)
		}
		if !strings.Contains(k.String(), "sort") {
			statements++
		}
	})
	if statements < 20 {
		t.Errorf("%d programs have no calls", statements)
	}
}
