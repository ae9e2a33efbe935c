package fuse_test

import (
	"math"
	"math/rand"
	"testing"

	"egad/ad"
	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel/kerneltest"
	"egad/term/eval"
)

// TestRows: what goes along one axis and does little for each row is one loop over rows,
// in which nothing is kept for another kernel, bit for bit as by the evaluator.
func TestRows(t *testing.T) {
	numbers := []float64{math.Copysign(0, -1), 0, 1, -1, 0.1, 3, 1e300, math.Inf(1), math.NaN()}
	for _, c := range []struct {
		text    string
		kernels int
	}{
		// Columns that scatters fill, in part, and one after the other.
		{`def f(a: R[50, 3], b: R[50]): R[50, 4] = scatter [50, 4] a (\[i, j] -> [i, j + 1]) + (scatter [50, 4] b (\[i] -> [i, 1]) + scatter [50, 4] a (\[i, j] -> [i, j]))`, 1},
		{`def f(a: R[50, 3]): R[50] = let s = scatter [50, 4] a (\[i, j] -> [i, j + 2]) in maximum (tr [1, 0] (s * s))`, 1},
		// Reductions of a row in all orders of axes, and sums and positions along rows.
		{`def f(a: R[3, 50], b: R[50, 3]): (R[50], R, R[3]) =
		  let s = sum a in let m = minimum (tr [1, 0] b) in let p = prod (tr [1, 0] b) in
		  (s * m + p, sum (s * m), sum (b * tr [1, 0] (replicate 3 s)))`, 1},
		{`def f(a: R[50, 3]): (R, R[3]) = let s = sum (tr [1, 0] a) in (real (argmax s), sum (a * tr [1, 0] (replicate 3 (exp s))))`, 2},
		// An element of a literal, and tests that are known where loops are written out.
		{`def f(a: R[50]): R[50] = sum (build [4, 50] (\[k, i] -> if k < 2 then a[i] * [1, 2, 3, 4][k] else a[i] + a[i + k - 2]))`, 1},
		// What a row reads of another is kept.
		{`def f(a: R[50, 2]): R[50] = let s = exp (sum (tr [1, 0] a)) in build 50 (\i -> s[i] * s[i + 1] * s[49 - i])`, 2},
		{`def f(a: R[50, 2], ix: I[50]): R[50, 2] = let s = scatter [50, 2] a (\[i, j] -> [ix[i], j]) in s * s`, 2},
	} {
		p := kerneltest.Program(t, c.text)
		k, err := fusion.Lower(nil, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(k.Kernels) != c.kernels {
			t.Errorf("%s: %d kernels, not %d:\n%s", c.text, len(k.Kernels), c.kernels, k)
		}
		rng := rand.New(rand.NewSource(1))
		for n := range 20 {
			env := kerneltest.Values(t, p, rng.Int63())
			for _, v := range env {
				for i := range v.R {
					if n > 0 {
						v.R[i] = numbers[rng.Intn(len(numbers))]
					}
				}
			}
			want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range kerneltest.Ways[1:3] {
				m, err := w.Compile(k)
				if err != nil {
					t.Fatal(err)
				}
				got, err := m.Run(env)
				if err != nil {
					t.Fatal(err)
				}
				if !defs.Same(want, got) {
					t.Fatalf("%s, %s: %v gives %v, not %v:\n%s", c.text, w.Name, env, got, want, k)
				}
			}
		}
	}
}

// TestRowsOfBlocks: the blocks of the Jacobian of bundle adjustment are made by one loop
// over observations, after what is made once for each camera.
func TestRowsOfBlocks(t *testing.T) {
	lib, m := defs.Load(t, "../../examples/suites/ba.egad")
	p, err := m.Instantiate("errors", map[string]int64{"n": 10, "m": 30, "p": 200})
	if err != nil {
		t.Fatal(err)
	}
	d, err := ad.JacobianBlocks(lib, p, ad.Options{Wrt: []string{"cams", "points", "w"}})
	if err != nil {
		t.Fatal(err)
	}
	k, err := fusion.Lower(nil, d.Program, nil)
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	for _, x := range k.Kernels {
		most = max(most, len(x.Writes()))
	}
	if len(k.Kernels) > 7 || most < 8 { // of cameras, and of observations
		t.Errorf("%d kernels:\n%s", len(k.Kernels), k)
	}
}
