package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"egad/data"
	"egad/diag"
	"egad/internal/raise"
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
func (f *programFlags) runLanguage(cmd *cobra.Command, path string) {
	src := raise.Must(diag.ReadSource(path))
	l := raise.Must(load.Language(src))
	if l.Meaning == nil {
		raise.Error(meaningless(path, l))
	}
	var test *rules.Test
	for _, x := range l.Tests {
		if f.def == "" || x.Name.Text == f.def {
			test = x
		}
	}
	switch {
	case test == nil && f.def != "":
		raise.Error(noTest("--def", f.def, path, l.Tests))
	case test == nil:
		raise.Error(fmt.Errorf("%s: there are no tests, and so no terms", diag.Printable(path)))
	}
	p := raise.Must(l.Meaning.Program(test))
	f.writable(p.Store.Type(p.Root))
	in := raise.Must(readInputs(f.memory.reader(), "--in", f.in))
	_, env, err := data.Bind(module.DefInfo{Name: test.Name.Text, Src: src, Pos: test.Name.Pos, Params: p.Inputs}, in, nil)
	raise.Error(err)
	f.writeValue(cmd, f.evaluate(cmd.ErrOrStderr(), path, nil, p, nil, env))
}
