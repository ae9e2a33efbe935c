package fusion_test

import (
	"math"
	"strings"
	"testing"

	"egad/extract"
	"egad/fusion"
	"egad/internal/defs"
	"egad/term"
	"egad/term/eval"
)

// TestHoisted: what the steps of a loop have in common takes as many operations as if it were computed
// before the loop, and every value stays as it is.
func TestHoisted(t *testing.T) {
	for _, c := range []struct{ text, inside, before string }{
		{`def f(x: R[9, 4], a: R[4, 3]): R = let e = exp a in sum2 (fold (\h xt -> build [4, 3] (\i j -> xt[i] * # + h[i, j])) (replicate [4, 3] 0) x)`, "exp a[i, j]", "e[i, j]"},
		{`def f(x: R[9, 4], a: R[4, 3]): R = let e = exp a in sum2 (fold (\h xt -> build [4, 3] (\i j -> exp (# * xt[i]) + h[i, j])) (replicate [4, 3] 0) x)`, "exp a[i, j]", "e[i, j]"},
		{`def f(x: R[9, 4], a: R[4, 3]): R = let e = build 4 (\i -> sum (build 3 (\j -> a[i, j] * x[j, i]))) in sum (fold (\h xt -> build 4 (\i -> # * xt[i] + h[i])) (replicate 4 0) x)`, "sum (build 3 (\\j -> a[i, j] * x[j, i]))", "e[i]"},
		{`def f(x: R[9, 4], a: R[4, 3]): R = let e = build 4 (\i -> exp a[i, 1]) in sum (fold (\h xt -> fold (\g y -> build 4 (\i -> tanh (y * g[i]) * #)) h xt) (replicate 4 0) x)`, "exp a[i, 1]", "e[i]"},
		{`def f(x: R[9, 4], a: R[4, 3]): R = let e = build 9 (\i -> sum (exp x[i])) in sum (build 9 (\i -> a[iterate (i + 1) (\s -> (s + floor (# * a[s, 0])) mod 4) 0, 0]))`, "sum (exp x[i])", "e[i]"},
		{`def f(x: R[9, 4], a: R[4, 3]): R = let e = build 9 (\i -> x[i, 0] * x[i, 1]) in sum (build 9 (\i -> iterate (i + 1) (\s -> sum (a[:, 0] * s) + #) 0))`, "x[i, 0] * x[i, 1]", "e[i]"},
	} {
		var floats []int64
		for _, by := range []string{c.inside, c.before} {
			lib, p := defs.Last(t, strings.ReplaceAll(c.text, "#", by))
			k, err := fusion.Lower(lib, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			floats = append(floats, k.Counts().Float)
			fused, err := fusion.Fuse(lib, p, nil, extract.How{})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			env := defs.Inputs(t, p, func() float64 { n++; return math.Sin(float64(n)) }, nil)
			var values [2]float64
			for i, q := range []*term.Program{p, fused} {
				v, err := eval.Interpret(q.Store, q.Root, eval.FloatArrays(), env)
				if err != nil {
					t.Fatal(err)
				}
				values[i] = v.R[0]
			}
			if values[0] != values[1] {
				t.Errorf("%s: the fused program is %v, not %v", by, values[1], values[0])
			}
		}
		if floats[0] != floats[1] {
			t.Errorf("%s\nof %s takes %d operations, and of %s %d", c.text, c.inside, floats[0], c.before, floats[1])
		}
	}
}

// TestOneRun: what depends on the index of a loop of one run only is computed before the loops around it.
func TestOneRun(t *testing.T) {
	lib, p := defs.Last(t, `def f(x: R[1], y: R[5, 1]): R[5, 1] = build [5, 1] (\i k -> exp x[k] * y[i, k])`)
	k, err := fusion.Lower(lib, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := k.Counts().Float; n != 1+5 {
		t.Errorf("%d operations, not one exponential and 5 products:\n%s", n, k)
	}
}

// TestPartsOnce: what the parts of an array have in common, each of which has a kernel of its own, is computed
// once.
func TestPartsOnce(t *testing.T) {
	for _, c := range []struct {
		text string
		most int64
	}{
		{`def f(x: R[3], y: R): (R, R) = let s = sum x in (sum (cumprod [s, y]), sum (cumprod [y, s]))`, 3 + 2*(2+2)},
		{`def f(x: R[3]): R[2] = let s = sum x in [s, s]`, 3},
		{`def f(x: R[3]): (R, R) = let s = sum x in iterate 2 (\(a, b) -> (b, a)) (s, s)`, 3},
		{`def f(x: R[3, 2], y: R, z: R[2], a: R, b: R): R[2] = let i = round (a + b) in [x[i], [z, z, z][i]][floor y]`, 2 + 1},
	} {
		lib, p := defs.Last(t, c.text)
		k, err := fusion.Lower(lib, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := k.Counts().Float; n > c.most {
			t.Errorf("%s: %d operations, not %d:\n%s", c.text, n, c.most, k)
		}
	}
}
