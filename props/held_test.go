package props

import (
	"strings"
	"testing"
	"time"

	"egad/diag"
	"egad/internal/testflag"
	"egad/rules/load"
	"egad/rules/typing"
	"egad/term"
)

// Rules whose sides have one value and other derivatives are wrong: of the first order, or
// only of the second.
func TestHeldRules(t *testing.T) {
	for rule, wrong := range map[string]bool{
		"stopgrad (stopgrad a) => a":                                        true,
		"stopgrad (stopgrad a) => stopgrad a":                               false,
		"a * stopgrad a => a * a":                                           true,
		"stopgrad a * stopgrad a => a * stopgrad a":                         true,
		"a * stopgrad a => stopgrad a * a":                                  false,
		"a * a * stopgrad a => a * stopgrad (a * a)":                        true,
		"2 * (a * stopgrad a) => a * a + stopgrad a * stopgrad a":           true,
		"exp (stopgrad a) => stopgrad (exp a)":                              false,
		"stopgrad (lit c) => lit c":                                         false,
		"sum (stopgrad t) => stopgrad (sum t)":                              false,
		"build k (\\i -> stopgrad t) => stopgrad (build k (\\i -> t))":      false,
		"withslope v x a => v":                                              true,
		"withslope (withslope v x a) x b => withslope v x (a + b)":          false,
		"?op (replicate n t) => replicate n (?op t) if ?op : elementwise/1": false,
	} {
		sig := term.NewSignature()
		lib, err := load.Files(sig, &diag.Source{Name: "held.rules", Text: "ruleset s\nrule r real\n  " + rule + "\n"})
		if err != nil {
			t.Error(rule, err)
			continue
		}
		r := lib.Rule("r")
		rep := typing.Check(sig, r)
		if rep.Err != nil {
			t.Error(rule, rep.Err)
			continue
		}
		res := testRule(sig, r, rep.Instances(), testflag.Count(8, 1000), 1, time.Time{})
		if res.Err != nil || (res.Counterexample != nil) != wrong {
			t.Errorf("%s: wrong is not %v: %v %v", rule, wrong, res.Err, res.Counterexample)
		}
		if wrong && !strings.Contains(res.Counterexample.First, "derivatives differ") {
			t.Errorf("%s:\n%s", rule, res.Counterexample)
		}
	}
}
