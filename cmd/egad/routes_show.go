package main

import (
	"fmt"
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/raise"
	"egad/routes"

	"github.com/spf13/cobra"
)

// showFlags are those of the command routes show.
type showFlags struct {
	routesFlags
	stage string
	share string
}

func newRoutesShow() *cobra.Command {
	var f showFlags
	cmd := &cobra.Command{
		Use:   "show FILE --route R",
		Short: "Show what a route makes of a definition, stage by stage",
		Long: `show prints what a route makes on its way from a program to its derivative. The
stages of symbolic are

  bulk        after the bulk-operation transform
  D           D of it, in do-notation
  extracted   the primal computation, ids, and a pair of value and Delta
  delta       the Delta
  shared      the gradient by the reverse pass, with share
  lets        with lets for what is shared
  program     value and gradient, for a cotangent
  simplified  the same, simplified
  jacobian    for a result that is an array: a build over it

Those of the routes that take functional programs (forward-dual to chad-defunctional)
are, as far as a route has them,

  core        the program as a term of the core
  D           the transformation of it, and its type
  wrapper     the derivative that is made of D
  delta       the Delta of the result, at these inputs
  maps        as linear maps, and what is proved of them (chad and monadic)`,
		Args: arguments(1, 1),
		Run:  func(cmd *cobra.Command, args []string) { f.run(cmd, args[0]) },
	}
	f.addRoutes(cmd, nil)
	flags := cmd.Flags()
	flags.StringVar(&f.stage, "stage", "", "only this stage")
	flags.StringVar(&f.share, "share", string(routes.ShareCopies), "what symbolic shares of cotangents: copies, what is used more than once, or everywhere")
	return cmd
}

func (f *showFlags) run(cmd *cobra.Command, path string) {
	f.check()
	if len(f.names) != 1 {
		misused("expected --route and one of %s", strings.Join(routes.Names(), ", "))
	}
	chosen := f.chosen()
	how := routes.Sharing(f.share)
	switch {
	case how != routes.ShareCopies && how != routes.ShareEverything:
		misused("--share %s: expected copies or everywhere", f.share)
	case cmd.Flags().Changed("share") && f.names[0] != "symbolic":
		misused("--share is of the route symbolic")
	}
	def := f.definition(path)
	shown, err := chosen[0].Show(f.task(path, def), how)
	raise.Error(def.located(err))
	var names []string
	for _, s := range shown {
		if names = append(names, s.Name); f.stage == "" || f.stage == s.Name {
			fmt.Fprintf(cmd.OutOrStdout(), "-- %s: %s\n%s", s.Name, s.Title, s.Text)
		}
	}
	if (len(names) == 0 || f.stage != "") && !slices.Contains(names, f.stage) {
		misused("--stage %s: there is no such stage%s of %s (stages: %s)", f.stage, diag.DidYouMean(f.stage, names), f.names[0], strings.Join(names, ", "))
	}
}
