package main

import (
	"errors"
	"fmt"
	"io"

	"egad"
	"egad/ad"
	"egad/data"
	"egad/fusion"
	"egad/rules"
	"egad/term"
	"egad/term/module"
	"egad/term/types"

	"github.com/spf13/cobra"
)

func newRun() *cobra.Command {
	var f programFlags
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Evaluate a definition",
		Long:  "run evaluates a definition on inputs and prints its value as JSON. Sizes come\nfrom the data. With --out FILE.npy it writes an array in the format of NumPy.\n\nOf a rule file that declares a language whose operators have a meaning, it evaluates\nthe terms with which a test starts (--def is its name, or the last one).",
		Args:  arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if isRules(args[0]) {
				return f.runLanguage(cmd, args[0])
			}
			def, err := f.definition(args[0])
			if err != nil {
				return err
			}
			if err := f.writable(def.info.Result); err != nil {
				return err
			}
			v, err := f.value(cmd, args[0], def)
			if err != nil {
				return err
			}
			return f.writeValue(cmd, data.Rows(def.info.Result, v))
		},
	}
	f.addProgram(cmd)
	f.addEval(cmd)
	return cmd
}

// writable is an error if what is of a type does not go to the file of --out.
func (f *programFlags) writable(t *types.Type) error {
	if isNPY(f.out) && t.Kind != types.KArray {
		return usageError{fmt.Errorf("--out %s: a .npy file holds one array, and the result is %s; a name that ends otherwise is of JSON", f.out, t.Written())}
	}
	return nil
}

// writeValue writes the value of a definition.
func (f *programFlags) writeValue(cmd *cobra.Command, v *egad.Value) error {
	return f.write(cmd.OutOrStdout(), func(w io.Writer) error {
		if isNPY(f.out) {
			return data.WriteNPY(w, v)
		}
		return data.WriteJSON(w, []data.Result{{Name: "value", Value: v}})
	})
}

// value is that of a definition. A functional program of which there is no array program is
// run as it is.
func (f *programFlags) value(cmd *cobra.Command, path string, def *definition) (*egad.Value, error) {
	p, env, err := f.given(def)
	if not, ok := errors.AsType[*module.NotLoweredError](err); ok {
		stop := busy(cmd.ErrOrStderr(), "running")
		defer stop()
		v, err := def.Interpret(not, env)
		return v, def.located(err)
	}
	if err != nil {
		return nil, err
	}
	return f.evaluate(cmd.ErrOrStderr(), path, def.Rules(), p, ad.Value(def.Rules(), p, ad.Options{}), env)
}

// evaluate runs a program of the file path, with a sign of life on a terminal if
// it takes long.
func (f *programFlags) evaluate(errOut io.Writer, path string, lib *rules.Library, p *term.Program, others fusion.Others, env egad.Env) (*egad.Value, error) {
	if err := f.how.check(); err != nil {
		return nil, err
	}
	stop := busy(errOut, "running")
	defer stop()
	v, err := f.memory.run(lib, p, others, env, f.how, errOut)
	return v, inFile(path, err)
}
