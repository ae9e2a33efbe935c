package props

import (
	"regexp"
	"testing"

	"egad/diag"
	"egad/rules"
	"egad/term"
)

// TestLowRank checks that counterexamples have no more axes than they need.
func TestLowRank(t *testing.T) {
	for _, c := range []struct{ rule, binding string }{
		{"exact sum (sum t) => sum (sum (tr [1, 0] t))", `t : R\[\d, \d\] =`},
		{"exact index (replicate k t) (u :: vs) => index t vs", "t : R ="},
		{"exact sin a => a", "a : R ="},
		{"exact gather ks (gather js t (\\bs -> bx)) (\\is -> ix) => gather ks t (\\is -> bx[bs := ix]) if len ix = len js", "t : R ="},
		{"real lcompose (lscale a) (lmask m) => lmask m", "a : R ="},
	} {
		sig := term.NewSignature()
		lib, err := rules.Load(sig, &diag.Source{Name: "low.rules", Text: "ruleset low\nrule r " + c.rule + "\n"})
		if err != nil {
			t.Fatal(err)
		}
		for seed := range int64(3) {
			rep := CheckRules(sig, lib.All(), RuleChecks{Count: 500, Seed: seed})
			if len(rep.Findings) == 0 || !regexp.MustCompile(c.binding).MatchString(rep.Findings[0].Detail) {
				t.Errorf("%s: seed %d: not with %s\n%v", c.rule, seed, c.binding, rep.Findings)
			}
		}
	}
}
