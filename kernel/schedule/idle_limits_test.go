package schedule_test

import (
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// TestIdleLimits: a filter over an image with zeros around it does all of its runs, as few read zeros. A triangle
// keeps its limits, however small it is, and so do sums that numbers or data limit, and what does few runs of a filter that
// is large beside its image.
func TestIdleLimits(t *testing.T) {
	const text = `
def filter[n](x: R[n, n], k: R[3, 3], a: I): R[n, n] =
  let y = build [n + 2, n + 2] (\[i, j] -> if 1 <= i <= n && 1 <= j <= n then x[i - 1, j - 1] else 0) in
  build [n, n] (\[i, j] -> sum (build 3 (\p -> sum (build 3 (\q -> k[p, q] * y[i + p, j + q])))))
def large[n](x: R[n, n], k: R[3, 3], a: I): R[n] =
  build n (\i -> sum (build (2 * n) (\p -> if n <= i + p < 2 * n then x[i, i + p - n] * x[0, i + p - n] else 0)))
def triangle[n](x: R[n, n], k: R[3, 3], a: I): R[3] = build 3 (\i -> sum (build 3 (\j -> if j < i then k[i, j] * k[j, 0] else 0)))
def some[n](x: R[n, n], k: R[3, 3], a: I): R[n] = build n (\i -> sum (build n (\j -> if j < 5 then x[i, j] * x[0, j] else 0)))
def last[n](x: R[n, n], k: R[3, 3], a: I): R[n] = build n (\i -> sum (build n (\j -> if n - 4 <= j && j < n - 1 then x[i, j] * x[0, j] else 0)))
def data[n](x: R[n, n], k: R[3, 3], a: I): R[n] = build n (\i -> sum (build n (\j -> if j < a then x[i, j] * x[j, i] else 0)))
`
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 30}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		s := k.String()
		if limited := strings.Contains(s, ", only "); limited != (p.Name != "filter") {
			t.Errorf("%s: there are limits: %t\n%s", p.Name, limited, s)
		}
		kerneltest.CompareWays(t, p, k, 1, kerneltest.Ways)
	})
}
