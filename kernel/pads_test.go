package kernel_test

import (
	"slices"
	"testing"

	"egad/kernel"
	"egad/term"
)

// filters are programs that read arrays beyond their edges.
const filters = `
def image[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[o, n, m] = build [o, n, m] (\[k, i, j] ->
  sum (build c (\l -> sum (build 3 (\p -> sum (build 3 (\q -> f[k, l, p, q] * a[l, i + p - 1, j + q - 1])))))))
def sums[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[o, c] = build [o, c] (\[k, l] ->
  sum (build n (\i -> sum (build m (\j -> a[l, i + 1, j] * exp (f[k, l, 1, 1] * a[l, i - 2, j - k]))))))
def made[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): (R[o, n, m], R) = let b = exp a in (build [o, n, m] (\[k, i, j] ->
  sum (build c (\l -> sum (build 3 (\p -> sum (build 3 (\q -> f[k, l, p, q] * b[l, i + p - 1, j + q - 1]))))))), sum (flat b))
def counts[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[o, n, m] = let b = build [n, m] (\[i, j] -> floor (9 * a[0, i, j])) in
  build [o, n, m] (\[k, i, j] -> real (sum (build 3 (\p -> sum (build 3 (\q -> b[i + p - 1, j - q]))))))
def masked[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[o, n, m] = let b = exp a in build [o, n, m] (\[k, i, j] ->
  sum (build c (\l -> sum (build 3 (\p -> sum (build 3 (\q -> if p <= i + 1 && i - p + 1 < n && 0 <= j - q && j - q < m then f[k, l, p, q] * b[l, i - p + 1, j - q] else 0)))))))
def far[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[o, n, m] = build [o, n, m] (\[k, i, j] ->
  sum (build c (\l -> sum (build 3 (\p -> f[k, l, p, 0] * a[l, i + 1000 * p, j])))))
def part[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[n, m] = build [n, m] (\[i, j] -> sum (build 3 (\p -> sum (build 3 (\q -> f[0, 0, p, q] * a[c - 2, i + p - 1, j + q - 1])))))
def steps[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[n, m] = fold (\s k -> build [n, m] (\[i, j] ->
  s[i, j] + sum (build 3 (\p -> sum (build 3 (\q -> real (p + q) * a[k, i + p - 1, j + q - 1] * a[k + 1, i - p, j])))))) (replicate [n, m] 0) (iota (c + 1))
def long[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[n] = let b = f[0, 0, 0] in build n (\i -> sum (build 40 (\p -> b[p] * a[0, i + p - 20, 0])))
`

// TestPadded: kernels that read an array from a copy with zeros around it make what the
// evaluator makes, and those of large images read such copies.
func TestPadded(t *testing.T) {
	padded := make(map[string]int)
	sizes := []map[string]int64{{"c": 3, "n": 40, "m": 41, "o": 8}, {"c": 1, "n": 3, "m": 2, "o": 30}, {"c": 2, "n": 1, "m": 1, "o": 1}, {"c": 2, "n": 0, "m": 4, "o": 2}, {"c": 0, "n": 5, "m": 4, "o": 2}}
	eachLowered(t, filters, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		for _, a := range k.Arrays {
			shape := []int{int(size["c"]), int(size["n"]), int(size["m"])}
			if a.Role == kernel.Temp && size["n"] == 40 && len(a.Shape) > 1 && !slices.Contains(shape, a.Shape[len(a.Shape)-2]) && a.Shape[len(a.Shape)-2] > 40 {
				padded[p.Name]++
			}
		}
		compareWays(t, p, k, size["n"], append(ways[:len(ways):len(ways)], twoThreads))
	})
	for d, want := range map[string]int{"image": 1, "sums": 0, "made": 1, "masked": 1, "counts": 1, "far": 0, "long": 0, "part": 1, "steps": 0} {
		if padded[d] != want {
			t.Errorf("%s reads %d copies with zeros around them, not %d", d, padded[d], want)
		}
	}
}
