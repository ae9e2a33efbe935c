package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"egad"
	"egad/diag"
	"egad/internal/interrupt"
	"egad/internal/raise"
	"egad/routes"
	"egad/term"
	"egad/term/module"
	"egad/term/types"

	"github.com/spf13/cobra"
)

// routesFlags are those of the command routes.
type routesFlags struct {
	stageFlags
	ct     once
	names  []string
	limits []string
	times  bool
	json   bool
	seed   uint64
}

func newRoutes() *cobra.Command {
	var f routesFlags
	cmd := &cobra.Command{
		Use:   "routes FILE",
		Short: "Differentiate a definition in all ways there are, and compare them",
		Long: `routes computes the gradient of a definition by every route, a way of
differentiation that one of the papers describes, and prints a line for each:

  gradient   = if it is the one of the first route, in rational numbers; ≈ if the
             two are as near as rounding allows, and where they differ most: where
             slopes are infinite, some routes multiply them by 0
  value      operations on reals for the value alone
  with       and for value and derivative together, and how many times as many
  Deltas     constructors of terms that describe a derivative; how often one was
  visits     visited when the gradient was computed from them; and how many were
  ids        shared by a name
  nodes      of the gradient program, of a route that writes one; and as a tree,
  tree       without sharing
  program    whether it is that of the first route

Without inputs, at the sizes of --size, it makes them up.`,
		Args: arguments(1, 1),
		Run:  func(cmd *cobra.Command, args []string) { f.run(cmd, args[0]) },
	}
	f.addRoutes(cmd, nil)
	flags := cmd.Flags()
	flags.BoolVar(&f.times, "times", false, "print how long each route takes")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	cmd.AddCommand(newRoutesList(), newRoutesShow(), newRoutesGrow(), newRoutesCost())
	return cmd
}

// addRoutes adds the flags of commands that run routes; taken are the routes if none is
// named.
func (f *routesFlags) addRoutes(cmd *cobra.Command, taken []string) {
	f.add(cmd)
	flags := cmd.Flags()
	flags.Var(&f.ct, "ct", "the cotangent of a result that is no real scalar: FILE.json|npy|csv or a value, as [1,0]")
	flags.StringSliceVar(&f.names, "route", taken, "only these routes, as a,b")
	flags.StringSliceVar(&f.limits, "limit", nil, "where a route is ended: visits=N, constructors=N, operations=N")
	flags.Uint64Var(&f.seed, "seed", 1, "of the inputs that are made up")
}

func newRoutesList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the routes",
		Args:  arguments(0, 0),
		Run: func(cmd *cobra.Command, _ []string) {
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
			for _, r := range routes.Table {
				fmt.Fprintf(w, "%s\t%s\t%s\n", r.Name, r.Source, r.Doc)
			}
			raise.Error(w.Flush())
		},
	}
}

// chosen are the routes of --route, in the order of the table.
func (f *routesFlags) chosen() []*routes.Route {
	if f.names == nil {
		return routes.Table
	}
	for _, name := range f.names {
		if _, err := routes.Find(name); err != nil {
			misused("--route: %w", err)
		}
	}
	out := slices.DeleteFunc(slices.Clone(routes.Table), func(r *routes.Route) bool { return !slices.Contains(f.names, r.Name) })
	if len(out) == 0 {
		misused("--route: expected names of routes, as egraph,share")
	}
	return out
}

// bound reads --limit.
func (f *routesFlags) bound(t *routes.Task) {
	t.Bounds = routes.DefaultBounds
	by := map[string]*int64{"visits": &t.Bounds.Visits, "constructors": &t.Bounds.Made, "operations": &t.Bounds.Operations}
	names := slices.Sorted(maps.Keys(by))
	for _, l := range f.limits {
		name, val, _ := strings.Cut(l, "=")
		to, ok := by[name]
		if !ok {
			misused("--limit %s: there is no such limit%s (limits: %s)", l, diag.DidYouMean(name, names), strings.Join(names, ", "))
		}
		n, err := strconv.ParseInt(val, 10, 64)
		if err != nil || n < 1 || n > mostLimit {
			misused("--limit %s: expected %s=N with N from 1 to %d", l, name, mostLimit)
		}
		*to = n
	}
}

// mostLimit keeps what is made within memory.
const mostLimit = 1_000_000_000

func (f *routesFlags) run(cmd *cobra.Command, path string) {
	f.check()
	chosen := f.chosen()
	def := f.definition(path)
	bar := counted(cmd.ErrOrStderr(), "routes", len(chosen))
	var results []*routes.Result
	err := raise.Catch(func() { results = f.results(path, def, chosen, bar.step) })
	bar.clear()
	raise.Error(err)
	f.write(cmd.OutOrStdout(), func(w io.Writer) {
		if f.json {
			writeJSON(w, results)
		} else {
			f.table(w, results)
		}
	})
	raise.Error(def.located(agreed(results)))
}

// results runs routes on a definition at its sizes.
func (f *routesFlags) results(path string, def *definition, chosen []*routes.Route, step func()) []*routes.Result {
	results, err := routes.Run(f.task(path, def), chosen, func(string) { step() })
	return raise.Must(results, def.located(err))
}

// task is a definition at its sizes, with its inputs, which are made up if none are given.
func (f *routesFlags) task(path string, def *definition) *routes.Task {
	task := &routes.Task{Lib: def.Rules(), Options: f.opt, Ended: interrupt.Check}
	f.bound(task)
	var err error
	task.Program, task.Env, err = f.inputs(path, def, len(f.in) == 0 && len(def.info.Params) > 0, f.seed)
	if not, ok := errors.AsType[*module.NotLoweredError](err); ok {
		task.Program, task.Unlowered, err = not.Outline, not, nil
		if task.Env == nil {
			task.Env = make(egad.Env)
			f.madeUp(path, not.Outline.Inputs, def.sizes, task.Env, f.seed)
		}
	}
	raise.Error(err)
	var functional bool
	task.Functional, functional, err = def.Functional(def.info.Name)
	raise.Error(err)
	result := def.info.Result.At(task.Program.Sizes)
	if functional {
		task.Result = result
	}
	if f.ct.value != "" {
		task.Cotangent = f.weights(def, result.RealPart())
	}
	return task
}

// located says of which definition an error of routes is, and what to do about it.
func (d *definition) located(err error) error {
	var placed *diag.Error
	var weights *routes.NoCotangentError
	switch {
	case err == nil || errors.As(err, &placed) && placed.Src != nil:
		return err
	case errors.Is(err, interrupt.ErrEnded):
		return fmt.Errorf("%s: %w", d.info.Src.Name, err)
	case errors.As(err, &weights):
		return diag.Errorf(d.info.Src, d.info.Pos, "%w, as --ct [1,0]", err)
	}
	return diag.Errorf(d.info.Src, d.info.Pos, "%w", err)
}

// weights is the cotangent, as the numbers of the reals in the result.
func (f *routesFlags) weights(def *definition, part *types.Type) []float64 {
	if part == nil {
		return nil // which the routes refuse
	}
	in := term.Input{Name: "ct", Type: part.WrittenAs(def.info.Result.RealPart())}
	env := make(egad.Env)
	f.cotangent(f.ct.value, in, env)
	out := []float64{}
	for _, leaf := range in.Leaves() {
		out = append(out, env[leaf.Name].R...)
	}
	return out
}

// agreed is an error if two routes differ, or none applies; then it has what is wrong with the
// program for them.
func agreed(results []*routes.Result) error {
	applied := false
	var found diag.List
	for _, r := range results {
		var at *diag.Error
		if errors.As(r.Err, &at) && at.Src != nil && !slices.ContainsFunc(found, func(e *diag.Error) bool { return e.Error() == at.Error() }) {
			found.AddError(at)
		}
		if r.Agreement == routes.Differs {
			return errors.New("the routes do not agree")
		}
		applied = applied || r.Agreement == routes.Equal || r.Agreement == routes.Close
	}
	if !applied {
		return errors.Join(found.Err(), errors.New("no route applies"))
	}
	return nil
}

func (f *routesFlags) table(out io.Writer, results []*routes.Result) {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', tabwriter.AlignRight)
	head := "route\tgradient\tvalue\twith\tratio\tDeltas\tvisits\tids\tnodes\ttree\t"
	if f.times {
		head += "ms\t"
	}
	fmt.Fprintln(w, head+" program")
	for _, r := range results {
		if r.Agreement == routes.Refused || r.Agreement == routes.Stopped {
			fmt.Fprintf(w, "%s%s %s: %s\n", r.Name, strings.Repeat("\t", strings.Count(head, "\t")), r.Agreement, r.Why)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t", r.Name, gradientColumn(r), max(r.Value, r.Primal), max(r.Total, r.Steps), ratioColumn(r),
			count(r.Made), count(r.Visits), count(r.Ids), count(r.Nodes), treeColumn(r.Tree))
		if f.times {
			fmt.Fprintf(w, "%.3f\t", float64(r.Time.Microseconds())/1000)
		}
		fmt.Fprintf(w, " %s\n", r.Same)
	}
	raise.Error(w.Flush())
	for line := range strings.Lines(b.String()) {
		fmt.Fprintln(out, strings.TrimRight(line, " \n"))
	}
}

func gradientColumn(r *routes.Result) string {
	switch {
	case r.Difference == math.MaxFloat64:
		return fmt.Sprintf("%s at %s, not finite", r.Agreement, r.Where)
	case r.Agreement == routes.Differs:
		return fmt.Sprintf("differs by %.2g at %s", r.Difference, r.Where)
	case r.Difference > 0:
		return fmt.Sprintf("%s %.2g at %s", r.Agreement, r.Difference, r.Where)
	}
	return string(r.Agreement)
}

func ratioColumn(r *routes.Result) string {
	switch {
	case r.Primal != 0:
		return fmt.Sprintf("%.2f", float64(r.Steps)/float64(r.Primal))
	case r.Value == 0:
		return ""
	}
	return fmt.Sprintf("%.2f", float64(r.Total)/float64(r.Value))
}

// count is a number, or nothing of none.
func count(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func treeColumn(n int64) string {
	if n == term.MostTree {
		return "more"
	}
	return count(n)
}
