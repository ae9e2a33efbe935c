package fusion_test

import (
	"math/rand"
	"testing"

	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel/kerneltest"
)

// TestLastOfEach: of a loop for each element of an array, of which the last state is read, no others are kept, so that
// they are not filled where there are fewer steps.
func TestLastOfEach(t *testing.T) {
	lib, m := defs.Read(t, `
def largest[m, d, z](x: R[z, d], ptr: I[m + 1]): R =
  sumsq (flat (build [m, d] (\i j -> (iterate (ptr[i + 1] - ptr[i]) (\(s, e) -> (max s x[e, j], e + 1)) (0, ptr[i])).0)))
def products[m, d, z](x: R[z, d], ptr: I[m + 1]): R[m] =
  build m (\i -> let (s, t, e) = iterate (ptr[i + 1] - ptr[i]) (\(s, t, e) -> (s * x[e, 0], t + s, e + 1)) (1, 0, ptr[i]) in s - t * real e)`)
	for _, name := range m.Defs() {
		p, err := m.Instantiate(name, map[string]int64{"m": 6, "d": 3, "z": 20})
		if err != nil {
			t.Fatal(err)
		}
		k, err := fusion.Lower(lib, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range k.Arrays {
			if a.Len() > 100 {
				t.Errorf("%s: all states are kept in %s\n%s", name, a.Name, k)
			}
		}
		run := kerneltest.Comparison(t, p, k, append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
		r := rand.New(rand.NewSource(1))
		for range 5 { // none and too few, and more than one round
			env := kerneltest.Values(t, p, 1)
			at := int64(0)
			for i := range env["ptr"].N {
				env["ptr"].N[i] = at
				at += []int64{0, 3, -2, 7, 600}[r.Intn(5)]
			}
			run(env)
		}
	}
}
