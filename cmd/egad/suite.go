package main

import (
	"errors"
	"fmt"
	"io"

	"egad/diag"
	"egad/egraph"
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
	graph      *egraph.Graph // as the run left it
	roots      []egraph.Ref  // of the terms that the test starts with
	data       func() *extract.Graph
	blame      func(w io.Writer) error
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
	add := func(name string, bytes int, run func(o runner.Options) (*outcome, error)) {
		out = append(out, suiteTest{name, bytes, run})
	}
	if syntax.IsLanguage(src) {
		t, err := theory.Load(src)
		if err != nil {
			return nil, err
		}
		for _, x := range t.Tests {
			add(x.Name, x.Limits.Bytes, func(o runner.Options) (*outcome, error) { return ofLanguage(t, x, o), nil })
		}
	} else {
		f, err := arrays.Load(src)
		if err != nil {
			return nil, err
		}
		for _, x := range f.Tests {
			add(x.Name.Text, runner.LimitsOf(x.Test).Bytes, func(o runner.Options) (*outcome, error) { return ofArrays(f, x, o) })
		}
	}
	return chosen(path, only, out)
}

// chosen is the tests of a file, or the one with the given name. No tests are an error.
func chosen(path, only string, tests []suiteTest) ([]suiteTest, error) {
	var names []string
	for _, x := range tests {
		if only != "" && x.name == only {
			return []suiteTest{x}, nil
		}
		names = append(names, x.name)
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
	out := &outcome{Result: res.Result, graph: res.Graph.Graph, roots: res.Roots}
	out.data = func() *extract.Graph { return res.Graph.Export(res.Roots) }
	if res.Faulty() {
		out.blame = func(w io.Writer) error { return blameLanguage(w, t, x, o) }
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
	out := &outcome{Result: res.Result, graph: res.Graph.Graph, roots: res.Roots}
	out.data = func() *extract.Graph { return extract.Data(res.Graph, res.Roots...) }
	if res.Faulty() {
		out.blame = func(w io.Writer) error { return blameArrays(w, f, x, o) }
	}
	out.proofs = func() (shown []shownProof, err error) {
		ps, err := res.Proofs()
		for _, p := range ps {
			shown = append(shown, arrayProof{x, p})
		}
		return shown, err
	}
	out.proofsJSON = func(w io.Writer, shown []shownProof) error {
		all := []*arrays.Written{}
		for _, p := range shown {
			x, err := p.(arrayProof).Proof.Write()
			if err != nil {
				return err
			}
			all = append(all, x)
		}
		return writeJSON(w, all)
	}
	return out, nil
}

// blameArrays shows how the rules of a test prove what cannot be.
func blameArrays(w io.Writer, f *arrays.File, x *rules.Test, o runner.Options) error {
	b, err := f.Blame(x, o)
	if b == nil {
		return err
	}
	fmt.Fprintf(w, "\n%s\n", b.Text)
	if b.Proof != nil {
		return errors.Join(err, arrayProof{x, b.Proof}.show(w))
	}
	if b.Chain != "" {
		fmt.Fprintln(w, b.Chain)
	}
	return err
}

// blameLanguage is blameArrays in a language of its own.
func blameLanguage(w io.Writer, t *theory.Theory, x *theory.Test, o theory.Options) error {
	p, err := t.Blame(x, o)
	if p != nil {
		fmt.Fprintf(w, "\n%s\n", p.Blamed(t))
		err = errors.Join(err, p.Write(w, t))
	}
	return err
}
