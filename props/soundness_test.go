package props

import (
	"math/rand"
	"slices"
	"testing"

	"egad/internal/testflag"
	"egad/rules/load"
	"egad/rules/typing"
	"egad/term"
)

// knownWrong are rules of egad that are known to fail, with the reason.
var knownWrong = map[string]string{}

// TestBuiltinRules checks every rule that comes with egad.
func TestBuiltinRules(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	n := testflag.Count(8, 5000)
	rep := CheckRules(sig, lib.All(), RuleChecks{Count: n, Seed: testflag.Seed})
	for _, c := range rep.Checked {
		if _, known := knownWrong[c.Rule.Name]; known != (c.Verdict == Wrong) {
			t.Errorf("the rule %s: %s (%s) %v", c.Rule.Name, c.Verdict, c.Why(), c.Finding)
		}
		if agreed := slices.Contains([]string{"nabla_stopgrad", "nabla_withslope"}, c.Rule.Name); agreed != (c.Verdict == Agreed) {
			t.Errorf("the rule %s: %s", c.Rule.Name, c.Verdict)
		}
	}
	for _, e := range rep.Notes {
		t.Error(e)
	}
	examples := 0
	for _, r := range lib.All() {
		examples += len(r.Examples)
	}
	if examples < 10 {
		t.Errorf("only %d examples", examples)
	}
	t.Logf("seed %d: %d rules, %d instances tested, %d skipped (%.0f %%)", testflag.Seed, rep.Rules, rep.Tested, rep.Skipped,
		100*float64(rep.Skipped)/float64(rep.Tested+rep.Skipped))
}

// TestShownInstances: what an instance that is shown computes is bounded on both sides. The
// maps of this rule grow with the square of what its left side has.
func TestShownInstances(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	r := lib.Rule("nabla_trisolvet")
	types := typing.Check(sig, r)
	ins := types.Instances()
	if RuleInstance(sig, r, ins) == nil {
		t.Error("there is no instance")
	}
	from := rand.New(rand.NewSource(testflag.Seed))
	d := drawingOf(sig, r, ins)
	large := 0
	for i := range ins {
		c := d.drawOf(from, i)
		for k := range c.Sizes {
			c.Sizes[k] = 3
		}
		if in, ok := ins[i].At(c.sizes(ins[i])); !ok || in.Largest() > shownElements {
			continue
		}
		c.Most = shownElements
		if got := evaluateRuleCase(sig, r, ins, c, true); got.skip == SkipLarge {
			large++
		}
	}
	if large == 0 {
		t.Error("no instance is too large on the right side alone")
	}
}
