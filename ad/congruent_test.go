package ad

import (
	"slices"
	"testing"

	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel/machine"
	"egad/term"
	"egad/term/eval"
)

// TestCongruent: sums of what is chosen by a remainder are sums over what is chosen, whatever the lengths are,
// and have the gradients of those that are written so.
func TestCongruent(t *testing.T) {
	for _, c := range []struct {
		what, text, otherwise string
		none                  bool // there is nothing to choose by a remainder
	}{
		{"a modulus far from the length", `
def f(x: R[800]): R = let s = sum (build 800 (\i -> if i mod 365 == 0 then x[i] * x[i] else 0)) in s * s`, `
def f(x: R[800]): R = let s = x[0] * x[0] + x[365] * x[365] + x[730] * x[730] in s * s`, false},
		{"a modulus beyond the length", `
def f(x: R[50]): R = sumsq (build 9 (\k -> sum (build 50 (\i -> if (k - i) mod 64 == 60 then x[i] else 0))))`, `
def f(x: R[50]): R = sumsq (build 9 (\k -> x[k + 4]))`, false},
		{"a remainder that there is not", `
def f(x: R[210]): R = sum x + sum (build 210 (\i -> if i mod 200 == 300 then x[i] else 0))`, `
def f(x: R[210]): R = sum x`, false},
		{"a transposed convolution", `
def f(x: R[20], w: R[5]): R = sumsq (build 44 (\u -> sum (build 5 (\k -> if (u - k) mod 2 == 0 then x[(u - k) div 2] * w[k] else 0))))`, `
def f(x: R[20], w: R[5]): R =
  sumsq (scatter [44] (build [20, 5] (\[i, k] -> x[i] * w[k])) (\[i, k] -> [2 * i + k]))`, false},
		{"quotients of a difference", `
def f(x: R[6]): R = sum (build 6 (\i -> x[(6 - i) div 2] * real ((6 - i) div 2)))`, `
def f(x: R[6]): R = 3 * x[3] + 2 * x[2] + 2 * x[2] + x[1] + x[1]`, true},
		{"a sum up to a quotient", `
def f(x: R[6]): R = sumsq (build 6 (\i -> sum (build 6 (\j -> if j < (6 - i) div 2 then x[j] else 0))))`, `
def f(x: R[6]): R = let a = x[0] in let b = a + x[1] in let c = b + x[2] in c * c + 2 * (b * b) + 2 * (a * a)`, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			gradient := func(text string) (*term.Program, []Stage) {
				lib, p := defs.Last(t, text)
				g, err := Grad(lib, p, Options{})
				if err != nil {
					t.Fatal(err)
				}
				return g.Program, g.Stages
			}
			p, stages := gradient(c.text)
			q, _ := gradient(c.otherwise)
			if slices.ContainsFunc(stages, func(s Stage) bool { return s.Name == "congruent" }) == c.none {
				t.Error("the stage congruent is there:", !c.none)
			}
			env := defs.Inputs(t, p, func() float64 { return 3 }, func() int64 { return 0 })
			for _, v := range env {
				for i := range v.R {
					v.R[i] = float64(i%7 - 3)
				}
			}
			want, err := eval.InterpretStaged(q.Store, q.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			for _, native := range []*machine.Native{nil, {}, {Exact: true}} {
				m, err := fusion.Prepare(nil, p, nil, native)
				if err != nil {
					t.Fatal(err)
				}
				got, err := m.Run(env)
				if err != nil {
					t.Fatal(err)
				}
				if !defs.Near(want, got, 1e-12) {
					t.Errorf("%v, want %v", got, want)
				}
			}
		})
	}
}
