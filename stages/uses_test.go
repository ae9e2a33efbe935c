package stages_test

import (
	"testing"

	"egad/diag"
	"egad/internal/golden"
	"egad/rules/lint"
	"egad/rules/load"
	"egad/stages"
	"egad/term"
)

// TestWarnings warns of the rules of egad only where it is true: where branches
// are arrays there is a better rule than that of the paper.
func TestWarnings(t *testing.T) {
	lib, err := load.Builtin(term.NewSignature())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range lib.Sets {
		if s.Src == nil {
			t.Fatalf("%s has no source", s.Name)
		}
	}
	var srcs []*diag.Source
	for _, r := range lib.All() {
		srcs = append(srcs, r.Src)
	}
	got := ""
	for _, w := range lint.Library(lib, stages.RuleUses(lib), stages.Schedules, srcs...) {
		got += w.Error() + "\n"
	}
	golden.Check(t, "testdata/warnings.golden", got)
}

// TestOdd keeps the warnings about rules that cannot be meant.
func TestOdd(t *testing.T) {
	src, err := diag.ReadSource("testdata/odd.rules")
	if err != nil {
		t.Fatal(err)
	}
	lib, err := load.Builtin(term.NewSignature(), src)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, w := range lint.Library(lib, stages.RuleUses(lib), stages.Schedules, src) {
		got += w.Error() + "\n"
	}
	golden.Check(t, "testdata/odd.golden", got)
}
