package inplace_test

import (
	"math"
	"testing"

	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
	"egad/term"
	"egad/term/eval"
)

const readBefore = `
def scaled[n, p](a: R[p, p], w: I[n], x: R[n]): R[p, p] = fold (\r (w, x) -> sin (r * (x + r[w, w]))) a (w, x)
def changed[n, p](a: R[p, p], w: I[n], x: R[n]): R[p, p] =
  fold (\r (w, x) -> build [p, p] (\[j, k] -> if w < k then x * r[w, w + 1] else r[j, k])) a (w, x)
def edges[n, p](a: R[p, p], w: I[n], x: R[n]): R[p, p] =
  fold (\r (w, x) -> build [p, p] (\[j, k] -> r[j, k] * 0.5 + r[w, w] * exp (sin (a[j - 1, k + 1] * a[j - 1, k])))) a (w, x)
def pair[n, p](a: R[p, p], w: I[n], x: R[n]): (R[p, p], R[p, p]) =
  fold (\(r, s) (w, x) -> (build [p, p] (\[j, k] -> if w < j then x else r[j, k]), s + scatter [p] r[p - 1] (\[] -> [w]))) (a, 2 * a) (w, x)
`

// TestReadBefore: what steps read of a state before they change it where it lies is read once,
// by all threads, and in all parts of a loop.
func TestReadBefore(t *testing.T) {
	sizes := []map[string]int64{{"n": 3, "p": 33}, {"n": 5, "p": 100}, {"n": 2, "p": 1}, {"n": 0, "p": 3}}
	kerneltest.EachLowered(t, readBefore, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		all := append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads, kerneltest.Way{Name: "in exact machine code, by two threads", Compile: machine.Native{Exact: true, Threads: 2}.Compile, Same: defs.Same})
		kerneltest.CompareWays(t, p, k, size["p"], all)
		kerneltest.Share(k)
		kerneltest.CompareWays(t, p, k, size["p"], all)
	})
}

const far = `
def below[p](a: R[p], w: I, x: R): R[p] = fold (\r x -> build p (\j -> if j < w - 2 then x else r[j])) a [x, 2 * x]
def above[p](a: R[p], w: I, x: R): R[p] = fold (\r x -> build p (\j -> if w + 1 < j then x else r[j])) a [x, 2 * x]
def sum[p](a: R[p], w: I, x: R): R[p] = fold (\r x -> build p (\j -> if j + w < 5 then x else r[j])) a [x, 2 * x]
def both[p](a: R[p], w: I, x: R): R[p] = fold (\r x -> build p (\j -> if w < j + w - 3 then x else r[j])) a [x, 2 * x]
`

// TestLimitsOverflow: integers that overflow where they are compared with indices.
func TestLimitsOverflow(t *testing.T) {
	kerneltest.EachLowered(t, far, []map[string]int64{{"p": 9}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		for _, w := range []int64{math.MinInt64, math.MinInt64 + 1, math.MinInt64 / 2, -1 << 40, 3, 1 << 29, math.MaxInt64 - 6, math.MaxInt64} {
			env := kerneltest.Values(t, p, 1)
			env["w"].N[0] = w
			want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			kerneltest.InAllWays(t, p.Name, k, env, want)
		}
	})
}

// TestNeeded: what nobody needs, as it was read where a condition never holds, is not computed.
func TestNeeded(t *testing.T) {
	const text = `
def f(a: R[4, 4], ws: I[3]): R[4, 4] =
  fold (\s (i, w) -> if i + 2 < i then s + scatter [4] [a[0], a[1] * 2] (\[k] -> [w]) else s * 0.5 + transpose a) a (iota 3, ws)`
	kerneltest.EachLowered(t, text, []map[string]int64{{}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		for _, k := range k.Kernels {
			if k.Steps != nil && len(k.Steps.Step.Kernels) != 1 {
				t.Errorf("the step is\n%s", k.Steps.Step)
			}
		}
		kerneltest.CompareWays(t, p, k, 1, append(kerneltest.Ways, kerneltest.TwoThreads))
	})
}

// TestApartInPlace: where a loop that changes a state where it lies is taken apart, an element
// is read before it is stored, also if in a part of the loop only a sum uses it.
func TestApartInPlace(t *testing.T) {
	const text = `
def f(s: R[13], d: R[13]): (R[13], R) =
  iterate 3 (\(a, z) -> (build 13 (\j -> d[j] + (if j <= 0 then 0 else a[j] + 0.0)), z * 0.5 + sum (build 13 (\j -> if j <= 0 then a[j] + 0.0 else 0)))) (s, 1.0)
def g(s: R[40], d: R[40]): (R[40], R) =
  iterate 3 (\(a, z) -> (build 40 (\j -> d[j] + (if j < 30 then a[j] * 2 else 1)), z + sum (build 40 (\j -> if j < 30 then 0 else a[j] * 2)))) (s, 1.0)`
	kerneltest.EachLowered(t, text, []map[string]int64{{}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		kerneltest.Share(k)
		kerneltest.CompareWays(t, p, k, 1, append(kerneltest.Ways, kerneltest.TwoThreads))
	})
}

// TestTakenAway: a step that takes away from a part of a state what is 0 elsewhere goes through that part
// only, as does one that adds; where that is no number, and of -0, exact code is exact.
func TestTakenAway(t *testing.T) {
	const text = `
def taken(s: R[40, 40], x: R[40]): R[40, 40] =
  fold (\s k -> (let c = build 40 (\i -> if k <= i then x[i] * s[k, i] else 0) in s - outer (c, c) * 0.02)) s (iota 40)
def added(s: R[40, 40], x: R[40]): R[40, 40] =
  fold (\s k -> (let c = build 40 (\i -> if k <= i then x[i] * s[k, i] else 0) in s + outer (c, c) * 0.02)) s (iota 40)`
	kerneltest.EachLowered(t, text, []map[string]int64{{}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		limited := false
		for _, k := range k.Kernels {
			if k.Steps == nil {
				continue
			}
			for _, of := range k.Steps.Step.Kernels {
				for l := range kernel.All[*kernel.Loop](of.Body) {
					stores := kernel.Any(l.Body, func(s *kernel.Store) bool { return s.Array == k.Steps.Step.Result.Arrays()[0] })
					limited = limited || stores && l.Innermost() && len(l.Only) > 0
				}
			}
		}
		if !limited {
			t.Errorf("%s: all runs are done\n%s", p.Name, k)
		}
		env := kerneltest.Values(t, p, 1)
		exact := machine.Native{Exact: true}
		for round := range 3 {
			switch round {
			case 1:
				env["s"].R[3*40+5], env["x"].R[7] = math.Copysign(0, -1), math.Copysign(0, -1)
			case 2:
				env["x"].R[20] = math.Inf(1)
			}
			want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			if round == 0 {
				kerneltest.InAllWays(t, p.Name, k, env, want)
			}
			run := kerneltest.Comparison(t, p, k, []kerneltest.Way{{Name: "in exact machine code", Compile: exact.Compile, Same: defs.Same}})
			run(env)
		}
	})
}
