package saturate_test

import (
	"testing"

	"egad/diag"
	"egad/rules/load"
	"egad/rules/match"
	"egad/rules/saturate"
	"egad/term"
	"egad/term/module"
	"egad/term/ops"
)

// matched is an application of the only rule of a text to a term.
func matched(t *testing.T, rule, inputs, at string) (match.Terms, *match.Application) {
	t.Helper()
	sig := term.NewSignature()
	src := &diag.Source{Name: "t.rules", Text: "ruleset t\nrule r real\n  " + rule + "\n  example " + inputs + " " + at + " => " + at + "\n"}
	lib, err := load.Files(sig, src)
	if err != nil {
		t.Fatal(err)
	}
	ex := lib.Rule("r").Examples[0]
	p, ts, err := module.Elaborate(sig, src, ex.Inputs, true, ex.Lhs)
	if err != nil {
		t.Fatal(err)
	}
	space := match.Terms{Store: p.Store}
	var found *match.Application
	if err := saturate.NewMatcher(space).Matches(lib.Rule("r"), ts[0], false, func(a *match.Application) bool { found = a; return false }); err != nil || found == nil {
		t.Fatal(found, err)
	}
	return space, found
}

// TestApplication makes the left side of a match again from its application, and
// refuses one with an operator too many or too few.
func TestApplication(t *testing.T) {
	for _, c := range []struct{ rule, inputs, at string }{
		{"sin (a + b) => a", "(x: R, y: R)", "sin (x + exp y)"},
		{"[(neg (sin ts))..., (exp u)] => [ts..., u]", "(x: R, y: R)", "[-sin x, -sin (exp y), exp x]"},
		{"[as...] + [bs...] => [as...]", "(x: R, y: R)", "[x, sin y] + [y, y]"},
	} {
		space, a := matched(t, c.rule, c.inputs, c.at)
		root := a.Match.Root
		sides, err := a.Sides(space)
		if err != nil || !sides.Lhs.Equal(root) {
			t.Errorf("%s: the left side is not made again: %v", c.rule, err)
			continue
		}
		for _, ops := range [][]ops.Op{append(a.Ops[:len(a.Ops):len(a.Ops)], a.Ops[0]), a.Ops[:len(a.Ops)-1]} {
			if _, err := (&match.Application{Match: a.Match, Ops: ops}).Sides(space); err == nil {
				t.Errorf("%s: %d operators are taken for %d", c.rule, len(ops), len(a.Ops))
			}
		}
	}
}
