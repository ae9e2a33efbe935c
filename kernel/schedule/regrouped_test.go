package schedule_test

import (
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/kerneltest"
	"egad/term"
)

// regrouped are programs that read, or fill, arrays in another shape: rows in groups, as group norms do, and
// parts of rows of which data says which they are.
const regrouped = `
def groups[g, q, n, m, e](x: R[g * q, n], w: R[m, g * q], ix: I[e]): R[m, n] =
  let z = reshape [g * q, n] (map (\r -> r - mean r) (reshape [g, q * n] (exp x))) in
  build [m, n] (\k i -> sum (build (g * q) (\j -> w[k, j] * z[j, i])))
def shared[g, q, n, m, e](x: R[g * q, n], w: R[m, g * q], ix: I[e]): R[m, g, q * n] =
  build m (\k -> reshape [g, q * n] (exp (map (\r -> r * w[k, 0]) x)))
def parts[g, q, n, m, e](x: R[g * q, n], w: R[m, g * q], ix: I[e]): R[e, g] =
  let s = reshape [m, g, q] (exp w) in build [e, g] (\k i -> sum (build q (\j -> s[ix[k], i, j] * x[i * q + j, 0])))
def batches[g, q, n, m, e](x: R[g * q, n], w: R[m, g * q], ix: I[e]): R[n, e, g] =
  let s = reshape [n, m, g, q] (build n (\l -> exp (w * x[0, l]))) in
  build [n, e, g] (\l k i -> sum (build q (\j -> s[l, ix[k], i, j] * x[i * q + j, l])))
def rows[g, q, n, m, e](x: R[g * q, n], w: R[m, g * q], ix: I[e]): R[n] =
  map sumsq (reshape [n, g * q] (map (\r -> r - mean r) (exp x)))
def masked[g, q, n, m, e](x: R[g * q, n], w: R[m, g * q], ix: I[e]): R[n] =
  let z = reshape [n, g * q] (0.5 < x) in
  let t = reshape [n, g * q] (where (0.5 < x) (exp x) (replicate [g * q, n] 0)) in
  build n (\i -> sum (build (g * q) (\j -> if z[i, j] then t[i, j] * w[0, j] else 0)))
`

// TestRegrouped: what is read in another shape is what the evaluator reads. Indices that stay are divided
// by nothing.
func TestRegrouped(t *testing.T) {
	sizes := []map[string]int64{{"g": 2, "q": 3, "n": 40, "m": 5, "e": 30}, {"g": 3, "q": 4, "n": 8, "m": 2, "e": 9}, {"g": 1, "q": 2, "n": 3, "m": 1, "e": 4}, {"g": 4, "q": 1, "n": 1, "m": 3, "e": 2}}
	kerneltest.EachLowered(t, regrouped, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
		if text := k.String(); (p.Name == "parts" || p.Name == "batches") && (strings.Contains(text, " div ") || strings.Contains(text, " mod ")) {
			t.Errorf("indices are divided: %s", text)
		}
	})
}

// TestPlaced: to read an array in another shape takes as long as in its own, where the loops that read
// it go from each element to the next.
func TestPlaced(t *testing.T) {
	times := make(map[string]float64)
	text := `
def own[k, n, m](x: R[k * n, m]): R[k * n] = map sumsq x
def other[k, n, m](x: R[m, k * n]): R[k * n] = map sumsq (reshape [k * n, m] x)
def digits[k, n, m](x: R[n, m, k]): R[k * n] = map sumsq (reshape [k * n, m] x)
`
	kerneltest.EachLowered(t, text, []map[string]int64{{"k": 9, "n": 5, "m": 20}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		for _, ns := range kerneltest.Costs(k, cost.Default()) {
			times[p.Name] += ns
		}
	})
	for name, ns := range times {
		if ns != times["own"] {
			t.Errorf("%s takes %g ns, own %g", name, ns, times["own"])
		}
	}
	if len(times) != 3 {
		t.Errorf("%d programs", len(times))
	}
}
