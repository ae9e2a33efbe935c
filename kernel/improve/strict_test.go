package improve_test

import (
	"strings"
	"testing"

	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
)

// TestStrict: where a factor is 0 the other factors need not be made, if sums leave the products out,
// whatever there was in memory before.
func TestStrict(t *testing.T) {
	for text, only := range map[string]int{
		// w is made where l is not 0.
		`def f(a: R[40], b: R[40]): (R[40], R[40]) = let l = build [40, 40] (\[i, j] -> if i < j then exp (a[i] * a[j]) else 0) in
			let w = build [40, 40] (\[i, j] -> exp (b[i] - b[j])) in
			(build 40 (\i -> sum (build 40 (\j -> l[i, j] * w[i, j]))), build 40 (\i -> sum (build 40 (\j -> (if j < i then a[j] else 0) * w[j, i]))))`: 2,
		// What is counted there has the same runs.
		`def f(a: R[40], b: R[40]): (R[40], R[40], I[40]) = let l = build [40, 40] (\[i, j] -> if i < j then exp (a[i] * a[j]) else 0) in
			let w = build [40, 40] (\[i, j] -> exp (b[i] - b[j])) in
			(build 40 (\i -> sum (build 40 (\j -> l[i, j] * w[i, j]))), build 40 (\i -> sum (build 40 (\j -> (if j < i then a[j] else 0) * w[j, i]))),
			build 40 (\i -> sum (build 40 (\j -> if i < j && 1 < l[i, j] then 1 else 0))))`: 2,
		// There may be loops of steps beside.
		`def f(a: R[40], b: R[40]): (R[40], R[40]) = let c = iterate 3 (\c -> build 40 (\i -> sum (tanh (c[i] * b)))) b in
			let l = build [40, 40] (\[i, j] -> if i < j then exp (a[i] * c[j]) else 0) in
			let w = build [40, 40] (\[i, j] -> exp (c[i] - b[j])) in
			(build 40 (\i -> sum (build 40 (\j -> l[i, j] * w[i, j]))), build 40 (\i -> sum (build 40 (\j -> (if j < i then a[j] else 0) * w[j, i]))))`: 2,
		// The sum of all w needs all.
		`def f(a: R[40], b: R[40]): (R[40], R[40]) = let l = build [40, 40] (\[i, j] -> if i < j then exp (a[i] * a[j]) else 0) in
			let w = build [40, 40] (\[i, j] -> exp (b[i] - b[j])) in
			(build 40 (\i -> sum (build 40 (\j -> l[i, j] * w[i, j]))), build 40 (\i -> sum (build 40 (\j -> w[j, i]))))`: 1,
	} {
		p := kerneltest.Program(t, text)
		k, err := fusion.Lower(nil, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(k.String(), ", only "); got != only {
			t.Errorf("%d loops need not do all runs, not %d\n%s", got, only, k)
		}
		env := kerneltest.Values(t, p, 1)
		want, err := fusion.Run(p, env)
		if err != nil {
			t.Fatal(err)
		}
		m, err := fusion.Prepare(nil, p, nil, &machine.Native{})
		if err != nil {
			t.Fatal(err)
		}
		kerneltest.Litter(t, m)
		if got, err := m.Run(env); err != nil || !kerneltest.Near(want, got) {
			t.Errorf("%s\n%v, want %v, %v\n%s", text, got, want, err, k)
		}
	}
}

// TestStrictExtrema: a minimum in a loop whose sums leave runs out has nothing to do with 0 there.
func TestStrictExtrema(t *testing.T) {
	lib, p := defs.Last(t, `
def f(q: I[40], x: R[40], a: R[40, 40]): R =
  let b = build [40, 40] (\i l -> if l <= i && q[i] <= l then a[l, i] else 0) in
  let y = build 40 (\i -> (x[i] + sum (build 40 (\l -> if l <= i && q[i] <= l then 2 + x[l] else 0))) * sum (build 40 (\l -> b[l, i] * b[i, l]))) in
  let z = build 40 (\i -> minimum (build 40 (\l -> if l <= i then a[i, l] + b[l, i] else inf))) in
  sum (y * x) + sum (z * x)`)
	p, k := kerneltest.Gradient(t, lib, p)
	kerneltest.CompareWays(t, p, k, 1, kerneltest.Ways)
}
