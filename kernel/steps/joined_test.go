package steps_test

import (
	"strings"
	"testing"

	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
	"egad/term"
)

// Loops whose steps are short, and whose states are too long for registers.
const joined = `
-- elements and rows in other ones' places
def one[n](a: R[90], w: I[n], v: I[n], x: R[n]): R[90] = fold (\s (w, x) -> build 90 (\i -> if i == w then x * s[w] else s[i])) a (w, x)
def exchanged[n](a: R[90], w: I[n], v: I[n], x: R[n]): R[90] = fold (\s (w, v) -> build 90 (\i -> if i == w then s[v] else if i == v then s[w] else s[i])) a (w, v)
def ring[n](a: R[90], w: I[n], v: I[n], x: R[n]): R[90] = fold (\s (x, i) -> let k = i mod 90 in build 90 (\j -> if j == k then 0.5 * s[k] + x else s[j])) a (x, iota n)
def row[n](a: R[90, 5], w: I[n], v: I[n], x: R[n]): R[90, 5] = fold (\s (w, v, x) -> build [90, 5] (\i j -> if i == w then x * s[i, j] + s[v, j] else s[i, j])) a (w, v, x)
def column[n](a: R[90, 5], w: I[n], v: I[n], x: R[n]): R[90, 5] = fold (\s (w, v, x) -> build [90, 5] (\i j -> if j == w then x * s[i, j] + s[i, v] else s[i, j])) a (w, v, x)
def element[n](a: R[90, 5], w: I[n], v: I[n], x: R[n]): R[90, 5] = fold (\s (w, v, x) -> build [90, 5] (\i j -> if i == w && j == v - 3 then x * s[i, j] + s[v, 0] else s[i, j])) a (w, v, x)
def twice[n](a: R[90], w: I[n], v: I[n], x: R[n]): R[90] = fold (\s (w, v, x) -> build 90 (\i -> if i == w then s[i] + x else if i == v then s[i] * x else s[i]) + scatter [90] x (\[] -> [w])) a (w, v, x)
-- beside numbers, of all types, made of each other
def beside[n](a: R[90], w: I[n], v: I[n], x: R[n]): (R[90], R, I, B) = fold (\(s, e, c, p) (w, x) -> (build 90 (\i -> if i == w then e else s[i]), s[w] + 0.5 * e, if p then c + w else c, not p)) (a, 1.0, 0, 0 < 1) (w, x)
def turned[n](a: R[90], w: I[n], v: I[n], x: R[n]): (R, R, R[90]) = fold (\(p, q, s) (w, x) -> (q, p + x, build 90 (\i -> if i == w then q else s[i]))) (1.0, 2.0, a) (w, x)
def count[n](a: R[90], w: I[n], v: I[n], x: R[n]): (I, R[90]) = iterate n (\(c, s) -> (c + 1, build 90 (\i -> if i == w[c] then x[c] else s[i]))) (0, a)
-- on diagonals, beside other loops
def diagonal[n](a: R[4, 2, 3], w: I[n], v: I[n], x: R[n]): (R[4, 2, 3], R[4, 2, 3]) = fold (\(s, t) x -> (build [4, 2, 3] (\i j k -> if j == i then x else s[i, j, k]), 0.5 * t + s)) (a, a) x
def diagonals[n](a: R[33, 3], w: I[n], v: I[n], x: R[n]): R[33, 3] =
  fold (\s w -> scatter [33, 3] (build 33 (\i -> if any (build 3 (\j -> j != i && j == i + w)) then sum (build 3 (\j -> if j != i && j == i + w then s[i, j] else 0)) else 0)) (\i -> [i, i + w]) + build [33, 3] (\i j -> if j != i && j != i + w then s[i, j] else 0)) a w
-- of which all states are kept
def kept[n](a: R[90], w: I[n], v: I[n], x: R[n]): (R[n, 90], R[n]) = scan (\(s, e) (w, x) -> (build 90 (\i -> if i == w then e else s[i]), s[w])) (a, 1.0) (w, x)
-- arrays that take each other's places
def places[n](a: R[90], w: I[n], v: I[n], x: R[n]): (R[90], R[90], R[90]) = fold (\(s, t, u) (w, x) -> (t, build 90 (\i -> if i == w then x else s[i]), s)) (a, a, a) (w, x)
def same[n](a: R[90], w: I[n], v: I[n], x: R[n]): (R[90], R[90]) = fold (\(s, t) (w, x) -> let r = build 90 (\i -> if i == w then x else t[i]) in (r, r)) (a, a) (w, x)
def stays[n](a: R[90], w: I[n], v: I[n], x: R[n]): (R[90], R[n, 90]) = let (s, t) = scan (\(s, t) (w, x) -> (s, build 90 (\i -> if i == w then s[i] else t[i]))) (a, a) (w, x) in (last s, t)
-- loops in loops
def rounds[n](a: R[90], w: I[n], v: I[n], x: R[n]): R[90] = iterate 7 (\s -> fold (\s (w, v, x) -> build 90 (\i -> if i == w then min s[i] (s[v] + x) else s[i])) s (w, v, x)) a
def nested[n](a: R[90], w: I[n], v: I[n], x: R[n]): (R[90], R) = fold (\(s, e) (w, v) -> let (t, f) = fold (\(t, f) (v, x) -> (build 90 (\i -> if i == v then t[w] + e else t[i]), f + x * e)) (s, 0.0) (v, x) in (t, 0.5 * f)) (a, 1.0) (w, replicate n v)
def inside[n](a: R[90], w: I[n], v: I[n], x: R[n]): R[90] = fold (\s (w, x) -> let t = scan (\t x -> t * x + s[w]) x s in build 90 (\i -> if i == w then x else t[89 - i])) a (w, x)
def around[n](a: R[90], w: I[n], v: I[n], x: R[n]): R[3, 90] = build 3 (\r -> fold (\s (w, x) -> build 90 (\i -> if i == w + r then x * s[i] else s[i])) a (w, x))
def numbered[n](a: R[90], w: I[n], v: I[n], x: R[n]): R[3, n, 90] = build 3 (\r -> scan (\s (w, x) -> build 90 (\i -> if i == w + r then x * s[r] else s[i])) a (w, x))
-- sums, of which some are zeros at first, and what is not there
def sums[n](a: R[90], w: I[n], v: I[n], x: R[n]): (R[90], R) = fold (\(s, e) (w, v, x) -> let t = scatter [90] [x, s[v]] (\[k] -> [if k == 0 then w else v]) in (s * 0.5 + sin t, sum t + e)) (a, 0.0) (w, v, x)
def looked[n](a: R[90], w: I[n], v: I[n], x: R[n]): R[90] = fold (\s (w, v, x) -> build 90 (\i -> if i == w then [2.0, 3.0, 5.0][v] * s[v + 80] else s[i])) a (w, v, x)
def integers[n](a: R[90], w: I[n], v: I[n], x: R[n]): (I[90], R) = fold (\(p, e) (w, v, x) -> (build 90 (\i -> if i == w then p[v] + 1 else p[i]), e + x * real p[p[w]])) (iota 90, 0.0) (w, v, x)
`

// TestJoined: loops whose steps are the runs of loops of one kernel have the values of the evaluator.
func TestJoined(t *testing.T) {
	sizes := []map[string]int64{{"n": 40}, {"n": 1}, {"n": 0}, {"n": 7}}
	all := append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads, kerneltest.Way{Name: "in exact machine code, by two threads", Compile: machine.Native{Exact: true, Threads: 2}.Compile, Same: defs.Same})
	kerneltest.EachLowered(t, joined, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], all)
		for _, exact := range []bool{true, false} {
			if text := kerneltest.InCode(k, exact).String(); size["n"] > 0 && (!strings.Contains(text, "blocks ") || strings.Contains(text, "steps ")) {
				t.Errorf("%s: steps of kernels are left\n%s", p.Name, text)
			}
		}
	})
}

// TestJoinedText: a step stores what it changes, and nothing else.
func TestJoinedText(t *testing.T) {
	const text = `
def one[n](a: R[90], w: I[n], x: R[n]): R[90] = fold (\s (w, x) -> build 90 (\i -> if i == w then x * s[w] else s[i])) a (w, x)
def exchanged[n](a: R[90], w: I[n], x: I[n]): R[90] = fold (\s (w, v) -> build 90 (\i -> if i == w then s[v] else if i == v then s[w] else s[i])) a (w, x)
def row[n](a: R[90, 5], w: I[n], x: R[n]): R[90, 5] = fold (\s (w, x) -> build [90, 5] (\i j -> if i == w then x * s[i, j] else s[i, j])) a (w, x)
def added[n](a: R[90], w: I[n], x: R[n]): (R[90], R) = fold (\(s, e) (w, x) -> (scatter [90] x (\[] -> [w]) + build 90 (\i -> if i == w then 0 else s[i]), e + s[w])) (a, 0.0) (w, x)
def rounds[n](a: R[90], w: I[n], x: R[n]): R[90] = iterate 7 (\s -> fold (\s (i, x) -> let k = i mod 90 in build 90 (\i -> if i == k then min s[i] x else s[i])) s (iota n, x)) a`
	want := []string{`
  blocks i < 40
    v1 = w[i]
    t1[v1]? := t1[v1]? * x[i]`, `
  blocks i < 40
    v1 = w[i]
    v2 = x[i]
    t1[v1]? := t1[v2]?
    t1[v2]? := t1[v1]?`, `
  blocks i < 40
    v1 = x[i]
    v2 = w[i]
    for j < 5
      t2[j] := v1 * t1[v2, j]?
    v3 = min (max v2 0) 89
    for k < 5, if 0 <= v2 and v2 < 90
      t1[v3, k] := t2[k]`, `
  v1 = t2
  blocks i < 40
    v2 = w[i]
    t1[v2]? := x[i]
    v1 := v1 + t1[v2]?
  t2 := v1`, `
    blocks i2 < 40
      t2[i2] := min t2[i2] x[i2]`}
	i := 0
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 40}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		if got := kerneltest.InCode(k, false).String(); !strings.Contains(got, want[i]) {
			t.Errorf("%s: expected%s\nin\n%s", p.Name, want[i], got)
		}
		i++
	})
}
