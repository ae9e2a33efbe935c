package saturate

import (
	"fmt"
	"strings"
	"testing"

	"egad/egraph"
)

// TestCrowded: 0 in n ways takes a time that grows with n, and not with the square of n, though many rules look
// into two products that are added.
func TestCrowded(t *testing.T) {
	work := func(n int) int {
		f := newFixture(t)
		f.g.Brief = true
		var b strings.Builder
		b.WriteString("def f(x: R[1000], y: R): R = y")
		for i := range n {
			fmt.Fprintf(&b, " + (x[%d] * 0.0) * (exp x[%d] + y)", i, i)
		}
		f.add(f.program(b.String()))
		rep, err := f.g.Saturate(egraph.Limits{Nodes: 10_000}, nil, f.set("common_factor", "common_factor_sub", "halves", "mul_zero", "add_zero", "neg_mul"))
		if err != nil {
			t.Fatal(err)
		}
		if rep.Stop != egraph.Saturated {
			t.Errorf("%d products: %v", n, rep)
		}
		return rep.Work
	}
	if few, many := work(60), work(240); many > 6*few {
		t.Errorf("work %d for 60 products that are 0, %d for 240", few, many)
	}
}
