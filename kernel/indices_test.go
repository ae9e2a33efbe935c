package kernel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// TestIndices: what data say is read, and sent, in vectors as it is one by one, where all indices of some runs are
// in range, where few are not, and where they are far off.
func TestIndices(t *testing.T) {
	const n = 11
	far := []int64{-1, n, n + 1, 1 << 31, 1<<32 + 3, -1<<32 + 3, 1 << 61, 1<<61 + 3, 1 << 62, math.MaxInt64, math.MinInt64, math.MinInt64 + 3}
	kerneltest.EachGradient(t, `
def read[n, z](x: R[n], a: R[z], i: I[z], j: I[z]): R = sum (build z (\e -> a[e] * x[i[e]]))
def rows[n, z](x: R[n], a: R[z], i: I[z], j: I[z]): R =
  let y = build n (\k -> build 3 (\c -> x[k] + real c)) in
  sum (build z (\e -> a[e] * y[i[e], 0] * y[i[e], 2] + y[j[e], 1]))
def matrix[n, z](x: R[n], a: R[z], i: I[z], j: I[z]): R =
  let y = build n (\k -> build n (\c -> x[k] * x[c])) in sum (build z (\e -> a[e] * y[i[e], j[e]]))
def products[n, z](x: R[n], a: R[z], i: I[z], j: I[z]): R =
  sumsq (scatter [n] (build z (\e -> a[e] * x[i[e]])) (\[e] -> [j[e]]))
def moved[n, z](x: R[n], a: R[z], i: I[z], j: I[z]): R =
  sumsq (scatter [n] (build z (\e -> a[e] * x[i[e] + 1] * x[j[e]])) (\[e] -> [i[e]]))
def planes[n, z](x: R[n], a: R[z], i: I[z], j: I[z]): R =
  let y = build [5, n, 3] (\s k c -> x[k] + real (s - c)) in
  let s = min 4 (max 0 i[0]) in
  sum (build z (\e -> a[e] * y[s, i[e], 0] + y[s, i[e], 2] * y[4 - s, j[e], 1]))
def ends[n, z](x: R[n], a: R[z], i: I[z], j: I[z]): R =
  let y = build [n, 9] (\k c -> x[k] * real (c + 1)) in
  sum (build z (\e -> a[e] * sumsq (y[i[e]] - y[j[e]])))
def steps[n, z](x: R[n], a: R[z], i: I[z], j: I[z]): R =
  let step = \y -> y + scatter [n, 9] (build z (\e -> a[e] * (y[i[e], 0] - y[j[e], 8]) + y[i[e], 3])) (\[e] -> [j[e], 4]) +
    scatter [n, 9] (build z (\e -> y[i[e], 4])) (\[e] -> [i[e], 0]) in
  sum (flat (iterate 3 step (build [n, 9] (\k c -> x[k] + real c))))
`, []map[string]int64{{"n": n, "z": 64}, {"n": n, "z": 151}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		run := kerneltest.Comparison(t, p, k, append(slices.Clone(kerneltest.Ways), kerneltest.TwoThreads))
		r := rand.New(rand.NewPCG(7, 8))
		for round := range 8 {
			env := kerneltest.Values(t, p, int64(round))
			for _, name := range []string{"x", "a"} {
				for i := range env[name].R { // sums are exact
					env[name].R[i] = float64(r.IntN(7) - 3)
				}
			}
			for _, name := range []string{"i", "j"} {
				is := env[name].N
				for e := range is {
					is[e] = r.Int64N(n)
				}
				for range round * round {
					is[r.IntN(len(is))] = far[r.IntN(len(far))]
				}
			}
			run(env)
		}
	})
}

// TestChosenLoads: what loops choose between indices along the last axis is a choice between what is read there, so that
// it is read by neighbours; what data choose is not.
func TestChosenLoads(t *testing.T) {
	kerneltest.EachLowered(t, `
def clamped[n](x: R[n], c: I[n]): R[n] = build n (\i -> x[min (n - 1) (i + 1)] - x[max 0 (min (n - 1) (i - 2))])
def mirrored[n](x: R[n], c: I[n]): R[n] = build n (\i -> x[abs (i - 1)] + x[if i + 1 >= n then 2 * n - 3 - i else i + 1])
def twice[n](x: R[n], c: I[n]): R[n] = let at = \i -> let j = abs i in if j >= n then 2 * n - 2 - j else j in build n (\i -> x[at (i - 3)] * x[at (i + 3)])
def masked[n](x: R[n], c: I[n]): R[n, n] = build [n, n] (\i j -> x[i] * index (outer x x) [if i < j then i else -1, j])
def told[n](x: R[n], c: I[n]): R[n] = build n (\i -> x[if c[i] < 3 then i - 1 else i + 1])
`, []map[string]int64{{"n": 40}, {"n": 5}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		chosen := false
		for _, k := range k.Kernels {
			kernel.Walk(k.Body, func(s kernel.Stmt) {
				let, ok := s.(*kernel.Let)
				if !ok || let.Value.Kind != kernel.Load {
					return
				}
				for _, x := range let.Value.At {
					_, args, _ := x.Sum()
					chosen = chosen || slices.ContainsFunc(args, func(x *kernel.Value) bool { return x.Kind == kernel.Compute })
				}
			})
		}
		if chosen != (p.Name == "told") {
			t.Errorf("an index of %s is chosen: %t\n%s", p.Name, chosen, k)
		}
		kerneltest.CompareWays(t, p, k, size["n"], kerneltest.Ways)
	})
}

// TestManyChosenLoads: an index that is chosen among very many is not.
func TestManyChosenLoads(t *testing.T) {
	kerneltest.EachLowered(t, `
def f[n](x: R[n]): R[n] = build n (\i -> x[abs (abs (abs (abs (abs (abs (i - 20) - 10) - 5) - 3) - 2) - 1)])
`, []map[string]int64{{"n": 40}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		if n := strings.Count(k.String(), "x["); n != 1 {
			t.Errorf("%d loads\n%s", n, k)
		}
		kerneltest.CompareWays(t, p, k, size["n"], kerneltest.Ways)
	})
}

// TestLongIndices: how often an index is made of another one may be exponential in its size, but not the time to look for
// choices in it.
func TestLongIndices(t *testing.T) {
	squares := strings.Repeat("let a = (a * a + l[a]) mod 7 in ", 60)
	kerneltest.EachLowered(t, `
def loaded[n](x: R[n], l: I[n]): R[n] = build n (\i -> let a = i in `+squares+`x[a])
def clamped[n](x: R[n], l: I[n]): R[n] = build n (\i -> let a = i in `+strings.ReplaceAll(squares, "l[a]", "3")+`x[min (n - 1) (2 * a)])
`, []map[string]int64{{"n": 9}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], kerneltest.Ways)
	})
}

// TestBuilders: values of several builders that have the same number there are not the same in another one.
func TestBuilders(t *testing.T) {
	x, y := kernel.NewBuilder(nil).Variable(5, 1), kernel.NewBuilder(nil).Variable(5, 1)
	b := kernel.NewBuilder(nil)
	if b.Add(x, b.Int(1)) == b.Add(y, b.Int(1)) {
		t.Error("two indices are one")
	}
}
