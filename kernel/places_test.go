package kernel_test

import (
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// TestPlaces: a scatter that adds to no place twice goes in any order, by vectors and threads.
func TestPlaces(t *testing.T) {
	const text = `
def strided[n, m](x: R[n, m], k: I[n]): R[2 * n, 3 * m] = scatter [2 * n, 3 * m] (sin x) (\[i, j] -> [2 * i + 1, 3 * j])
def four[n, m](x: R[n, m], k: I[n]): R[2 * n, 2 * m] = scatter [2 * n, 2 * m] x (\[i, j] -> [2 * i, 2 * j]) + scatter [2 * n, 2 * m] (x * x) (\[i, j] -> [2 * i + 1, 2 * j])
  + scatter [2 * n, 2 * m] (exp x) (\[i, j] -> [2 * i, 2 * j + 1]) + scatter [2 * n, 2 * m] (-x) (\[i, j] -> [2 * i + 1, 2 * j + 1])
def beyond[n, m](x: R[n, m], k: I[n]): R[n, m] = scatter [n, m] (cos x) (\[i, j] -> [-3 * i + 7, j * 2 - 5])
def chosen[n, m](x: R[n, m], k: I[n]): R[n, 5] = scatter [n, 5] (sum (tr [1, 0] x)) (\[i] -> [i, k[i]])
-- in order
def met[n, m](x: R[n, m], k: I[n]): R[n] = scatter [n] (sin x) (\[i, j] -> [i + 2 * j])
def zero[n, m](x: R[n, m], k: I[n]): R[n, m] = scatter [n, m] (sin x) (\[i, j] -> [0 * i, j])
def wide[n, m](x: R[n, m], k: I[n]): R[n] = scatter [n] (sin (sum (tr [1, 0] x))) (\[i] -> [i * 4611686018427387904])
def both[n, m](x: R[n, m], k: I[n]): R[n, m] = scatter [n, m] (sin x) (\[i, j] -> [k[i], j])
`
	ordered := map[string]bool{"met": true, "zero": true, "wide": true, "both": true}
	sizes := []map[string]int64{{"n": 9, "m": 7}, {"n": 1, "m": 1}, {"n": 0, "m": 3}, {"n": 60, "m": 33}}
	kerneltest.EachLowered(t, text, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
		if in := strings.Contains(k.String(), "in order"); size["n"] > 1 && in != ordered[p.Name] {
			t.Errorf("%s: in order %v\n%s", p.Name, in, k)
		}
	})
}
