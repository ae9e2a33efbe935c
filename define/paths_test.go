package define_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"egad/ad"
	"egad/diag"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/rules/load"
	"egad/term"
	"egad/term/module"
)

// signature has the derivatives that texts ask for.
func signature(t testing.TB) *term.Signature {
	t.Helper()
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	sig.Deriver = ad.Deriver(lib)
	return sig
}

// TestExamples writes the definitions of the examples again in Go: they are the same
// programs.
func TestExamples(t *testing.T) {
	files, _ := filepath.Glob("../examples/*/*.egad")
	written := 0
	for _, file := range files {
		if filepath.Base(filepath.Dir(file)) == "functional" {
			continue // Go writes array programs
		}
		src, err := diag.ReadSource(file)
		if err != nil {
			t.Fatal(err)
		}
		sig := signature(t)
		m, err := module.Load(sig, src)
		if err != nil {
			continue // it has operators of its own
		}
		for _, name := range m.Defs() {
			n, err := again(m, sig, src, name, 3)
			if err != nil && !errors.Is(err, errNoGo) {
				t.Errorf("%s: %s: %v", file, name, err)
			}
			if err != nil {
				t.Logf("%s: %s: %v", file, name, err)
			}
			written += n
		}
	}
	if written < 60 {
		t.Errorf("only %d definitions were written again", written)
	}
}

// again writes a definition again, and compares.
func again(m *module.Module, sig *term.Signature, src *diag.Source, name string, most int64) (written int, err error) {
	d, err := m.Lookup(name)
	if err != nil {
		return 0, err
	}
	copied := name + "_again"
	text, err := replay(m, sig, src, d.Pos, copied)
	if err != nil {
		return 0, err
	}
	both, err := m.With(text)
	if err != nil {
		return 0, fmt.Errorf("%v in\n%s", err, text.Text)
	}
	for k := int64(0); k <= most; k += 3 {
		sizes := make(map[string]int64)
		for i, s := range d.Sizes {
			sizes[s] = k + int64(i%2)
		}
		if err := same(both, name, copied, sizes); err != nil {
			return 0, fmt.Errorf("%v, written as\n%s", err, text.Text)
		}
	}
	return 1, nil
}

// TestRandom writes random programs again.
func TestRandom(t *testing.T) {
	written, count := 0, testflag.Count(60, 5000)
	for palette := range programs.Palette(3) {
		programs.Hold(t, testflag.Seed, count, programs.GenScalar(palette), func(c programs.Case) error {
			sig := term.NewSignature()
			src := &diag.Source{Name: "f.egad", Text: c.Program(sig).Text("f")}
			m, err := module.Load(sig, src)
			if err != nil {
				return err
			}
			n, err := again(m, sig, src, "f", 0)
			if errors.Is(err, errNoGo) {
				err = nil
			}
			written += n
			return err
		})
	}
	if written < 2*count {
		t.Errorf("only %d programs were written again", written)
	}
}
