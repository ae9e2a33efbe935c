package props

import (
	"testing"

	"egad/rules/load"
	"egad/term"
)

// TestExamples runs the examples of the rules of egad. Each rule has one.
func TestExamples(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range lib.All() {
		if r.Of == nil && len(r.Examples) == 0 {
			t.Errorf("the rule %s has no example", r.Name)
		}
		if err := CheckExamples(sig, r); err != nil {
			t.Error(err)
		}
	}
}
