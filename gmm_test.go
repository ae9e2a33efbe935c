package egad_test

import (
	"testing"

	"egad"
	"egad/ad"
	"egad/fusion"
)

// TestGMMBlocks: the gradient of a mixture of Gaussians goes through its points block by block: no
// array has an element for each point, component and dimension.
func TestGMMBlocks(t *testing.T) {
	m, err := egad.Load("examples/gmm/gmm.egad")
	if err != nil {
		t.Fatal(err)
	}
	n, k, d := int64(1000), int64(50), int64(20)
	p, err := m.Instantiate("gmm", map[string]int64{"N": n, "K": k, "D": d, "L": d * (d + 1) / 2})
	if err != nil {
		t.Fatal(err)
	}
	g, err := m.Grad(p, ad.Options{Wrt: []string{"alpha", "mu", "icf"}})
	if err != nil {
		t.Fatal(err)
	}
	kernels, err := fusion.Lower(m.Rules(), g.Program, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range kernels.Arrays {
		if int64(a.Len()) >= n*k*d {
			t.Errorf("%s has %d elements\n%s", a.Name, a.Len(), kernels)
		}
	}
}
