package chad

import (
	"slices"
	"sync"
	"testing"

	"egad/fun"
	"egad/rules/load"
	"egad/term"
)

var operators = sync.OnceValues(func() (*Derivatives, error) {
	lib, err := load.Builtin(term.NewSignature())
	return NewDerivatives(lib), err
})

func library(t testing.TB) *Derivatives {
	t.Helper()
	ops, err := operators()
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

// TestT1GoldenCosts: what the formal cost model of 002 counts.
func TestT1GoldenCosts(t *testing.T) {
	lib := library(t)
	for _, c := range []struct {
		name                               string
		p                                  *fun.Program
		primal, left1, left2, right2, grad int64
	}{
		{"x", scalar(v(0), "x"), 1, 7, 17, 41, 1},
		{"x * x", scalar(mul(v(0), v(0)), "x"), 4, 70, 80, 134, 2},
		{"1 let", chain(1), 6, 0, 115, 0, 2},
		{"2 lets", chain(2), 11, 0, 213, 0, 4},
		{"5 lets", chain(5), 26, 0, 507, 0, 32},
		{"10 lets", chain(10), 51, 0, 997, 0, 1024},
	} {
		d, err := Find("chad").Transform(lib, c.p)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if err := d.Check(); err != nil {
			t.Error(c.name, err)
		}
		grad, m, err := d.Gradient([]fun.Value{1.0}, []float64{1}, Options{Affine: true})
		if err != nil {
			t.Fatal(c.name, err)
		}
		whole, err := d.Whole([]fun.Value{1.0}, 1.0, Options{})
		if err != nil {
			t.Fatal(c.name, err)
		}
		left, right := m.Theorem1()
		if m.Primal != c.primal || c.left1 != 0 && left != c.left1 || whole != c.left2 || c.right2 != 0 && m.Theorem2() != c.right2 {
			t.Errorf("%s: cost %d, TH1 %d ≤ %d, TH2 %d ≤ %d; want %+v", c.name, m.Primal, left, right, whole, m.Theorem2(), c)
		}
		for _, r := range Routes {
			d, err := r.Transform(lib, c.p)
			if err != nil {
				t.Fatal(c.name, err)
			}
			if err := d.Check(); err != nil {
				t.Error(c.name, r.Name, err)
			}
			g, _, err := d.Gradient([]fun.Value{1.0}, []float64{1}, Options{Affine: true})
			if err != nil || !slices.Equal(g, grad) || g[0] != float64(c.grad) {
				t.Errorf("%s by %s: %v, want %d (%v)", c.name, r.Name, g, c.grad, err)
			}
		}
	}
}
