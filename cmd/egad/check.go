package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"egad/diag"
	"egad/rules"
	"egad/term"

	"github.com/spf13/cobra"
)

func newCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE…",
		Short: "Check programs (.egad) and rule files (.rules)",
		Long: `check reads each file by itself and reports what is wrong with it. A program is
parsed and its types are checked for all sizes. A rule file is parsed, and both
sides of every rule must have the same type for all shapes (ranks and lengths of
lists up to 3, sizes as symbols).`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var errs []error
			for _, f := range args {
				if err := checkFile(cmd.OutOrStdout(), f); err != nil {
					errs = append(errs, err)
				}
			}
			return errors.Join(errs...)
		},
	}
}

func checkFile(out io.Writer, path string) error {
	src, err := diag.ReadSource(path)
	if err != nil {
		return err
	}
	sig := term.NewSignature()
	if filepath.Ext(path) != ".rules" {
		m, err := term.LoadModule(sig, src)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %s checked\n", path, count(len(m.Defs()), "definition"))
		return nil
	}
	base, err := rules.Builtin(sig)
	if err != nil {
		return err
	}
	// The rules that can be read are checked even if others cannot.
	lib, err := rules.LoadOver(base, sig, src)
	errs, is := err.(diag.List)
	if err != nil && !is {
		return err
	}
	instances := 0
	for _, r := range lib.All() {
		rep := r.CheckTypes(sig)
		instances += rep.Instances
		if rep.Partial {
			fmt.Fprintf(out, "%s: rule %s has too many shapes; %d were checked\n", path, r.Name, rep.Instances)
		}
		if rep.Err != nil {
			errs = append(errs, rep.Err)
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s checked (%s)\n", path, count(len(lib.All()), "rule"), count(instances, "shape"))
	return nil
}

// count is "1 rule", "2 rules".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
