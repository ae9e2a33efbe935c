package saturate_test

import (
	"egad/internal/defs"
	"testing"
)

// Conditions on what is known in the graph are looked at again when that grows: with
// facts that follow from facts, equations that become true, literals that are found,
// and terms that are asked for, semi-naive saturation says what naive saturation does.
func TestKnown(t *testing.T) {
	for _, c := range []struct{ rules, program string }{
		{`relation positive(a: R) = 0.0 < a
ruleset k
fact e real for exp a then positive (exp a) if a : R[]
fact m real for a * b then positive (a * b) if a : R[], b : R[], positive a, positive b
rule l real
  log (a * b) => log a + log b
  if a : R[], b : R[], positive a, positive b`, "def f(x: R, y: R): R = log (exp x * (exp y * exp (log (exp x * exp y))))"},
		{`ruleset k
rule later real
  tan a => exp a
rule same real
  a - b => zero
  if a = b
rule there real
  sin a => cos a
  if exp a = exp a`, "def f(x: R): R = (tan x - exp x) + sin x + tan (tan x) - tan (exp x)"},
		{`ruleset k
rule three real
  tan a => 3
rule lit exact
  neg (neg a) => a
  if a is literal
demand more for sin a then tan a, neg (neg (tan a))`, "def f(x: R): R = neg (neg (tan x)) + sin x"},
	} {
		lib, p := defs.With(t, c.rules, c.program)
		if _, err := compare(p, lib.Sets); err != nil {
			t.Errorf("%s: %v", c.program, err)
		}
		_, rep, err := run(p, lib.Sets, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range lib.All() {
			applied := false
			for _, x := range rep.Rules {
				applied = applied || x.Name == r.Name && x.Matches > 0
			}
			if !applied {
				t.Errorf("%s: %s never applies: %s", c.program, r.Name, rep)
			}
		}
	}
}
