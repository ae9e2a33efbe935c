package main

import (
	"fmt"
	"slices"

	"egad/diag"
	"egad/internal/raise"
	"egad/internal/slice"

	"github.com/spf13/cobra"
)

// newHelp is the command help, to which a command that there is not is wrong usage.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]…",
		Short: "Help about any command",
		Args: func(cmd *cobra.Command, args []string) error {
			_, err := named(cmd.Root(), args)
			return err
		},
		Run: func(cmd *cobra.Command, args []string) {
			about := raise.Must(named(cmd.Root(), args))
			about.InitDefaultHelpFlag()
			raise.Error(about.Help())
		},
	}
}

// checkHelp makes help that is asked of a command that there is not wrong usage,
// which is where the result points to.
func checkHelp(root *cobra.Command) *error {
	var misuse error
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if names := cmd.Flags().Args(); cmd.HasSubCommands() && len(names) > 0 {
			misuse = usagef("%s: %w", cmd.CommandPath(), unknownCommand(cmd, names[0]))
			return
		}
		help(cmd, args)
	})
	return &misuse
}

// named is the command that names lead to, from a command to its commands.
func named(cmd *cobra.Command, names []string) (*cobra.Command, error) {
	for _, name := range names {
		i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == name })
		if i < 0 {
			return nil, unknownCommand(cmd, name)
		}
		cmd = cmd.Commands()[i]
	}
	return cmd, nil
}

// onlyCommands is for the arguments of a command that takes commands only.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return unknownCommand(cmd, args[0])
}

func unknownCommand(of *cobra.Command, name string) error {
	known := slice.Map(of.Commands(), (*cobra.Command).Name)
	return fmt.Errorf("unknown command %q for %q%s", name, of.CommandPath(), diag.DidYouMean(name, known))
}
