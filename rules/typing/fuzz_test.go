package typing_test

import (
	"strings"
	"testing"

	"egad/diag"
	"egad/rules/load"
	"egad/rules/typing"
	"egad/term"
)

// FuzzRules reads any text as rules without panicking, and checks the types of
// what it can read.
func FuzzRules(f *testing.F) {
	for _, s := range load.Sources() {
		f.Add(s.Text)
	}
	f.Add("ruleset a opaque lazy\nrule r exact\n  ?op (lit a) [ts...] => [(?op ts (fill 2 @ts))...] if ?op : elementwise/2, k != 2, 0 <= u < k")
	f.Add("ruleset a\nrule r real\n nabla (tr p t) => [none, lmap tr p @t]\n example (x: R[2]) x => x")
	f.Add("ruleset a\n" + strings.Repeat("¬ ", 1100) + "\nrule s exact\n  sum a => b\n") // more findings than are kept
	f.Add("relation p(a: R) = 0.0 < a\nruleset a\nfact f real for exp a then p (exp a), 0.0 < a if p a, a is literal, a = 0, distinct a 1\ndemand d for a then neg a\n" +
		"backoff a matches 3 ban 2\nschedule s\n steps (repeat 2 a) (saturate (run a f 3))\n limits nodes 3 * n\n" +
		"test t\n var x y: R[2]\n start x\n assume x = y\n prove sum x = 1.0\n refute p 1.0\n extract x => y\n limit nodes 3\n run (until (x = y) a)\n expect after 1 nodes 3")
	f.Add("operator f[k, sh...](w: I[k], a: R[k, sh...]): R[sh...] linear = a[0]\nruleset a\nrule r exact\n  lapply (lmap f w @s) x => f w x")
	f.Fuzz(func(t *testing.T, text string) {
		sig := term.NewSignature()
		lib, _ := load.Over(nil, sig, &diag.Source{Name: "fuzz", Text: text})
		for i, r := range lib.All() {
			if i == 3 {
				break // shapes take time
			}
			typing.CheckLow(sig, r)
		}
	})
}
