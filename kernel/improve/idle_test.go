package improve_test

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// idle is a store in a run that has nothing to do.
var idle = regexp.MustCompile(`(?m)where \(.* < 0\) (\w+\[.*\]) (0|0\.25|\(-inf\)|false)$`)

// TestIdle: where loops leave out runs that store constants, these are stored, by whatever condition, at whatever
// end of the loop, in nests and in steps, whose states may lie in the place of those before.
func TestIdle(t *testing.T) {
	var text strings.Builder
	for k, c := range []string{"j <= i", "j < i + 1", "i < j", "i <= j - 3", "j + i < n", "n <= i + j", "j <= n - 2 - i", "2 * i <= j", "not (j <= i) && j < n - 1", "j < w[i] mod n", "-w[i] mod 5 < j - i", "j <= w[i]", "w[i] < j + i"} {
		for l, is := range [][2]string{
			{"R[n, n]", "build [n, n] (\\i j -> if %s then exp (sin (x[i] * x[j])) else 0)"},
			{"R[n, n]", "build [n, n] (\\i j -> if %s then tanh (exp (x[i] - x[j])) else -inf)"},
			{"B[n, n]", "build [n, n] (\\i j -> (%s) && exp (sin x[i]) * x[j] < cos (sin x[j]) + 1)"},
			{"R[n, n]", "build n (\\i -> let s = sum (build n (\\k -> x[k] * real (i - k))) in build n (\\j -> if %s then exp (sin (x[j] * s)) else 0))"},
			{"R[n]", "fold (\\s i -> build n (\\j -> if %s then sin (exp (s[j + 1] + x[i]) / (2 + cos s[j])) else 0.25)) x (iota n)"},
			{"R[n]", "fold (\\s i -> build n (\\j -> if j > i + 5 then s[j] else if %s then exp (sin (exp (sin (s[j] * x[j])))) else 0)) x (iota (n div 2))"},
			{"(R[n], R[n])", "fold (\\(s, m) i -> (build n (\\j -> if %[1]s then s[j] + exp (sin x[i]) / (2 + cos s[j]) else 0), build n (\\j -> m[j] + if %[1]s then exp (sin (x[j] * s[j])) else 0))) (x, x) (iota n)"},
		} {
			fmt.Fprintf(&text, "def f%d_%d[n](x: R[n], w: I[n]): %s = %s\n", k, l, is[0], fmt.Sprintf(is[1], c))
		}
	}
	found := 0
	kerneltest.EachLowered(t, text.String(), []map[string]int64{{"n": 1}, {"n": 7}, {"n": 60}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		env := kerneltest.Values(t, p, 1)
		copy(env["w"].N, []int64{math.MinInt64, math.MaxInt64, math.MinInt64 + 5, math.MaxInt64 - 5})
		kerneltest.CompareAt(t, p, k, env, append(kerneltest.Ways, kerneltest.TwoThreads))
		if idle.MatchString(k.String()) {
			found++
		}
	})
	if found < 60 {
		t.Errorf("%d programs do idle runs apart", found)
	}
}
