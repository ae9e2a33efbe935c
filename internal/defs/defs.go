// Package defs takes the definitions of a module at small sizes, for tests.
package defs

import (
	"testing"

	"egad/diag"
	"egad/fun"
	"egad/rules"
	"egad/rules/load"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/types"
)

// Load reads a file of definitions, and the rules of egad.
func Load(t testing.TB, path string) (*rules.Library, *module.Module) {
	t.Helper()
	src, err := diag.ReadSource(path)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, src)
}

// Read is [Load] of a text.
func Read(t testing.TB, text string) (*rules.Library, *module.Module) {
	t.Helper()
	return read(t, &diag.Source{Name: "test.egad", Text: text})
}

func read(t testing.TB, src *diag.Source) (*rules.Library, *module.Module) {
	t.Helper()
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	sig.Functional = fun.Functional
	m, err := module.Load(sig, src)
	if err != nil {
		t.Fatal(err)
	}
	return lib, m
}

// Last is the last definition of a text, which has no sizes, and the rules of egad.
func Last(t testing.TB, text string) (*rules.Library, *term.Program) {
	t.Helper()
	lib, m := Read(t, text)
	return lib, last(t, m)
}

// With is the last definition of a text, and the rules of another, without those of egad.
func With(t testing.TB, ruleText, text string) (*rules.Library, *term.Program) {
	t.Helper()
	sig := term.NewSignature()
	lib, err := load.Files(sig, &diag.Source{Name: "test.rules", Text: ruleText})
	if err != nil {
		t.Fatal(err)
	}
	m, err := module.Load(sig, &diag.Source{Name: "test.egad", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return lib, last(t, m)
}

func last(t testing.TB, m *module.Module) *term.Program {
	t.Helper()
	p, err := m.Instantiate("", nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Each calls f with every definition of a module: its first size is from, the
// next ones are one more each.
func Each(t testing.TB, m *module.Module, from int64, f func(name string, p *term.Program)) {
	t.Helper()
	for _, name := range m.Defs() {
		info, err := m.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		sizes := make(map[string]int64)
		for i, s := range info.Sizes {
			sizes[s] = from + int64(i)
		}
		p, err := m.Instantiate(name, sizes)
		if err != nil {
			t.Fatal(err)
		}
		f(name, p)
	}
}

// Inputs are values of the inputs of a program: reals and integers are drawn, and a
// truth value is whether an integer is odd.
func Inputs(t testing.TB, p *term.Program, real func() float64, whole func() int64) eval.Env[*eval.Value[float64]] {
	t.Helper()
	env := make(eval.Env[*eval.Value[float64]])
	for _, leaf := range term.Leaves(p.Inputs) {
		v, err := eval.FloatArrays().New(leaf.Type)
		if err != nil {
			t.Fatal(err)
		}
		for i := range v.R {
			v.R[i] = real()
		}
		for i := range v.N {
			if v.N[i] = whole(); leaf.Type.Elem == types.B {
				v.N[i] &= 1
			}
		}
		env[leaf.Name] = v
	}
	return env
}
