package fuse_test

import (
	"slices"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// TestElements: sums that are elements of an array literal are added up in one pass with others over the same
// rows, and no array is kept for one of them.
func TestElements(t *testing.T) {
	const text = `
def rows[n](p: R[2], c: R[n, 2]): (R, R[2], R[n, 2]) =
  let u = build n (\i -> p[0] - c[i, 0]) in let v = build n (\i -> p[1] - c[i, 1]) in
  (sum (u * u + v * v), [sum (u + u), sum (v + v)], build [n, 2] (\[i, j] -> [u[i] + u[i], v[i] + v[i]][j]))
def sums[n](p: R[2], c: R[n, 2]): (R, R[3]) =
  let u = build n (\i -> p[0] - exp c[i, 0]) in (sum (u * u), [sum u, sum (u * u * u), p[1] * sum (u + 1)])
def twice[n](p: R[2], c: R[n, 2]): R[2, 2] =
  let u = build n (\i -> p[0] - c[i, 0]) in let v = build n (\i -> p[1] - c[i, 1]) in [[sum u, sum v], [sum (u * v), sum (v * v)]]
`
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 0}, {"n": 1}, {"n": 100}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		large := 0
		for _, a := range k.Arrays {
			if a.Role == kernel.Temp && a.Len() >= 100 && !slices.Contains(k.Result.Arrays(), a) {
				large++
			}
		}
		if size["n"] == 100 && large > 0 {
			t.Errorf("%s keeps %d arrays\n%s", p.Name, large, k)
		}
		kerneltest.CompareWays(t, p, k, 1, append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
	})
}
