package sparsity_test

import (
	"math"
	"testing"

	"egad/fusion"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/sparsity"
	"egad/term"
	"egad/term/eval"
)

// TestUnmasked: which masks are left out of sums, and that what comes of it are the bits of the
// evaluator beside infinities and NaN.
func TestUnmasked(t *testing.T) {
	const (
		// c is 0 where t is at most 0, and kept, as is the mask.
		begin = `def f(x: R[40, 30], w: R[30, 20], g: R[40, 20], h: R[20]): (R[40, 20], R[30, 20]) =
			let t = build [40, 20] (\[i, j] -> sum (build 30 (\p -> x[i, p] * w[p, j]))) in
			let m = build [40, 20] (\[i, j] -> t[i, j] <= 0) in `
		usual = `let c = build [40, 20] (\[i, j] -> if m[i, j] then 0 else exp g[i, j]) in `
		end   = ` in (c, s)`
	)
	for _, c := range []struct {
		lets, of string // what is summed for p and j over i
		want     int
	}{
		{usual, `if m[i, j] then 0 else c[i, j] * x[i, p]`, 1},
		{usual, `if not m[i, j] then c[i, j] * x[i, p] else 0`, 1},
		{usual, `if m[i, j] then 0 else neg (x[i, p] * h[j]) * c[i, j]`, 1},
		{usual, `if m[i, j] then 0 else c[i, j] * x[i, p] + c[i, j] / h[j]`, 1},
		{usual, `if t[i, j] <= 0 then 0 else c[i, j] * x[i, p]`, 1},
		{usual, `if m[i, j] then 0 else c[i, j] * x[i, p] + h[j]`, 0},
		{usual, `if m[i, j] then c[i, j] * x[i, p] else 0`, 0},
		{usual, `if m[39 - i, j] then 0 else c[i, j] * x[i, p]`, 0},
		{usual, `if m[i, j] then 0 else c[39 - i, j] * x[i, p]`, 0},
		{usual, `if m[i, j] then 0 else h[j] / c[i, j] * x[i, p]`, 0},
		// All elements are there, as they are a result.
		{`let c = build [40, 20] (\[i, j] -> if j <= i then exp g[i, j] else 0) in `, `if j <= i then c[i, j] * x[i, p] else 0`, 1},
		{usual, `if g[i, j] <= 0 then 0 else c[i, j] * x[i, p]`, 0},
		{`let c = build [40, 20] (\[i, j] -> if m[i, j] then 1 else exp g[i, j]) in `, `if m[i, j] then 0 else c[i, j] * x[i, p]`, 0},
		{`let c = build [40, 20] (\[i, j] -> if m[i, 19 - j] then 0 else exp g[i, j]) in `, `if m[i, j] then 0 else c[i, j] * x[i, p]`, 0},
		// A mask that indices are.
		{`let c = build [40, 20] (\[i, j] -> if i == j then 0 else exp g[i, j]) in `, `if i == j then 0 else c[i, j] * x[i, p]`, 1},
		{`let c = build [40, 20] (\[i, j] -> if j == i then 0 else exp g[i, j]) in `, `if i == j then 0 else c[i, j] * x[i, p]`, 1},
		{`let c = build [40, 20] (\[i, j] -> if i == j + 2 then 0 else exp g[i, j]) in `, `if i - 2 == j then 0 else c[i, j] * x[i, p]`, 1},
		{`let c = build [40, 20] (\[i, j] -> if i == j + 2 then 0 else exp g[i, j]) in `, `if i == j then 0 else c[i, j] * x[i, p]`, 0},
		{`let c = build [40, 20] (\[i, j] -> if i == j then 0 else exp g[i, j]) in `, `if i == j then 0 else c[39 - i, j] * x[i, p]`, 0},
		// What is read out of range is 0.
		{usual, `if 3 <= i then x[i - 3, p] * h[j] else 0`, 1},
		{usual, `if i + 3 < 40 then h[j] * x[i + 3, p] else 0`, 1},
		{usual, `if i < 2 then 0 else x[i - 3, p] * h[j]`, 1},
		{usual, `if 3 <= i && j <= i + 3 && i - j < 17 then x[i - 3, p] * h[j] * c[i, j - i + 16] else 0`, 0},
		{usual, `if 3 <= i && i <= j + 16 then x[i - 3, p] * c[i, j - i + 16] else 0`, 0},
		{usual, `if 0 <= j - i + 16 && j < i + 4 then x[i, p] * c[i, j - i + 16] else 0`, 1},
		{usual, `if 3 <= i then if i <= j + 16 then x[i - 3, p] * c[i, j - i + 16] else 0 else 0`, 1},
		{usual, `if i < 4 then 0 else x[i - 3, p] * h[j]`, 0},
		{usual, `if i + 2 < 40 then h[j] * x[i + 3, p] else 0`, 1},
		{usual, `if i + 4 < 40 then h[j] * x[i + 3, p] else 0`, 0},
		// Integers wrap.
		{usual, `if j + 9223372036854775807 < i + 9223372036854775807 + 1 then x[i - j, p] * h[j] else 0`, 0},
		{usual, `if 3 <= i then h[j] / x[i - 3, p] else 0`, 0},
		{usual, `if 3 <= i then h[j] + x[i - 3, p] else 0`, 0},
	} {
		text := begin + c.lets + `let s = build [30, 20] (\[p, j] -> sum (build 40 (\i -> ` + c.of + `)))` + end
		p := kerneltest.Program(t, text)
		k, err := fusion.Lower(nil, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := Unmasked(k); got != c.want {
			t.Errorf("%s: %d loops without masks instead of %d\n%s", c.of, got, c.want, k)
		}
		env := kerneltest.Values(t, p, 1)
		for range 2 {
			want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			kerneltest.InAllWays(t, text, k, env, want)
			// Infinities, where a row is 0 and where it is not, and a NaN.
			x := env["x"].R
			x[7], x[30*13+2], x[30*14+3], x[30*39+29] = math.Inf(1), math.Inf(-1), math.Inf(1), math.NaN()
		}
	}
}

// TestUnmaskedInParts: loops of blocks that are done in parts are done without the masks that they are
// done without as a whole.
func TestUnmaskedInParts(t *testing.T) {
	const relu = `def f(w: R[3, 20], x: R[5010, 20]): (R, R[3, 20], R[5010, 20]) =
		let z = build [5010, 3] (\[i, j] -> sum (build 20 (\p -> w[j, p] * x[i, p]))) in
		let m = build [5010, 3] (\[i, j] -> not (z[i, j] <= 0)) in
		let c = build [5010, 3] (\[i, j] -> if z[i, j] <= 0 then 0 else 1) in
		(sum (build 5010 (\i -> sum (build 3 (\j -> relu z[i, j])))),
		build [3, 20] (\[j, p] -> sum (build 5010 (\i -> if m[i, j] then c[i, j] * x[i, p] else 0))),
		build [5010, 20] (\[i, p] -> sum (build 3 (\j -> if m[i, j] then c[i, j] * w[j, p] else 0))))`
	p := kerneltest.Program(t, relu)
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	parts := kerneltest.InCode(k, false)
	if len(parts.Kernels) == len(k.Kernels) {
		t.Errorf("nothing is done in parts:\n%s", k)
	}
	if whole, got := Unmasked(k), Unmasked(parts); whole != 2 || got < whole {
		t.Errorf("%d loops without masks, and %d in parts\n%s", whole, got, k)
	}
	env := kerneltest.Values(t, p, 1)
	for range 2 {
		want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
		if err != nil {
			t.Fatal(err)
		}
		kerneltest.InAllWays(t, relu, k, env, want)
		env["x"].R[7*20] = math.Inf(1)
	}
}

// TestUnmaskedCopies: of a copy with zeros around it a mask is false there, whatever says of which elements it
// is true.
func TestUnmaskedCopies(t *testing.T) {
	const text = `def f(z: R[60, 60], e: R[62, 62], w: R[8, 3, 3]): R[8] =
		let m = build [60, 60] (\[i, j] -> not (exp z[i, j] <= 0.9)) in
		let c = build [62, 62] (\[i, j] -> if exp (index z [i, j]) <= 0.9 then 0 else sqrt e[i, j]) in
		let t = build [8, 60, 60] (\[k, i, j] -> sum (build 3 (\p -> sum (build 3 (\q ->
			if index m [i + p, j + q] then c[i + p, j + q] * w[k, p, q] else 0))))) in
		build 8 (\k -> sum (build 60 (\i -> t[k, i, 59])))`
	p := kerneltest.Program(t, text)
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	env := kerneltest.Values(t, p, 1)
	for _, v := range env {
		for i, x := range v.R {
			v.R[i] = 0.1 + math.Abs(x)
		}
	}
	want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
	if err != nil {
		t.Fatal(err)
	}
	kerneltest.InAllWays(t, text, k, env, want)
}

// TestUnmaskedExchanged: where sums over two axes are done in another order, what is done beside NaN is
// what the program says.
func TestUnmaskedExchanged(t *testing.T) {
	for _, read := range []string{"x[h]", "x[r]"} {
		text := `def f(x: R[2], y: R[3, 3]): R[3, 3] = build [3, 3] (\p q -> sum (flat (build [2, 2] (\r h ->
			(if q + h - 1 >= 0 then ` + read + ` * index y [p - r - 1, q + h - 1] else 0)))))`
		p := kerneltest.Program(t, text)
		k, err := fusion.Lower(nil, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		env := kerneltest.Values(t, p, 1)
		for _, x := range [][]float64{{1, 2}, {math.NaN(), 1}, {1, math.NaN()}, {math.Inf(1), 1}} {
			copy(env["x"].R, x)
			want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			kerneltest.InAllWays(t, text, k, env, want)
		}
	}
}

// TestUnmaskedNeeded: of an array elements may not be there that only masked sums read.
func TestUnmaskedNeeded(t *testing.T) {
	const text = `
def lower[n, m](x: R[n, m], g: R[n, m]): R[m, m] =
  let c = build [n, m] (\[i, j] -> if j <= i then exp g[i, j] else 0) in
  build [m, m] (\[p, j] -> sum (build n (\i -> if j <= i then c[i, j] * x[i, p] else 0)))
def both[n, m](x: R[n, m], g: R[n, m]): R[m, m] =
  let c = build [n, m] (\[i, j] -> if j <= i then exp g[i, j] else 0) in
  build [m, m] (\[p, j] -> sum (build n (\i -> if j <= i then c[i, j] * x[i, p] else 0)) + sum (build n (\i -> if i == j then 0 else c[i, j] * x[i, p])))
def around[n, m](x: R[n, m], g: R[n, m]): R[m, m] =
  let c = build [n, m] (\[i, j] -> if i == j then 0 else exp g[i, j]) in
  build [m, m] (\[p, j] -> sum (build n (\i -> if j == i then 0 else c[i, j] * x[i, p])) * sum (build n (\i -> if i == j then 0 else c[i, p] * x[i, j])))`
	sizes := []map[string]int64{{"n": 1, "m": 1}, {"n": 9, "m": 7}, {"n": 60, "m": 41}}
	kerneltest.EachLowered(t, text, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
	})
}

// Unmasked is how many loops are done without a mask first.
func Unmasked(p *kernel.Program) int {
	n := 0
	for _, k := range p.Kernels {
		_, masked := sparsity.NewZeroes(p).Unmask(k.Body)
		n += len(masked)
	}
	return n
}
