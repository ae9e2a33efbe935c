package props

import (
	"strings"
	"testing"

	"egad/diag"
	"egad/rules/load"
	"egad/term"
)

// TestExtreme: whatever the seed, a rule about one number that is wrong of -0, infinities or NaN alone is found,
// and where more than the sign of a 0 differs, that is what is shown.
func TestExtreme(t *testing.T) {
	for _, c := range []struct {
		rule string
		want Verdict
		sign bool // the counterexample is -0
	}{
		{"a + 0.0 => a if a : R", Wrong, true},
		{"0.0 * a => zero if a : R", Wrong, false},
		{"a - a => zero if a : R", Wrong, false},
		{"a == a => (a == 0.0 || a != 0.0) if a : R", Wrong, false},
		{"sqrt (a * a) => a if a : R", Wrong, false},
		{"abs a => a if a : R", Wrong, false},
		{"0.0 - a => neg a if a : R", Wrong, false},
		{"a - 0.0 => a if a : R", Holds, false},
		{"a * 1.0 => a if a : R", Holds, false},
	} {
		for seed := range int64(20) {
			sig := term.NewSignature()
			lib, err := load.Files(sig, &diag.Source{Name: "extreme.rules", Text: "ruleset extreme\nrule r exact\n  " + c.rule})
			if err != nil {
				t.Fatal(err)
			}
			got := CheckRules(sig, lib.All(), RuleChecks{Count: 200, Seed: seed}).Checked[0]
			if got.Verdict != c.want || c.want == Wrong && strings.Contains(got.Finding.Detail, "a : R = -0\n") != c.sign {
				t.Errorf("%s, seed %d: %s\n%v", c.rule, seed, got.Verdict, got.Finding)
			}
		}
	}
}
