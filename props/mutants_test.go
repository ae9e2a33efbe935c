package props

import (
	"slices"
	"testing"

	"egad/internal/golden"
	"egad/internal/testflag"
	"egad/rules"
	"egad/rules/lint"
	"egad/rules/load"
	"egad/term"
)

// builtinMutants lists the mutants of the rules of egad: those that are read, that
// say something, and that say what their rule does not.
func builtinMutants(t *testing.T) []ruleMutant {
	t.Helper()
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	var out []ruleMutant
	for _, r := range lib.All() {
		if r.Of != nil || r.Label == rules.Agreed { // the same text, or compared with nothing
			continue
		}
		own := rulesOf(sig, partsOf(r).String())
		says := func(x *rules.Rule) bool {
			return !lint.Never(x) && !slices.ContainsFunc(own, func(r *rules.Rule) bool { return lint.Covers(r, x) })
		}
		for _, m := range mutants(sig, r) {
			if slices.ContainsFunc(m.load(sig), says) {
				out = append(out, m)
			}
		}
	}
	return out
}

// survives reports whether a mutant is not found to be wrong in 1,000 instances.
func (m ruleMutant) survives() (bool, *RuleReport) {
	sig := term.NewSignature()
	rep := CheckRules(sig, m.load(sig), RuleChecks{Count: 1000, Seed: testflag.Seed})
	return rep.Wrong == 0, rep
}

// TestMutants makes mistakes of every kind in the rules of egad. Those that are not
// found in 1,000 instances are listed in testdata/mutants.golden, each with the
// reason why it is true. Without -long it tries a few of them.
func TestMutants(t *testing.T) {
	every := testflag.Count(1500, 1)
	list := readSurvivors(t, "testdata/mutants.golden")
	known := make(map[string]bool)
	tried, alive := 0, []string(nil)
	for i, m := range builtinMutants(t) {
		name := m.String()
		if known[name] = true; i%every != 0 {
			continue
		}
		tried++
		survives, rep := m.survives()
		if survives {
			alive = append(alive, name)
			t.Logf("%s: %d tested, %d skipped", name, rep.Tested, rep.Skipped)
		}
		switch listed := list.find(name) >= 0; {
		case survives && !listed:
			t.Errorf("%s is not found\n%s", name, m.text)
		case !survives && listed:
			t.Errorf("%s is listed, and found\n%v", name, rep.Findings)
		}
	}
	for _, s := range list.survivors {
		if !known[s.name] {
			t.Errorf("%s is listed, and no mutant", s.name)
		}
		if list.reason(s.why) == "" {
			t.Errorf("%s is listed without a reason", s.name)
		}
	}
	t.Logf("%d mutants, %d tried, %d survive", len(known), tried, len(alive))
	if testflag.Long {
		golden.Check(t, list.path, list.with(alive).String())
	}
}
