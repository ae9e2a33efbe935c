package schedule_test

import (
	"math/rand/v2"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/schedule"
	"egad/term"
)

// TestCheckedFirst: loops whose accesses are at indices that data say check them first, all at once.
func TestCheckedFirst(t *testing.T) {
	const text = `
def one[n](a: R[90], w: I[n], x: R[n]): R[90] = fold (\s (w, x) -> build 90 (\i -> if i == w then x * s[w] else s[i])) a (w, x)
def exchanged[n](a: R[90], w: I[n], x: I[n]): R[90] = fold (\s (w, v) -> build 90 (\i -> if i == w then s[v] else if i == v then s[w] else s[i])) a (w, x)
def row[n](a: R[90, 5], w: I[n], x: R[n]): R[90, 5] = fold (\s (w, x) -> build [90, 5] (\i j -> if i == w then x * s[i, j] else s[i, j])) a (w, x)
def added[n](a: R[90], w: I[n], x: R[n]): (R[90], R) = fold (\(s, e) (w, x) -> (scatter [90] x (\[] -> [w]) + build 90 (\i -> if i == w then 0 else s[i]), e + s[w])) (a, 0.0) (w, x)`
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 40}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		first := map[string]int{"one": 1, "exchanged": 1, "added": 1}[p.Name]
		if loops, checked := schedule.CheckedFirstOf(kerneltest.InCode(k, false)); loops != first || checked > 0 {
			t.Errorf("%s: %d loops check indices first, and then %d accesses are checked", p.Name, loops, checked)
		}
	})
}

// TestFoldsCheckedFirst: sums over the elements that data say check first what they read, and others do not, as rows
// that are padded are at indices that are out of range.
func TestFoldsCheckedFirst(t *testing.T) {
	check := func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		want := map[string]int{"rows": 1, "columns": 1}[p.Name]
		if got := schedule.FoldsCheckedFirst(k); got != want {
			t.Errorf("%s: %d loops check indices first, want %d\n%s", p.Name, got, want, k)
		}
		run := kerneltest.Comparison(t, p, k, kerneltest.Ways)
		for most := range int64(4) { // in all rows, in some, and in most of them indices are out of range
			env := kerneltest.Values(t, p, 1)
			if ptr := env["ptr"]; ptr != nil {
				for i := range ptr.N {
					ptr.N[i] = int64(10*i - i%3)
				}
			}
			r := rand.New(rand.NewPCG(1, uint64(most)))
			for i := range env["col"].N {
				if env["col"].N[i] = r.Int64N(90); r.Int64N(3) < most {
					env["col"].N[i] -= 100
				}
			}
			run(env)
		}
	}
	kerneltest.EachLowered(t, `
def rows[n, m, z](x: R[n], y: R[m], val: R[z], ptr: I[m + 1], col: I[z]): R[m] =
  build m (\i -> sum (build z (\e -> if ptr[i] <= e && e < ptr[i + 1] then val[e] * y[i] * x[col[e]] else 0)))
def padded[n, m, z](x: R[n], val: R[m, z], col: I[m, z]): R[m] = build m (\i -> sum (build z (\e -> val[i, e] * x[col[i, e]])))`, []map[string]int64{{"n": 90, "m": 400, "z": 4000}}, check)
	kerneltest.EachLowered(t, `
def columns[n, m, z](x: R[n, 16], y: R[m], val: R[z], ptr: I[m + 1], col: I[z]): R[m, 16] =
  build [m, 16] (\i k -> sum (build z (\e -> if ptr[i] <= e && e < ptr[i + 1] then val[e] * y[i] * x[col[e], k] else 0)))`, []map[string]int64{{"n": 90, "m": 40, "z": 400}}, check)
}

// TestChosenForAllLanes: where all lanes choose the same, one of what is read at an index that may be out of range
// and of what they share, each takes that, whether indices are checked first or not.
func TestChosenForAllLanes(t *testing.T) {
	first := 0
	kerneltest.EachLowered(t, `
def by_row[m, z](x: R[m], y: R[m, 3], val: R[z], ptr: I[m], col: I[z]): R[m] =
  build m (\i -> sum (build z (\e -> if ptr[i] < e then y[col[e], 1] * (if x[i] < 0.3 then x[col[e]] else x[i]) else 0)))
def by_data[m, z](x: R[m], y: R[m, 3], val: R[z], ptr: I[m], col: I[z]): R[m] =
  build m (\i -> sum (build z (\e -> if ptr[i] < e then y[col[e], 1] * (if val[ptr[i]] < 0.3 then x[col[e]] else x[i]) else 0)))
def by_element[m, z](x: R[m], y: R[m, 3], val: R[z], ptr: I[m], col: I[z]): R[m] =
  build m (\i -> sum (build z (\e -> if ptr[i] < e then (if exp x[col[e]] * val[e] < 1 then y[col[e], 1] - y[i, 1] + val[e] else x[i] * x[i]) else 0)))
def added[m, z](x: R[m], y: R[m, 3], val: R[z], ptr: I[m], col: I[z]): R[m] =
  build m (\i -> sum (build z (\e -> if ptr[i] < e then y[col[e], 1] + (if x[i] < 0.3 then x[i] else x[col[e]]) else 0)))`, []map[string]int64{{"m": 13, "z": 40}, {"m": 40, "z": 13}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		first += schedule.FoldsCheckedFirst(k)
		run := kerneltest.Comparison(t, p, k, kerneltest.Ways)
		for seed := range int64(4) {
			env, r := kerneltest.Values(t, p, seed), rand.New(rand.NewPCG(1, uint64(seed)))
			for i := range env["col"].N {
				env["col"].N[i] = r.Int64N(40) - 20
			}
			for i := range env["ptr"].N {
				env["ptr"].N[i] = int64(i) * size["z"] / size["m"]
			}
			run(env)
		}
	})
	if first == 0 {
		t.Error("no loop checks indices first")
	}
}
