package improve_test

import (
	"slices"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// TestTables: what depends on indices only by way of one sum of them is computed for each value of that sum, in the place of
// what reads it and of copies, and is the same.
func TestTables(t *testing.T) {
	sizes := []map[string]int64{{"n": 1}, {"n": 7}, {"n": 60}}
	kerneltest.EachGradient(t, `
def smooth[n](x: R[n], y: R[n], s: R): R = sumsq (build n (\i -> sum (build n (\j -> exp (neg (real ((i - j) * (i - j))) / s) * x[j])) / sum (build n (\j -> exp (neg (real ((i - j) * (i - j))) / s)))))
def circulant[n](x: R[n], y: R[n], s: R): R = sumsq (build n (\i -> sum (build n (\j -> x[(i - j) mod n] * y[j]))))
def toeplitz[n](x: R[n], y: R[n], s: R): R = sumsq (build n (\i -> sum (build n (\j -> (if i < j then x[j - i] * s else x[i - j]) * y[j]))))
def reflected[n](x: R[n], y: R[n], s: R): R = let at = \i -> let j = abs i in if j >= n then 2 * n - 2 - j else j in
  sumsq (build n (\i -> sum (build 5 (\k -> index y [k] * x[at (i + k - 2)]))))
def scaled[n](x: R[n], y: R[n], s: R): R = sumsq (flat (build [n, 3, n] (\i k j -> exp (x[(i - j) mod n] * real (2 * k)) * s + index y [k])))
def twice[n](x: R[n], y: R[n], s: R): R = sumsq (build n (\i -> sum (build n (\j -> x[(i + 2 * j) mod n] * y[(i - j) mod n] * sin (real (i * j))))))
`, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		last := map[string]int{"smooth": 119, "circulant": 119, "toeplitz": 119, "scaled": 119, "reflected": 64, "twice": 178}[p.Name]
		if made := slices.ContainsFunc(k.Arrays, func(a *kernel.Array) bool {
			return a.Role == kernel.Temp && len(a.Shape) > 0 && a.Shape[len(a.Shape)-1] == last
		}); made != (size["n"] == 60) {
			t.Errorf("%s, %d: a table is made: %t\n%s", p.Name, size["n"], made, k)
		}
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
	})
}
