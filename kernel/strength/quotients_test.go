package strength_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// edges are divisors and dividends at the ends of what reals can divide.
var edges = []int64{0, 1, -1, 2, -2, 3, -7, 10, 1 << 31, -1 << 31, 1<<49 - 1, 1 << 49, 1<<49 + 1, -1<<49 - 1, 1<<50 - 1, 1 << 50, 1<<51 + 1, 1<<53 + 1, -1<<53 - 1, 1 << 62, math.MaxInt64, math.MinInt64, math.MinInt64 + 1}

// TestQuotients: quotients and remainders by numbers that are known at run time only are those of
// the evaluator, whether a loop changes the divisor or not, and whatever is made of them.
func TestQuotients(t *testing.T) {
	var text strings.Builder
	for k, x := range []string{"j", "j - 11", "562949953421311 - j", "562949953421312 - j", "j - 562949953421312", "j - 562949953421320", "(j - 11) * 51176268492846", "w[j] mod 1000 - 500", "w[j]"} {
		for l, d := range []string{"w[i]", "w[j]", "w[i] - j", "(w[i] mod 9 - 4)", "2 * (w[j] mod 9 + 1)"} {
			fmt.Fprintf(&text, "def q%d_%d[n](w: I[n]): (I[n, n], I[n, n]) = (build [n, n] (\\i j -> (%[3]s) div %[4]s), build [n, n] (\\i j -> (%[3]s) mod %[4]s))\n", k, l, x, d)
		}
	}
	text.WriteString(`
def made[n](w: I[n]): (R[n, n], R[n, n], B[n, n], I[n, n]) =
  (build [n, n] (\i j -> real ((j - 11) mod w[i]) - real ((11 - j) div w[i]) * 0.5), build [n, n] (\i j -> 1 / real (0 mod w[i] - 0 div w[j])),
   build [n, n] (\i j -> (j mod w[i]) div 2 mod 2 == 0 || 3 <= (j - 7) div w[i] || j mod w[i] < i), build [n, n] (\i j -> j - j mod w[i] + (j mod w[i]) mod (w[i] + 1)))
def state[n](w: I[n]): (I[n], I[n]) =
  let (a, b, _) = iterate 9 (\(a, b, m) -> (a + build n (\j -> j mod (2 * m) div m), build n (\j -> b[j - j mod m] + (j - n) div m), 2 * m)) (w, w, 1) in (a, b)
def long[n](w: I[n]): I[n] =
  let (a, _, _) = iterate 200 (\(a, m, k) -> (build n (\j -> a[j] + (j mod m) div k), 1 + (m + 5) mod 7, -k)) (w, 1, 3) in a
`)
	kerneltest.EachLowered(t, text.String(), []map[string]int64{{"n": 1}, {"n": int64(len(edges))}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		env := kerneltest.Values(t, p, 1)
		copy(env["w"].N, edges)
		kerneltest.CompareAt(t, p, k, env, append(kerneltest.Ways, kerneltest.TwoThreads))
	})
}

// TestStateRanges: of integers that a loop doubles, counts or keeps small it is known what they may
// be, so accesses by them are not checked; of others nothing is.
func TestStateRanges(t *testing.T) {
	for _, c := range []struct {
		loop  string
		known bool
	}{
		{`iterate 4 (\(s, m) -> (s + a[m - 1], 2 * m)) (0.0, 1)`, true},
		{`iterate 5 (\(s, m) -> (s + a[m - 1], 2 * m)) (0.0, 1)`, false},
		{`iterate 1000 (\(s, m) -> (s + a[m], (m + 3) mod 16)) (0.0, 15)`, true},
		{`iterate 1000 (\(s, m) -> (s + a[m], m + 1)) (0.0, 0)`, false},
		{`iterate k (\(s, m) -> (s + a[m], 15 - m)) (0.0, 4)`, true},
		{`let ms = scan (\m x -> 2 * m) 1 (iota 4) in fold (\(s, q) j -> (s + a[ms[j] - 1] * s, q)) (1.0, 0) (iota 4)`, true},
	} {
		text := "def f(a: R[16], k: size): R = (" + c.loop + ").0\n"
		kerneltest.EachLowered(t, text, []map[string]int64{{"k": 3}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
			kerneltest.CompareWays(t, p, k, 1, kerneltest.Ways)
			if checked := strings.Contains(k.String(), "]?"); checked == c.known {
				t.Errorf("%s: checked %t\n%s", c.loop, checked, k)
			}
		})
	}
}
