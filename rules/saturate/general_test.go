package saturate_test

import (
	"strings"
	"testing"

	"egad/extract"
	"egad/internal/defs"
	_ "egad/internal/testflag"
	"egad/rules"
	"egad/rules/load"
	"egad/rules/saturate"
	"egad/slot"
)

// A metavariable alone on the left side stands for every class that the conditions
// allow: what the compiled rules make of them is what the search finds, and
// what facts make known later counts.
func TestGeneralRules(t *testing.T) {
	lib, p := defs.With(t, `
ruleset general
rule away real
  log x => neg (tan x)
rule on real
  tan x => lgamma x
rule known real
  lgamma x => -3
rule twice exact
  t => neg (neg t)
  if t : R[sh...]
rule large real
  y => abs y
  if 2 < y, y : R[sh...]
rule truth exact
  b => b && b
  if b : B[]
rule triple exact
  p => (p.0, p.1, p.2)
  if p : (R, B, R)
rule map exact
  f => lcompose f (lone @R[n])
  if f : R[n] -o R
rule half real
  2 * (a / 2) <=> a
  if a : R[]
ruleset bot_build
use twice`, "def f(x: R, b: B, v: R[2]): (R, B, R) = (log x + x, not b, lapply (lmap sum @R[2]) v)")
	if _, err := compare(p, lib.Sets); err != nil {
		t.Error(err)
	}
	few := &rules.Set{Name: "few", Rules: []*rules.Rule{lib.Rule("away"), lib.Rule("on"), lib.Rule("known"), lib.Rule("large")}}
	if _, err := compare(p, []*rules.Set{few}); err != nil {
		t.Error(err)
	}
	g, rep, err := run(p, lib.Sets, false)
	if err != nil {
		t.Fatal(err)
	}
	unions := make(map[string]int)
	for _, r := range rep.Rules {
		unions[r.Name] = r.Unions
	}
	for _, r := range lib.All() {
		if r.Name != "half" && unions[r.Name] == 0 {
			t.Errorf("%s says nothing: %s", r.Name, rep)
		}
		roots := g.Roots()
		got, err := g.Results(r)
		if err != nil {
			t.Fatal(err)
		}
		want := obvious(t, g, r, roots)
		compareResults(t, g, r, p, got, want, "the search does not find")
		compareResults(t, g, r, p, want, got, "the compiled pattern does not find")
	}

	// A directed run would never end.
	full, err := load.Builtin(p.Store.Signature())
	if err != nil {
		t.Fatal(err)
	}
	g = saturate.New(p.Store.Signature())
	root, err := g.AddTerm(p.Store, p.Root, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = extract.On(g, []slot.Ref{root}, full.With(lib), "bulk", extract.How{}, nil)
	if err == nil || !strings.Contains(err.Error(), "the schedule bulk runs the set bot_build until no rule applies, and twice always does") {
		t.Error(err)
	}
}
