package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"egad/internal/interrupt"
	"egad/internal/raise"
	"egad/routes"
	"egad/routes/chad"
	"egad/rules/load"
	"egad/term"
)

// costFlags are those of the command routes cost.
type costFlags struct {
	routesFlags
	random   int
	families bool
	env      []string
}

func newRoutesCost() *cobra.Command {
	var f costFlags
	cmd := &cobra.Command{
		Use:   "cost FILE | --random N | --families",
		Short: "Print what CHAD costs, beside what its theorems say",
		Long: `cost differentiates a definition by CHAD and counts steps by the cost model of
"Efficient CHAD", Appendix B: those of the program, of its derivative, and both sides
of the paper's two theorems, with their terms. With --random it looks for the random
programs that come nearest to the bounds; --families is for ten families of programs,
each at two sizes.

The theorems are proved for the route chad on programs without arrays and functions, of
+, *, negation, sign and literals, with the constant 31. Of other operators the derivative
may take more: then the constant is larger, and printed.`,
		Args: arguments(0, 1),
		Run: func(cmd *cobra.Command, args []string) {
			what := len(args)
			for _, flag := range []bool{f.random > 0, f.families} {
				if flag {
					what++
				}
			}
			switch {
			case what != 1:
				misused("expected a file or --random N or --families, and one of them")
			case f.random > 0:
				f.search(cmd)
			case f.families:
				f.each(func(r *chad.Route, ops *chad.Derivatives) {
					raise.Error(r.WriteFamilies(cmd.OutOrStdout(), ops, 100, 1000, chad.Options{Ended: interrupt.Check}))
				})
			default:
				f.run(cmd, args[0])
			}
		},
	}
	f.addRoutes(cmd, []string{"chad"})
	flags := cmd.Flags()
	flags.IntVar(&f.random, "random", 0, "how many random programs to try")
	flags.BoolVar(&f.families, "families", false, "run ten families of programs")
	flags.StringArrayVar(&f.env, "env", nil, "the cotangent of an input to begin with, else 0: name=value or name=FILE, as --in")
	return cmd
}

func (f *costFlags) run(cmd *cobra.Command, path string) {
	def := f.checked(path)
	task := f.task(path, def)
	before := raise.Must(readInputs(f.memory.reader(), "--env", f.env))
	costs, err := routes.Costs(task, f.names, bindTold(before, task.Program, task.Program.Inputs))
	raise.Error(def.located(err))
	f.write(cmd.OutOrStdout(), func(w io.Writer) {
		for _, c := range costs {
			raise.Error(c.Write(w))
		}
	})
}

// search tries random programs.
func (f *costFlags) search(cmd *cobra.Command) {
	if f.random > 1_000_000 {
		misused("--random: expected at most 1000000")
	}
	f.each(func(r *chad.Route, ops *chad.Derivatives) {
		w := raise.Must(r.Random(ops, f.random, int64(f.seed), chad.Options{Ended: interrupt.Check}))
		fmt.Fprintf(cmd.OutOrStdout(), "%s, %d random programs\nTH1: at most %.3f of the bound\n%sTH2: at most %.3f of the bound\n%s",
			r.Name, w.Programs, w.TH1, w.Text1, w.TH2, w.Text2)
	})
}

// each runs the routes of --route.
func (f *costFlags) each(run func(*chad.Route, *chad.Derivatives)) {
	lib := raise.Must(load.Builtin(term.NewSignature()))
	ops := chad.NewDerivatives(lib)
	for _, name := range f.names {
		r := chad.Find(name)
		if r == nil {
			misused("--route: %s is no route whose cost is known", name)
		}
		run(r, ops)
	}
}
