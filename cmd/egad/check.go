package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"egad/diag"
	"egad/internal/interrupt"
	"egad/internal/raise"
	"egad/props"
	"egad/rules/typing"
)

func newCheck() *cobra.Command {
	var ruleFiles []string
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "Check programs (.egad) and rule files (.rules)",
		Long: `check reads each file by itself and reports what is wrong with it. A program is
parsed, its types are checked for all sizes, and the derivatives that definitions have of their own are
compared with differences. A rule file is parsed, and both sides of every rule must
have the same type for all shapes, of all ranks. egad rules check FILE.rules tests the rules as well. In a rule file that
begins with the declaration of a language, all terms must have sorts.`,
		Args: arguments(1, -1),
		Run: func(cmd *cobra.Command, args []string) {
			var errs []error
			for _, f := range args {
				if interrupt.Requested() {
					break
				}
				errs = append(errs, raise.Catch(func() {
					if isRules(f) {
						checkRules(cmd, f, ruleFiles)
					} else {
						checkProgram(cmd, f, ruleFiles, props.RuleChecks{Count: 20, Seed: 1, Time: 5 * time.Second})
					}
				}))
			}
			raise.Error(errors.Join(errs...))
		},
	}
	addRules(cmd, &ruleFiles)
	return cmd
}

// checkProgram reads a program, and tests the derivatives that its definitions have of their own.
func checkProgram(cmd *cobra.Command, path string, ruleFiles []string, how props.RuleChecks) {
	out := people(cmd)
	m := loadWith(cmd, path, ruleFiles)
	wrong, untested, n := props.CheckOwn(m, how)
	for _, e := range untested {
		fmt.Fprintln(out, e)
	}
	raise.Error(wrong.Err())
	own := ""
	if n > 0 {
		own = ", " + diag.Count(n, "derivative") + " of their own"
	}
	fmt.Fprintf(out, "%s: %s%s checked\n", diag.Printable(path), diag.Count(len(m.Defs()), "definition"), own)
}

func checkRules(cmd *cobra.Command, path string, before []string) {
	g := &ruleGroup{name: path}
	g.read(before)
	warn(cmd, g.odd)
	out, own := people(cmd), g.own.All()
	rs, tests := diag.Count(len(own), "rule"), ", "+diag.Count(len(g.own.Tests), "test")
	if g.language != nil {
		fmt.Fprintf(out, "%s: the language %s: %s%s checked\n", diag.Printable(path), g.language.Name, rs, tests)
		return
	}
	for _, r := range own {
		raise.Error(interrupt.Check())
		rep := typing.Check(g.sig, r)
		if rep.Undecided != "" {
			fmt.Fprintf(out, "%s: %s\n", diag.Printable(path), rep.Note())
		}
		if rep.Err != nil {
			g.errs = append(g.errs, rep.Err)
		}
	}
	raise.Error(g.errs.Err())
	if len(g.own.Tests) == 0 {
		tests = ""
	}
	operators := ""
	if n := len(g.own.Operators); n > 0 {
		operators = diag.Count(n, "operator") + ", "
	}
	fmt.Fprintf(out, "%s: %s%s%s checked\n", diag.Printable(path), operators, rs, tests)
}
