package ad

import (
	"strings"
	"testing"

	"egad/internal/defs"
	"egad/term"
)

// TestPermuted: what only reads or sends along other axes is a transposition, of however many axes,
// in the program and in its gradient.
func TestPermuted(t *testing.T) {
	for _, text := range []string{
		`def f(x: R[2, 3, 4, 5], t: R[2, 3, 5, 4]): R = let y = x * x in sum (flat (exp (build [2, 3, 5, 4] (\i j k l -> y[i, j, l, k])) * t))`,
		`def f(x: R[2, 3, 4, 5, 6], t: R[3, 2, 5, 6, 4]): R = let y = x * x in sum (flat (exp (build [3, 2, 5, 6, 4] (\j i k l m -> y[i, j, m, k, l])) * t))`,
	} {
		lib, p := defs.Last(t, text)
		d, err := Grad(lib, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		pr := &term.Printer{Store: d.Program.Store, Names: d.Program.Names}
		if g := pr.Def("g", d.Program.Inputs, d.Program.Root); strings.Contains(g, "gather") || strings.Contains(g, "scatter") {
			t.Errorf("the gradient is\n%s", g)
		}
	}
}
