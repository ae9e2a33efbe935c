package props

import (
	"flag"
	"testing"

	"egad/rules"
	"egad/term"
)

var (
	long = flag.Bool("long", false, "run the properties on many more cases")
	seed = flag.Int64("seed", 1, "the seed of random cases")
)

// TestBuiltinRules tests every rule that comes with egad on random instances.
func TestBuiltinRules(t *testing.T) {
	sig := term.NewSignature()
	lib, err := rules.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	n := 120
	if *long {
		n = 5000
	}
	tested, skipped := 0, 0
	for _, r := range lib.All() {
		res := TestRule(sig, r, n, *seed)
		tested += res.Tested
		skipped += res.Skipped
		switch {
		case res.Counterexample != nil:
			t.Errorf("rule %s is wrong %s", r.Name, res.Counterexample)
		case res.Err != nil:
			t.Errorf("rule %s: %v", r.Name, res.Err)
		case res.Tested == 0:
			t.Errorf("rule %s: no instance could be tested (%d skipped)", r.Name, res.Skipped)
		}
		t.Logf("%-24s %5d tested, %5d skipped", r.Name, res.Tested, res.Skipped)
	}
	t.Logf("seed %d: %d tested, %d skipped (%.0f %%)", *seed, tested, skipped, 100*float64(skipped)/float64(tested+skipped))
}
