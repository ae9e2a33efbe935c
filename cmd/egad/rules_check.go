package main

import (
	"errors"
	"fmt"

	"egad/props"

	"github.com/spf13/cobra"
)

func newRulesCheck() *cobra.Command {
	how := props.RuleChecks{}
	var before []string
	cmd := &cobra.Command{
		Use:   "check [FILE|SET]…",
		Short: "Test rules on random instances",
		Long: `check tells whether rules are true. The rules are those of files, or of rule
sets of egad (all of them without arguments). Both sides of a rule must have one
type for all shapes, its examples must come out, and on random instances both
sides must have one value: bit by bit if the rule is exact, over the rationals or
within rounding if it is real. Linear maps are compared as matrices, and the maps
of derivative rules with difference quotients. A counterexample is made small
before it is shown.

egad check FILE.rules does the first of these only, and is quick.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if how.Count < 1 {
				return usageError{fmt.Errorf("--count %d: at least one instance of each rule is tested", how.Count)}
			}
			gs, err := ruleGroups(args, before)
			var usage usageError
			if errors.As(err, &usage) {
				return err
			}
			total := 0
			for _, g := range gs {
				total += len(g.own())
			}
			bar := counted(cmd.ErrOrStderr(), "checking rules", total)
			how.Done = bar.step
			errs := []error{err}
			for _, g := range gs {
				rep := props.CheckRules(g.sig, g.own(), how)
				rep.CheckOperators(g.sig, g.all, g.ops, how)
				bar.clear()
				for _, n := range rep.Notes {
					fmt.Fprintln(cmd.OutOrStdout(), n)
				}
				wrong := ""
				if rep.Wrong > 0 {
					wrong = fmt.Sprintf(", %d of them wrong", rep.Wrong)
				}
				operators := ""
				if rep.Operators > 0 {
					operators = count(rep.Operators, "operator") + ", "
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %s%s%s; %s, %s tested, %d skipped (seed %d)\n", g.name, operators, count(rep.Rules, "rule"), wrong,
					count(rep.Shapes, "shape"), count(rep.Tested, "random instance"), rep.Skipped, how.Seed)
				errs = append(errs, append(g.errs, rep.Findings...).Err())
			}
			return errors.Join(errs...)
		},
	}
	addRules(cmd, &before)
	cmd.Flags().IntVar(&how.Count, "count", 200, "how many random instances of each rule are tested")
	cmd.Flags().Int64Var(&how.Seed, "seed", 1, "the seed of the random instances")
	return cmd
}
