package rules

import (
	"testing"

	"egad/term"
)

// TestBuiltinTypes checks the types of every rule that comes with egad.
func TestBuiltinTypes(t *testing.T) {
	sig := term.NewSignature()
	lib, err := Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range lib.All() {
		rep := r.CheckTypes(sig)
		if rep.Err != nil {
			t.Errorf("%v", rep.Err)
		}
		if rep.Partial {
			t.Errorf("%s has too many shapes", r.Name)
		}
		t.Logf("%s: %d instances", r.Name, rep.Instances)
	}
}

// TestBuiltinExamples runs the examples in the rule files.
func TestBuiltinExamples(t *testing.T) {
	sig := term.NewSignature()
	lib, err := Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range lib.All() {
		n += len(r.Examples)
		if err := r.CheckExamples(sig); err != nil {
			t.Errorf("%v", err)
		}
	}
	if n < 10 {
		t.Errorf("only %d examples", n)
	}
}
