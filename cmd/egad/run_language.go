package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"egad/data"
	"egad/diag"
	"egad/rules"
	"egad/rules/load"
	"egad/term/module"
)

// meaningless says that a language has no meaning.
func meaningless(path string, l *rules.Language) error {
	return fmt.Errorf("%s: no operator of the language %s has a meaning: say what it computes, as in op + E E : E means \\a b -> a + b", diag.Printable(path), l.Name)
}

// runLanguage evaluates the terms with which a test of a language starts, by what its
// operators mean.
func (f *programFlags) runLanguage(cmd *cobra.Command, path string) error {
	src, err := diag.ReadSource(path)
	if err != nil {
		return err
	}
	l, err := load.Language(src)
	switch {
	case err != nil:
		return err
	case l.Meaning == nil:
		return meaningless(path, l)
	}
	var test *rules.Test
	for _, x := range l.Tests {
		if f.def == "" || x.Name.Text == f.def {
			test = x
		}
	}
	switch {
	case test == nil && f.def != "":
		return noTest("--def", f.def, path, l.Tests)
	case test == nil:
		return fmt.Errorf("%s: there are no tests, and so no terms", diag.Printable(path))
	}
	p, err := l.Meaning.Program(test)
	if err != nil {
		return err
	}
	if err := f.writable(p.Store.Type(p.Root)); err != nil {
		return err
	}
	in, err := readInputs(f.memory.reader(), "--in", f.in)
	if err != nil {
		return err
	}
	_, env, err := data.Bind(module.DefInfo{Name: test.Name.Text, Src: src, Pos: test.Name.Pos, Params: p.Inputs}, in, nil)
	if err != nil {
		return err
	}
	v, err := f.evaluate(cmd.ErrOrStderr(), path, nil, p, nil, env)
	if err != nil {
		return err
	}
	return f.writeValue(cmd, v)
}
