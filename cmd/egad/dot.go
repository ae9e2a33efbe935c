package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"egad/egraph"
	"egad/extract"
	"egad/internal/raise"
	"egad/rules/runner"
	"egad/stages"
	"egad/viz"

	"github.com/spf13/cobra"
)

// layoutTime bounds how long Graphviz may take.
const layoutTime = 2 * time.Minute

func newDot() *cobra.Command {
	var f stageFlags
	var stage, when string
	var maxNodes int
	var test string
	var o runner.Options
	cmd := &cobra.Command{
		Use:   "dot FILE",
		Short: "Draw a stage of a program (a term, an e-graph, the flow between kernels), or the e-graph of a test",
		Long: `dot draws a stage of a definition as text for Graphviz: its term, at the stage
kernels the data flow between kernels, and with --egraph the e-graph before or
after the rules, with the extracted e-nodes filled. The stages are those of
egad stages. Of a rule file it draws the e-graph at the end of a test, and of a file .json in the format of egraph-serialize the e-graph that it has, with
the e-nodes of a cheap term of the root classes filled. With --out FILE.svg (or
.png, .pdf) it runs Graphviz, which has to be installed.`,
		Args: arguments(1, 1),
		Run: func(cmd *cobra.Command, args []string) {
			format := imageFormat(f.out)
			knownStage(stage)
			switch {
			case !slices.Contains([]string{"", "before", "after"}, when):
				misused("--egraph %s: expected before or after", when)
			case maxNodes < 1:
				misused("--max-nodes %d: expected a positive number", maxNodes)
			case o.Iterations < 0:
				misused("--iters: limits are not negative")
			}
			data := filepath.Ext(args[0]) == ".json"
			dotFlags(cmd, isRules(args[0]), data)
			if isRules(args[0]) || data {
				noLimit(cmd, "iters", &o.Iterations)
				f.checkTime()
				o.Time = f.opt.Time
				var g *extract.Graph
				var caption string
				if isRules(args[0]) {
					g, caption = testGraph(args[0], test, o, maxNodes)
				} else {
					g = readGraph(args[0], f.memory)
				}
				f.writePicture(cmd, drawData(g, viz.Options{Caption: caption, MaxNodes: maxNodes}), format)
				return
			}
			v := f.view(args[0])
			stop := busy(cmd.ErrOrStderr(), "deriving")
			s, err := v.Stage(stage)
			if s == nil || err != nil && when == "" {
				stop()
				raise.Error(err)
				return
			}
			text, drawErr := draw(s, when, maxNodes)
			stop()
			if text != "" {
				drawErr = errors.Join(drawErr, raise.Catch(func() { f.writePicture(cmd, text, format) }))
			}
			// The e-graph of a stage that failed is drawn, and then the error shown.
			raise.Error(errors.Join(err, drawErr))
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&stage, "stage", "source", "the stage: "+strings.Join(stages.Names(), ", "))
	cmd.Flags().StringVar(&when, "egraph", "", "draw the e-graph before or after the rules, not the term")
	cmd.Flags().StringVar(&test, "test", "", "of rules, the test whose e-graph is drawn (default: the first one)")
	cmd.Flags().IntVar(&o.Iterations, "iters", 0, "of rules, iterate at most so often, instead of what the test says; 0 is no limit")
	cmd.Flags().IntVar(&maxNodes, "max-nodes", viz.DefaultMaxNodes, "the most nodes that a picture may have")
	return cmd
}

// dotFlags raises an error if a flag is given that is not for what is drawn: rules, an e-graph
// in a file, or a program.
func dotFlags(cmd *cobra.Command, rules, graph bool) {
	only := func(yes bool, kind string, flags ...string) {
		if !yes {
			onlyFor(cmd, kind, flags)
		}
	}
	only(!rules && !graph, "a program", "def", "in", "size", "rules", "wrt", "direct", "exact", "checkpoint", "stage", "egraph", "grammar", "extract", "extract-steps")
	only(rules, "rules", "test", "iters")
	only(!rules, "a program, or JSON", "memory")
	only(!graph, "a program, or rules", "time")
}

// imageFormat is the format that the name of a file asks for, "" for text.
func imageFormat(path string) string {
	ext := strings.TrimPrefix(filepath.Ext(path), ".")
	switch {
	case path == "" || ext == "dot" || ext == "gv":
		return ""
	case !slices.Contains(viz.Formats, ext):
		misused("--out %s: expected a name that ends in .dot, .gv, .%s", path, strings.Join(viz.Formats, ", ."))
	}
	if err := viz.Installed(); err != nil {
		raise.Error(fmt.Errorf("--out %s: %w; a file .dot needs no Graphviz", path, err))
	}
	return ext
}

// draw is the text of the picture of a stage.
func draw(s *stages.Stage, when string, maxNodes int) (string, error) {
	opt := viz.Options{Caption: s.Def + ": " + s.Name, MaxNodes: maxNodes}
	text, err := "", error(nil)
	switch {
	case when == "" && s.Kernels != nil:
		text, err = viz.Kernels(s.Kernels, opt)
	case when == "":
		text, err = viz.Term(s.Program, opt)
	case s.Run == nil:
		return "", usagef("--egraph %s: the stage %s has no e-graph", when, s.Name)
	default:
		var snap *extract.Snapshot
		if when == "before" {
			snap, err = s.Run.Before()
		} else if snap, err = s.Run.After(); s.Program == nil && snap != nil {
			err = nil // the error of the stage is known
		}
		if err == nil {
			opt.Caption += ", " + when + " the rules"
			text, err = viz.EGraph(snap, opt)
		}
	}
	return text, allTheSame(err)
}

// allTheSame says how a picture is drawn that is too large.
func allTheSame(err error) error {
	if large, ok := errors.AsType[*viz.TooLarge](err); ok {
		return fmt.Errorf("%w; --max-nodes %d draws it all the same", err, large.Nodes)
	}
	return err
}

// testGraph is the e-graph at the end of a test of a rule file, the first one if none
// is named. It is an error if it is too large for a picture.
func testGraph(path, test string, o runner.Options, maxNodes int) (*extract.Graph, string) {
	res := loadSuite(path, test, "", taking{})[0].run(o)
	if res.Report.Stop == egraph.Failed {
		raise.Error(res.Failed.Err())
	}
	if n := res.Graph.Reachable(res.Roots); n > maxNodes {
		raise.Error(allTheSame(&viz.TooLarge{What: "the e-graph", Nodes: n, Max: maxNodes}))
	}
	return raise.Must(res.Data()), res.Name
}

// drawData is the text of the picture of an e-graph, with a cheap term filled.
func drawData(g *extract.Graph, opt viz.Options) string {
	text, err := viz.Data(g, func() *extract.Extraction {
		p, err := extract.NewProblem(g, nil)
		if err != nil {
			return nil // there is no term
		}
		return p.Greedy(extract.Budget{Steps: extract.DefaultSteps})
	}, opt)
	return raise.Must(text, allTheSame(err))
}

// writePicture writes a picture as text, or as an image of a format.
func (f *stageFlags) writePicture(cmd *cobra.Command, text, format string) {
	if format != "" {
		ctx, cancel := context.WithTimeout(context.Background(), layoutTime)
		defer cancel()
		stop := busy(cmd.ErrOrStderr(), "drawing")
		image, err := viz.Render(ctx, text, format)
		stop()
		raise.Error(err)
		text = string(image)
	}
	f.writeText(cmd.OutOrStdout(), text)
}
