package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"egad/diag"
	"egad/egraph"
	"egad/extract"
	"egad/internal/interrupt"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/rules/runner"
	"egad/rules/suite"
	"egad/rules/syntax"
	"egad/stages"

	"github.com/spf13/cobra"
)

func newSaturate() *cobra.Command {
	var f stageFlags
	var o runner.Options
	var only, stage, from, relation string
	var times, asJSON, explain bool
	cmd := &cobra.Command{
		Use:   "saturate FILE",
		Short: "Run the tests of a rule file, or a stage of a program, and report on the e-graph",
		Long: `saturate runs the tests of a rule file, for arrays or for a language that it declares: it adds the terms
of a test to an e-graph, applies the rules until everything to be proved is proved,
nothing new follows, or a limit is reached, and compares what came of it with what
the test says. A test by itself (--test, or the only one of the file) is reported
iteration by iteration and rule by rule. With --explain, what is proved is proved
step by step, and every proof is checked by a program that knows rules and no e-graph.
With --facts NAME it runs on when all is proved, and lists the facts of a relation that
are known at the end.

Of a program it runs a stage of a definition, as egad stages does, and reports what
the rules did. With --json it prints the e-graph at the end, of a test or a stage, in
the format of egraph-serialize, from which egad extract takes terms.`,
		Args: arguments(1, 1),
		Run: func(cmd *cobra.Command, args []string) {
			if !isRules(args[0]) {
				onlyFor(cmd, "rules", ruleFlags)
				f.saturate(cmd, args[0], stage, asJSON, times)
				return
			}
			onlyFor(cmd, "a program", programFlag)
			f.checkExtract()
			o.Time = f.opt.Time
			if o.Iterations < 0 || o.Nodes < 0 || o.Time < 0 {
				misused("--iters, --nodes, --time: limits are not negative")
			}
			tests := loadSuite(args[0], only, from, taking{f.opt.Grammar, f.opt.Extract})
			if cmd.Flags().Changed("facts") {
				if asJSON {
					misused("--facts: the e-graph of --json has all facts")
				}
				knownRelation(tests[0].file, relation)
			}
			noLimit(cmd, "iters", &o.Iterations)
			noLimit(cmd, "nodes", &o.Nodes)
			if asJSON && len(tests) > 1 {
				misused("--json prints one e-graph, or the proofs of one test: choose it with --test")
			}
			o.Proofs, o.Past = explain, relation != ""
			f.write(cmd.OutOrStdout(), func(w io.Writer) {
				people := visible{w}
				bar := counted(cmd.ErrOrStderr(), "running tests", len(tests))
				var failed diag.List
				for _, x := range tests {
					if interrupt.Requested() {
						break
					}
					res := x.run(o)
					bar.step()
					bar.clear()
					var ps []*suite.Proof
					var open diag.List
					if explain {
						var err error
						if ps, err = res.Proofs(); !errors.As(err, &open) {
							raise.Error(err)
						}
					}
					switch {
					case asJSON && explain:
						writeJSON(w, raise.Must(slice.Try(ps, (*suite.Proof).Write)))
					case asJSON:
						raise.Error(extract.WriteJSON(w, raise.Must(res.Data())))
					default:
						x.outcome(people, res, o, ps, open)
					}
					failed = append(append(failed, res.Failed...), open...)
					if relation != "" {
						for _, x := range res.Facts(relation) {
							fmt.Fprintf(people, "\n%s", x)
						}
					}
					warn(cmd, res.Graph.KeptOut())
					stopped := res.Report.Stop == egraph.Interrupted
					if !asJSON && (len(tests) == 1 && !explain && relation == "" || stopped) {
						writeIterations(people, res.Start, res.Report)
						writeRules(people, res.Report, times)
					}
				}
				raise.Error(failed.Err())
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&stage, "stage", "simplified", "of a program, the stage: "+strings.Join(stages.Names(), ", "))
	cmd.Flags().StringVar(&only, "test", "", "of rules, run this test only")
	cmd.Flags().StringVar(&from, "from", "", "of rules, begin with the e-graph of this file, in the format of egraph-serialize")
	cmd.Flags().IntVar(&o.Iterations, "iters", 0, "of rules, iterate at most so often, instead of what the test says; 0 is no limit")
	cmd.Flags().IntVar(&o.Nodes, "nodes", 0, "of rules, stop at so many e-nodes, instead of what the test says; 0 is no limit")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the e-graph at the end, in the format of egraph-serialize")
	cmd.Flags().BoolVar(&explain, "explain", false, "of rules, print the proofs of what is proved, as JSON with --json")
	cmd.Flags().StringVar(&relation, "facts", "", "of rules, list the facts of this relation at the end, or of all")
	cmd.Flags().BoolVar(&times, "times", false, "show the time that each rule took")
	return cmd
}

// knownRelation raises an error if a file has no relation of a name.
func knownRelation(f *suite.File, name string) {
	if known := f.Relations(); name != syntax.All && !slices.Contains(known, name) {
		misused("--facts: there is no relation %s%s", diag.Printable(name), diag.DidYouMean(name, known))
	}
}

// Flags of saturate that are for files of one kind.
var (
	ruleFlags   = []string{"test", "iters", "nodes", "explain", "from", "facts"}
	programFlag = []string{"def", "in", "size", "rules", "memory", "wrt", "direct", "exact", "checkpoint", "stage"}
)

// onlyFor raises an error if one of some flags, which are for files of another kind, is
// given.
func onlyFor(cmd *cobra.Command, kind string, flags []string) {
	without(cmd, "--%s is for a file of "+kind, flags...)
}

// without raises an error if one of some flags is given; why says that of the name of the flag.
func without(cmd *cobra.Command, why string, flags ...string) {
	for _, name := range flags {
		if cmd.Flags().Changed(name) {
			misused(why, name)
		}
	}
}

// saturate runs a stage of a program and reports on its e-graph.
func (f *stageFlags) saturate(cmd *cobra.Command, path, stage string, asJSON, times bool) {
	knownStage(stage)
	v := f.view(path)
	stop := busy(cmd.ErrOrStderr(), "deriving")
	s, err := v.Stage(stage)
	stop()
	if s == nil {
		raise.Error(err)
	}
	if s.Run == nil {
		misused("the stage %s has no e-graph", stage)
	}
	raise.Error(errors.Join(raise.Catch(func() {
		f.write(cmd.OutOrStdout(), func(w io.Writer) {
			if asJSON {
				g, dataErr := s.Run.Data()
				if g == nil || err == nil {
					raise.Error(dataErr)
				}
				raise.Error(extract.WriteJSON(w, g))
				return
			}
			rep := &s.Run.Report
			fmt.Fprintf(w, "%s: %s\n", s.Name, rep)
			writeIterations(w, s.Run.Start, rep)
			writeRules(w, rep, times)
		})
	}), err))
}

// boundMemory has the garbage of a run collected before the process takes much more
// than the run may; 0 is no bound.
func boundMemory(bytes int) {
	limit := int64(math.MaxInt64)
	if bytes > 0 {
		limit = int64(bytes) + int64(bytes)/10 + 16<<20
	}
	debug.SetMemoryLimit(limit)
}

// noLimit makes a flag that was given as 0 the option that is no limit.
func noLimit(cmd *cobra.Command, name string, n *int) {
	if cmd.Flags().Changed(name) && *n == 0 {
		*n = -1
	}
}

// outcome writes a line about a test, what is to blame, and proofs. Open is what has none, though
// the test has proved it.
func (x suiteTest) outcome(w io.Writer, res *suite.Result, o runner.Options, ps []*suite.Proof, open diag.List) {
	word, without := "ok", ""
	if len(res.Failed)+len(open) > 0 {
		word = "FAILED"
	}
	if len(open) > 0 {
		without = fmt.Sprintf("; %s without a proof", diag.Count(len(open), "claim"))
	}
	fmt.Fprintf(w, "%-7s%s: %s%s\n", word, res.Name, res.Report, without)
	if res.Faulty() {
		if err := x.blame(w, res, o); err != nil {
			fmt.Fprintf(w, "\nthis cannot be explained in full: %v\n", err)
		}
	}
	shown := make(map[string]bool)
	for _, p := range ps {
		raise.Must(io.WriteString(w, "\n"+p.After(shown)))
	}
}

func writeIterations(w io.Writer, start egraph.Iteration, rep *egraph.Report) {
	fmt.Fprintf(w, "\n%9s %9s %9s %9s\n", "iteration", "e-nodes", "e-classes", "matches")
	for i, it := range append([]egraph.Iteration{start}, rep.Iterations...) {
		fmt.Fprintf(w, "%9d %9d %9d %9d\n", i, it.Nodes, it.Classes, it.Matches)
	}
}

// maxColumn is how wide a column of names is at most.
const maxColumn = 100

// writeRules writes what each rule did, but for those that never matched.
func writeRules(w io.Writer, rep *egraph.Report, times bool) {
	width := len("rule")
	for _, r := range rep.Rules {
		width = min(max(width, len(r.Name)), maxColumn)
	}
	fmt.Fprintf(w, "\n%-*s %9s %9s %9s", width, "rule", "matches", "unions", "bans")
	if times {
		fmt.Fprintf(w, " %11s %11s", "search", "apply")
	}
	fmt.Fprintln(w)
	for _, r := range rep.Rules {
		if r.Matches == 0 && r.Bans == 0 && !times {
			continue
		}
		fmt.Fprintf(w, "%-*s %9d %9d %9d", width, r.Name, r.Matches, r.Unions, r.Bans)
		if times {
			fmt.Fprintf(w, " %11v %11v", r.Search.Round(time.Microsecond), r.Apply.Round(time.Microsecond))
		}
		fmt.Fprintln(w)
	}
}
