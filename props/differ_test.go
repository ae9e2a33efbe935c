package props

import (
	"strings"
	"testing"

	"egad/diag"
	"egad/term"
	"egad/term/module"
)

// TestDiffer: programs with different results are told apart, by small inputs; equal ones, and those
// that differ by rounding or where the first is no number, are not.
func TestDiffer(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"f(x: R[3], y: R[3]): R = sum (x * y)", "g(u: R[3], v: R[3]): R = sum (build 3 (\\i -> v[i] * u[i]))", ""},
		{"f(x: R[3], y: R[3]): R = sum (x * y)", "g(u: R[3], v: R[3]): R = sum (build 3 (\\i -> v[i] * u[2 - i]))", "x : R[3] = [0, 0, 1]; y : R[3] = [0, 0, 1]; the value is 1 on the left and 0 on the right"},
		{"f(x: R[3], y: R[3]): R = sum (x * y)", "g(u: R[3], v: R[3]): R = sum (build 3 (\\i -> v[2 - i] * u[2 - i]))", ""},
		{"f(x: R): R = x * 0.1 + x * 0.2", "g(x: R): R = x * 0.3", ""},
		{"f(x: R): R = x / x", "g(x: R): R = 1", ""},
		{"f(x: R): R = 1", "g(x: R): R = x / x", "x : R = 0; the value is 1 on the left and NaN on the right"},
		{"f(n: I): I = n * n", "g(n: I): I = n + n", "n : I = 1; the value is 1 on the left and 2 on the right"},
		{"f(p: (R, B)): R = if p.1 then p.0 else 0", "g(p: (R, B)): R = p.0", "p.0 : R = 1; p.1 : B = false; the value is 0 on the left and 1 on the right"},
		{"f(x: R): (R, R) = (x, abs x)", "g(x: R): (R, R) = (x, x)", "x : R = -0.2; element .1 is 0.2 on the left and -0.2 on the right"},
		{"f(x: R[1000, 1000]): R = sum (sum x)", "g(x: R[1000, 1000]): R = sum (sum x) + 1", ""},
	} {
		m, err := module.Load(term.NewSignature(), &diag.Source{Name: "t.egad", Text: "def " + c.a + "\ndef " + c.b + "\n"})
		if err != nil {
			t.Fatal(err)
		}
		program := func(name string) *term.Program {
			p, err := m.Instantiate(name, nil)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		got := ""
		if x := Differ(program("f"), program("g")); x != nil {
			got = strings.Join(append(x.Bindings, x.First), "; ")
		}
		if got != c.want {
			t.Errorf("%s, %s:\n got %s\nwant %s", c.a, c.b, got, c.want)
		}
	}
}
