package stages_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"egad"
	"egad/ad"
	"egad/internal/golden"
	"egad/stages"
	"egad/term"
	"egad/term/types"
)

// TestModular compares gradients by definitions that call each other with those of the
// whole program, for the last definition of each file in testdata/modular.egad. The text of
// the first is kept.
func TestModular(t *testing.T) {
	src, err := egad.Load("testdata/modular.egad")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, name := range src.Defs() {
		info, err := src.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(info.Doc, "whole") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			sizes := map[string]int64{}
			for i, s := range info.Sizes {
				sizes[s] = int64(2 + i)
			}
			p, err := src.Instantiate(name, sizes)
			if err != nil {
				t.Fatal(err)
			}
			ss, err := src.Modular(name, sizes, ad.Options{})
			if err != nil {
				t.Fatal(err)
			}
			out := stages.Text(ss)
			text.WriteString("-- " + name + "\n" + out + "\n")
			for _, s := range ss {
				if strings.Count(out, "def "+s.Def+"(") != 1 {
					t.Errorf("%s is there more than once", s.Def)
				}
			}
			sameAsWhole(t, src, p, out)
		})
	}
	golden.Check(t, "testdata/modular.golden", text.String())
}

// sameAsWhole compares the forward and the reverse derivative in a text with those of p.
func sameAsWhole(t *testing.T, m *egad.Module, p *term.Program, text string) {
	t.Helper()
	parts, err := egad.Parse("parts", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	env := inputs(t, p)
	run := func(p *term.Program, err error, env egad.Env) []float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		x, err := egad.Run(p, env)
		if err != nil {
			t.Fatal(err)
		}
		return floats(x)
	}
	compare := func(what string, got, want []float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %v, and %v of the whole", what, got, want)
		}
		for i, w := range want {
			if !(math.Abs(got[i]-w) <= 1e-12*max(1, math.Abs(w))) {
				t.Errorf("%s: %v, and %v of the whole", what, got, want)
				break
			}
		}
	}
	value := run(p, nil, env)
	whole, err := m.VJP(p, ad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	back := inputs(t, whole.Program)
	want := run(whole.Program, nil, back)[len(value):]
	// The arrays come in the same order.
	q, err := parts.Instantiate("reverse_"+p.Name, nil)
	compare("reverse", run(q, err, alike(t, q, whole.Program, back)), want)
	fore, err := m.JVP(p, ad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	changes := inputs(t, fore.Program)
	want = run(fore.Program, nil, changes)[len(value):]
	q, err = parts.Instantiate("forward_"+p.Name, nil)
	compare("forward", run(q, err, alike(t, q, fore.Program, changes)), want)
	if p.Store.Type(p.Root).IsScalar(types.R) {
		g, err := m.Grad(p, ad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		q, err = parts.Instantiate("", nil)
		compare("gradient", run(q, err, env), run(g.Program, nil, env))
	}
}

// alike gives the inputs of p the values that those of q have, in their order, but for what
// has no real part.
func alike(t *testing.T, p, q *term.Program, of egad.Env) egad.Env {
	t.Helper()
	leaves := func(p *term.Program) (out []term.Input) {
		for _, in := range p.Inputs {
			out = append(out, in.Leaves()...)
		}
		return out
	}
	env, from := egad.Env{}, leaves(q)
	for _, in := range leaves(p) {
		for !from[0].Type.Equal(in.Type) {
			from = from[1:]
		}
		env[in.Name], from = of[from[0].Name], from[1:]
	}
	return env
}

// TestModularOnce counts the definitions of a diamond: each is derived once.
func TestModularOnce(t *testing.T) {
	m, err := egad.Parse("diamond", "def a(x: R): R = x * x\ndef b(x: R): R = a (x + 1)\ndef c(x: R): R = a (a x)\ndef d(x: R): R = b x * c x + a x\n")
	if err != nil {
		t.Fatal(err)
	}
	ss, err := m.Modular("d", nil, ad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var defs []string
	for _, s := range ss {
		if s.Name == "nabla" {
			defs = append(defs, s.Def)
		}
	}
	if got := strings.Join(defs, " "); got != "nabla_a nabla_b nabla_c nabla_d" {
		t.Error(got)
	}
}

// TestModularDeep: a chain of definitions that each call the one before twice, with two
// arguments, is not longer than the sum of its parts, nor is what it computes.
func TestModularDeep(t *testing.T) {
	var b strings.Builder
	b.WriteString("def f0(x: R, y: R): R = x * y + sin x\n")
	const n = 30
	for i := 1; i <= n; i++ {
		prev := string(rune('0'+(i-1)/10)) + string(rune('0'+(i-1)%10))
		if i == 1 {
			prev = "0"
		}
		b.WriteString("def f" + string(rune('0'+i/10)) + string(rune('0'+i%10)) + "(x: R, y: R): R = f" + prev + " y (0.5 * x) + y\n")
	}
	m, err := egad.Parse("deep", b.String())
	if err != nil {
		t.Fatal(err)
	}
	ss, err := m.Modular("f30", nil, ad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := stages.Text(ss)
	if len(text) > 1000*(n+1) {
		t.Errorf("%d bytes", len(text))
	}
	p, err := m.Instantiate("f30", nil)
	if err != nil {
		t.Fatal(err)
	}
	sameAsWhole(t, m, p, text)
}

// TestModularCorners: what is held back is, whatever a call makes of it; arrays without
// elements have no derivative; linear maps are applied.
func TestModularCorners(t *testing.T) {
	for _, c := range []struct {
		text string
		env  egad.Env
		want []float64
	}{
		{"def inverse(x: R): R = 1 / x\ndef f(x: R): R = if x == 0 then 0 else inverse x\n",
			egad.Env{"x": {Elem: types.R, R: []float64{0}}}, []float64{0, 0}},
		{"def inverse(x: R, y: R): R = y / x\ndef twice(x: R, y: R): R = inverse x (inverse x y)\ndef f(x: R, y: R): R = if x == 0 then 0 else twice x y\n",
			egad.Env{"x": {Elem: types.R, R: []float64{0}}, "y": {Elem: types.R, R: []float64{1}}}, []float64{0, 0, 0}},
		{"def s[n](a: R[n]): R = sum (a * a)\ndef f(a: R[0], b: R[2]): R = s a + s b\n",
			egad.Env{"a": {Elem: types.R, Shape: []int{0}}, "b": {Elem: types.R, Shape: []int{2}, R: []float64{1, 2}}}, []float64{5, 2, 4}},
		{"def m(x: R): R -o R = lscale x\ndef f(x: R): R = lapply (m x) x\n",
			egad.Env{"x": {Elem: types.R, R: []float64{3}}}, []float64{9, 6}},
	} {
		m, err := egad.Parse("corner", c.text)
		if err != nil {
			t.Fatal(err)
		}
		ss, err := m.Modular("f", nil, ad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		parts, err := egad.Parse("parts", stages.Text(ss))
		if err != nil {
			t.Fatalf("%v\n%s", err, stages.Text(ss))
		}
		p, err := parts.Instantiate("grad_f", nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := egad.Run(p, c.env)
		if err != nil {
			t.Fatal(err)
		}
		if got := floats(x); !slices.Equal(got, c.want) {
			t.Errorf("%v, not %v, of\n%s%s", got, c.want, c.text, stages.Text(ss))
		}
	}
}
