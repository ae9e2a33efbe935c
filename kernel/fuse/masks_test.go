package fuse_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/lower"
	"egad/term"
)

// TestMasked: what is 0 for half of all pairs is made for the others only, also in blocks of rows, and
// what it is read for needs no other runs.
func TestMasked(t *testing.T) {
	const text = `
def forces[n](x: R[n, 3]): R[n, 3] =
  let f = build [n, n, 3] (\[i, j, k] -> if i < j then x[i, k] * exp (x[i, k] - x[j, k]) else 0) in
  build [n, 3] (\[i, k] -> sum (build n (\j -> f[i, j, k])) - sum (build n (\j -> f[j, i, k])))
def near[n](x: R[n], c: R): (R[n], R[n], R[n]) =
  let r = build [n, n] (\[i, j] -> exp (x[i] - x[j])) in
  let m = build [n, n] (\[i, j] -> i <= j && r[i, j] < c) in
  let f = build [n, n] (\[i, j] -> if m[i, j] then sin r[i, j] else 0) in
  (build n (\i -> sum (build n (\j -> f[i, j]))), build n (\i -> sum (build n (\j -> f[j, i]))),
    build n (\i -> sum (build n (\j -> if m[j, i] then r[j, i] else 0))))
def nested[n](x: R[n], c: R): (R[n], R[n]) =
  let r = build [n, n] (\[i, j] -> exp (x[i] - x[j])) in
  let f = build [n, n] (\[i, j] -> if r[i, j] < c then (if j < i then sin r[i, j] else 0) else 0) in
  (build n (\i -> sum (build n (\j -> f[i, j]))), build n (\i -> sum (build n (\j -> f[j, i]))))`
	all := append(kerneltest.Ways, kerneltest.TwoThreads)
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 5}, {"n": 33}, {"n": 75}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], all)
		every := func(k *kernel.Program) {
			t.Helper()
			if n := size["n"]; n > 5 {
				for line := range strings.Lines(k.String()) {
					pairs := strings.Contains(line, "j < 75") || strings.Contains(line, "fold k < 75") || strings.Contains(line, "fold i < 75")
					if pairs && !strings.Contains(line, ", only ") && !strings.Contains(line, "in order ") { // with others inside
						t.Errorf("%s: all runs of %s\n%s", p.Name, strings.TrimSpace(line), k)
					}
				}
			}
		}
		every(k)
		blocks, err := lower.By(p, kerneltest.InBlocks(4))
		if err != nil {
			t.Fatal(err)
		}
		kerneltest.CompareWays(t, p, blocks, 1, all)
		for _, first := range []bool{true, false} {
			shared, err := lower.By(p, kerneltest.Shared(3, first))
			if err != nil {
				t.Fatal(err)
			}
			kerneltest.CompareWays(t, p, shared, 1, all)
		}
		if size["n"] == 75 {
			if !strings.Contains(blocks.String(), "blocks ") {
				t.Errorf("%s: no blocks\n%s", p.Name, blocks)
			}
			every(blocks)
		}
	})
}

// TestMaskedBand: of a narrow band no other elements are made either where each is read several times; around a wide
// one there are zeros.
func TestMaskedBand(t *testing.T) {
	const text = `
def band[n, d](w: size, a: R[n, n], x: R[n, d]): R[n, d] =
  let b = build [n, n] (\[i, j] -> if i <= j + w && j <= i + w then a[i, j] else 0) in
  build [n, d] (\[i, k] -> sum (build n (\j -> b[i, j] * x[j, k])) + sum (build n (\j -> b[j, i] * x[j, k])))`
	for w, zeros := range map[int64]bool{2: false, 30: true} {
		kerneltest.EachLowered(t, text, []map[string]int64{{"n": 60, "d": 6, "w": w}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
			kerneltest.CompareWays(t, p, k, w, append(kerneltest.Ways, kerneltest.TwoThreads))
			if are := !strings.Contains(k.String(), "    for j < 60, only "); are != zeros {
				t.Errorf("of width %d: there are zeros: %t\n%s", w, are, k)
			}
		})
	}
}

// TestMaskedExtrema: a maximum, a minimum, a product, and a place of one do no runs but those in which a mask
// chooses something, also where all there is is as bad as can be.
func TestMaskedExtrema(t *testing.T) {
	const text = `
def most[n](w: size, x: R[n]): (R[n], I[n]) =
  let a = build [n, n] (\[i, j] -> if i <= j + w && j <= i + w then x[j] else -inf) in
  (build n (\i -> maximum a[i]), build n (\i -> argmax a[i]))
def least[n](w: size, x: R[n]): (R[n], I[n]) =
  let a = build [n, n] (\[i, j] -> if i < j + 9 || j + w < i then inf else x[j]) in
  (build n (\i -> minimum a[i]), build n (\i -> argmin a[i]))
def product[n](w: size, x: R[n]): (R[n], B[n], B[n]) =
  (build n (\i -> prod (build n (\j -> if j < i && i <= j + w then x[j] else 1))),
    build n (\i -> any (build n (\j -> j < i && i <= j + w && x[j] < 0.5))),
    build n (\i -> all (build n (\j -> i <= j || j + w < i || x[j] < 0.5))))
def beyond[n](w: size, x: R[n]): (R[n], R[n]) =
  let a = build [n, n] (\[i, j] -> if i <= j + w && j <= i + w then sum (x * x[j]) else -inf) in
  (build n (\i -> maximum (build n (\j -> a[i, j + 20]))), build n (\i -> maximum (build n (\j -> a[j, i]))))`
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 40, "w": 12}, {"n": 7, "w": 1}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		run := kerneltest.Comparison(t, p, k, append(slices.Clone(kerneltest.Ways), kerneltest.TwoThreads))
		env := kerneltest.Values(t, p, 3)
		run(env)
		for _, special := range []float64{math.Inf(-1), math.Inf(1), math.NaN(), math.Copysign(0, -1)} {
			for i := range env["x"].R[4:] {
				env["x"].R[4+i] = special
			}
			run(env)
		}
		for line := range strings.Lines(k.String()) {
			if strings.Contains(line, "fold j < 40") && !strings.Contains(line, ", only ") && p.Name != "beyond" {
				t.Errorf("%s: all runs of %s\n%s", p.Name, strings.TrimSpace(line), k)
			}
		}
	})
}
