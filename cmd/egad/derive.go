package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"egad"
	"egad/ad"
	"egad/data"
	"egad/diag"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/load"
	"egad/rules/runner"
	"egad/term"
	"egad/term/types"
)

// derivation is a way to derive a program and to show what it results in.
type derivation struct {
	prefix string // of the derived program's name
	kind   string // if there are several
	// bind gives the inputs that p does not have their values in env; nil if there
	// are none.
	bind func(of *types.Type, p *term.Program, d *ad.Derived, env egad.Env)
	// results are those beside the value; of is the type of the definition's result, at no
	// sizes.
	results func(of *types.Type, d *ad.Derived, env egad.Env, v *egad.Value) []data.Result
}

// mode is that of [ad.Modes].
func (how derivation) mode() string { return strings.TrimSpace(how.prefix + " " + how.kind) }

// deriveFlags are the flags of all derivations.
type deriveFlags struct {
	stageFlags
	program bool
	proof   string
}

func (f *deriveFlags) add(cmd *cobra.Command) {
	f.stageFlags.add(cmd)
	f.addEval(cmd)
	cmd.Flags().BoolVar(&f.program, "program", false, "print the derived program even if there are inputs")
	cmd.Flags().StringVar(&f.proof, "proof", "", "write a proof of the derivation to this file, which egad verify checks")
}

// run derives a program and prints it, or if there are inputs runs it.
func (f *deriveFlags) run(cmd *cobra.Command, path string, how derivation) {
	def := f.checked(path)
	var p *term.Program
	var env egad.Env
	var err error
	text := f.program || len(f.in) == 0 && len(def.info.Params) > 0
	if text {
		p = f.sized(def)
	} else {
		p, env, err = f.given(def)
		raise.Error(err)
	}
	stop := busy(cmd.ErrOrStderr(), "deriving")
	f.opt.Record = f.proof != ""
	task := f.task(def, how.mode())
	d, err := def.Derive(p, task, f.opt)
	stop()
	raise.Error(err)
	f.cutShort(cmd.ErrOrStderr(), path, def.Rules(), d.Stages)
	for _, n := range d.Notes {
		fmt.Fprintf(cmd.ErrOrStderr(), "note: %s\n", n)
	}
	if f.proof != "" {
		f.writeProof(d, task)
	}
	if text {
		f.writeText(cmd.OutOrStdout(), blockComments(d)+d.Program.Text(how.prefix+"_"+p.Name))
		return
	}
	of := def.info.Result
	if how.bind != nil {
		how.bind(of, p, d, env)
	}
	v := f.evaluate(cmd.ErrOrStderr(), path, def.Rules(), d.Program, d, env)
	value := data.Result{Name: "value", Value: data.Rows(of, v.Parts[0])}
	f.write(cmd.OutOrStdout(), func(w io.Writer) {
		raise.Error(data.WriteJSON(w, append([]data.Result{value}, how.results(of, d, env, v)...)))
	})
}

// cutShort says which stages ended at a limit, if a user has set one.
func (f *stageFlags) cutShort(errOut io.Writer, path string, lib *rules.Library, stages []ad.Stage) {
	if f.opt.Time > 0 || load.Limited(lib) {
		cutOff(errOut, path, stages)
	}
}

// cutOff says which stages ended at a limit.
func cutOff(errOut io.Writer, path string, stages []ad.Stage) {
	for _, s := range stages {
		if s.Report != nil && s.Report.Stop.CutOff() && s.Report.Stop != runner.Ended {
			fmt.Fprintf(errOut, "%s: the stage %s was cut off by the %s after %s: the result is right, and may be longer than need be\n",
				diag.Printable(path), s.Name, s.Report.Stop, diag.Count(len(s.Report.Iterations), "iteration"))
		}
	}
}

// byInput pairs the inputs of a derivative with values.
func byInput(d *ad.Derived, vs []*egad.Value) []data.Result {
	return slice.Make(len(d.Wrt), func(i int) data.Result { return data.Result{Name: d.Wrt[i].Name, Value: vs[i]} })
}

// gradients pairs the inputs of a derivative with values of their types; env has the inputs'.
func gradients(d *ad.Derived, env egad.Env, vs []*egad.Value) []data.Result {
	out := byInput(d, vs)
	for i, in := range d.Wrt {
		out[i].Value = data.Rows(in.Type, data.Sides(in, env, out[i].Value))
	}
	return out
}

func newGrad() *cobra.Command {
	var f deriveFlags
	var order int
	var dirs []string
	var hessian bool
	cmd := &cobra.Command{
		Use:   "grad FILE",
		Short: "Differentiate a definition that results in a real scalar",
		Long: `grad derives the gradient of a definition. With inputs it prints value and
gradient as JSON; without (sizes by --size) it prints the gradient program.

With --order 2 it derives the product of the Hessian with a direction, forward
mode over reverse mode: the change of the gradient when the inputs move as --dir
says. Inputs without a direction stay where they are. With --hessian it derives
the whole Hessian: for inputs x and y an array with the axes of x, then those of y.`,
		Args: arguments(1, 1),
		Run: func(cmd *cobra.Command, args []string) {
			how := derivation{prefix: "grad", results: grouped("grad")}
			switch {
			case order != 1 && order != 2:
				misused("--order %d: 1 and 2 are possible", order)
			case hessian && (order == 1 && cmd.Flags().Changed("order") || len(dirs) > 0):
				misused("--hessian is of order 2 and takes no direction")
			case hessian:
				how = f.hessian()
			case order == 2 && f.valued() && len(dirs) == 0:
				misused("--order 2 needs a direction, as --dir x=[1,0] (or --hessian for the whole matrix)")
			case order == 2:
				f.unused("--dir", len(dirs) > 0)
				how = derivation{prefix: "hvp", bind: f.directions(dirs), results: grouped("grad", "hvp")}
			case len(dirs) > 0:
				misused("--dir goes with --order 2")
			}
			f.run(cmd, args[0], how)
		},
	}
	f.add(cmd)
	cmd.Flags().IntVar(&order, "order", 1, "2 for Hessian-vector products")
	cmd.Flags().StringArrayVar(&dirs, "dir", nil, "with --order 2, directions of inputs, given like --in; may be repeated")
	cmd.Flags().BoolVar(&hessian, "hessian", false, "the gradient and the dense Hessian")
	return cmd
}

// grouped are the results of a derivative that has, beside the value, so many groups of values
// by input.
func grouped(names ...string) func(*types.Type, *ad.Derived, egad.Env, *egad.Value) []data.Result {
	return func(_ *types.Type, d *ad.Derived, env egad.Env, v *egad.Value) []data.Result {
		return slice.Make(len(names), func(i int) data.Result {
			return data.Result{Name: names[i], Group: gradients(d, env, v.Parts[1+i*len(d.Wrt):])}
		})
	}
}

func (f *deriveFlags) hessian() derivation {
	return derivation{
		prefix: "hessian",
		results: func(of *types.Type, d *ad.Derived, env egad.Env, v *egad.Value) []data.Result {
			n := len(d.Wrt)
			rows := slice.Make(n, func(i int) data.Result {
				return data.Result{Name: d.Wrt[i].Name, Group: byInput(d, v.Parts[1+n+i*n:])}
			})
			return append(grouped("grad")(of, d, env, v), data.Result{Name: "hessian", Group: rows})
		},
	}
}

func newHessian() *cobra.Command {
	var f deriveFlags
	var diagonal bool
	cmd := &cobra.Command{
		Use:   "hessian FILE",
		Short: "All second derivatives of a definition that results in a real scalar, or the diagonal",
		Long: `hessian derives value, gradient and the whole Hessian, as grad --hessian does.

With --diagonal it derives the second derivatives by each element of the inputs
twice. That takes one product of the Hessian with a direction where the Hessian is
diagonal, as far as that follows from where the operators of the program read, and
one more than a band is wide to one side, as for a sum over neighbours; a
note says where it takes several, up to one for each element of an input.`,
		Args: arguments(1, 1),
		Run: func(cmd *cobra.Command, args []string) {
			how := f.hessian()
			if diagonal {
				how = derivation{prefix: "hessian", kind: "diagonal", results: grouped("grad", "diagonal")}
			}
			f.run(cmd, args[0], how)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&diagonal, "diagonal", false, "only the second derivatives by the same element twice")
	return cmd
}
