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
		t.Logf("%s: %d instances", r.Name, rep.Instances)
	}
}
