package main

import (
	"bytes"
	"testing"

	"egad/diag"
	"egad/rules/runner"
	"egad/rules/suite"
)

// A test is not said to be all right if there is no proof of what it proves.
func TestOutcomeWithoutProof(t *testing.T) {
	src := &diag.Source{Name: "l.rules", Text: "language l\nsort E\nsymbol x : E\nop f E : E\nrule r f a => a\ntest t\n  start f x\n  prove f x = x\n"}
	file, err := suite.Load(src)
	if err != nil {
		t.Fatal(err)
	}
	x := suiteTest{Test: file.Tests[0], file: file}
	res, err := file.Run(x.Test, runner.Options{Proofs: true})
	if err != nil {
		t.Fatal(err)
	}
	var open diag.List
	for _, want := range []string{
		"ok     t: goal reached after 1 iteration, 2 e-nodes in 1 e-class, 1 match\n",
		"FAILED t: goal reached after 1 iteration, 2 e-nodes in 1 e-class, 1 match; 1 claim without a proof\n",
	} {
		var b bytes.Buffer
		if x.outcome(&b, res, runner.Options{}, nil, open); b.String() != want {
			t.Errorf("%q", b.String())
		}
		open.Add(src, x.Prove[0].Pos, "the time is over")
	}
}
