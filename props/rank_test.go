package props

import (
	"regexp"
	"testing"

	"egad/diag"
	"egad/rules/load"
	"egad/term"
)

// TestLowRank checks that counterexamples have no more axes and operands than they need,
// where values that are rare make them, too.
func TestLowRank(t *testing.T) {
	for _, c := range []struct{ rule, binding string }{
		{"exact sum (sum t) => sum (sum (tr [1, 0] t))", `t : R\[\d, \d\] =`},
		{"exact index (replicate k t) (u :: vs) => index t vs", "t : R ="},
		{"exact sin a => a", "a : R ="},
		{"exact gather ks (gather js t (\\bs -> bx)) (\\is -> ix) => gather ks t (\\is -> bx[bs := ix]) if len ix = len js", "t : R ="},
		{"exact a + zero => a", "a : R = -0"},
		{"exact [(sqrt ts)...] => sqrt [(ts + 0)...]", `ts1 : R = -0\s+left`},
		{"exact a / b => (a + 0) / b", `a : R = -0\s+b : R = \d\s+left`},
		{"exact where m (sqrt a) (sqrt b) => where m (sqrt a) (sqrt (b + 0))", `m : B = false\s+a : R = \d\s+b : R = -0\s+left`},
		{"exact sum (sum t) => sum (sum (tr [1, 0] t)) if 0 <= t", `t : R\[[1-3], [1-3]\] =`},
		{"real lcompose (lscale a) (lmask m) => lmask m", "a : R ="},
	} {
		sig := term.NewSignature()
		lib, err := load.Files(sig, &diag.Source{Name: "low.rules", Text: "ruleset low\nrule r " + c.rule + "\n"})
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
