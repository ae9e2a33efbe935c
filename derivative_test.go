package egad_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"egad"
	"egad/ad"
	"egad/term/types"
)

// Programs that differentiate, beside programs that say the same by hand. Each has
// inputs x: R[3] and k: I.
var derivatives = []struct{ why, typ, defs, got, want string }{
	{"the gradient of a definition", "R[3]", "def f(y: R[3]): R = y[0] * y[1] ^ 2 + sin y[2]", "grad f x", "[x[1] ^ 2, 2 * x[0] * x[1], cos x[2]]"},
	{"of a local function that captures", "R[3]", "", "grad (\\y -> sum (y * x * y)) x", "2 * x * x"},
	{"of second order", "R", "", "grad (grad (\\y -> y ^ 4 * x[1])) x[0]", "12 * x[0] ^ 2 * x[1]"},
	{"of third order", "R", "", "grad (grad (grad exp)) x[2]", "exp x[2]"},
	{"within a derivative, which captures its variable", "R", "", "grad (\\y -> y * grad (\\z -> z * z * y) y) x[0]", "6 * x[0] ^ 2"},
	{"within a loop, by its variable", "R[3]", "", "build 3 (\\i -> grad (\\y -> y * y * x[i] * real i) x[i])", "build 3 (\\i -> 2 * x[i] ^ 2 * real i)"},
	{"of a function that reads at a loop variable", "R[3, 3]", "", "build 3 (\\i -> grad (\\y -> y[i] ^ 3) x)", "build 3 (\\i -> build 3 (\\j -> if i == j then 3 * x[i] ^ 2 else 0))"},
	{"of a function that reads at an input", "R[3]", "", "grad (\\y -> index y [k] * 2) x", "build 3 (\\i -> if i == k then 2 else 0)"},
	{"of each row", "R[3, 3]", "", "map (grad (\\r -> sum (r ^ 2) * x[0])) (replicate 3 x)", "replicate 3 (2 * x * x[0])"},
	{"the Jacobian of each row", "R[2, 3, 3]", "", "map (jacobian (\\r -> r * r)) [x, 2 * x]", "build [2, 3, 3] (\\[i, j, l] -> if j == l then 2 * real (i + 1) * x[j] else 0)"},
	{"by several arguments", "(R, R[3])", "", "grad (\\y z -> y * y * sum z) x[0] x", "(2 * x[0] * sum x, replicate 3 (x[0] ^ 2))"},
	{"by the real ones", "R", "", "grad (\\y l -> y ^ 2 * real l) x[0] k", "2 * x[0] * real k"},
	{"by a tuple", "(R, R[3])", "", "grad (\\p -> p.0 * sum p.1) (x[0], x)", "(sum x, replicate 3 x[0])"},
	{"forward", "R[3]", "", "jvp (\\y -> y * y * x) x [1, 2, 3]", "2 * x * x * [1, 2, 3]"},
	{"forward by two", "R", "", "jvp (\\y z -> y * z) x[0] x[1] 3 x[2]", "3 * x[1] + x[0] * x[2]"},
	{"backward", "R[3]", "", "vjp (\\y -> (sum y, y * y)) x (5, x)", "5 + 2 * x * x"},
	{"a Jacobian by two", "(R[3], R[3, 3])", "", "jacobian (\\y z -> y * z) x[0] x", "(x, build [3, 3] (\\[i, j] -> if i == j then x[0] else 0))"},
	{"a Hessian", "R[3, 3]", "", "hessian (\\y -> y[0] ^ 2 * y[1]) x", "[[2 * x[1], 2 * x[0], 0], [2 * x[0], 0, 0], [0, 0, 0]]"},
	{"a Hessian by two", "((R, R), (R, R))", "", "hessian (\\y z -> y ^ 3 * z) x[0] x[1]", "((6 * x[0] * x[1], 3 * x[0] ^ 2), (3 * x[0] ^ 2, 0))"},
	{"a Hessian-vector product", "R[3]", "", "jvp (grad (\\y -> sum (y ^ 3))) x [1, 0, 2]", "6 * x * [1, 0, 2]"},
	{"Newton's step, three times", "R", "def newton(f: R -> R, y: R): R = y - f y / grad f y", "let s = newton (\\y -> y * y - 2) in s (s (s x[2]))",
		"let s = \\y -> y - (y * y - 2) / (2 * y) in s (s (s x[2]))"},
	{"as a value", "R", "def twice(f: R -> R, y: R): R = f (f y)", "let d = grad (\\y -> y ^ 3) in twice d x[0]", "27 * x[0] ^ 4"},
	{"of a lifted function", "R[3]", "def sq(y: R): R = y * y", "map (grad sq) x", "2 * x"},
	{"what does not depend on the argument", "R", "", "grad (\\y -> x[0]) x[1]", "0 * x[0]"},
	{"of an argument with nothing in it", "R[0]", "", "grad sum (replicate 0 x[0])", "replicate 0 x[0]"},
	{"a condition on what is captured", "R", "", "grad (\\y -> if x[0] < x[1] then y * x[0] else y ^ 2) x[2]", "if x[0] < x[1] then x[0] else 2 * x[2]"},
}

// A derivative in a program is the function that a hand would write, and so are the
// derivatives of the program.
func TestDerivativesInPrograms(t *testing.T) {
	env := egad.Env{
		"x": &egad.Value{Elem: types.R, Shape: []int{3}, R: []float64{0.75, 1.5, 1.25}},
		"k": &egad.Value{Elem: types.I, N: []int64{1}},
	}
	for _, c := range derivatives {
		t.Run(c.why, func(t *testing.T) {
			text := c.defs
			for name, body := range map[string]string{"got": c.got, "want": c.want} {
				text += fmt.Sprintf("\ndef %s(x: R[3], k: I): %s = %s\n", name, c.typ, body)
			}
			m, err := egad.Parse("test", text)
			if err != nil {
				t.Fatal(err)
			}
			var values, slopes [2]string
			for i, name := range []string{"got", "want"} {
				p, err := m.Instantiate(name, nil)
				if err != nil {
					t.Fatal(err)
				}
				v, err := egad.Evaluate(p, env)
				if err != nil {
					t.Fatal(err)
				}
				if k, err := egad.Run(p, env); err != nil || rounded(k) != rounded(v) {
					t.Errorf("%s: kernels compute %s, the evaluator %s (%v)", name, rounded(k), rounded(v), err)
				}
				d, err := m.Jacobian(p, ad.Options{Wrt: []string{"x"}}, ad.Forward)
				if err != nil {
					t.Fatal(err)
				}
				dv, err := egad.Evaluate(d.Program, env)
				if err != nil {
					t.Fatal(err)
				}
				values[i], slopes[i] = rounded(v), rounded(dv)
			}
			if values[0] != values[1] {
				t.Errorf("%s is %s, and %s is %s", c.got, values[0], c.want, values[1])
			}
			if slopes[0] != slopes[1] {
				t.Errorf("%s has the derivative %s, and %s has %s", c.got, slopes[0], c.want, slopes[1])
			}
		})
	}
}

// rounded prints a value to ten digits; zeros are alike.
func rounded(v *egad.Value) string {
	if v == nil {
		return "nothing"
	}
	var b strings.Builder
	fmt.Fprint(&b, v.Shape)
	for _, x := range v.R {
		if math.Abs(x) < 1e-12 {
			x = 0
		}
		fmt.Fprintf(&b, " %.10g", x)
	}
	for _, p := range v.Parts {
		b.WriteString(" (" + rounded(p) + ")")
	}
	return b.String()
}

// What is derived once is not derived again: steps of one function share it.
func TestDerivativesAreShared(t *testing.T) {
	text := "def f(x: R): R = let step = \\y -> y - grad (\\z -> cos z * z) y in\n  " + strings.Repeat("step (", 60) + "x" + strings.Repeat(")", 60)
	m, err := egad.Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Instantiate("f", nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := p.Store.Len(); n > 2000 {
		t.Errorf("60 steps make %d terms", n)
	}
}
