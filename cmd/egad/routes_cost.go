package main

import (
	"errors"
	"fmt"
	"io"

	"egad/internal/interrupt"
	"egad/routes"
	"egad/routes/chad"
	"egad/rules"
	"egad/term"

	"github.com/spf13/cobra"
)

// costFlags are those of the command routes cost.
type costFlags struct {
	routesFlags
	random int
}

func newRoutesCost() *cobra.Command {
	var f costFlags
	cmd := &cobra.Command{
		Use:   "cost FILE | --random N",
		Short: "Print what CHAD costs, beside what its theorems say",
		Long: `cost differentiates a definition by CHAD and counts steps by the cost model of
"Efficient CHAD", Appendix B: those of the program, of its derivative, and both sides
of the paper's two theorems, with their terms. With --random it looks for the random
programs that come nearest to the bounds.

The theorems are proved for the route chad on programs without arrays and functions, of
+, *, negation, sign and literals.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 1) == (f.random > 0) {
				return usageError{errors.New("expected a file or --random N, and one of them")}
			}
			if f.random > 0 {
				return f.search(cmd)
			}
			return f.run(cmd, args[0])
		},
	}
	f.addRoutes(cmd, []string{"chad"})
	cmd.Flags().IntVar(&f.random, "random", 0, "how many random programs to try")
	return cmd
}

func (f *costFlags) run(cmd *cobra.Command, path string) error {
	if err := f.check(); err != nil {
		return err
	}
	def, err := f.definition(path)
	if err != nil {
		return err
	}
	task, err := f.task(path, def)
	if err != nil {
		return err
	}
	costs, err := routes.Costs(task, f.names)
	if err != nil {
		return inFile(path, err)
	}
	return f.write(cmd.OutOrStdout(), func(w io.Writer) error {
		for _, c := range costs {
			if err := c.Write(w); err != nil {
				return err
			}
		}
		return nil
	})
}

// search tries random programs.
func (f *costFlags) search(cmd *cobra.Command) error {
	if f.random > 1_000_000 {
		return usageError{errors.New("--random: expected at most 1000000")}
	}
	lib, err := rules.Builtin(term.NewSignature())
	if err != nil {
		return err
	}
	ops := chad.NewDerivatives(lib)
	for _, name := range f.names {
		r := chad.Find(name)
		if r == nil {
			return usageError{fmt.Errorf("--route: %s is no route whose cost is known", name)}
		}
		w, err := r.Random(ops, f.random, int64(f.seed), chad.Options{Ended: interrupt.Check})
		if err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s, %d random programs\nTH1: at most %.3f of the bound\n%sTH2: at most %.3f of the bound\n%s",
			name, w.Programs, w.TH1, w.Text1, w.TH2, w.Text2)
	}
	return nil
}
