package fusion_test

import (
	"math"
	"math/rand"
	"testing"

	"egad/ad"
	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel/machine"
	"egad/term"
)

// TestReordered: values are computed in another order where that saves much, and in that of the program
// where it does not, or where the result is no number in the other.
func TestReordered(t *testing.T) {
	lib, m := defs.Read(t, `
def spread[c, d, n](y: R[d, n, n], k: R[d, c, 4, 4]): R[c, 2 * n, 2 * n] =
  build c (\m -> scatter [2 * n, 2 * n] (build [d, n, n, 4, 4] (\o i j p q -> y[o, i, j] * k[o, m, p, q])) (\[o, i, j, p, q] -> [2 * i + p - 1, 2 * j + q - 1]))
def usual[c, d, n](y: R[d, n, n], k: R[d, c, 4, 4]): R = sum (flat (exp (y * 0.5))) + sum (flat k)
def decided[c, d, n](y: R[d, n, n], k: R[d, c, 4, 4]): R = scatter [] k[0, 0, if 3 == 3 then 1 else 0] (\[i] -> [])
def few[c, d, n](y: R[d, n, n], k: R[d, c, 4, 4]): R = sumsq (k[0, 0, 0])
`)
	for name, want := range map[string]bool{"spread": true, "usual": false, "few": false, "decided": false} {
		p, err := m.Instantiate(name, map[string]int64{"c": 3, "d": 12, "n": 24})
		if err != nil {
			t.Fatal(err)
		}
		value := ad.Value(lib, p, ad.Options{})
		if _, err := value.ReorderedProgram(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		k, otherwise, err := fusion.Either(lib, p, value, nil)
		if err != nil || (otherwise != nil) != want {
			t.Fatalf("%s: another order is %v, %v\n%s", name, otherwise != nil, err, k)
		}
		if want && k.Time() >= otherwise.Time() {
			t.Errorf("%s: about %v, and %v as it is written", name, k.Time(), otherwise.Time())
		}
		mach, err := fusion.PrepareEither(lib, p, value, nil, new(machine.Native))
		if err != nil {
			t.Fatal(err)
		}
		env := defs.Inputs(t, p, rand.New(rand.NewSource(1)).NormFloat64, nil)
		for _, x := range []float64{0, math.Inf(1), math.NaN(), 1e308} {
			env["y"].R[7], env["y"].R[24*24+7] = x, -x
			want, err := term.InterpretStaged(p.Store, p.Root, term.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			got, err := mach.Run(env)
			if err != nil {
				t.Fatal(err)
			}
			if !defs.Near(want, got, 1e-12) {
				t.Fatalf("%s, with %v: %v, and in another order %v", name, x, want, got)
			}
		}
	}
}
