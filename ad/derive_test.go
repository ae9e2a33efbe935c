package ad

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/defs"
	"egad/internal/golden"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/types"
)

// TestGradients compares derived programs with golden text.
func TestGradients(t *testing.T) {
	lib, m := defs.Load(t, "testdata/programs.egad")
	var out strings.Builder
	defs.Each(t, m, 4, func(name string, p *term.Program) {
		fmt.Fprintf(&out, "-- %s\n%s\n", name, p.Text(name))
		for _, how := range []struct {
			name string
			f    func(*rules.Library, *term.Program, Options) (*Derived, error)
		}{
			{"grad", Grad}, {"vjp", VJP}, {"jvp", JVP}, {"hvp", HVP}, {"hessian", Hessian},
			{"forward", func(lib *rules.Library, p *term.Program, opt Options) (*Derived, error) {
				return DenseJacobian(lib, p, opt, Forward)
			}},
			{"reverse", func(lib *rules.Library, p *term.Program, opt Options) (*Derived, error) {
				return DenseJacobian(lib, p, opt, Reverse)
			}},
		} {
			d, err := how.f(lib, p, Options{})
			if err != nil {
				fmt.Fprintf(&out, "%s: %v\n\n", how.name, err)
				continue
			}
			fmt.Fprintf(&out, "%s\n", d.Program.Text(how.name+"_"+name))
			parsesBack(t, d.Program, how.name+"_"+name)
		}
	})
	golden.Check(t, "testdata/gradients.golden", out.String())
}

// parsesBack checks that a derived program is a program.
func parsesBack(t *testing.T, p *term.Program, name string) {
	t.Helper()
	text := p.Text(name)
	m, err := module.Load(p.Store.Signature(), &diag.Source{Name: name, Text: text})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	q, err := m.Instantiate(name, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if again := q.Text(name); again != text {
		t.Errorf("%s prints as\n%s\nand its text parses and prints as\n%s", name, text, again)
	}
}

func TestDeriveErrors(t *testing.T) {
	lib, m := defs.Load(t, "testdata/programs.egad")
	p, err := m.Instantiate("tuples", map[string]int64{"n": 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		wrt  []string
		want string
	}{
		{[]string{"q"}, "tuples has no input q to differentiate with respect to"},
		{[]string{"k"}, "k: I has no real part"},
	} {
		if _, err := Grad(lib, p, Options{Wrt: c.wrt}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("with respect to %v: %v, want %q", c.wrt, err, c.want)
		}
	}
}

// TestEmptyInputs differentiates where an axis has size 0.
func TestEmptyInputs(t *testing.T) {
	lib, m := defs.Load(t, "testdata/programs.egad")
	p, err := m.Instantiate("scaled", map[string]int64{"n": 0})
	if err != nil {
		t.Fatal(err)
	}
	d, err := VJP(lib, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	env := eval.Env[*eval.Value[float64]]{"s": {Elem: types.R, R: []float64{2}}}
	v, err := eval.Interpret(d.Program.Store, d.Program.Root, eval.FloatArrays(), env)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Parts) != 3 || v.Parts[1].Len() != 0 || v.Parts[2].R[0] != 0 {
		t.Errorf("value and cotangents are %v", v.Parts)
	}
}

// gmm reads the Gaussian mixture example with a data file.
func gmm(t *testing.T, file string) (*rules.Library, *term.Program, eval.Env[*eval.Value[float64]]) {
	t.Helper()
	return defs.OnData(t, "../examples/gmm/gmm.egad", "gmm", "../examples/gmm/data/"+file+".json")
}

var gmmWrt = []string{"alpha", "mu", "icf"}

// close is ADBench's measure of agreement.
func close(x, y float64) bool { return math.Abs(x-y)/max(1, math.Abs(x)+math.Abs(y)) < 1e-8 }

// TestGMMGolden compares objective and gradient with ADBench's figures.
func TestGMMGolden(t *testing.T) {
	lib, p, env := gmm(t, "gmm_test")
	want := []float64{
		8.07380408004975791,
		1.08662855508652456e-01, -7.41270039523898472e-01, 6.32607184015246071e-01,
		1.11692576532787013e+00, 1.63333013551455269e-01, -2.19989824071193142e-02, 2.27778292254236098e-01,
		1.20963025612832187e+00, -6.06375920733956339e-02,
		2.58529994051162237e+00, 1.12632694524213789e-01, 3.85744309849611777e-01, 7.35180573182305508e-02,
		5.41836362715595232e+00, -3.21494409677446469e-01, 1.71892309775004937e+00, 8.60091090790866875e-01,
		-9.94640930466322848e-01,
	}
	for _, opt := range []Options{{Wrt: gmmWrt}, {Wrt: gmmWrt, Exact: true}, {Wrt: gmmWrt, Direct: true}} {
		d, err := Grad(lib, p, opt)
		if err != nil {
			t.Fatal(err)
		}
		v, err := eval.Interpret(d.Program.Store, d.Program.Root, eval.FloatArrays(), env)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for _, part := range v.Parts {
			got = append(got, part.R...)
		}
		if len(got) != len(want) {
			t.Fatalf("%d numbers, want %d", len(got), len(want))
		}
		for i := range want {
			if !close(got[i], want[i]) {
				t.Errorf("%+v: number %d is %v, want %v", opt, i, got[i], want[i])
			}
		}
	}
}

// TestGMMForward compares reverse with forward mode on a thousand points.
func TestGMMForward(t *testing.T) {
	lib, p, env := gmm(t, "gmm_d2_K5")
	rev, err := Grad(lib, p, Options{Wrt: gmmWrt})
	if err != nil {
		t.Fatal(err)
	}
	fwd, err := JVP(lib, p, Options{Wrt: gmmWrt})
	if err != nil {
		t.Fatal(err)
	}
	v, err := eval.Interpret(rev.Program.Store, rev.Program.Root, eval.FloatArrays(), env)
	if err != nil {
		t.Fatal(err)
	}
	source, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env)
	if err != nil {
		t.Fatal(err)
	}
	if !close(v.Parts[0].R[0], source.R[0]) {
		t.Errorf("the objective is %v, by the source %v", v.Parts[0].R[0], source.R[0])
	}
	for _, in := range fwd.Wrt {
		zero, err := eval.FloatArrays().New(in.Type)
		if err != nil {
			t.Fatal(err)
		}
		env["d_"+in.Name] = zero
	}
	for i, in := range rev.Wrt {
		for k, g := range v.Parts[i+1].R {
			env["d_"+in.Name].R[k] = 1
			f, err := eval.Interpret(fwd.Program.Store, fwd.Program.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			env["d_"+in.Name].R[k] = 0
			if !close(f.Parts[1].R[0], g) {
				t.Errorf("%s, element %d: forward %v, reverse %v", in.Name, k, f.Parts[1].R[0], g)
			}
		}
	}
}
