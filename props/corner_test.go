package props

import (
	"testing"

	"egad/diag"
	"egad/rules/load"
	"egad/term"
)

// TestCorners: whatever the seed, a rule that is wrong of the ends of integers alone, or of two special numbers at
// once, is found in few instances.
func TestCorners(t *testing.T) {
	for _, c := range []struct {
		rule string
		want Verdict
	}{
		{"exact a < a + 1 => true if a : I[]", Wrong},
		{"exact a - 1 < a => true if a : I[]", Wrong},
		{"exact a + 1 <= b => a < b if a : I[]", Wrong},
		{"exact max a b + 1 => max (a + 1) (b + 1) if a : I[]", Wrong},
		{"exact neg (abs a) <= a => true if a : I[], a <= 5", Holds},
		{"exact 0 <= abs a => true if a : I[]", Wrong},
		{"exact 0 <= abs a => true if a : I[], a <= 5", Wrong},
		{"exact 0 <= abs a => true if a : I[], -9223372036854775807 <= a", Holds},
		{"exact (a < 1 || b < 1 || a == b || a + b != -2 || c < 5) => true if a : I[]", Holds},
		{"exact (a != 9223372036854775807 || b div 1 != -9223372036854775807 - 1 || real c == 7.25) => true if a : I[]", Wrong},
		{"exact (c != 0 || a != -9223372036854775807 - 1 || b == 777) => true if a : I[]", Wrong},
		{"exact lit c <= lit d => lit c < lit d || lit c == lit d if c : I", Holds},
		{"exact lit c + 1 <= lit d => lit c < lit d if c : I", Wrong},
		{"exact a + 1 < a => false if 1 < 2", Wrong},
		{"exact (a * b == a * b || a != a || b != b) => true if a : R[]", Wrong},
	} {
		for seed := range int64(20) {
			sig := term.NewSignature()
			lib, err := load.Files(sig, &diag.Source{Name: "corner.rules", Text: "ruleset corner\nrule r " + c.rule})
			if err != nil {
				t.Error(err)
				break
			}
			got := CheckRules(sig, lib.All(), RuleChecks{Count: 100, Seed: seed}).Checked[0]
			if got.Verdict != c.want {
				t.Errorf("%s, seed %d: %s\n%v", c.rule, seed, got.Verdict, got.Finding)
			}
		}
	}
}
