package typing_test

import (
	"testing"

	"egad/diag"
	"egad/rules/load"
	"egad/rules/typing"
	"egad/term"
)

// TestSpreadOverAll checks that a spread runs over every list of which it has an
// element, wherever that stands: in a list of indices, a substitution, an attribute.
func TestSpreadOverAll(t *testing.T) {
	for _, text := range []string{
		"index [ts...] (u :: v :: vs) => index [(index ts (vs :: v :: vs))...] [u]",
		"index [ts...] (u :: v :: vs) => index [(index ts [vs])...] [u]",
		"lapply (ljoin ms...) (xs...,) => total [(reshape (shape xs) (lapply ms xs))...]",
		"nabla [ts...] => [(lcompose (lzero @(R, ts) @R) (lzero @ts @(R, ts)))...]",
		"build k (\\i -> index [ts...] us) => index [(build k (\\j -> ts[i := us]))...] us if i not in us",
	} {
		sig := term.NewSignature()
		lib, err := load.Files(sig, &diag.Source{Name: "spread.rules", Text: "ruleset spreads\nrule r exact\n  " + text + "\n"})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if rep := typing.Check(sig, lib.Rule("r")); rep.Err == nil && len(rep.Instances()) == 0 {
			t.Errorf("%s: no shapes", text)
		}
	}
}
