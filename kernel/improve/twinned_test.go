package improve_test

import (
	"math"
	"strings"
	"testing"

	"egad/fusion"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
	"egad/term"
)

// TestWaves: sines, cosines and tangents of one number are computed at once, be it as large as only the host can
// do, or no number.
func TestWaves(t *testing.T) {
	p := kerneltest.Program(t, `def f(x: R[40]): (R[40], R[40], R[40], R[40], R[40], R[40]) = (sin x, cos (neg x), tan x, sin (neg x), cos x, tan (neg x))`)
	m, err := fusion.Prepare(nil, p, nil, &machine.Native{})
	if err != nil {
		t.Fatal(err)
	}
	numbers := []float64{0, math.Copysign(0, -1), 1, -2, 3.1, -0.5, 1e-300, 5e-324, math.Pi, -math.Pi / 2, 1e5, -123456.7, 1e6, -1e22, 1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	env := kerneltest.Values(t, p, 1)
	for i := range env["x"].R {
		if i < len(numbers) {
			env["x"].R[i] = numbers[i]
		}
	}
	got, err := m.Run(env)
	if err != nil {
		t.Fatal(err)
	}
	neg := func(f func(float64) float64) func(float64) float64 { return func(x float64) float64 { return f(-x) } }
	for k, f := range []func(float64) float64{math.Sin, neg(math.Cos), math.Tan, neg(math.Sin), math.Cos, neg(math.Tan)} {
		for i, x := range env["x"].R {
			// Tangents of package math are some units off where they are large.
			want, got := f(x), got.Parts[k].R[i]
			if same := math.IsNaN(want) && math.IsNaN(got) || math.Abs(want-got) <= 2e-15*max(1, math.Abs(want)); !same || want == 0 && math.Signbit(want) != math.Signbit(got) {
				t.Errorf("function %d of %v: %v, want %v", k, x, got, want)
			}
		}
	}
}

// TestTwinned: of numbers that are kept for a function alone it is the function that is kept, if a twin of it is
// computed there, and no more often so.
func TestTwinned(t *testing.T) {
	const text = `
def waves[n](x: R[n, n], a: R[n]): (R[n], R[n, n]) = let z = build [n, n] (\[i, j] -> x[i, j] * a[j]) in let s = build n (\i -> sum (sin z[i])) in
	(s, build [n, n] (\[i, j] -> s[i] * cos z[i, j]))
def sides[n](x: R[n, n], a: R[n]): (R[n], R[n, n]) = let z = build [n, n] (\[i, j] -> x[i, j] * a[j]) in let s = build n (\i -> sum (softplus z[i])) in
	(s, build [n, n] (\[i, j] -> s[i] * sigmoid z[i, j]))
def also[n](x: R[n, n], a: R[n]): (R[n], R[n, n]) = let z = build [n, n] (\[i, j] -> x[i, j] * a[j]) in let s = build n (\i -> sum (sin z[i])) in
	(s, build [n, n] (\[i, j] -> s[i] * cos z[i, j] + z[i, j]))
def beyond[n](x: R[n, n], a: R[n]): (R[n], R[n, n]) = let z = build [n, n] (\[i, j] -> x[i, j] * a[j]) in
	(build n (\i -> sum (sin z[i])), build [n, n] (\[i, j] -> cos (index z [i - 1, j])))
def other[n](x: R[n, n], a: R[n]): (R[n], R[n, n]) = let z = build [n, n] (\[i, j] -> x[i, j] * a[j]) in let s = build n (\i -> sum (exp z[i])) in
	(s, build [n, n] (\[i, j] -> s[i] * cos z[i, j]))
def few[n](x: R[n, n], a: R[n]): (R[n], R) = let z = build [n, n] (\[i, j] -> x[i, j] * a[j]) in let s = build n (\i -> sum (sin z[i])) in
	(s, sum (build n (\i -> s[i] * cos z[i, 0])))
def slopes[n](x: R[n, n], a: R[n]): (R[n], R[n, n]) = let z = build [n, n] (\[i, j] -> x[i, j] * a[j]) in let s = build n (\i -> sum (sigmoid z[i])) in
	(s, build [n, n] (\[i, j] -> s[i] * sigmoid (neg z[i, j])))
def both[n](x: R[n, n], a: R[n]): (R[n], R[n, n]) = let z = build [n, n] (\[i, j] -> x[i, j] * a[j]) in let s = build n (\i -> sum (sigmoid z[i])) in
	(s, build [n, n] (\[i, j] -> s[i] * sigmoid (neg z[i, j]) + neg z[i, j]))
def steps[n](x: R[n, n], a: R[n]): R[n] = fold (\s r -> let z = s * r in let y = sum (sin z) in 0.01 * y * cos z) a x
`
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 0}, {"n": 1}, {"n": 40}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, 1, append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
		s := k.String()
		kept := strings.Contains(s, ":= cos v") || strings.Contains(s, ":= sigmoid v") || strings.Contains(s, ":= sigmoid (neg v")
		if want := p.Name == "waves" || p.Name == "sides" || p.Name == "slopes" || p.Name == "steps"; size["n"] == 40 && kept != want {
			t.Errorf("%s: a function is kept: %t\n%s", p.Name, kept, s)
		}
	})
}
