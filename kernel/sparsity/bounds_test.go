package sparsity_test

import (
	"slices"
	"strings"
	"testing"

	"egad/fusion"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
	"egad/term"
)

// TestBounds: runs of loops that add 0, or make what nobody reads, need not be done.
func TestBounds(t *testing.T) {
	for _, test := range []struct {
		text string
		only []string // of the loops, in order
	}{
		{`def f(a: R[9, 9], x: R[9]): R[9] = let l = build [9, 9] (\[i, j] -> if j < i then a[i, j] + 1 else 0) in
			build 9 (\i -> sum (build 9 (\j -> l[i, j] * x[j])) + sum (build 9 (\j -> l[j, i] * x[j])))`,
			[]string{"fold i < 9, only i < j", "fold j < 9, only i < j"}},
		// Sums that need other runs are not made together.
		{`def f(a: R[90, 90], x: R[90, 40], y: R[90, 40]): (R[90, 40], R[90, 40]) =
			(build [90, 40] (\[i, j] -> sum (build 90 (\k -> if k <= i then a[i, k] * x[k, j] else 0))),
			build [90, 40] (\[i, j] -> sum (build 90 (\k -> if i <= k then a[k, i] * y[k, j] else 0))))`,
			[]string{"fold k < 90, only k < i + 1", "fold k < 90, only i < k + 1"}},
		{`def f(a: R[9, 9], x: R[9]): R[9] =
			build 9 (\i -> sum (build 9 (\j -> if j <= i && i <= j + 2 then a[i, j] * exp x[j] else 0)))`,
			[]string{"fold j < 9, only i < j + 3 and j < i + 1"}},
		{`def f(x: R[9, 100]): R[9, 9] = let s = build [9, 9] (\[i, j] -> sum (build 100 (\k -> x[i, k] * x[j, k]))) in
			build [9, 9] (\[i, j] -> if i < j then 2 * s[i, j] else real (i + j))`,
			[]string{"fold k < 100, only i < j"}},
		{`def f(x: R[9, 100]): R[9] = let s = build [9, 9] (\[i, j] -> sum (build 100 (\k -> x[i, k] * x[j, k]))) in
			let w = build [9, 9] (\[i, j] -> if i < j then exp s[i, j] else 0) in build 9 (\i -> maximum w[i] + minimum w[i])`,
			[]string{"for j < 9, only i < j"}},
		// Of two conditions of which one holds the weaker one does.
		{`def f(d: R[9], e: R[9], x: R[9]): R[9] =
			build 9 (\i -> sum (build 9 (\j -> (if i == j then d[i] else if i == j + 1 then e[j] else if j == i + 2 then e[i] else 0) * x[j])))`,
			[]string{"fold j < 9, only i < j + 2 and j < i + 3"}},
		// What is out of range is 0, which is added as often as elements are there; but 0 times an infinity is no number.
		{`def f(x: R[20, 20, 15, 15]): R[34, 34] =
			build [34, 34] (\[i, j] -> sum (build 15 (\q -> sum (build 15 (\p -> index x [i - q, j - p, q, p])))))`,
			[]string{"fold q < 15, only q < i + 1 and i < q + 20", "fold p < 15, only p < j + 1 and j < p + 20"}},
		{`def f(x: R[20, 15], y: R[20, 15]): R[34] =
			build 34 (\i -> sum (build 15 (\p -> index x [i - p, p] - (if p < 9 then index y [i - p, 3] else 0))))`,
			[]string{"fold p < 15, only p < i + 1 and i < p + 20"}},
		{`def f(x: R[20, 15], w: R[15]): R[34] = build 34 (\i -> sum (build 15 (\p -> w[p] * index x [i - p, p])))`, nil},
		// Few places are in a copy with zeros around.
		{`def f(x: R[50, 50]): R[50, 50] =
			build [50, 50] (\[i, j] -> sum (build 5 (\q -> sum (build 5 (\p -> index x [i + q - 2, j + p - 2])))))`, nil},
		// Nor need outer loops make what nobody reads.
		{`def f(x: R[90, 90], z: R[90, 20]): (R[90, 20], R[90, 20]) = let s = build [90, 90] (\[i, j] -> exp x[i, j]) in
			(build [90, 20] (\[j, k] -> sum (build 90 (\i -> if i + 60 < j then s[i, j] * z[i, k] else 0))),
			build [90, 20] (\[i, k] -> sum (build 90 (\j -> if i + 60 < j then s[i, j] * exp z[j, k] else 0))))`,
			[]string{"for i < 90, only i < 29", "for j < 90, only i < j - 60", "fold j < 90, only j < i - 60", "fold j < 90, only i < j - 60"}},
		{`def f(x: R[9, 100]): (R[9, 9], R[9, 9]) = let s = build [9, 9] (\[i, j] -> sum (build 100 (\k -> x[i, k] * x[j, k]))) in
			(build [9, 9] (\[i, j] -> if i < j then 2 * s[i, j] else 0), s)`,
			nil},
		{`def f(a: R[9, 9], x: R[9]): R[9] = let l = build [9, 9] (\[i, j] -> if j < i then a[i, j] else 0) in
			build 9 (\i -> maximum (build 9 (\j -> l[i, j] * x[j])))`,
			nil},
		{`def f(a: R[9, 9], x: R[9]): R[9] = let l = build [9, 9] (\[i, j] -> if j < i then a[i, j] else 0) in
			build 9 (\i -> sum (build 9 (\j -> l[i, j] + x[j])))`,
			nil},
	} {
		if only := onlyIn(t, test.text); !slices.Equal(only, test.only) {
			t.Errorf("%s\n%s", test.text, strings.Join(only, "\n"))
		}
	}
}

// onlyIn lists the loops of a program that need not do all runs, of which machine code, exact and not, makes what the
// evaluator does, whatever there was in memory before.
func onlyIn(t *testing.T, text string) (only []string) {
	t.Helper()
	p := kerneltest.Program(t, text)
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(k.String()) {
		if strings.Contains(line, ", only ") {
			only = append(only, strings.TrimSpace(line))
		}
	}
	env := kerneltest.Values(t, p, 1)
	want, err := fusion.Run(p, env)
	if err != nil {
		t.Fatal(err)
	}
	for _, exact := range []bool{false, true} {
		m, err := fusion.Prepare(nil, p, nil, &machine.Native{Exact: exact})
		if err != nil {
			t.Fatal(err)
		}
		kerneltest.Litter(t, m)
		if got, err := m.Run(env); err != nil || !kerneltest.Near(want, got) {
			t.Errorf("%s\n%v, want %v, %v\n%s", text, got, want, err, k)
		}
	}
	return only
}

// TestCountBounds: a loop that counts beside a sum need do but the runs in which there may be anything.
func TestCountBounds(t *testing.T) {
	const text = `def f[n](w: I, a: R[n]): (I, R) = let m = build n (\i -> i == w) in (sum (where m (replicate n 1) (replicate n 0)), sum (where m a (replicate n 0)))
def g[n](w: I, a: I[n]): I = sum (build n (\i -> if i <= w then -a[i] else 0))`
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 0}, {"n": 40}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways, kerneltest.TwoThreads))
		if s := k.String(); size["n"] > 0 && strings.Count(s, ", only ") != strings.Count(s, "fold ") {
			t.Errorf("%s: all is counted\n%s", p.Name, s)
		}
	})
}
