package main

import (
	"fmt"
	"io"

	"egad/diag"
	"egad/extract"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/runner"
	"egad/rules/suite"
)

// suiteTest is a test of a rule file.
type suiteTest struct {
	*rules.Test
	file *suite.File
}

// taking says how terms are taken out of e-graphs.
type taking struct {
	grammar string // "" is that of the test
	how     extract.Choosing
}

// loadSuite reads the tests of a rule file, or the one with the given name. No tests are
// an error.
// With from, the name of a file, tests begin with the e-graph that is there; without tests
// all rules run on it.
func loadSuite(path, only, from string, by taking) []suiteTest {
	src := raise.Must(diag.ReadSource(path))
	f := raise.Must(suite.Load(src))
	if err := f.TakeBy(by.grammar, by.how); err != nil {
		misused("--grammar: %w", err)
	}
	if from != "" {
		f.From = readGraph(from, defaultMemory)
		if len(f.Tests) == 0 && only == "" {
			return []suiteTest{{f.All(src), f}}
		}
	}
	var out []suiteTest
	for _, x := range f.Tests {
		if only == "" || x.Name.Text == only {
			out = append(out, suiteTest{x, f})
		}
	}
	switch {
	case len(out) == 0 && only != "":
		raise.Error(noTest("--test", only, path, f.Tests))
	case len(out) == 0:
		raise.Error(fmt.Errorf("%s: there are no tests", diag.Printable(path)))
	}
	return out
}

// noTest says that a file has no test of the name that a flag gives.
func noTest(flag, name, path string, tests []*rules.Test) error {
	names := slice.Map(tests, func(x *rules.Test) string { return x.Name.Text })
	return usagef("%s %s: %s has no such test%s", flag, name, diag.Printable(path), diag.DidYouMean(name, names))
}

// run runs the test in the memory that it may take.
func (x suiteTest) run(o runner.Options) *suite.Result {
	boundMemory(runner.LimitsOf(x.Test.Test).Bytes)
	return raise.Must(x.file.Run(x.Test, o))
}

// blame shows how the rules of a test prove what cannot be.
func (x suiteTest) blame(w io.Writer, res *suite.Result, o runner.Options) error {
	b, err := x.file.Blame(x.Test, o)
	if b == nil {
		return err
	}
	res.Contradicts(b)
	fmt.Fprintf(w, "\n%s\n", b.Text)
	if b.Proof != nil {
		fmt.Fprint(w, b.Proof)
	}
	return err
}
