package fusion_test

import (
	"math/rand"
	"strings"
	"testing"

	"egad/ad"
	"egad/extract"
	"egad/fusion"
	"egad/internal/defs"
)

// TestFactored: a matrix is taken apart once for all systems with it or its transpose and for its
// determinant, once before a loop in which it stays the same, and not for one system alone.
func TestFactored(t *testing.T) {
	lib, m := defs.Read(t, `
def alone[n](a: R[n, n], b: R[n]): R = sumsq (solve a b)
def likely[n](a: R[n, n], b: R[n]): R = dot (solve a b) b + logdet (a + eye n) - logdet a
def all[k, n](a: R[k, n, n], b: R[k, n]): R = sum (build k (\i -> dot (solve a[i] b[i]) b[i] - logdet a[i]))
def steps[n](a: R[n, n], b: R[n]): R = sumsq (iterate 5 (\b -> solve a (sin b)) b)
def changed[n](a: R[n, n], b: R[n]): R = sumsq (iterate 3 (\b -> let c = a + diag b in solve c (solve (transpose c) b)) b)
`)
	for _, c := range []struct {
		name     string
		n        int64
		value    bool
		of, used int // matrices that are taken apart, and the uses of their factors
	}{
		{"alone", 20, true, 0, 0},
		{"alone", 20, false, 1, 2},
		{"alone", 3, false, 0, 0}, // which takes less time
		{"likely", 20, true, 1, 2},
		{"likely", 20, false, 2, 6},
		{"all", 20, true, 1, 2},
		{"all", 20, false, 1, 4},
		{"steps", 20, true, 1, 1},
		{"steps", 3, true, 0, 0},
		{"steps", 20, false, 1, 2},
		{"changed", 20, false, 1, 4}, // the loop on the way back finds what the other has kept
	} {
		sizes := map[string]int64{"n": c.n}
		if c.name == "all" {
			sizes["k"] = 4
		}
		p, err := m.Instantiate(c.name, sizes)
		if err != nil {
			t.Fatal(err)
		}
		if !c.value {
			d, err := ad.Grad(lib, p, ad.Options{})
			if err != nil {
				t.Fatal(err)
			}
			p = d.Program
		}
		if err := check(lib, p, defs.Inputs(t, p, rand.New(rand.NewSource(1)).NormFloat64, nil)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		q, err := fusion.Fuse(lib, p, nil, extract.How{})
		if err != nil {
			t.Fatal(err)
		}
		text := q.Text("f")
		of := strings.Count(text, "lu ")
		used := strings.Count(text, "lusolve ") + strings.Count(text, "lusolvet ") + strings.Count(text, "lulogdet ")
		if of != c.of || used != c.used {
			t.Errorf("%s, %d, value %v: %d matrices are taken apart and used %d times, want %d and %d:\n%s", c.name, c.n, c.value, of, used, c.of, c.used, text)
		}
	}
}
