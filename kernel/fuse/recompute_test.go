package fuse_test

import (
	"strings"
	"testing"

	"egad/extract"
	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/lower"
	"egad/term"
)

const neighbours = `
def flux[n](a: R[n], b: R[n]): R[n] = let f = build n (\i -> a[i] * (b[i] - 1)) in build n (\i -> f[(i + 1) mod n] - f[i] + f[(i - 1) mod n])
def two[n](a: R[n], b: R[n]): (R[n], R) = let f = build n (\i -> a[i] * b[i]) in let g = build n (\i -> f[i] + f[n - 1 - i]) in
  (build n (\i -> g[(i + 1) mod n] * f[i]), sum (build n (\i -> f[(i + 2) mod n] * a[i])))
def plane[n](a: R[n, 7], b: R[n, 7]): R[n, 7] = let f = a * b in build [n, 7] (\[i, j] -> f[(i + 1) mod n, j] + f[i, (j + 3) mod 7] + f[i, j])
def often[n](a: R[n], b: R[n]): R[n] = let f = build n (\i -> exp (a[i] * b[i])) in build n (\i -> sum (build 5 (\k -> f[(i + k) mod n])))
def result[n](a: R[n], b: R[n]): (R[n], R[n]) = let f = build n (\i -> a[i] * b[i]) in (f, build n (\i -> f[(i + 1) mod n] + f[i]))
def data[n](a: R[n], b: R[n]): R[n] = let f = build n (\i -> a[i] * b[i]) in build n (\i -> f[floor b[i] mod n] + f[i])
def ends[n](a: R[n], b: R[n]): R[n] = let f = build n (\i -> a[i] * b[i]) in build n (\i -> f[i + 1] + f[i])
def beyond[n](a: R[n], b: R[n]): R[n] = let f = build n (\i -> a[i] + 1 / b[0]) in build n (\i -> f[i + 1] * f[i - 2] + f[2 * i - 3])
`

// TestRecompute: elements of arrays that are computed where they are read are those that would be
// stored, and 0 out of range; what is a result, or read at an index from data, is stored.
func TestRecompute(t *testing.T) {
	stored := map[string]bool{"result": true, "data": true}
	kerneltest.EachLowered(t, neighbours, []map[string]int64{{"n": 0}, {"n": 1}, {"n": 5}, {"n": 40}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		fused, err := fusion.Fuse(nil, p, nil, extract.How{})
		if err != nil {
			t.Fatal(err)
		}
		again, err := lower.By(fused, kerneltest.Recomputed())
		if err != nil {
			t.Fatal(err)
		}
		kerneltest.CompareWays(t, p, again, size["n"], append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
		if fewer := len(again.Arrays) < len(k.Arrays); size["n"] == 40 && fewer == stored[p.Name] {
			t.Errorf("%s: arrays are recomputed: %v\n%s", p.Name, fewer, again)
		}
	})
}

// TestRecomputePays: large arrays of products are computed where neighbours are read, and those
// of functions that take long are stored.
func TestRecomputePays(t *testing.T) {
	for text, want := range map[string]int{
		`def f(a: R[300, 300], b: R[300, 300]): R[300, 300] = let f = a * b in let g = f * a in
			build [300, 300] (\[i, j] -> f[i, j] - f[(i + 1) mod 300, j] + g[i, j] - g[i, (j + 1) mod 300])`: 0,
		`def f(a: R[300, 300], b: R[300, 300]): R[300, 300] = let f = exp (a * b) in build [300, 300] (\[i, j] -> f[i, j] - f[(i + 1) mod 300, j])`: 1,
		`def f(a: R[30], b: R[30]): R[30] = let f = a * b in build 30 (\i -> f[i] - f[(i + 1) mod 30])`:                                             1,
	} {
		k, err := fusion.Lower(nil, kerneltest.Program(t, text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(k.Kernels) - 1; n != want {
			t.Errorf("%d arrays are stored, not %d\n%s", n, want, k)
		}
	}
}

// TestComparisons: what two loops compare indices by is compared in both, so that they know which
// runs there need be.
func TestComparisons(t *testing.T) {
	const text = `
def f[l, n](a: R[l, l, n], p: R[n, n, n]): R[l, l, n] =
  fold (\c s -> (let row = build [l, n, n] (\i b d -> sum (build l (\k -> if k < s && i + s < l then c[k, i, b] * c[s - 1 - k, i + k + 1, d] else 0))) in
    build [l, l, n] (\t i b -> if t == s then sum2 (row[i] * p[b]) else c[t, i, b]))) a (build (l - 1) (\s -> s + 1))`
	kerneltest.EachLowered(t, text, []map[string]int64{{"l": 5, "n": 2}, {"l": 12, "n": 6}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
		if s := k.String(); size["n"] > 2 && (strings.Contains(s, ": B[") || !strings.Contains(s, ", only ")) {
			t.Errorf("comparisons are stored\n%s", s)
		}
	})
}

// TestComparedOften: so it is where many loops compare them, and one of those at an index that data say.
func TestComparedOften(t *testing.T) {
	lib, p := defs.Last(t, `
def f(q: R[40, 3], k: R[40, 3], v: R[40, 3]): R =
  let s = build [40, 40] (\i j -> if abs (i - j) <= 5 then sum (q[i] * k[j]) else -inf) in
  sumsq (flat (build 40 (\i ->
    let m = maximum s[i] in
    let e = build 40 (\j -> if abs (i - j) <= 5 then exp (s[i, j] - m) else 0) in
    (1 / sum e) * sum (build 40 (\j -> e[j] * v[j])))))`)
	p, k := kerneltest.Gradient(t, lib, p)
	if s := k.String(); strings.Contains(s, ": B[") {
		t.Errorf("comparisons are stored\n%s", s)
	}
	kerneltest.CompareWays(t, p, k, 1, kerneltest.Ways)
}

// TestComparedOnce: a truth value is not computed again in each loop that reads it if that takes
// arithmetic.
func TestComparedOnce(t *testing.T) {
	p := kerneltest.Program(t, `def f(a: R[2], b: R, c: R): (R, R[2], R) =
  let t = b <= sigmoid b in (if t then sum (a * 2.0) else b, replicate 2 ((if t then c else 0.0) * 2.0), if t then 0.0 else c)`)
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(k.String(), "sigmoid"); n != 1 {
		t.Errorf("%d times\n%s", n, k)
	}
	kerneltest.CompareWays(t, p, k, 1, kerneltest.Ways)
}
