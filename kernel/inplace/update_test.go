package inplace_test

import (
	"fmt"
	"strings"
	"testing"

	"egad/fusion"
	"egad/kernel"
	"egad/kernel/inplace"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
	"egad/term"
)

// updates are steps of a loop over w, v: I[n] and x: R[n] that make the next one of a state, an
// array r; a number beside it is made of the array if use says so. Fewer is how many kernels less there are if it is changed where it lies, and only
// whether runs of loops are left out.
var updates = []struct {
	shape, step string
	use         string
	fewer       int
	only        bool
}{
	// What is added at one place, at places that may be the same one, and out of range.
	{"p", "r + scatter [p] x (\\[] -> [w])", "x", 1, false},
	{"p", "scatter [p] (x * r[w]) (\\[] -> [w]) + r", "x", 1, false},
	{"p", "r + scatter [p] [x * r[w], r[v] - r[w]] (\\[k] -> [if k == 0 then w else v])", "x", 1, false},
	{"p", "r + (scatter [p] (x + r[v]) (\\[] -> [w]) + scatter [p] (-r[w]) (\\[] -> [v]))", "x", 1, false},
	{"p", "r + scatter [p] (x * sum r) (\\[] -> [w])", "x", 1, false},
	{"p", "r + scatter [p] x (\\[] -> [w])", "sumsq r", 1, false},
	{"p", "r + scatter [p] [x * r[w], r[v]] (\\[k] -> [if k == 0 then w else v])", "exp (-sumsq r)", 1, false},
	// Rows, of which some may be the same, and columns.
	{"p, q", "r + scatter [p] (x * r[w]) (\\[] -> [v])", "x", 1, false},
	{"p, q", "r + scatter [p] [x * r[w], 0.5 * r[v]] (\\[k] -> [if k == 0 then v else w])", "x", 1, false},
	{"p, q", "r + scatter [p] (x * r[w]) (\\[] -> [v])", "sumsq (flat r)", 1, false},
	{"p, q", "r + (scatter [p] (x * r[w]) (\\[] -> [v]) + scatter [p] (0.5 * r[v]) (\\[] -> [w]))", "x", 2, false},
	{"p, q", "r + (scatter [p] (x * r[w]) (\\[] -> [v]) + scatter [p] (0.5 * r[v]) (\\[] -> [w]))", "r[w, 0]", 2, false},
	{"p, q", "r + scatter [p] (build q (\\j -> r[w, (j + 1) mod q])) (\\[] -> [v])", "x", 1, false},
	{"p, p", "r + scatter [p] (build p (\\j -> r[j, w])) (\\[] -> [v])", "x", 1, false},
	{"p, q", "scatter [p] (x * r[w]) (\\[] -> [v]) + build [p, q] (\\[i, j] -> if i == w then 0 else r[i, j])", "x", 1, false},
	{"p, q", "build [p, q] (\\[i, j] -> if i == w then r[i, j] + x * (r[v, j] - r[w, j]) else r[i, j])", "x", 0, true},
	{"q, p", "build [q, p] (\\[i, j] -> if j == w then r[i, v] * r[0, w] else if j == v then r[i, w] else r[i, j])", "x", 0, true},
	{"p, q", "build [p, q] (\\[i, j] -> if i == w && j == v then r[v, w] * sin r[w, v + 1] else r[i, j])", "r[w, v]", 0, true},
	{"p, q", "r + build [p, q] (\\[i, j] -> if j == w && i != v then x else 0)", "x", 0, true},
	{"q, p", "build [q, p] (\\[i, j] -> if j == w then x * r[i, j] else r[i, j])", "x", 0, true},
	{"p, q", "r + scatter [p, q] (build p (\\k -> if k + 1 < p then -r[k + 1, 2 * k] else 0)) (\\[k] -> [w, k + 1])", "x", 1, true},
	// An element in another one's place, by several conditions.
	{"p", "build p (\\i -> if i == w then x else r[i])", "x", 0, true},
	{"p", "build p (\\i -> if i == w then x else r[i])", "r[v] * r[0]", 0, true},
	{"p", "build p (\\i -> if i == w then x else r[i])", "sumsq r", 0, true},
	{"p", "build p (\\i -> if i == w then x else r[i])", "sumsq r * sum (build (p + 1) (\\i -> exp r[i])) * maximum (build (p + 2) (\\i -> r[i]))", 0, true},
	{"p", "build p (\\i -> if i != w then r[i] else x * r[i])", "x", 0, true},
	{"p", "build p (\\i -> if i < w then x else r[i])", "x", 0, true},
	{"p", "build p (\\i -> if w <= i then r[i] else r[i] * x)", "x", 0, true},
	{"p", "build p (\\i -> if i - v < w then x else r[i])", "x", 0, false},
	{"p", "build p (\\i -> if 2 * i < 3 - w then x else r[i])", "x", 0, false},
	{"p", "build p (\\i -> if w < i && i < v then x else r[i])", "x", 0, true},
	{"p", "build p (\\i -> if i <= w then (if v <= i then x else r[i]) else r[i])", "x", 0, true},
	{"p", "build p (\\i -> if i == w then sin x else r[i] + 1)", "x", 0, false},
	{"p", "build p (\\i -> if i == w then x else r[(i + 1) mod p])", "x", 0, false},
	{"p", "build p (\\i -> if i == w then x * r[v] + r[i - 1] else r[i])", "x", 0, true},
	{"p", "let y = tanh (x + r[v]) in build p (\\i -> if i == w then y else r[i])", "x", 0, true},
	// By conditions of what is there, which the first choice changes where both make one.
	{"p", "build p (\\i -> if i == w && r[i] > 0 then r[i] - 5 else if i == v then 9 else r[i])", "x", 0, true},
	{"p", "build p (\\i -> if i == w && r[i] > 0 then r[i] - 5 else if i == v && r[i] < 2 then r[i] + 4 else r[i])", "x", 0, true},
	{"p", "build p (\\i -> if i == w && r[i] > 0 || i == v && r[i] > 0 then -r[i] else if r[i] < 0 && i == w then 7 else r[i])", "x", 0, false},
	{"p", "build p (\\i -> if r[i] > 0 then (if i == w then -r[i] else if i == v then 2 * r[i] else r[i]) else r[i])", "x", 0, false},
	{"p, q", "build [p, q] (\\[i, j] -> if i == w && r[i, j] > 1 then r[i, j] - 5 else if j == v && r[i, j] < 2 then r[i, j] + 4 else r[i, j])", "x", 0, true},
	{"p", "build p (\\i -> if i == w && r[i] > 0 then r[i] - 5 else if i == v && r[i] < 2 then r[i] + 4 else r[i]) + scatter [p] x (\\[] -> [w]) - scatter [p] r[v] (\\[] -> [v])", "x", 1, false},
	// A sum with what is there but for an element.
	{"p", "build p (\\i -> (if i < w then x * r[v] else 0) + (if i == w then 0 else r[i]))", "x", 0, true},
	{"p", "build p (\\i -> (if i != v then r[i] else 0) + (if i == w then x else 0))", "r[w]", 0, true},
	{"q, p", "build [q, p] (\\[i, j] -> (if j == w then 0 else r[i, j]) + (if j == w && i < v then r[i, v] * x else 0))", "x", 0, true},
	{"p", "build p (\\i -> (if i < w then r[i] * x else 0) + (if i == w then 0 else r[i]))", "x", 0, false},
	{"p", "build p (\\i -> sin x + (if i == w then 0 else r[i]))", "x", 0, false},
	// At several places, which may be one.
	{"p", "build p (\\i -> if i == w then r[i] * x else if i == v then r[i] - x else r[i])", "x", 0, true},
	{"p", "build p (\\i -> if i == w then r[i] * x else if i == v then r[i] - x else if i == 1 then 0.5 * r[i] else if i == v + 1 then x else r[i])", "sumsq r", 0, true},
	{"q, p", "build [q, p] (\\[i, j] -> if j == w then r[i, j] * x else if i == v then r[i, j] - 1 else r[i, j])", "x", 0, true},
	{"p", "build p (\\i -> if i < w then r[i] * x else if v < i then r[i] - x else r[i])", "x", 0, true},
	{"p", "build p (\\i -> if i == w then r[v] else if i == v then r[w] else r[i])", "x", 0, true},
	{"p", "let y = sin (r[w] + r[v]) in build p (\\i -> if i == w then r[w] + y else if i == v then r[v] - y else r[i])", "x", 0, true},
	{"p", "build p (\\i -> if i == w || i == v then r[v] * x else r[i])", "r[w]", 0, true},
	{"p", "build p (\\i -> if i != w && i != v then r[i] else r[i] * x)", "r[w]", 0, true},
	{"q, p", "build [q, p] (\\[i, j] -> if i == w && j == v || i == v && j == w then r[i, j] * x else r[i, j])", "r[w, v]", 0, true},
	{"p", "build p (\\i -> if i == w then x else if i == v then r[i] else x * r[i])", "x", 0, false},
	{"p", "build p (\\i -> if i == w then x else if i == v then 2 * x else if i == v + 1 then 3 * x else if i == w + 2 then x * x else if i == 3 then r[i] - 1 else r[i])", "x", 0, false},
	// Both.
	{"p", "scatter [p] (x * r[w]) (\\[] -> [v]) + build p (\\i -> if i == w then 0 else r[i])", "x", 1, false},
	{"p", "scatter [p] x (\\[] -> [w]) + build p (\\i -> r[i] * 0.5)", "x", 0, false},
	{"p", "scatter [p] [x, r[v]] (\\[k] -> [if k == 0 then v else w]) + build p (\\i -> if i != w && i != v then r[i] else 0)", "x", 1, false},
	{"p, q", "let m = build [p, q] (\\[i, j] -> i == w && j == v) in scatter [p, q] (x * sum (sum (where m r 0))) (\\[] -> [v, w]) + where m 0 r", "x", 1, true},
	{"p", "scatter [p] x (\\[] -> [w]) + build p (\\i -> (if i != w && i == v then r[i] else 0) + (if i != w && i != v then r[i] else 0))", "x", 1, false},
	{"p", "scatter [p] x (\\[] -> [w]) + build p (\\i -> (if i == v then r[i] else 0) + (if i != w && i != v then r[i] else 0))", "r[w]", 1, false},
	{"p", "scatter [p] x (\\[] -> [w]) + build p (\\i -> (if i == v then r[i] else 0) + (if i != w then r[i] else 0))", "r[w]", 0, false},
	{"p", "build p (\\i -> if i == 0 then 0 else if i == i mod 5 then r[0] * r[i] else r[i]) + scatter [p] (build 2 (\\k -> r[k])) (\\k -> [k])", "x", 1, false},
	// What is taken away.
	{"p", "r - scatter [p] x (\\[] -> [w])", "x", 1, false},
	{"p", "r + scatter [p] x (\\[] -> [w]) - scatter [p] (x * r[w]) (\\[] -> [v])", "x", 1, false},
	{"p", "(if w < v then x else 0) * r - scatter [p] x (\\[] -> [w])", "x", 0, false},
	// Sums that are used in another way.
	{"p", "let s = scatter [p] x (\\[] -> [w]) in r + s * s", "x", 0, false},
	{"p", "let s = scatter [p] x (\\[] -> [w]) in (r + s) * real w", "x", 0, false},
	// Triangles.
	{"p, p", "build [p, p] (\\[i, j] -> if j == w then x - sum (build p (\\k -> if k < w then r[i, k] * r[j, k] else 0)) else r[i, j])", "x", 0, true},
}

// TestUpdateProfile: the time of sums is in that of the kernel that adds them.
func TestUpdateProfile(t *testing.T) {
	p := kerneltest.Program(t, "def f(r: R[9], w: I[40], x: R[40]): R[9] = fold (\\r (w, x) -> r + scatter [9] (sin x * r[w]) (\\[] -> [w])) r (w, x)")
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, exact := range []bool{true, false} {
		m, profile, err := machine.CompileProfiled(k, &machine.Native{Exact: exact}, true)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Run(kerneltest.Values(t, p, 1)); err != nil {
			t.Fatal(err)
		}
		loop := k.Kernels[len(k.Kernels)-1]
		step := loop.Steps.Step.Kernels
		sums, adds := profile.Runs[step[0]], profile.Runs[step[len(step)-1]]
		if want := map[bool]int{true: 40, false: 0}[exact]; sums != want || adds != 40 || profile.Runs[loop] != 1 || profile.Times[loop] < profile.Times[step[len(step)-1]] {
			t.Errorf("exact %v: %d and %d runs\n%s", exact, sums, adds, k)
		}
	}
}

// TestUpdates: what steps change of a state where it lies is what the evaluator has.
func TestUpdates(t *testing.T) {
	var text strings.Builder
	for n, u := range updates {
		fmt.Fprintf(&text, "def f%d[n, p, q](a: R[%[2]s], w: I[n], v: I[n], x: R[n], z: R[q]): (R[%[2]s], R) = let b = fold (\\(r, t) (w, v, x) -> (%[3]s, t * 0.5 + %[4]s)) (a, z[0]) (w, v, x) in (b.0, b.1)\n", n, u.shape, u.step, u.use)
	}
	n := 0
	kerneltest.EachLowered(t, text.String(), []map[string]int64{{"n": 60, "p": 5, "q": 7}, {"n": 1, "p": 1, "q": 1}, {"n": 40, "p": 33, "q": 20}, {"n": 3, "p": 0, "q": 1}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["p"], append(kerneltest.Ways, kerneltest.TwoThreads))
		u := updates[n/4]
		if n++; size["p"] < 25 { // fewer numbers may be in registers
			return
		}
		if fewer := Fewer(k); fewer != u.fewer {
			t.Errorf("%s: %d kernels less\n%s", u.step, fewer, k)
		}
		if only := strings.Contains(k.String(), ", only "); only != u.only {
			t.Errorf("%s: runs are left out: %v\n%s", u.step, only, k)
		}
	})
}

// TestUpdateBoth: what changes few elements of two parts of a state changes both where they lie.
func TestUpdateBoth(t *testing.T) {
	const text = `def f[n](a: R[30], b: R[30], w: I[n], x: R[n]): (R[30], R[30]) =
  fold (\(r, s) (w, x) -> (r + scatter [30] (x * s[w]) (\[] -> [w]), s + scatter [30] (x + r[w]) (\[] -> [w + 1]))) (a, b) (w, x)`
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 50}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways, kerneltest.TwoThreads))
		if Fewer(k) < 2 {
			t.Errorf("all of a part is computed anew\n%s", k)
		}
	})
}

// TestUpdateRows: short rows are changed where they lie, though the sums that are added to them could
// be in another order, or be made by loops of other sums.
func TestUpdateRows(t *testing.T) {
	const text = `def same[n](a: R[30, 3], z: R[3], w: I[n], v: I[n]): R[30, 3] =
  fold (\r (w, v) -> (let d = r[v] - r[w] in r + scatter [30] [d, -d] (\[k] -> [if k == 0 then w else v]))) a (w, v)
def away[n](a: R[30, 3], z: R[3], w: I[n], v: I[n]): R[30, 3] =
  fold (\r (w, v) -> (let d = 0.5 * (r[v] - r[w]) in r + scatter [30] d (\[] -> [w]) - scatter [30] d (\[] -> [v]))) a (w, v)
def beside[n](a: R[30, 3], z: R[3], w: I[n], v: I[n]): (R[30, 3], R[3], R[n]) =
  mapAccum (\(r, y) (w, v) -> (let d = tanh (y * r[w]) in ((r + scatter [30] (sin d) (\[] -> [v]), y + d), sum d))) (a, z) (w, v)`
	kerneltest.EachLowered(t, strings.Replace(text, "(R[30, 3], R[3], R[n])", "((R[30, 3], R[3]), R[n])", 1), []map[string]int64{{"n": 50}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways, kerneltest.TwoThreads))
		if Fewer(k) < 1 {
			t.Errorf("%s: all rows are computed anew\n%s", p.Name, k)
		}
	})
}

// TestUnchanged: where a step leaves the state as it is, what it would be made of is there
// nevertheless, as all of it is stored.
func TestUnchanged(t *testing.T) {
	const text = `
def f[n, p, q](m: R[p, q], w: I[n], x: R[n]): R[p, q] = (iterate n (\(c, s) -> (c + 1, build [p, q] (\i j -> s[i, j] + (if j + c == w[c] || c != j then 0 else x[c])))) (0, m)).1
def g[n, p, q](m: R[p, q], w: I[n], x: R[n]): R[p, q] = (iterate n (\(c, s) -> (c + 1, build [p, q] (\i j -> (if j == c then sin x[c] else 0) + s[i, j] * (if c < j then 1 else 0.5)))) (0, m)).1`
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 4, "p": 3, "q": 1}, {"n": 9, "p": 20, "q": 5}, {"n": 2, "p": 3, "q": 1}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways, kerneltest.TwoThreads))
	})
}

// TestUpdateGradients: what gradients of steps that change a state at several places have where the
// states lie: values of one place are not those of another one, and what is added is there in all runs of a loop.
func TestUpdateGradients(t *testing.T) {
	const text = `
def added[p, n](a: R[p, p], w: I[n], v: I[n], x: R[n]): R =
  sumsq (flat (fold (\r (w, v, x) -> scatter [p, p] (build p (\k -> x * r[k, w])) (\[k] -> [k, k])
    + build [p, p] (\[i, j] -> if j == w - j then (if j < i + w then 0.5 + tanh r[w, j] else if j < w + 1 then r[v, i] - 0.5 else r[i, j]) else x + 0.5)) a (iota n, v, x)))
def threePlaces[p, n](a: R[p, p], w: I[n], v: I[n], x: R[n]): R =
  sumsq (flat (fold (\r (w, v, x) -> build [p, p] (\[i, j] -> if (i != i + w && j <= v - w) && i == w - j then r[w mod 3, w] + tanh r[i, j]
    else if j == v then r[w, j] - tanh r[i, j - 1] else if i > w + 1 then 0.5 + r[p - 1 - w, w mod 3] else r[i, j])) a (iota n, v, x)))
def either[p, n](a: R[p, p], w: I[n], v: I[n], x: R[n]): R =
  sumsq (flat (fold (\r (w, v, x) -> build [p, p] (\[i, j] -> if ((j != w + 1 && j == w - j) || j == i + w) && i != w + 1 then r[i, w] - 0.5 else r[i, j])) a (iota n, v, x)))`
	kerneltest.EachGradient(t, text, []map[string]int64{{"n": 12, "p": 33}, {"n": 25, "p": 19}, {"n": 4, "p": 3}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["p"], append(kerneltest.Ways, kerneltest.TwoThreads))
	})
}

// TestUpdateLoops: what a kernel that changes a state takes from several loops are loops of their
// own, of which one may go by rows and another not.
func TestUpdateLoops(t *testing.T) {
	const text = `
def sent[n](r: R[33, 3], x: R[n]): R = sum (build 3 (\o -> sumsq (flat (iterate (o + 1) (\s -> s - scatter [33, 3] (build 2 (\k -> s[k + k, k + k] * x[o])) (\k -> [k, k])) r))))
def put[n](r: R[33, 33], x: R[n]): R =
  sum (build 3 (\o -> sumsq (flat (iterate (o + 1) (\s -> build [33, 33] (\i j ->
    if j == i + j then tanh (sum (build 33 (\h -> if h == o then s[j, h] else 0))) else if i mod 5 == j then sin s[i, j] * x[o] else s[i, j])) r))))
`
	kerneltest.EachGradient(t, text, []map[string]int64{{"n": 3}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, 1, append(kerneltest.Ways, kerneltest.TwoThreads))
	})
}

// Fewer is how many kernels less the steps of a program's loops have if they change states
// where they lie.
func Fewer(p *kernel.Program) (n int) {
	for _, k := range p.Kernels {
		if k.Steps != nil {
			n += len(k.Steps.Step.Kernels) - len(inplace.UpdatedStep(k.Steps).Kernels)
		}
	}
	return n
}
