package main

import (
	"errors"
	"fmt"
	"io"

	"egad/diag"
	"egad/extract"
	"egad/rules"
	"egad/rules/runner"
	"egad/rules/saturate"
	"egad/rules/suite"
	"egad/stages"
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
func loadSuite(path, only, from string, by taking) ([]suiteTest, error) {
	src, err := diag.ReadSource(path)
	if err != nil {
		return nil, err
	}
	f, err := suite.Load(src)
	if err != nil {
		return nil, err
	}
	if err := f.TakeBy(by.grammar, by.how); err != nil {
		return nil, usageError{fmt.Errorf("--grammar: %w", err)}
	}
	if from != "" {
		if f.From, err = readGraph(from, defaultMemory); err != nil {
			return nil, err
		}
		if len(f.Tests) == 0 && only == "" {
			return []suiteTest{{f.All(src), f}}, nil
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
		return nil, noTest("--test", only, path, f.Tests)
	case len(out) == 0:
		return nil, fmt.Errorf("%s: there are no tests", diag.Printable(path))
	}
	return out, nil
}

// noTest says that a file has no test of the name that a flag gives.
func noTest(flag, name, path string, tests []*rules.Test) error {
	var names []string
	for _, x := range tests {
		names = append(names, x.Name.Text)
	}
	return usageError{fmt.Errorf("%s %s: %s has no such test%s", flag, name, diag.Printable(path), diag.DidYouMean(name, names))}
}

// bytes is the memory that the test may take.
func (x suiteTest) bytes() int { return runner.LimitsOf(x.Test.Test).Bytes }

// proofs are the proofs of what a run has proved.
type proofs struct {
	steps  []*saturate.Proof // of a language
	arrays []*suite.Proof
}

// proofs proves what the run has proved, with an error for what has no proof.
func (x suiteTest) proofs(res *suite.Result) (out proofs, err error) {
	if x.file.Language != nil {
		out.steps, err = res.LanguageProofs()
	} else {
		out.arrays, err = res.Proofs()
	}
	return out, err
}

// write writes proofs.
func (x suiteTest) write(w io.Writer, ps proofs) error {
	for _, p := range ps.steps {
		fmt.Fprintln(w)
		if err := p.Write(w, x.file.Language); err != nil {
			return err
		}
	}
	for _, p := range ps.arrays {
		fmt.Fprintln(w)
		if err := x.writeProof(w, p, ""); err != nil {
			return err
		}
	}
	return nil
}

// writeProof writes a proof about arrays, and those of what its conditions rest on.
func (x suiteTest) writeProof(w io.Writer, p *suite.Proof, as string) error {
	text := stages.ProofText(as+p.Text, p.Proof, p.Equation, x.Program.Inputs)
	for _, a := range p.Assumed {
		text += "-- assumed: " + a + "\n"
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	for _, y := range p.As {
		if err := x.writeProof(w, y, "as "); err != nil {
			return err
		}
	}
	return nil
}

// writeJSON writes proofs as JSON.
func (x suiteTest) writeJSON(w io.Writer, ps proofs) error {
	if x.file.Language != nil {
		return saturate.JSON(w, x.file.Language, ps.steps)
	}
	all := []*suite.Written{}
	for _, p := range ps.arrays {
		y, err := p.Write()
		if err != nil {
			return err
		}
		all = append(all, y)
	}
	return writeJSON(w, all)
}

// blame shows how the rules of a test prove what cannot be.
func (x suiteTest) blame(w io.Writer, o runner.Options) error {
	b, err := x.file.Blame(x.Test, o)
	if b == nil {
		return err
	}
	fmt.Fprintf(w, "\n%s\n", b.Text)
	switch {
	case b.Steps != nil:
		err = errors.Join(err, b.Steps.Write(w, x.file.Language))
	case b.Proof != nil:
		err = errors.Join(err, x.writeProof(w, b.Proof, ""))
	case b.Chain != "":
		fmt.Fprintln(w, b.Chain)
	}
	return err
}
