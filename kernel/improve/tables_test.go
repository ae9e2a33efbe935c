package improve_test

import (
	"math"
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

// TestTablesOfData: a table is of what it replaces where integers that data give are so far apart that their difference
// wraps, where a copy of it is read at places that depend on the copy, and has one axis for an index that is in several sums.
func TestTablesOfData(t *testing.T) {
	kerneltest.EachLowered(t, `
def far[n](x: R[n], y: R[n], l: I[n], m: I[n]): R[n] = build n (\i -> sum (build n (\j -> (if l[(i - j) mod n] < m[(i - j) mod n] then x[(i - j) mod n] else exp x[(i - j) mod n]) * y[j])))
def own[n](x: R[n], y: R[n], l: I[n], m: I[n]): R[n] = let a = build [n, n] (\i j -> exp x[(i - j) mod n]) in build n (\i -> sum (build n (\j -> y[j] * a[i, if a[j, i] < 1.5 then j else i])))
def clamped[n](x: R[n], y: R[n], l: I[n], m: I[n]): R[n, n] = let a = build [n, n] (\i j -> exp x[(i - j) mod n]) in build [n, n] (\i j -> a[max 0 (i - 1), j] * a[min (n - 1) (j + 1), i] * y[i])
def several[n](x: R[n], y: R[n], l: I[n], m: I[n]): R[n] = build n (\i -> sum (build n (\j -> sum (build 5 (\k -> x[((i - j) mod n + k mod 3) * ((i - j) mod n + (2 * k) mod 3) mod n] * y[j])))))
`, []map[string]int64{{"n": 60}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		axes := map[string][]int{"far": {119}, "own": {119}, "clamped": {119}, "several": {5, 119}}[p.Name]
		if !slices.ContainsFunc(k.Arrays, func(a *kernel.Array) bool { return a.Role == kernel.Temp && slices.Equal(a.Shape, axes) }) {
			t.Errorf("no table of %v:\n%s", axes, k)
		}
		env := kerneltest.Values(t, p, 1)
		for i := range env["l"].N {
			env["l"].N[i], env["m"].N[i] = math.MinInt64+int64(i), math.MaxInt64
		}
		kerneltest.CompareAt(t, p, k, env, kerneltest.Ways)
	})
}
