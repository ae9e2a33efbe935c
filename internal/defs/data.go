package defs

import (
	"testing"

	"egad/data"
	_ "egad/internal/testflag" // programs make garbage
	"egad/rules"
	"egad/term"
	"egad/term/eval"
)

// OnData reads a definition of a file and the values of its inputs, of which a data file
// tells the sizes, and the rules of egad.
func OnData(t testing.TB, path, name, values string) (*rules.Library, *term.Program, eval.Env[*eval.Value[float64]]) {
	t.Helper()
	lib, m := Load(t, path)
	src, err := data.ReadText(values)
	if err != nil {
		t.Fatal(err)
	}
	in, err := data.ReadJSON(src)
	if err != nil {
		t.Fatal(err)
	}
	info, err := m.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	sizes, env, err := data.Bind(info, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Instantiate(name, sizes)
	if err != nil {
		t.Fatal(err)
	}
	return lib, p, env
}
