package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"egad/diag"
	"egad/extract"
	"egad/rules"
	"egad/rules/syntax"
	"egad/runner"
	"egad/runner/arrays"
	"egad/stages"
	"egad/theory"
)

// suiteTest is a test of a rule file, of a language of its own or of arrays.
type suiteTest struct {
	name  string
	bytes int // the memory that it may take
	run   func(o runner.Options) (*outcome, error)
}

// outcome is what came of a test, and what can be shown of it. What is nil is not
// there.
type outcome struct {
	*runner.Result
	graph      func(w io.Writer) error // the e-graph as JSON
	blame      func(w io.Writer)
	proofs     func() ([]shownProof, error)
	proofsJSON func(w io.Writer, ps []shownProof) error
}

// shownProof writes a proof.
type shownProof interface{ show(w io.Writer) error }

// loadSuite reads the tests of a rule file, or the one with the given name.
func loadSuite(path, only string) ([]suiteTest, error) {
	src, err := diag.ReadSource(path)
	if err != nil {
		return nil, err
	}
	var out []suiteTest
	if syntax.IsLanguage(src) {
		t, tests, err := languageTests(src, only)
		if err != nil {
			return nil, err
		}
		for _, x := range tests {
			out = append(out, suiteTest{x.Name, x.Limits.Bytes, func(o runner.Options) (*outcome, error) { return ofLanguage(t, x, o), nil }})
		}
		return out, nil
	}
	f, err := arrays.Load(src)
	if err != nil {
		return nil, err
	}
	tests, err := chosen(path, only, f.Tests, func(x *rules.Test) string { return x.Name.Text })
	for _, x := range tests {
		run := func(o runner.Options) (*outcome, error) { return ofArrays(f, x, o) }
		out = append(out, suiteTest{x.Name.Text, runner.LimitsOf(x.Test).Bytes, run})
	}
	return out, err
}

// languageTests reads a language and its tests, or the one with the given name.
func languageTests(src *diag.Source, only string) (*theory.Theory, []*theory.Test, error) {
	t, err := theory.Load(src)
	if err != nil {
		return nil, nil, err
	}
	tests, err := chosen(src.Name, only, t.Tests, func(x *theory.Test) string { return x.Name })
	return t, tests, err
}

// chosen is the tests of a file, or the one with the given name. No tests are an error.
func chosen[T any](path, only string, tests []T, name func(T) string) ([]T, error) {
	var names []string
	for _, x := range tests {
		if only != "" && name(x) == only {
			return []T{x}, nil
		}
		names = append(names, name(x))
	}
	switch {
	case only != "":
		return nil, usageError{fmt.Errorf("--test %s: %s has no such test%s", only, diag.Printable(path), diag.DidYouMean(only, names))}
	case len(tests) == 0:
		return nil, fmt.Errorf("%s: there are no tests", diag.Printable(path))
	}
	return tests, nil
}

// languageProof is a proof in a language of its own.
type languageProof struct {
	t *theory.Theory
	*theory.Proof
}

func (p languageProof) show(w io.Writer) error { return p.Write(w, p.t) }

func ofLanguage(t *theory.Theory, x *theory.Test, o runner.Options) *outcome {
	res := t.Run(x, o)
	out := &outcome{Result: res.Result}
	out.graph = func(w io.Writer) error { return extract.WriteJSON(w, res.Graph.Export(res.Roots)) }
	if res.Faulty() {
		out.blame = func(w io.Writer) { writeBlame(w, t, x, o) }
	}
	out.proofs = func() (shown []shownProof, err error) {
		ps, err := res.Proofs()
		for _, p := range ps {
			shown = append(shown, languageProof{t, p})
		}
		return shown, err
	}
	out.proofsJSON = func(w io.Writer, shown []shownProof) error {
		ps := []*theory.Proof{}
		for _, p := range shown {
			ps = append(ps, p.(languageProof).Proof)
		}
		return theory.JSON(w, t, ps)
	}
	return out
}

// arrayProof is a proof about arrays.
type arrayProof struct {
	x *rules.Test
	*arrays.Proof
}

func (p arrayProof) show(w io.Writer) error { return p.write(w, p.Proof, "") }

// write writes a proof, and those of what its conditions rest on.
func (p arrayProof) write(w io.Writer, x *arrays.Proof, as string) error {
	text := stages.ProofText(as+x.Text, x.Proof, p.x.Program.Inputs)
	for _, a := range x.Assumed {
		text += "-- assumed: " + a + "\n"
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	for _, y := range x.As {
		if err := p.write(w, y, "as "); err != nil {
			return err
		}
	}
	return nil
}

func ofArrays(f *arrays.File, x *rules.Test, o runner.Options) (*outcome, error) {
	res, err := f.Run(x, o)
	if err != nil {
		return nil, err
	}
	out := &outcome{Result: res.Result}
	if c := res.Contradiction; c != nil {
		out.blame = func(w io.Writer) {
			fmt.Fprintf(w, "\nof these rules one is unsound: %s\n%s\n", strings.Join(c.Rules, ", "), c.Proof)
		}
	}
	out.proofs = func() (shown []shownProof, err error) {
		ps, err := res.Proofs()
		for _, p := range ps {
			shown = append(shown, arrayProof{x, p})
		}
		return shown, err
	}
	return out, nil
}

// errNoJSON says what can be printed of arrays.
var errNoJSON = usageError{errors.New("--json is not for tests of arrays: of arrays, it prints the e-graph of a stage of a program, and egad grad --proof writes proofs")}
