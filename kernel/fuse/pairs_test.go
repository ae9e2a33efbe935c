package fuse_test

import (
	"testing"

	"egad/extract"
	"egad/fusion"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/lower"
	"egad/term"
)

// pairs are sums over pairs of points, written in several ways.
const pairs = `
def gravity[n](x: R[n, 3], m: R[n]): R =
  sum (build n (\i -> sum (build n (\j -> if i < j then -(m[i] * m[j]) / sqrt (sumsq (x[i] - x[j]) + 0.01) else 0))))
def whole[n](x: R[n, 3], m: R[n]): R =
  let d2 = build [n, n] (\i j -> sumsq (x[i] - x[j]) + 0.01) in
  -0.5 * sum2 (outer m m / sqrt d2)
def planar[n](x: R[n, 2], m: R[n]): R =
  sum (build n (\i -> sum (build n (\j ->
    (let dx = x[i, 0] - x[j, 0] in
     let dy = x[i, 1] - x[j, 1] in
     let r2 = dx * dx + dy * dy + 1 in
     if i < j && r2 < 2 then m[i] * m[j] / (r2 * r2 * r2) else 0)))))
def farthest[n](x: R[n, 3], m: R[n]): R = sum (build n (\i -> maximum (build n (\j -> maximum (build 3 (\k -> abs (x[i, k] - x[j, k])))))))`

// TestComponents: components of which nothing is made for pairs are those of vectors that others read whole.
func TestComponents(t *testing.T) {
	const text = `
def second[n](z: R[n, 2], y: R[n, 3]): R = sumsq (build n (\i -> sum (build n (\j -> z[i, 1] * sumsq (z[i] - z[j])))))
def last[n](z: R[n, 2], y: R[n, 3]): R = sum (build n (\i -> sum (build n (\j -> (dot(y[i], y[j]) + y[i, 2]) * min 3 (sumsq (y[i] - y[j]))))))`
	kerneltest.EachGradient(t, text, []map[string]int64{{"n": 1}, {"n": 8}, {"n": 33}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
	})
}

// TestPairs: all that a gradient takes of pairs of points is done in one run for each pair, with sums along
// both, and no array of pairs is in memory.
func TestPairs(t *testing.T) {
	sizes := []map[string]int64{{"n": 0}, {"n": 1}, {"n": 9}, {"n": 77}, {"n": 400}}
	kerneltest.EachGradient(t, pairs, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		n := int(size["n"])
		all := append(kerneltest.Ways, kerneltest.TwoThreads)
		if n == 400 { // for which the evaluator takes long
			all = all[:1]
		}
		kerneltest.CompareWays(t, p, k, size["n"], all)
		if n == 400 && p.Name != "farthest" {
			for _, a := range k.Arrays {
				if a.Len() > 10*n {
					t.Errorf("%s: %s has %d elements\n%s", p.Name, a.Name, a.Len(), k)
				}
			}
		}
		fused, err := fusion.Fuse(nil, p, nil, extract.How{})
		if err != nil {
			t.Fatal(err)
		}
		for _, first := range []bool{true, false} {
			shared, err := lower.By(fused, kerneltest.Shared(3, first))
			if err != nil {
				t.Fatal(err)
			}
			kerneltest.CompareWays(t, p, shared, 1, kerneltest.Ways[:2])
		}
	})
}

// TestOuter: a product of what is there, for each element of one array with each of another, is not in memory if
// it is large, though it is computed a little more often than it has elements then, at the edges.
func TestOuter(t *testing.T) {
	const text = `
def blurred[h, w, k](win: R[k, k], x: R[h, w], y: R[h - k + 1, w - k + 1]): R =
  let m = build [h - k + 1, w - k + 1] (\i j -> sum (flat (build [k, k] (\p q -> win[p, q] * x[i + p, j + q])))) in
  sum (flat (m * y / (m * m + y * y + 1)))`
	kerneltest.EachGradient(t, text, []map[string]int64{{"h": 48, "w": 47, "k": 11}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, 1, append(kerneltest.Ways[:1:1], kerneltest.TwoThreads))
		for _, a := range k.Arrays {
			if a.Len() > 2*48*48 {
				t.Errorf("%s: %s has %d elements\n%s", p.Name, a.Name, a.Len(), k)
			}
		}
	})
}
