package main

import (
	"errors"
	"io"

	"egad"
	"egad/ad"
	"egad/data"
	"egad/fusion"
	"egad/internal/raise"
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
		Run: func(cmd *cobra.Command, args []string) {
			if isRules(args[0]) {
				f.runLanguage(cmd, args[0])
				return
			}
			def := f.definition(args[0])
			f.writable(def.info.Result)
			f.writeValue(cmd, data.Rows(def.info.Result, f.value(cmd, args[0], def)))
		},
	}
	f.addProgram(cmd)
	f.addEval(cmd)
	return cmd
}

// writable raises an error if what is of a type does not go to the file of --out.
func (f *programFlags) writable(t *types.Type) {
	if isNPY(f.out) && t.Kind != types.KArray {
		misused("--out %s: a .npy file holds one array, and the result is %s; a name that ends otherwise is of JSON", f.out, t.Written())
	}
}

// writeValue writes the value of a definition.
func (f *programFlags) writeValue(cmd *cobra.Command, v *egad.Value) {
	f.write(cmd.OutOrStdout(), func(w io.Writer) {
		if isNPY(f.out) {
			raise.Error(data.WriteNPY(w, v))
		} else {
			raise.Error(data.WriteJSON(w, []data.Result{{Name: "value", Value: v}}))
		}
	})
}

// value is that of a definition. A functional program of which there is no array program is
// run as it is.
func (f *programFlags) value(cmd *cobra.Command, path string, def *definition) *egad.Value {
	p, env, err := f.given(def)
	if not, ok := errors.AsType[*module.NotLoweredError](err); ok {
		stop := busy(cmd.ErrOrStderr(), "running")
		defer stop()
		v, err := def.Interpret(not, env)
		return raise.Must(v, def.located(err))
	}
	raise.Error(err)
	return f.evaluate(cmd.ErrOrStderr(), path, def.Rules(), p, ad.Value(def.Rules(), p, ad.Options{}), env)
}

// evaluate runs a program of the file path, with a sign of life on a terminal if
// it takes long.
func (f *programFlags) evaluate(errOut io.Writer, path string, lib *rules.Library, p *term.Program, others fusion.Others, env egad.Env) (v *egad.Value) {
	f.how.check()
	stop := busy(errOut, "running")
	defer stop()
	err := raise.Catch(func() { v = f.memory.run(lib, p, others, env, f.how, errOut) })
	return raise.Must(v, inFile(path, err))
}
