package rules

import (
	"strings"
	"testing"

	"egad/diag"
	"egad/term"
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
		{"", "nabla of late"},
		{"ruleset nabla rule n exact nabla (late a) => [ltranspose (learly @a)]", "lapply of learly"},
		{`ruleset nabla rule n exact nabla (late a) => [llate @a]
ruleset linear_apply rule p exact lapply (llate @s) x => late x`, "ltranspose of llate"},
		{`ruleset nabla rule n exact nabla (late a) => [llate @a]
ruleset linear_apply rule p exact lapply (llate @s) x => late x
ruleset linear_transpose rule q exact ltranspose (llate @s) => learly @s`, "lapply of learly"},
		{`ruleset nabla rule n exact nabla (late a) => [llate @a]
ruleset linear_apply rule p exact lapply (llate @s) x => late x rule p2 exact lapply (learly @s) x => early x
ruleset linear_transpose rule q exact ltranspose (llate @s) => learly @s
rule q2 exact ltranspose (learly @s) => llate @s`, ""},
		{"ruleset nabla rule n exact nabla (late a) => [lone @a]", ""},
	} {
		sig := term.NewSignature()
		lib, err := Builtin(sig, &diag.Source{Name: "late.rules", Text: declarations + strings.ReplaceAll(c.text, " rule ", "\nrule ")})
		if err != nil {
			t.Fatal(err)
		}
		missing, ok := lib.Derivable(sig, lib.Operators[0])
		if missing != c.missing || ok != (c.missing == "") {
			t.Errorf("%s\n%q is missing, want %q", c.text, missing, c.missing)
		}
	}
	empty, err := Load(term.NewSignature())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := empty.Derivable(term.NewSignature(), &term.Declared{Name: "f"}); ok {
		t.Error("an operator is derivable without rules")
	}
}
