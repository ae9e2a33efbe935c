package schedule_test

import (
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/schedule"
	"egad/term"
)

const stencils = `
def line[n, m](a: R[n], b: R[n, m], w: R[3]): R[n] = build n (\i -> exp a[i - 1] * a[i] - a[i + 1] * w[0])
def weighted[n, m](a: R[n], b: R[n, m], w: R[3]): R[n] = build n (\i -> sum (build 3 (\k -> w[k] * a[i + k - 1])))
def total[n, m](a: R[n], b: R[n, m], w: R[3]): R = sum (build n (\i -> square (a[i - 2] - a[i] * w[1])))
def least[n, m](a: R[n], b: R[n, m], w: R[3]): (R, R) = let d = build n (\i -> a[i + 1] - a[i]) in (minimum d, sum (d * d))
def plane[n, m](a: R[n], b: R[n, m], w: R[3]): R[n, m] = build [n, m] (\[i, j] -> b[i - 1, j] + b[i + 1, j] + b[i, j - 1] + b[i, j + 1] - 4 * b[i, j])
def corner[n, m](a: R[n], b: R[n, m], w: R[3]): R[n, m] = build [n, m] (\[i, j] -> b[i + 1, j + 2] * a[i] + a[i - 3])
def product[n, m](a: R[n], b: R[n, m], w: R[3]): R[m, m] = build [m, m] (\[i, j] -> sum (build n (\k -> b[k - 1, i] * b[k + 1, j])))
def window[n, m](a: R[n], b: R[n, m], w: R[3]): R[n, m] = build [n, m] (\[i, j] -> sum (build 3 (\p -> sum (build 3 (\q -> w[p] * w[q] * b[i + p - 1, j + q - 1])))))
def turned[n, m](a: R[n], b: R[n, m], w: R[3]): R[n] = build n (\i -> a[n - i] + a[n - 3 - i] * w[2])
def strided[n, m](a: R[n], b: R[n, m], w: R[3]): R[n div 2] = build (n div 2) (\i -> a[2 * i - 3] + a[2 * i + 1])
def crossed[n, m](a: R[n], b: R[n, m], w: R[3]): R[n, m] = build [n, m] (\[i, j] -> a[i + j - 2] + b[i - 1, j])
def heat[n, m](a: R[n], b: R[n, m], w: R[3]): R[n, m] = iterate 3 (\u -> build [n, m] (\[i, j] -> if i == 0 then u[i, j] else w[0] * (u[i - 1, j] + u[i, j + 1]) + u[i, j])) b
def ring[n, m](a: R[n], b: R[n, m], w: R[3]): R[n] = build n (\i -> a[(i + 1) mod n] - 2 * a[i] + a[(i - 1) mod n] * w[0])
def torus[n, m](a: R[n], b: R[n, m], w: R[3]): R[n, m] = build [n, m] (\[i, j] -> b[(i + n - 1) mod n, j] * b[i, (j + 2) mod m] + real ((i + j) div n))
def folded[n, m](a: R[n], b: R[n, m], w: R[3]): R = sum (build n (\i -> a[(3 * i - 5) mod n] * a[(2 * n - i) mod n]))
def edges[n, m](a: R[n], b: R[n, m], w: R[3]): R[n] = build n (\i -> a[min (n - 1) (i + 1)] - a[max 0 (min (n - 1) (i - 2))] * w[1])
def padded[n, m](a: R[n], b: R[n, m], w: R[3]): R[n, m] =
  build [n, m] (\i j -> sum (build 3 (\k -> w[k] * b[max 0 (i - 1), max 0 (min (m - 1) (j + k - 1))])))
def mirrored[n, m](a: R[n], b: R[n, m], w: R[3]): R[n] = build n (\i -> a[abs (i - 1)] * w[0] + a[if i + 2 >= n then 2 * n - 4 - i else i + 2])
def rows[n, m](a: R[n], b: R[n, m], w: R[3]): R[n, m] = build [n, m] (\i j -> sum (build 3 (\k -> w[k] * b[abs (i + k - 1), j])))
def reflected[n, m](a: R[n], b: R[n, m], w: R[3]): R[n] =
  let at = \i -> let j = abs i in if j >= n then 2 * n - 2 - j else j in build n (\i -> sum (build 3 (\k -> w[k] * a[at (i + k - 1)])))
def far[n, m](a: R[n], b: R[n, m], w: R[3]): R[n] = build n (\i -> a[2 * i - n + 1] + a[i])
def bordered[n, m](a: R[n], b: R[n, m], w: R[3]): R[n, m] = build [n, m] (\[i, j] -> if 2 <= i && j < m - 1 then exp b[i, j] * w[1] else where (i + j < n + 40) a[i] w[0])
def shifts[n, m](a: R[n], b: R[n, m], w: R[3]): R[3, 3] = build [3, 3] (\[p, q] -> sum (build m (\j -> sum (build n (\i -> b[i, j] * b[(i + p - 1) mod n, (j + q - 1) mod m])))))
def adjoint[n, m](a: R[n], b: R[n, m], w: R[3]): R[n] = build n (\i -> sum (build 3 (\k -> a[i + 1 - k] * (if i + 1 - k < n && 0 <= i + 1 - k then w[k] else 0))))
`

// TestInterior: nests of which the interior is done apart make what the evaluator makes, and
// those that are found to be worth it are taken apart.
func TestInterior(t *testing.T) {
	apart := make(map[string]int)
	sizes := []map[string]int64{{"n": 1, "m": 1}, {"n": 9, "m": 3}, {"n": 10, "m": 11}, {"n": 40, "m": 17}, {"n": 301, "m": 12}, {"n": 3000, "m": 3}, {"n": 0, "m": 5}}
	kerneltest.EachLowered(t, stencils, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		if size["n"] < 1000 {
			kerneltest.Share(k) // what does not take long is taken apart too, or shared
		}
		apart[p.Name] += schedule.Apart(k)
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
	})
	for d, n := range apart {
		if n == 0 {
			t.Errorf("no nest of %s is taken apart", d)
		}
	}
}

// TestInteriorOfSteps: nests that take little time are taken apart in steps, which are many.
func TestInteriorOfSteps(t *testing.T) {
	const text = `
def once[n](x: R[n], k: R[n + 1]): R[n] = let e = build (n + 1) (\i -> let d = x[i] - x[i - 1] in k[i] * sqrt (d * d + 1) * d) in e[1:] - e[:n]
def often[n](x: R[n], k: R[n + 1]): R[n] = iterate 50 (\x -> (let e = build (n + 1) (\i -> let d = x[i] - x[i - 1] in k[i] * sqrt (d * d + 1) * d) in x + 0.01 * (e[1:] - e[:n]))) x`
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 2}, {"n": 80}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		if apart := schedule.Apart(k) > 0; size["n"] == 80 && apart != (p.Name == "often") {
			t.Errorf("%s: taken apart: %v\n%s", p.Name, apart, k)
		}
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
	})
}
