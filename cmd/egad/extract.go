package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"egad/diag"
	"egad/egraph"
	"egad/extract"
	"egad/internal/interrupt"
	"egad/internal/raise"
	"egad/rules/runner"

	"github.com/spf13/cobra"
)

func newExtract() *cobra.Command {
	var how extract.Choosing
	var roots []string
	var grammar, only, from string
	allowed := defaultMemory
	cmd := &cobra.Command{
		Use:   "extract FILE",
		Short: "Extract terms from an e-graph in the format of egraph-serialize, or from that at the end of a test",
		Long: `extract chooses an e-node for each e-class that the root classes need, and prints
the terms and their cost. What is used more than once gets a name. The methods:

  trees    the least cost of each term as a tree
  shared   the same, where the cost of what is shared is divided among its uses
  greedy   what is shared costs once; a good choice, not always the best
  exact    the best choice, found by branch and bound; if the steps or the time end
           before, the best so far, with a cost below which there is none

The steps and the time hold for greedy and exact, with all that they prepare. The
steps decide what is found, on any machine; the time only stops the search. A step
is a choice that is tried, or 64 classes or nodes that are looked at.

Of a file of rules it runs the tests, on when all is proved, and extracts a term for
each term with which a test starts, by a cost grammar: --grammar, or what the test or
its schedule says, or one by which every operator costs 1.`,
		Args: arguments(1, 1),
		Run: func(cmd *cobra.Command, args []string) {
			if err := how.Check(); err != nil {
				misused("--method %w", err)
			}
			if how.Steps < 0 || how.Time < 0 {
				misused("--steps, --time: limits are not negative")
			}
			if isRules(args[0]) {
				onlyFor(cmd, "JSON", []string{"root", "memory"})
				extractTests(cmd, args[0], only, from, taking{grammar, how})
				return
			}
			if _, err := os.Stat(args[0]); err == nil && filepath.Ext(args[0]) == ".egad" {
				misused("%s is a program: extract takes terms from an e-graph in JSON, as egad saturate --json prints it of a stage, or from the tests of a rule file", diag.Printable(args[0]))
			}
			onlyFor(cmd, "rules", []string{"grammar", "test", "from"})
			g := readGraph(args[0], allowed)
			p := raise.Must(extract.NewProblem(g, roots))
			stop := busy(cmd.ErrOrStderr(), "extracting")
			e := p.By(how)
			stop()
			p.WriteTerms(people(cmd), e)
			fmt.Fprintf(people(cmd), "-- %s\n", e)
		},
	}
	addMemory(cmd, &allowed, "how much memory the e-graph may take, as 2GB")
	cmd.Flags().StringVar(&how.Method, "method", "exact", "how to choose: trees, shared, greedy or exact")
	cmd.Flags().StringSliceVar(&roots, "root", nil, "the classes to extract (default: the root classes of the file)")
	cmd.Flags().StringVar(&grammar, "grammar", "", "of rules, the cost grammar by which terms are extracted")
	cmd.Flags().StringVar(&only, "test", "", "of rules, run this test only")
	cmd.Flags().StringVar(&from, "from", "", "of rules, begin with the e-graph of this file, in the format of egraph-serialize")
	cmd.Flags().IntVar(&how.Steps, "steps", extract.DefaultSteps, "how many choices greedy and exact try at most; 0 is no bound")
	cmd.Flags().DurationVar(&how.Time, "time", 0, "how long greedy and exact take at most, as 10s (default: no bound)")
	return cmd
}

// extractTests runs the tests of a file of rules, and takes a term for each term with
// which one starts.
func extractTests(cmd *cobra.Command, path, only, from string, by taking) {
	tests := loadSuite(path, only, from, by)
	var failed diag.List
	for _, x := range tests {
		if interrupt.Requested() {
			break
		}
		res := x.run(runner.Options{Past: true})
		failed = append(failed, res.Failed...)
		if res.Report.Stop == egraph.Failed {
			continue
		}
		for _, r := range res.Roots {
			t, err := res.Take(r)
			if err != nil {
				failed.Add(x.Src, x.Name.Pos, "%s: %v", x.Name.Text, err)
				continue
			}
			fmt.Fprintf(people(cmd), "%s\n-- %s\n", t.Text, t.Cost)
		}
	}
	raise.Error(failed.Err())
}

// What a node and a string of an e-graph take, about.
const (
	nodeBytes   = 800
	stringBytes = 24
)

// readGraph reads a file in the format of egraph-serialize, if what is in it may
// have so much memory.
func readGraph(path string, allowed memory) *extract.Graph {
	defer whileReading()()
	src := raise.Must(diag.ReadText(path, extract.MaxBytes))
	takes := int64(len(src.Text) + nodeBytes*strings.Count(src.Text, "{") + stringBytes/2*strings.Count(src.Text, `"`))
	if takes > int64(allowed) {
		raise.Error(fmt.Errorf("%s: the e-graph takes about %s of memory, more than --memory %s allows", path, diag.Bytes(takes), &allowed))
	}
	return raise.Must(extract.ReadJSON(src))
}
