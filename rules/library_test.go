package rules_test

import (
	"strings"
	"testing"

	"egad/diag"
	"egad/rules/load"
	"egad/term"
	"egad/term/ops"
)

// TestDerivable says for which declared operators a rule is missing, and which.
func TestDerivable(t *testing.T) {
	const declarations = `
operator late[k](a: R[k]): R[k] linear = build k (\i -> a[i - 1])
operator early[k](a: R[k]): R[k] linear = build k (\i -> a[i + 1])
ruleset linear_transpose
rule odd exact
  lzero @s @t => lzero @s @t
`
	for _, c := range []struct{ text, missing string }{
		// The rules of linear operators say what their derivatives and maps are.
		{"", "ltranspose of lmap late"},
		{"ruleset nabla rule n exact nabla (late a) => [ltranspose (lmap early @a)]", "ltranspose of lmap early"},
		{"ruleset linear_transpose rule q exact ltranspose (lmap late @s) => lmap early @s", "ltranspose of lmap early"},
		{`ruleset linear_transpose rule q exact ltranspose (lmap late @s) => lmap early @s
rule q2 exact ltranspose (lmap early @s) => lmap late @s`, ""},
		{`ruleset linear_apply rule p exact lapply (lmap late @s) x => late x
ruleset nabla rule n exact nabla (late a) => [lmap late @a]
ruleset linear_transpose rule q exact ltranspose (lmap late @s) => lmap late @s`, ""},
		{"ruleset nabla rule n exact nabla (late a) => [lone @a]", ""},
	} {
		sig := term.NewSignature()
		lib, err := load.Builtin(sig, &diag.Source{Name: "late.rules", Text: declarations + strings.ReplaceAll(c.text, " rule ", "\nrule ")})
		if err != nil {
			t.Fatal(err)
		}
		missing, ok := lib.Derivable(sig, lib.Operators[0])
		if missing != c.missing || ok != (c.missing == "") {
			t.Errorf("%s\n%q is missing, want %q", c.text, missing, c.missing)
		}
	}
	sig := term.NewSignature()
	lib, err := load.Builtin(sig, &diag.Source{Name: "own.rules", Text: "operator own[k](a: R[k]): R[k] = a * a"})
	if err != nil {
		t.Fatal(err)
	}
	if missing, _ := lib.Derivable(sig, lib.Operators[0]); missing != "nabla of own" {
		t.Errorf("%q is missing of an operator that is not linear", missing)
	}
	empty, err := load.Files(term.NewSignature())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := empty.Derivable(term.NewSignature(), &ops.Declared{Name: "f"}); ok {
		t.Error("an operator is derivable without rules")
	}
}
