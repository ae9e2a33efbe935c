package kernel_test

import (
	"math"
	"math/rand"
	"testing"

	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
	"egad/term/eval"
)

// TestScatterSums compares sums of scatters with the evaluator, bit for bit, also
// where they overlap and send -0, and counts the arrays that are made of them.
func TestScatterSums(t *testing.T) {
	numbers := []float64{math.Copysign(0, -1), math.Copysign(0, -1), 0, 1, -1, 0.1, 1e300, -1e300, math.Inf(1), math.NaN()}
	for _, c := range []struct {
		text string
		made int
	}{
		{`def f(x: R, y: R, k: I): R[4] = scatter [4] x (\[] -> [1]) + scatter [4] y (\[] -> [k])`, 1},
		{`def f(a: R[4], b: R[4], c: R): R[4] = scatter [4] a (\[i] -> [i]) + scatter [4] b (\[i] -> [2 - i]) + scatter [4] c (\[] -> [3])`, 1},
		{`def f(a: R[4], b: R[4], x: R[4]): R[4] = scatter [4] x (\[i] -> [3 - i]) + (scatter [4] a (\[i] -> [i]) + scatter [4] b (\[i] -> [i + 1]))`, 1},
		{`def f(a: R[5, 2], x: R[5]): R[2, 5] = scatter [2, 5] a (\[i, j] -> [1 - j, i]) + scatter [2] x (\[] -> [1])`, 1},
		{`def f(a: R[5, 2], x: R[5]): R[2, 5] = scatter [2, 5] a (\[i, j] -> [1 - j, i]) + scatter [2, 5] x (\[i] -> [1, i])`, 1},
		// The first may send several to one place, the others may not.
		{`def f(a: R[9], b: R): R[4] = scatter [4] b (\[] -> [2]) + scatter [4] a (\[i] -> [i div 3])`, 1},
		{`def f(a: R[9], b: R[9]): R[4] = scatter [4] b (\[i] -> [i mod 3]) + scatter [4] a (\[i] -> [i div 3])`, 3},
		{`def f(a: R[3, 3], b: R[9]): R[5] = scatter [5] b (\[i] -> [i mod 3]) + scatter [5] a (\[i, j] -> [i + j])`, 3},
		// An index tells several variables as digits do, and then others tell the rest.
		{`def f(a: R[5, 3, 2], b: R[5, 3, 2]): R[4, 6] = scatter [4, 6] a (\[i, j, s] -> [i - s, j + 3 * s]) + scatter [4, 6] b (\[i, j, s] -> [i - s, j + 3 * s])`, 1},
		{`def f(a: R[5, 3, 2], b: R[5, 3, 2]): R[4, 6] = scatter [4, 6] a (\[i, j, s] -> [i - s, j + 2 * s]) + scatter [4, 6] b (\[i, j, s] -> [i - s, j + 2 * s])`, 3},
		{`def f(a: R[5, 3, 2], b: R[5, 3, 2]): R[30] = scatter [30] a (\[i, j, s] -> [29 - (5 * s + i) - 10 * j]) + scatter [30] b (\[i, j, s] -> [29 - (5 * s + i) - 10 * j])`, 1},
		{`def f(a: R[5, 3, 2], b: R[5, 3, 2]): R[30] = scatter [30] a (\[i, j, s] -> [29 - (4 * s + i) - 10 * j]) + scatter [30] b (\[i, j, s] -> [29 - (4 * s + i) - 10 * j])`, 3},
		{`def f(a: R[3, 4], b: R[3, 4]): R[5] = scatter [5] a (\[i, j] -> [i + 0 * j]) + scatter [5] b (\[i, j] -> [i + 0 * j])`, 3},
		{`def f(a: R[3, 1], b: R[3, 1]): R[5] = scatter [5] a (\[i, j] -> [2 * i]) + scatter [5] b (\[i, j] -> [2 * i])`, 1},
		// Another use, or an operand that is no scatter, and might be -0.
		{`def f(a: R[4], x: R): (R[4], R[4]) = let s = scatter [4] x (\[] -> [1]) in (s, scatter [4] a (\[i] -> [3 - i]) + s)`, 3},
		{`def f(a: R[4], x: R): R[4] = a + scatter [4] x (\[] -> [1])`, 2},
		// What a result shows transposed, but not in another shape: then what is out of range may be in range.
		{`def f(a: R[5, 2], x: I[5]): R[2, 3] = tr [1, 0] (scatter [3] a (\[i] -> [x[i]]))`, 1},
		{`def f(a: R[5, 2], x: I[5]): R[6] = reshape [6] (scatter [3] a (\[i] -> [x[i]]))`, 2},
		{`def f(a: R[5], b: R[3]): R[2, 3] = tr [1, 0] (scatter [3, 2] a (\[i] -> [i - 1, 1]) + scatter [3, 2] b (\[i] -> [i, 2 - i]))`, 1},
		{`def f(a: R[5, 4], b: R[3, 4]): R[2, 3, 4] = tr [1, 0] (scatter [3, 2] a (\[i] -> [i - 1, 1]) + scatter [3, 2] b (\[i] -> [i, 2 - i]))`, 1},
		{`def f(a: R[5, 2, 3]): R[3, 2] = tr [1, 0] (sum a)`, 1},
		{`def f(a: R[5, 2, 3]): R[6] = reshape [6] (tr [1, 0] (sum a))`, 1},
		{`def f(a: R[5, 2, 3]): (R[6], R[2, 3]) = let s = sum a in (reshape [6] (tr [1, 0] s), s)`, 2},
		{`def f(a: R[5, 2, 3]): (R[6], R[3, 2]) = (reshape [6] (norm a), tr [1, 0] (norm (a + 1)))`, -1},
		{`def f(a: R[5, 2, 3]): (R[3, 2], R) = let s = maximum a in (tr [1, 0] s, fold (\t x -> t * x + sum (flat s)) 1 a[0, 0])`, 4},
		// Of one loop and of none, and in each step of a loop.
		{`def f(a: R[3], x: R): R[3, 4] = build 3 (\i -> exp (scatter [4] a[i] (\[] -> [i]) + scatter [4] (x * a[i]) (\[] -> [3])))`, 2},
		{`def f(a: R[3], x: R): R[3, 4] = build 3 (\i -> exp (scatter [4] a[i] (\[] -> [i]) + scatter [4] x (\[] -> [3])))`, 3},
		{`def f(a: R[3], x: R[4]): R[4] = fold (\s k -> scatter [4] (k * s[0]) (\[] -> [1]) + scatter [4] s (\[i] -> [i + 1]) + scatter [4] k (\[] -> [0])) x a`, -1},
	} {
		p := kerneltest.Program(t, c.text)
		k, err := fusion.Lower(nil, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		made := 0
		for _, a := range k.Arrays {
			if a.Role == kernel.Temp {
				made++
			}
		}
		if c.made > 0 && made != c.made {
			t.Errorf("%s: %d arrays, not %d:\n%s", c.text, made, c.made, k)
		}
		mach, err := fusion.Prepare(nil, p, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewSource(1))
		for range 200 {
			env := kerneltest.Values(t, p, rng.Int63())
			for _, v := range env {
				for i := range v.R {
					v.R[i] = numbers[rng.Intn(len(numbers))]
				}
			}
			want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			got, err := mach.Run(env)
			if err != nil {
				t.Fatal(err)
			}
			if !defs.Same(want, got) {
				t.Fatalf("%s: %v gives %v, not %v", c.text, env, got, want)
			}
		}
	}
}

// TestScatterParts: loops that add to elements, and may sum too, are right if they are made in parts.
func TestScatterParts(t *testing.T) {
	const text = `
def both[n](v: R[n], k: I[n]): (R[10], R) = (scatter [10] v (\[i] -> [k[i] mod 10]), sum v)
def halves[n](v: R[n], k: I[n]): (R[n], R, I) = (scatter [n] v (\[i] -> [i div 2]), maximum v, argmax v)
def rows[n](v: R[n], k: I[n]): (R[10, 3], R) =
  let a = build [n, 3] (\i j -> exp v[i] * real j) in (scatter [10] a (\[i] -> [k[i] mod 10]), sum (flat a))`
	sizes := []map[string]int64{{"n": 1}, {"n": 2}, {"n": 40}, {"n": 333}}
	kerneltest.EachLowered(t, text, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.Share(k)
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways[2:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
	})
	const lookups = `
def loss[n](v: R[10], k: I[n]): R = sum (build n (\i -> sin v[k[i] mod 10]))`
	kerneltest.EachGradient(t, lookups, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.Share(k)
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways[2:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
	})
}
