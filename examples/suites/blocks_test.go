package suites

import (
	"math/rand"
	"testing"

	"egad"
)

// TestBundleBlocks: of 1,000 observations, the Jacobian of bundle adjustment is 31 numbers
// each, and its product with a cotangent is that of reverse mode.
func TestBundleBlocks(t *testing.T) {
	const cameras, points, observations = 49, 200, 1000
	rng := rand.New(rand.NewSource(6))
	numbers := func(n int, from, to float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = from + (to-from)*rng.Float64()
		}
		return out
	}
	cams := numbers(cameras*11, -0.5, 0.5)
	for i := range cameras {
		cams[11*i+5], cams[11*i+6] = -5-rng.Float64(), 400+200*rng.Float64() // looking at the points, from afar
	}
	obs := make([][]int, observations)
	for i := range obs {
		obs[i] = []int{i % cameras, i % points}
	}
	in := egad.In{
		"cams": egad.Matrix(cams, cameras, 11), "points": egad.Matrix(numbers(points*3, -1, 1), points, 3),
		"w": numbers(observations, 0.5, 1), "obs": obs, "seen": egad.Matrix(numbers(observations*2, -100, 100), observations, 2),
	}
	f, err := egad.CompileFile("ba.egad", "errors", egad.Wrt("cams", "points", "w"))
	if err != nil {
		t.Fatal(err)
	}
	_, j, err := f.JacobianBlocks(in)
	if err != nil {
		t.Fatal(err)
	}
	ct := []*egad.Value{egad.Matrix(numbers(2*observations, -1, 1), observations, 2), egad.Array(numbers(observations, -1, 1), observations)}
	_, want, err := f.VJP(in, []any{ct[0], ct[1]})
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string][]float64)
	for name, v := range want.All() {
		got[name] = make([]float64, len(v.R))
	}
	count := 0
	for i := range j.Blocks {
		b := &j.Blocks[i]
		count += len(b.Values.R)
		b.Each(func(row, col int, x float64) { got[b.By][col] += ct[b.Of[0]].R[row] * x })
	}
	if count != 31*observations {
		t.Errorf("%d numbers for %d observations, wanted 31 each", count, observations)
	}
	for name, v := range want.All() {
		if d := distance(got[name], v.R); !(d <= 1e-12) {
			t.Errorf("the product by %s is wrong by %.2g", name, d)
		}
	}
}
