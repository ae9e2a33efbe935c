package functional

import (
	"testing"

	"egad/ad"
	"egad/diag"
	"egad/fun"
	"egad/fusion"
	"egad/internal/defs"
	"egad/rules"
	"egad/rules/load"
	"egad/term"
	"egad/term/module"
)

// TestLoweredAsInlined: the gradient of a functional program, and its kernels, are those of
// the program whose functions were inlined by hand.
func TestLoweredAsInlined(t *testing.T) {
	for _, c := range []struct {
		name, functional, inlined string
		lengths                   []int64
	}{
		{"a function that is applied twice",
			`def main(x: R): R = let twice = \f -> \y -> f (f y) in twice (\y -> sin y * y) x`,
			`def main(x: R): R = sin (sin x * x) * (sin x * x)`, nil},
		{"functions on arrays",
			`def main(x: R[_]): R = let total = \f -> sum (build (length x) (\i -> f x[i])) in total (\y -> y * exp y) + total (\y -> y * y)`,
			`def main(x: R[6]): R = sum (build 6 (\i -> x[i] * exp x[i])) + sum (build 6 (\i -> x[i] * x[i]))`, []int64{6}},
		{"sides that are known",
			`def main(x: R): R = let pick = \s -> case s of inl y -> sin y | inr z -> z * z in pick (inl @(R + R) x) * pick (inr @(R + R) x)`,
			`def main(x: R): R = sin x * (x * x)`, nil},
		{"sides that are not known",
			`def main(x: R): R = let s = case x < 0.0 of inl u -> inl @(R + R) (sin x) | inr u -> inr x in case s of inl y -> y * y | inr z -> exp z`,
			`def main(x: R): R = if x < 0.0 then sin x * sin x else exp x`, nil},
	} {
		sig := term.NewSignature()
		lib, err := load.Builtin(sig)
		if err != nil {
			t.Fatal(err)
		}
		sig.Functional = fun.Functional
		m, err := module.Load(sig, &diag.Source{Name: "t.egad", Text: c.functional})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		p, err := fun.ProgramOf(m, "main")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		layout, err := fun.LayoutOf(p.Context[0], c.lengths...)
		if err != nil {
			t.Fatal(err)
		}
		l, err := Lower(sig, p, layout)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		hand, inlined := defs.Last(t, c.inlined)
		if a, b := l.Program.Text("main"), inlined.Text("main"); a != b {
			t.Errorf("%s: lowered it is\n%s\nand inlined\n%s", c.name, a, b)
		}
		gradient := func(lib *rules.Library, p *term.Program) string {
			d, err := ad.Grad(lib, p, ad.Options{})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			k, err := fusion.Lower(nil, d.Program, nil)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			return d.Program.Text("main") + "\n" + k.String()
		}
		if a, b := gradient(lib, l.Program), gradient(hand, inlined); a != b {
			t.Errorf("%s: the gradient is\n%s\nand of the inlined program\n%s", c.name, a, b)
		}
	}
}
