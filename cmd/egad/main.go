// Command egad checks, runs and differentiates array programs, and checks
// rewrite rules.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"egad/diag"
	"egad/internal/garbage"
	"egad/internal/interrupt"
	"egad/internal/raise"
	"egad/rules"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func main() {
	// What Go cannot go on from, as want of memory, would else have the status of
	// wrong usage.
	debug.SetTraceback("crash")
	garbage.Allow()
	os.Exit(interruptible(os.Stderr, func() int { return run(os.Args[1:], os.Stdout, os.Stderr) }))
}

// Exit statuses.
const (
	statusOK       = 0
	statusFindings = 1 // something is wrong with the input
	statusUsage    = 2 // the command was called wrongly
	statusFailure  = 3 // egad failed, or its output could not be written
)

// usageError is a mistake in how the command was called. As most errors it ends the command:
// it is raised where it is met, and caught where the command runs.
type usageError struct{ error }

// usagef is a [usageError] with a text as [fmt.Errorf] makes it.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// misused raises what [usagef] makes.
func misused(format string, args ...any) { raise.Error(usagef(format, args...)) }

// run is the command without its process.
func run(args []string, out, errOut io.Writer) (status int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(errOut, "egad: internal error: %s\n", diag.PrintableLines(fmt.Sprint(r)))
			status = statusFailure
		}
	}()
	written := &output{to: out}
	root := newRoot()
	misuse := checkHelp(root)
	root.SetArgs(args)
	root.SetOut(written)
	root.SetErr(errOut)
	err := root.Execute()
	if err == nil {
		err = *misuse
	}
	if err != nil && !errors.Is(err, interrupt.ErrEnded) && (written.err == nil || err.Error() != written.err.Error()) {
		fmt.Fprintln(errOut, message(err, args))
	}
	var usage usageError
	var grammar *rules.NoGrammarError // which only a flag can name: files have been checked
	var lost *outError
	switch {
	case written.err != nil:
		fmt.Fprintln(errOut, "egad: the output is not complete:", written.err)
		return statusFailure
	case errors.As(err, &lost):
		return statusFailure
	case errors.As(err, &usage), errors.As(err, &grammar):
		return statusUsage
	case err != nil:
		return statusFindings
	}
	return statusOK
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "egad",
		Short: "Array programs, rewrite rules and gradients, through an e-graph",
		Long: `egad reads array programs and rewrite rules as text. It checks them, runs
programs, and derives their gradients by rewriting with an e-graph.

Exit status: 0 if all is well, 1 if something is wrong with the input, 2 if the
command was called wrongly, 3 if egad failed: an internal error, or output that
could not be written. Without memory it is ended by the signal ABRT (134). Ctrl-C
ends it with 130, and with what it has found so far.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          onlyCommands,
		Run: func(*cobra.Command, []string) {
			misused("a command is missing; egad --help lists them")
		},
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	files := memory(diag.MaxFileBytes)
	root.PersistentFlags().Var(&files, "file-size", "how large a file of a program, of rules or of a language may be")
	root.PersistentPreRun = func(*cobra.Command, []string) { diag.AllowFiles(int64(files)) }
	root.AddCommand(newCheck(), newRun(), newGrad(), newVJP(), newJVP(), newJacobian(), newHessian(), newBench(), newRoutes(), newStages(), newExplain(), newVerify(), newDot(), newRules(), newSaturate(), newExtract())
	help := newHelp()
	root.SetHelpCommand(help)
	root.AddCommand(help) // now, so that its mistakes of usage are among those of others
	wrap(root)
	return root
}

// wrap makes wrong flags and arguments usage errors, which begin with the command, and
// what is raised where a command runs its error.
func wrap(c *cobra.Command) {
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
			err = wrongValue(wrong)
		}
		return usagef("%s: %w", c.CommandPath(), err)
	})
	if check := c.Args; check != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usagef("%s: %w", cmd.CommandPath(), err)
			}
			return nil
		}
	}
	run := c.Run
	c.RunE = func(cmd *cobra.Command, args []string) error { return raise.Catch(func() { run(cmd, args) }) }
	for _, sub := range c.Commands() {
		wrap(sub)
	}
}

// arguments demands so many arguments, which are called as in the usage of the command; most is
// negative if there may be any number.
func arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if n := len(args); least <= n && (n <= most || most < 0) {
			return nil
		}
		_, want, _ := strings.Cut(cmd.Use, " ")
		return fmt.Errorf("expected %s, found %s", cmp.Or(want, "no arguments"), diag.Count(len(args), "argument"))
	}
}

// wrongValue says what the value of a flag has to be.
func wrongValue(e *pflag.InvalidValueError) error {
	flag, between := e.GetFlag(), " "
	why := e.Unwrap().Error()
	switch kind := flag.Value.Type(); {
	case errors.Is(e.Unwrap(), strconv.ErrRange):
		why = "the number is too large"
	case kind == "int":
		why = "expected a whole number"
	case kind == "uint64":
		why = "expected a whole number that is not negative"
	case kind == "float64":
		why = "expected a number"
	case kind == "duration":
		why = "expected a time, as 10s or 2m"
	case kind == "bool":
		why, between = "expected true or false", "="
	}
	return fmt.Errorf("--%s%s%s: %s", flag.Name, between, e.GetValue(), why)
}
