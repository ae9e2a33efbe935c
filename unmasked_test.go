package egad_test

import (
	"math"
	"slices"
	"testing"

	"egad"
)

// TestUnmasked: machine code leaves out masks, and where that comes to NaN it does what the
// evaluator does.
func TestUnmasked(t *testing.T) {
	const text = `def conv[n](w: R[3], x: R[n]): R[n] = build n (\i -> sum (build 3 (\k -> w[k] * x[i + k - 1])))
def loss[n](w: R[3], v: R[3], x: R[n], y: R[n]): R = sumsq (relu (conv v (relu (conv w x))) - y)`
	want, got := compiled(t, text, ""), compiled(t, text, "", egad.Native())
	for _, x := range [][]float64{{1, 2, -3, 4, -5, 6, -7}, {1, 2, -3, math.Inf(1), -5, 6, -7}, {1, 2, -3, 4, -5, 6, math.NaN()}, {math.Inf(-1), 2, 0, 0, 0, 0, 0}} {
		for _, v := range [][]float64{{1, -2, 3}, {-1, -2, -3}, {math.Inf(-1), 0.5, -1}, {-1, math.Inf(-1), -1}} {
			in := egad.In{"w": []float64{0.5, -1, 2}, "v": v, "x": x, "y": []float64{1, 0, 2, 0, 3, 0, 4}}
			var a, b [4][]float64
			into := func(g *[4][]float64) egad.Into {
				return egad.Into{"w": &g[0], "v": &g[1], "x": &g[2], "y": &g[3]}
			}
			va, err := want.GradInto(into(&a), in)
			if err != nil {
				t.Fatal(err)
			}
			vb, err := got.GradInto(into(&b), in)
			if err != nil {
				t.Fatal(err)
			}
			near := func(x, y float64) bool {
				return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= 1e-9*math.Abs(x)
			}
			for i := range a {
				if !near(va, vb) || !slices.EqualFunc(a[i], b[i], near) {
					t.Errorf("x %v, v %v: %g, %v by machine code, and %g, %v", x, v, vb, b[i], va, a[i])
				}
			}
		}
	}
}
