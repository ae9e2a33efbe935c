package kerneltest

import (
	"testing"

	"egad/ad"
	"egad/diag"
	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/rules"
	"egad/term"
	"egad/term/module"
)

// Program instantiates the last definition of a text without sizes.
func Program(t testing.TB, text string) *term.Program {
	t.Helper()
	_, p := defs.Last(t, text)
	return p
}

// EachLowered calls f with the kernels of each definition of a module, at each of some sizes.
func EachLowered(t *testing.T, text string, sizes []map[string]int64, f func(p *term.Program, k *kernel.Program, size map[string]int64)) {
	t.Helper()
	m, err := module.Load(term.NewSignature(), &diag.Source{Name: t.Name() + ".egad", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range m.Defs() {
		for _, size := range sizes {
			p, err := m.Instantiate(d, size)
			if err != nil {
				t.Fatal(err)
			}
			k, err := fusion.Lower(nil, p, nil)
			if err != nil {
				t.Fatalf("%s: %v", d, err)
			}
			f(p, k, size)
		}
	}
}

// EachGradient calls f with the gradient of each definition of a module, at each of some sizes, and
// its kernels.
func EachGradient(t *testing.T, text string, sizes []map[string]int64, f func(p *term.Program, k *kernel.Program, size map[string]int64)) {
	t.Helper()
	lib, m := defs.Read(t, text)
	for _, name := range m.Defs() {
		for _, size := range sizes {
			p, err := m.Instantiate(name, size)
			if err != nil {
				t.Fatal(err)
			}
			grad, k := Gradient(t, lib, p)
			f(grad, k, size)
		}
	}
}

// Gradient is the gradient of a program, and its kernels.
func Gradient(t *testing.T, lib *rules.Library, p *term.Program) (*term.Program, *kernel.Program) {
	t.Helper()
	d, err := ad.Grad(lib, p, ad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := fusion.Lower(lib, d.Program, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d.Program, k
}

// Weights reads weights from a text.
func Weights(t testing.TB, text string) *cost.Weights {
	t.Helper()
	w, err := cost.Read(&diag.Source{Name: "w", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return w
}
