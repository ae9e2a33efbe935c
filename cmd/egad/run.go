package main

import (
	"errors"
	"fmt"
	"io"

	"egad"
	"egad/ad"
	"egad/data"
	"egad/term"

	"github.com/spf13/cobra"
)

func newRun() *cobra.Command {
	var f programFlags
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Evaluate a definition",
		Long:  "run evaluates a definition on inputs and prints its value as JSON. Sizes come\nfrom the data.",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, p, env, err := f.load(args[0])
			if err != nil {
				return err
			}
			v, err := f.evaluate(cmd.ErrOrStderr(), args[0], p, env)
			if err != nil {
				return err
			}
			return f.write(cmd.OutOrStdout(), func(w io.Writer) error {
				return data.WriteJSON(w, []data.Result{{Name: "value", Value: v}})
			})
		},
	}
	f.add(cmd)
	return cmd
}

func newGrad() *cobra.Command {
	var f programFlags
	var wrt []string
	var exact, program bool
	cmd := &cobra.Command{
		Use:   "grad FILE",
		Short: "Differentiate a definition that results in a real scalar",
		Long: `grad derives the gradient of a definition. With inputs it prints value and
gradient as JSON; without (sizes by --size) it prints the gradient program.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("wrt") && len(wrt) == 0 {
				return usageError{errors.New("--wrt: expected names of inputs, as a,b")}
			}
			opt := ad.Options{Wrt: wrt, Exact: exact}
			if program || len(f.in) == 0 && needsInputs(args[0], f.def) {
				return f.printGradient(cmd, args[0], opt)
			}
			return f.gradient(cmd, args[0], opt)
		},
	}
	f.add(cmd)
	cmd.Flags().StringSliceVar(&wrt, "wrt", nil, "the inputs to differentiate with respect to (default: all real ones)")
	cmd.Flags().BoolVar(&exact, "exact", false, "simplify only by rules that keep every float64 as it is")
	cmd.Flags().BoolVar(&program, "program", false, "print the gradient program even if there are inputs")
	return cmd
}

// needsInputs reports whether a definition has parameters; if it cannot be told,
// loading it again will say why.
func needsInputs(path, def string) bool {
	m, err := egad.Load(path)
	if err != nil {
		return false
	}
	info, err := m.Lookup(def)
	return err == nil && len(info.Params) > 0
}

// printGradient prints the gradient program at the sizes of --size, or of the
// inputs.
func (f *programFlags) printGradient(cmd *cobra.Command, path string, opt ad.Options) error {
	m, p, err := f.loadAny(path)
	if err != nil {
		return err
	}
	g, err := m.Grad(p, opt)
	if err != nil {
		return err
	}
	return f.write(cmd.OutOrStdout(), func(w io.Writer) error {
		_, err := io.WriteString(w, g.Program.Text("grad_"+p.Name))
		return err
	})
}

// loadAny takes the definition at the sizes of the inputs, or else of --size.
func (f *programFlags) loadAny(path string) (*egad.Module, *term.Program, error) {
	if len(f.in) == 0 {
		return f.sized(path)
	}
	m, p, _, err := f.load(path)
	return m, p, err
}

// sized takes the definition at the sizes of --size.
func (f *programFlags) sized(path string) (*egad.Module, *term.Program, error) {
	sizes, err := f.sizeMap()
	if err != nil {
		return nil, nil, err
	}
	m, err := egad.Load(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := m.Lookup(f.def)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	p, err := m.Instantiate(info.Name, sizes)
	return m, p, err
}

// gradient prints value and gradient.
func (f *programFlags) gradient(cmd *cobra.Command, path string, opt ad.Options) error {
	m, p, env, err := f.load(path)
	if err != nil {
		return err
	}
	g, err := m.Grad(p, opt)
	if err != nil {
		return err
	}
	v, err := f.evaluate(cmd.ErrOrStderr(), path, g.Program, env)
	if err != nil {
		return err
	}
	var grads []data.Result
	for i, in := range g.Wrt {
		grads = append(grads, data.Result{Name: in.Name, Value: v.Parts[i+1]})
	}
	results := []data.Result{{Name: "value", Value: v.Parts[0]}, {Name: "grad", Group: grads}}
	return f.write(cmd.OutOrStdout(), func(w io.Writer) error { return data.WriteJSON(w, results) })
}

// evaluate runs a program of the file path, with a sign of life on a terminal if
// it takes long.
func (f *programFlags) evaluate(errOut io.Writer, path string, p *term.Program, env egad.Env) (*egad.Value, error) {
	stop := busy(errOut, "running")
	defer stop()
	if f.eval {
		v, err := egad.Evaluate(p, env)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return v, nil
	}
	v, err := egad.Run(p, env)
	if err != nil {
		return nil, fmt.Errorf("%s: %w (--eval does without kernels)", path, err)
	}
	return v, nil
}
