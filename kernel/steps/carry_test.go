package steps_test

import (
	"strings"
	"testing"

	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
	"egad/kernel/plan"
	"egad/term"
	"egad/term/eval"
)

// Loops whose states are few numbers.
const carried = `
-- numbers, of all types, made of each other
def swap[n](a: R, b: R, x: R[n]): (R, R) = fold (\(a, b) x -> (b, a * 0.5 + x)) (a, b) x
def steps[n](a: R, b: R, x: R[n]): (R, I, B) = fold (\(s, k, p) y -> (if p then s + y else s - x[k], k + 1, not p)) (a, 0, 0 < 1) x
def kept[n](a: R, b: R, x: R[n]): (R[n], I[n]) = scan (\(s, k) x -> (s * x + b, if s < b then k + 1 else k - 1)) (a, 3) x
def look[n](a: R, b: R, x: R[n]): R = (iterate n (\(i, s) -> ((2 * i + 1) mod (n + 1), s * 0.5 + x[i] * x[i - 1] * x[n - i])) (0, a)).1
-- that no step changes, or reads
def same[n](a: R, b: R, x: R[n]): (R, R, R[n]) = let s = scan (\(c, s, u) x -> (c, s * c + x, x)) (b, a, 0.0) x in ((last s.0) * 2, last s.1, s.2)
-- that takes long and is not carried
def late[n](a: R, b: R, x: R[n]): (R[n], R[n]) = scan (\(p, q) x -> (exp (a * q), x)) (1.0, b) x
def garch[n](a: R, b: R, x: R[n]): (R, R, R[n]) = let (h, l, p) = scan (\(h, l, p) x -> (0.1 + a * a * x * x + 0.5 * h, l - (log (h * h + 1) + x / (h * h + 2)), p * cos (x * h))) (b, a, 1.0) x in (last l, last p, h)
def early[n](a: R, b: R, x: R[n]): R = fold (\s x -> tanh (s * 0.5 + exp (-x * x) / (2 + sin x))) a x
def turn[n](a: R, b: R, x: R[n]): (R, R, R) = fold (\(a, b, l) x -> (b, a, l + log (x * x + 1))) (a, b, 0.0) x
def count[n](a: R, b: R, x: R[n]): (I, R) = fold (\(k, l) x -> (k + 1, l * exp (a * x))) (0, b) x
def after[n](a: R, b: R, x: R[n]): (R[n], R) = let (p, l) = scan (\(p, l) x -> let v = 0.5 * p + x in (v, l + log (v * v + 1))) (a, b) x in (p, last l)
def around[n](a: R, b: R, x: R[n]): (R[n], R[n], R) = let (p, q, l) = scan (\(p, q, l) x -> (q, p, l + exp (p * x))) (a, b, 0.0) x in (p, q, last l)
-- small arrays
def pair[n](a: R, b: R, x: R[n]): R[2] = fold (\v x -> matvec([[0.6, -0.8], [0.8, 0.6]], v) + [x, b]) [a, b] x
def cascade[n](a: R, b: R, x: R[n]): (R[3], R[n]) = mapAccum (\z x -> let (o, z) = mapAccum (\x (z, c) -> let y = x * c + z in (y, y * b - z)) x (z, [0.3, 0.5, -0.7]) in (z, o)) (replicate 3 a) x
def dots[n](a: R, b: R, x: R[n]): R[3, 3] = fold (\m x -> m * 0.5 + transpose m * x + build [3, 3] (\i j -> if i == j then sum (m[i] * m[j]) else maximum m[i])) (build [3, 3] (\i j -> a * real (i - j))) x
-- to which each step adds the same
def added[n](a: R, b: R, x: R[n]): (R, R, R) = fold (\(s, p, q) y -> (0.2 * s + tanh y, p + 1, q + b)) (0, a, b) x
-- that are changed by loops of few steps, which read elements by the numbers of their steps
def solves[n](a: R, b: R, x: R[n]): R[3] = fold (\s y ->
  let z = fold (\z i -> let v = (y + s[i] - sum (build 3 (\k -> if k < i then b * z[k] else 0))) / 2 in build 3 (\k -> if k == i then v else z[k])) (replicate 3 0) (iota 3) in
  fold (\z i -> build 3 (\k -> if k == 2 - i then tanh (z[k] + a * z[i]) else z[k])) z (iota 3)) (replicate 3 a) x
def history[n](a: R, b: R, x: R[n]): (R[4], R) = fold (\(s, p) y ->
  let t = scan (\z i -> [0.5 * z[2 - i] + s[i] * z[0], z[i] + y, b]) [y, p, a] (iota 3) in
  (build 4 (\k -> index t [k - 1, k mod 3]), t[1, 2] * 0.5)) (replicate 4 b, a) x
-- one for each value of an index
def rows[n](a: R, b: R, x: R[n]): R[5, n] = build 5 (\r -> scan (\s x -> s * real r + x) a x)
def ends[n](a: R, b: R, x: R[n]): R[4, 3] = build [4, 3] (\r c -> fold (\s y -> s * 0.5 + y * real c - x[r]) b x)
-- by itself for each value of an index, as others make more steps than others do
def lanes[n](a: R, b: R, x: R[n]): (R[3], R[20, 30]) = (build 3 (\j -> iterate (j + n) (\s -> s * 0.5 + b) a), build [20, 30] (\r c -> (fold (\(p, q, t) y -> (q, if t then p + exp y else p, not t)) (a * real c, real r, r < c) x).1))
def edges[n](a: R, b: R, x: R[n]): (R[3], R[6, n]) = (build 3 (\j -> iterate (j + n) (\s -> s * 0.5 + b) a), build 6 (\r -> scan (\s i -> s * 0.5 + index x [i - r] + index x [i + 2 * r] + (if i < r then exp x[i] else x[(i + r) mod n])) a (iota n)))
-- whose interior is apart
def inside[n](a: R, b: R, x: R[n]): R[n] = scan (\s i -> s * 0.5 + index x [i - 2] + index x [i + 2] + (if i < 3 then exp x[i] else if i == n - 1 then 2 else x[i * 7 mod n])) a (iota n)
-- what an outer loop keeps, and what it needs
def table[n](a: R, b: R, x: R[n]): R[n] = fold (\row y -> scan (\left (up, x) -> min left up + abs (x - y)) a (row, x)) x x
`

// TestCarried: loops that carry their states in registers have the values of the evaluator.
func TestCarried(t *testing.T) {
	sizes := []map[string]int64{{"n": 9}, {"n": 1}, {"n": 0}, {"n": 300}}
	all := append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads, kerneltest.Way{Name: "in exact machine code, by two threads", Compile: machine.Native{Exact: true, Threads: 2}.Compile, Same: defs.Same})
	kerneltest.EachLowered(t, carried, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], all)
		if size["n"] > 0 && !strings.Contains(k.String(), "loop ") {
			t.Errorf("%s: nothing is carried\n%s", p.Name, k)
		}
	})
}

// TestCarriedLong: a loop of so many steps that what could be taken from it would not fit the memory
// is not taken apart.
func TestCarriedLong(t *testing.T) {
	const text = `def long(a: R): (R, R) = iterate 100000000 (\(s, l) -> (s * 0.5 + a, l + log (s * s + 1) * exp s)) (a, 0.0)
def short(a: R): (R, R) = iterate 1000 (\(s, l) -> (s * 0.5 + a, l + log (s * s + 1) * exp s)) (a, 0.0)`
	kerneltest.EachLowered(t, text, []map[string]int64{nil}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		if n := plan.Memory(k); (n < 1000) != (p.Name == "long") {
			t.Errorf("%s: %d bytes\n%s", p.Name, n, k)
		}
	})
}

// TestCarriedProduct: what a number is multiplied by, run by run, is in range as long as that is, in
// machine code that is not exact as well.
func TestCarriedProduct(t *testing.T) {
	const text = `def f[n](a: R, x: R[n]): (R, R) = fold (\(p, q) y -> (p * exp y, q * 0.5 + y)) (1.0, a) x`
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 400}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		env := kerneltest.Values(t, p, 1)
		for i := range env["x"].R {
			env["x"].R[i] = float64(300 - i%2*600)
		}
		kerneltest.CompareAt(t, p, k, env, kerneltest.Ways)
	})
}

// TestCarriedOnce: what several of the loops need that one is taken apart into is computed by one of them.
func TestCarriedOnce(t *testing.T) {
	const text = `
-- before and after what is carried
def ends[n](a: R, b: R, x: R[n]): (R, R) = fold (\(s, l) x -> (let q = a / (x * x + 1) in (s * 0.5 + q / (q + 2), l + s * exp q))) (b, 0.0) x
-- before it and in it, and in it and after it
def core[n](a: R, b: R, x: R[n]): (R, R) = fold (\(s, l) x -> (let q = a * x in (s * q + exp q, l + s * (q + 1)))) (b, 0.0) x
def last[n](a: R, b: R, x: R[n]): (R, R) = fold (\(s, l) x -> (let q = a * x * x in (s * q, l + exp (s + q)))) (b, 0.0) x
-- after it, to be taken away
def less[n](a: R, b: R, x: R[n]): (R, R) = fold (\(s, l) x -> (s * 0.5 + x, l - exp (s * a) / (x * x + 1))) (b, 0.0) x
`
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 300}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		if len(k.Kernels) < 3 {
			t.Errorf("%s: the loop is not taken apart", p.Name)
		}
		alg := eval.NewCounting()
		if _, err := eval.Interpret(p.Store, p.Root, alg, kerneltest.Values(t, p, 1)); err != nil {
			t.Fatal(err)
		}
		if n := k.Counts().Float; n > alg.Counts.Float {
			t.Errorf("%s: %d operations, the evaluator does %d\n%s", p.Name, n, alg.Counts.Float, k)
		}
		kerneltest.CompareWays(t, p, k, size["n"], kerneltest.Ways)
	})
}

// TestCarriedFew: what is added to a few numbers is added once, where a step replaces some of them too.
func TestCarriedFew(t *testing.T) {
	const text = `def f[n](x: R[2], c: R[2], t: R[n, 2]): (R[2], R[2]) = fold (\(s, u) i -> (let at = iota 2 == i in let v = t[i] * s in
	(where (at && x < t[i]) v 0 + where at 0 s, u + where (at && t[i] < x) v 0))) (c, 0 * c) (iota n)`
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 3}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		if n, want := k.Counts().Float, eval.CountOps(p.Store, p.Root).Float; n > want {
			t.Errorf("%d operations, the evaluator does %d\n%s", n, want, k)
		}
		kerneltest.CompareWays(t, p, k, size["n"], kerneltest.Ways)
	})
}
