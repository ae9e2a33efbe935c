package schedule_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/schedule"
	"egad/kernel/steps"
	"egad/term"
)

// TestSure: loops that data limit do no other runs, and ask nothing in each, whatever the data are: also
// where sums wrap around, where bounds differ in what is done in lock step, and where there is more to ask.
func TestSure(t *testing.T) {
	const rows, all = 20, 400
	data := []int64{0, 1, 7, 8, 9, 39, 40, 41, -1, -2, 1 << 27, 1<<27 + 1, -1 << 27, 1 << 31, 1 << 32, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1}
	kerneltest.EachGradient(t, `
def row[m, z](x: R[z], p: I[m], q: I[m]): R =
  sumsq (build m (\i -> sum (build z (\e -> if p[i] <= e && e < q[i] then x[e] else 0))))
def turned[m, z](x: R[z], p: I[m], q: I[m]): R =
  sumsq (build m (\i -> sum (build z (\e -> if e < p[i] || not (e <= q[i]) then 0 else sin x[e]))))
def wrapped[m, z](x: R[z], p: I[m], q: I[m]): R =
  sumsq (build m (\i -> sum (build z (\e -> if p[i] + 1 <= e && e - 2 < q[i] - 2 then x[e] else 0))))
def several[m, z](x: R[z], p: I[m], q: I[m]): R =
  sumsq (build m (\i -> sum (build z (\e -> if p[i] <= e then x[e] else 0)) * sum (build z (\e -> if e < q[i] then x[e] else 0))))
def lanes[m, z](x: R[z, m], p: I[m], q: I[m]): R =
  sumsq (flat (build [m, m] (\[i, j] -> sum (build z (\e -> if p[i] <= e && e < q[j] then x[e, j] * x[e, i] else 0)))))
def two[m, z](x: R[z], p: I[m], q: I[m]): R =
  sum (build m (\i -> let s = sum (build z (\e -> if p[i] <= e && e < q[i] then x[e] else 0)) in
    s * sum (build z (\e -> if p[i] <= e && e < q[i] then s * x[e] * x[e] else 0))))
def both[m, z](x: R[z], p: I[m], q: I[m]): R =
  sumsq (build m (\i -> sum (build z (\e -> if i <= e && p[i] <= e && e < q[i] then x[e] else 0))))
def held[m, z](x: R[z], p: I[m], q: I[m]): R =
  sumsq (build m (\i -> sum (build z (\e -> if 3 < p[i] && p[i] <= e && e < q[i] && x[e] < 1 then x[e] else 0))))
def scanned[m, z](x: R[z], p: I[m], q: I[m]): R =
  fold (\s i -> s * 0.5 + sum (build z (\e -> if p[i] <= e && e < q[i] then x[e] * s else 0))) 1 (iota m)
`, []map[string]int64{{"m": rows, "z": all}, {"m": rows, "z": all + 1}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		// Sums wrap around, and a sum whose terms have one bound each does all runs that either needs.
		if n := sureLoops(k); (n == 0) != (p.Name == "wrapped") && p.Name != "several" {
			t.Errorf("%s: %d loops do their runs for sure\n%s", p.Name, n, k)
		}
		run := kerneltest.Comparison(t, p, k, append(slices.Clone(kerneltest.Ways), kerneltest.TwoThreads))
		r := rand.New(rand.NewPCG(5, 6))
		for round := range 6 {
			env := kerneltest.Values(t, p, int64(round))
			for i := range env["x"].R { // sums are exact
				env["x"].R[i] = float64(r.IntN(7) - 3)
			}
			for i := range rows {
				from, to := r.Int64N(all), r.Int64N(all)
				if round > 1 && r.IntN(2) == 0 {
					from = data[r.IntN(len(data))]
				}
				if round > 1 && r.IntN(2) == 0 {
					to = data[r.IntN(len(data))]
				}
				env["p"].N[i], env["q"].N[i] = from, to
			}
			run(env)
		}
	})
}

// TestSureByIndices: so do loops that indices around limit, where that is better than several rows in lock step;
// also where two conditions say the same, and where bands are wider than what they lie in.
func TestSureByIndices(t *testing.T) {
	kerneltest.EachLowered(t, `
def band[n, d](w: size, a: R[n, n], x: R[n, d]): R[n, d] =
  build [n, d] (\i j -> sum (build n (\l -> if i - w <= l && l <= i + w then x[l, j] * a[i, l] else 0)))
def twice[n, d](w: size, a: R[n, n], x: R[n, d]): R[n, d] =
  build [n, d] (\i j -> sum (build n (\l -> if l - w <= i && i <= l + w then x[l, j] * a[i, l] else 0)) +
    sum (build n (\l -> if i - w <= l && l <= i + w then x[l, j] * a[l, i] else 0)))
def row[n, d](w: size, a: R[n, n], x: R[n, d]): R[n] =
  build n (\i -> sum (build n (\l -> if i < l + w && not (i + w <= l) then a[i, l] * x[l, 0] else 0)))
`, []map[string]int64{{"n": 60, "d": 16, "w": 4}, {"n": 61, "d": 5, "w": 0}, {"n": 60, "d": 8, "w": 100}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		if n := sureLoops(k); n == 0 && size["w"] == 4 && p.Name != "row" { // each row of which is too short
			t.Errorf("%s for %v asks in each run\n%s", p.Name, size, k)
		}
		kerneltest.CompareWays(t, p, k, 7, append(slices.Clone(kerneltest.Ways), kerneltest.TwoThreads))
	})
}

// sureLoops is how many loops of machine code do no runs but those that data tell.
func sureLoops(p *kernel.Program) (n int) {
	x := schedule.NewScheduler(steps.Joined(p, false), false, false)
	for _, k := range steps.Joined(p, false).Kernels {
		if k.Steps != nil {
			continue
		}
		for _, piece := range x.Pieces(k) {
			kernel.Walk(x.Schedule(piece).Body, func(s kernel.Stmt) {
				if l, ok := s.(*kernel.Loop); ok && l.Sure() {
					n++
				}
			})
		}
	}
	return n
}
