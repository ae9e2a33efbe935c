package ad

import (
	"fmt"
	"math"
	"testing"

	"egad/diag"
	"egad/rules/load"
	"egad/term"
	"egad/term/module"
	"egad/term/types"
)

// Values and gradients where squares, products and quotients on the way would be
// beyond the floats, and what is asked for is not.
func TestExtremeGradients(t *testing.T) {
	for _, c := range []struct {
		body      string
		x, y      float64
		v, dx, dy float64
	}{
		{body: "x / y / y", x: 1e300, y: 1e200, v: 1e-100, dx: 0, dy: -2e-300},
		{body: "x * y + x * 1.5", x: 1e-10, y: 1.7e308, v: 1.7e298, dx: 1.7e308, dy: 1e-10},
		{body: "sum (build 2 (\\i -> x * y))", x: 1e-300, y: 1.2e308, v: 2.4e8, dx: math.Inf(1), dy: 2e-300},
		{body: "sum (build 4 (\\i -> y / 4)) * x", x: 1, y: 1.6e308, v: 1.6e308, dx: 1.6e308, dy: 1},
		{body: "atan2 x y", x: 1e-200, y: 1e-200, v: math.Pi / 4, dx: 5e199, dy: -5e199},
		{body: "atan2 x y", x: 3e200, y: 4e200, v: math.Atan2(3, 4), dx: 1.6e-201, dy: -1.2e-201},
		{body: "atan2 x y", x: 1e-300, y: -1, v: math.Pi, dx: -1, dy: -1e-300},
		{body: "sqrt x * y", x: 1e-300, y: 1e-150, v: 1e-300, dx: 0.5, dy: 1e-150},
		{body: "log x + log y", x: 1e-300, y: 1e300, v: 0, dx: 1e300, dy: 1e-300},
		{body: "sigmoid x * y", x: -800, y: 1e300, v: 0, dx: 0, dy: 0},
	} {
		m, err := module.Load(term.NewSignature(), &diag.Source{Name: "f.egad", Text: "def f(x: R, y: R): R = " + c.body})
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Instantiate("f", nil)
		if err != nil {
			t.Fatal(err)
		}
		lib, err := load.Builtin(term.NewSignature())
		if err != nil {
			t.Fatal(err)
		}
		for _, exact := range []bool{false, true} {
			g, err := Grad(lib, p, Options{Exact: exact})
			if err != nil {
				t.Fatal(err)
			}
			v := value(t, g.Program, env{"x": {Elem: types.R, R: []float64{c.x}}, "y": {Elem: types.R, R: []float64{c.y}}})
			for i, want := range []float64{c.v, c.dx, c.dy} {
				if got := v.Parts[i].R[0]; got != want && !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
					t.Errorf("%s at %g, %g (exact: %v): %s is %g, want %g\n%s", c.body, c.x, c.y, exact,
						[]string{"the value", "the derivative by x", "the derivative by y"}[i], got, want, fmt.Sprint(g.Program.Text("g")))
				}
			}
		}
	}
}
