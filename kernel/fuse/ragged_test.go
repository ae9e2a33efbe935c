package fuse_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// TestRagged: of sums of parts of an array only the runs are done that data say, and so it is in their
// gradients, whatever the data say.
func TestRagged(t *testing.T) {
	const rows, all = 40, 400
	kerneltest.EachGradient(t, `
def segments[n, m, z](x: R[n], val: R[z], ptr: I[m + 1], col: I[z]): R =
  sumsq (build m (\i -> sum (build z (\e -> if ptr[i] <= e && e < ptr[i + 1] then val[e] * x[col[e]] else 0))))
def padded[n, m, z](x: R[n], len: I[m], w: R[m, z]): R =
  sumsq (build m (\i -> sum (build z (\e -> if e < len[i] then exp w[i, e] * x[e] else 0))))
def windows[n, m, z](x: R[z], mid: I[m], c: R[n]): R =
  sum (build m (\i -> let s = sum (build z (\e -> if mid[i] - 3 <= e && e <= mid[i] + 3 then sin x[e] else 0)) in c[i] * s * s))
def chosen[n, m, z](x: R[z], ptr: I[m], at: I[m], c: R[n]): R =
  let t = build m (\i -> sum (build z (\e -> if ptr[i] <= e then exp (x[e] * real i / 100) else 0))) in
  sum c * sumsq (build m (\j -> t[at[j]]))
`, []map[string]int64{{"n": all, "m": rows, "z": all}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		loops, whole, adding := 0, 0, 0
		for _, of := range k.Kernels {
			kernel.Walk(of.Body, func(s kernel.Stmt) {
				if l, ok := s.(*kernel.Loop); ok && l.N == all && inside(of.Body, l, rows) {
					loops++
					if kernel.Any(l.Body, func(s *kernel.Store) bool { return s.Add }) {
						adding++
					}
					if len(l.Only) == 0 {
						whole++
					}
				}
			})
		}
		if p.Name != "chosen" && (loops == 0 || loops < 2 && p.Name != "padded" || whole > 0) {
			t.Errorf("%s: %d of %d loops do all their runs\n%s", p.Name, whole, loops, k)
		}
		if p.Name == "segments" && adding == 0 {
			t.Errorf("elements are not added to row by row\n%s", k)
		}
		run := kerneltest.Comparison(t, p, k, append(slices.Clone(kerneltest.Ways), kerneltest.TwoThreads))
		r := rand.New(rand.NewPCG(3, 4))
		for range 5 {
			env := kerneltest.Values(t, p, 1)
			if ptr := env["ptr"]; ptr != nil { // in order, then not
				for i := range ptr.N {
					ptr.N[i] = int64(i * all / rows)
				}
				run(env)
				for i := range ptr.N {
					ptr.N[i] = r.Int64N(2*all) - all/2
				}
			}
			for _, name := range []string{"len", "mid", "at"} {
				if v := env[name]; v != nil {
					for i := range v.N {
						v.N[i] = r.Int64N(2*all) - all/2
					}
					v.N[0], v.N[1], v.N[2] = math.MaxInt64, math.MinInt64, 1<<40
				}
			}
			run(env)
		}
	})
}

// TestRaggedRows: where rows of elements are added to, what is added to one row is done together.
func TestRaggedRows(t *testing.T) {
	const rows, all, wide = 40, 400, 16
	kerneltest.EachGradient(t, `
def columns[n, m, z](x: R[n, 16], val: R[z], ptr: I[m + 1], col: I[z]): R =
  sumsq (flat (build [m, 16] (\i k -> sum (build z (\e -> if ptr[i] <= e && e < ptr[i + 1] then val[e] * x[col[e], k] else 0)))))
`, []map[string]int64{{"n": 90, "m": rows, "z": all}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		adding := 0
		for _, of := range k.Kernels {
			for l := range kernel.All[*kernel.Loop](of.Body) {
				if l.N != wide || !kernel.Any(l.Body, func(s *kernel.Store) bool { return s.Add }) {
					continue
				}
				adding++
				if kernel.Any(l.Body, func(in *kernel.Loop) bool { return in.N == all && len(in.Folds) == 0 }) {
					t.Errorf("rows are gone through column by column\n%s", k)
				}
			}
		}
		if adding == 0 {
			t.Errorf("no rows are added to\n%s", k)
		}
		run := kerneltest.Comparison(t, p, k, append(slices.Clone(kerneltest.Ways), kerneltest.TwoThreads))
		r := rand.New(rand.NewPCG(3, 4))
		for round := range 3 {
			env := kerneltest.Values(t, p, 1)
			for i := range env["ptr"].N {
				if env["ptr"].N[i] = int64(i * all / rows); round > 0 {
					env["ptr"].N[i] = r.Int64N(2*all) - all/2
				}
			}
			run(env)
		}
	})
}

// TestSegments: what is computed for each element of a row, and what tells which elements these are, is not kept for
// all elements and rows, and loops do the runs that data say: also in the steps of a loop, where one loop makes what
// another one reads, and where several loops read it.
func TestSegments(t *testing.T) {
	const rows, all = 350, 400
	kerneltest.EachGradient(t, `
def product[m, n, z](x: R[n, 3], val: R[z], ptr: I[m + 1], col: I[z]): R =
  sumsq (flat (build [m, 3] (\i j -> (iterate (ptr[i + 1] - ptr[i]) (\(s, e) -> (s + val[e] * x[col[e], j], e + 1)) (0, ptr[i])).0)))
def power[m, n, z](x: R[m], c: R[n], val: R[z], ptr: I[m + 1], col: I[z]): R =
  sum c * sumsq (iterate 10 (\x -> build m (\i -> (iterate (ptr[i + 1] - ptr[i]) (\(s, e) -> (s + val[e] * x[col[e]] / 4, e + 1)) (0, ptr[i])).0)) x)
def oscillators[m, n, z](x: R[m], c: R[n], val: R[z], ptr: I[m + 1], col: I[z]): R =
  sum c * sumsq (iterate 4 (\x -> build m (\i -> x[i] + (iterate (ptr[i + 1] - ptr[i]) (\(s, e) -> (s + val[e] * sin (x[col[e]] - x[i]), e + 1)) (0, ptr[i])).0)) x)
def attention[m, n, z](x: R[m], c: R[n], val: R[z], ptr: I[m + 1], col: I[z]): R =
  sum c * sumsq (build m (\i ->
    let s = sum (build z (\e -> if ptr[i] <= e && e < ptr[i + 1] then exp (x[col[e]] - x[i]) * val[e] else 0)) in
    let t = sum (build z (\e -> if ptr[i] <= e && e < ptr[i + 1] then exp (x[col[e]] - x[i]) else 0)) in
    s / (1 + t)))
def springs[m, n, z](x: R[m], y: R[m], c: R[n], val: R[z], ptr: I[m + 1], col: I[z]): R =
  sum c * sumsq (iterate 3 (\x -> build m (\i ->
    let (s, t, u, e) = iterate (ptr[i + 1] - ptr[i]) (\(s, t, u, e) ->
      let d = (x[col[e]] - x[i]) * (y[col[e]] - y[i]) in (s + val[e] * d, t + val[e] * d * d, u + val[e] * d * d * d, e + 1)) (0, 0, 0, ptr[i]) in
    tanh ((s + t * u) / 8))) x)
`, []map[string]int64{{"n": 30, "m": rows, "z": all}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		var whole func(k *kernel.Program, in bool)
		whole = func(k *kernel.Program, in bool) {
			for _, a := range k.Arrays {
				if a.Len() >= 20*all {
					t.Errorf("%s: %s is kept for all elements and rows\n%s", p.Name, a.Name, k)
				}
			}
			for _, of := range k.Kernels {
				if of.Steps != nil {
					if in || p.Name == "product" || p.Name == "attention" {
						t.Errorf("%s: a row is gone through in steps\n%s", p.Name, k)
					}
					whole(of.Steps.Step, true)
				}
				for l := range kernel.All[*kernel.Loop](of.Body) {
					if l.N == all && inside(of.Body, l, rows) && len(l.Only) == 0 {
						t.Errorf("%s: a loop does all its runs\n%s", p.Name, k)
					}
				}
			}
		}
		whole(k, false)
		run := kerneltest.Comparison(t, p, k, append(slices.Clone(kerneltest.Ways), kerneltest.TwoThreads))
		r := rand.New(rand.NewPCG(5, 6))
		for round := range 3 {
			env := kerneltest.Values(t, p, 1)
			for i := range env["ptr"].N {
				if env["ptr"].N[i] = int64(i * all / rows); round > 0 {
					env["ptr"].N[i] = min(int64(i*all/rows)+r.Int64N(9)-4, all+2)
				}
			}
			run(env)
		}
	})
}

// inside reports whether a loop is inside another one of so many runs.
func inside(body []kernel.Stmt, l *kernel.Loop, runs int) bool {
	found := false
	kernel.Walk(body, func(s kernel.Stmt) {
		if around, ok := s.(*kernel.Loop); ok && around != l && around.N == runs {
			kernel.Walk(around.Body, func(s kernel.Stmt) { found = found || s == kernel.Stmt(l) })
		}
	})
	return found
}
