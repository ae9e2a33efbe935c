package props

import (
	"testing"

	"egad/diag"
	"egad/internal/golden"
	"egad/rules/load"
	"egad/rules/typing"
	"egad/term"
)

// TestErrors keeps the messages for wrong rules in a golden file. All are found
// in one run.
func TestErrors(t *testing.T) {
	src, err := diag.ReadSource("testdata/errors.rules")
	if err != nil {
		t.Fatal(err)
	}
	sig := term.NewSignature()
	base, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := load.Over(base, sig, src)
	errs, ok := err.(diag.List)
	if !ok {
		t.Fatalf("%v is not a list of findings", err)
	}
	got := ""
	for _, e := range errs {
		got += e.Error() + "\n"
	}
	for _, r := range lib.All() {
		if rep := typing.Check(sig, r); rep.Err != nil {
			got += rep.Err.Error() + "\n"
		}
		if err := CheckExamples(sig, r); err != nil {
			got += err.Error() + "\n"
		}
	}
	golden.Check(t, "testdata/errors.golden", got)
}
