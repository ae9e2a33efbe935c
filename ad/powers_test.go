package ad

import (
	"math"
	"testing"

	"egad/internal/defs"
	"egad/term/eval"
)

// TestPowersOfExponentials: a power of an exponential is one exponential, and a number wherever the power is one:
// where a mask makes the exponential 0 too.
func TestPowersOfExponentials(t *testing.T) {
	all := [][]float64{{0.5, 1, 2, 2}, {0.5, 1, 2, 0.25}, {0.5, 1, 2, 0}, {0, 1, 2, 2}, {-3, 1, 2, -1}}
	for k, text := range []string{
		`def f(x: R[3], b: R): R = sum (build 3 (\i -> exp (if i < 2 then x[i] else -inf) ^ b))`,
		`def f(x: R[3], b: R): R = let w = exp (build 3 (\i -> if i < 2 then x[i] else -inf)) ^ b in sumsq (w / sum w)`,
		`def f(x: R[3], b: R): R = sum (exp (build 3 (\i -> log x[i])) ^ b)`,
		`def f(x: R[3], b: R): R = let u = exp (if x[0] < b then -inf else x[1]) in sum (build 3 (\i -> u ^ (b * x[i]))) + sum (flat (build [3, 2] (\i j -> u ^ (x[i] * b * real j))))`,
		`def f(x: R[3], b: R): R = let u = exp (if x[0] < b then -inf else x[1]) in fold (\s y -> u ^ (b * y) + 0.5 * s) 0 x`,
		`def f(x: R[3], b: R): R = let u = exp (if x[0] < b then inf else x[1]) in fold (\s y -> 1 / (1 + u ^ (b * y)) + 0.5 * s) 0 x`,
	} {
		lib, p := defs.Last(t, text)
		results := make(map[bool]*eval.Value[float64])
		inputs := all
		if k > 2 {
			inputs = all[:2] // 0 to a power that is not positive has no derivative
		}
		for _, in := range inputs {
			for _, exact := range []bool{false, true} {
				d, err := Grad(lib, p, Options{Exact: exact})
				if err != nil {
					t.Fatal(err)
				}
				n := 0
				env := defs.Inputs(t, p, func() float64 { n++; return in[n-1] }, nil)
				if results[exact], err = eval.Interpret(d.Program.Store, d.Program.Root, eval.FloatArrays(), env); err != nil {
					t.Fatal(err)
				}
			}
			var near func(a, b *eval.Value[float64])
			near = func(a, b *eval.Value[float64]) {
				for i, x := range b.Parts {
					near(a.Parts[i], x)
				}
				for i, x := range b.R {
					if !math.IsNaN(x) && a.R[i] != x && !(math.Abs(a.R[i]-x) <= 1e-12*(1+math.Abs(x))) {
						t.Errorf("%s at %v: %v, exactly %v", text, in, a.R, b.R)
					}
				}
			}
			near(results[false], results[true])
		}
	}
}
