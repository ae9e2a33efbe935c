package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"egad/egraph"
	"egad/extract"
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
		RunE: func(cmd *cobra.Command, args []string) error {
			format, err := imageFormat(f.out)
			if err != nil {
				return err
			}
			if err := stages.Known(stage); err != nil {
				return usageError{err}
			}
			if !slices.Contains([]string{"", "before", "after"}, when) {
				return usageError{fmt.Errorf("--egraph %s: expected before or after", when)}
			}
			if maxNodes < 1 {
				return usageError{fmt.Errorf("--max-nodes %d: expected a positive number", maxNodes)}
			}
			if o.Iterations < 0 {
				return usageError{errors.New("--iters: limits are not negative")}
			}
			data := filepath.Ext(args[0]) == ".json"
			if err := dotFlags(cmd, isRules(args[0]), data); err != nil {
				return err
			}
			if isRules(args[0]) || data {
				noLimit(cmd, "iters", &o.Iterations)
				if err := f.checkTime(); err != nil {
					return err
				}
				o.Time = f.opt.Time
				var g *extract.Graph
				var caption string
				if isRules(args[0]) {
					g, caption, err = testGraph(args[0], test, o, maxNodes)
				} else {
					g, err = readGraph(args[0], f.memory)
				}
				if err != nil {
					return err
				}
				text, err := drawData(g, viz.Options{Caption: caption, MaxNodes: maxNodes})
				if err != nil {
					return err
				}
				return f.writePicture(cmd, text, format)
			}
			v, err := f.view(args[0])
			if err != nil {
				return err
			}
			stop := busy(cmd.ErrOrStderr(), "deriving")
			s, err := v.Stage(stage)
			if s == nil || err != nil && when == "" {
				stop()
				return err
			}
			text, drawErr := draw(s, when, maxNodes)
			stop()
			if text != "" {
				drawErr = errors.Join(drawErr, f.writePicture(cmd, text, format))
			}
			// The e-graph of a stage that failed is drawn, and then the error shown.
			if err != nil {
				return errors.Join(err, drawErr)
			}
			return drawErr
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

// dotFlags is an error if a flag is given that is not for what is drawn: rules, an e-graph
// in a file, or a program.
func dotFlags(cmd *cobra.Command, rules, graph bool) error {
	only := func(yes bool, kind string, flags ...string) error {
		if yes {
			return nil
		}
		return onlyFor(cmd, kind, flags)
	}
	return cmp.Or(
		only(!rules && !graph, "a program", "def", "in", "size", "rules", "wrt", "direct", "exact", "checkpoint", "stage", "egraph", "grammar", "extract", "extract-steps"),
		only(rules, "rules", "test", "iters"),
		only(!rules, "a program, or JSON", "memory"),
		only(!graph, "a program, or rules", "time"))
}

// imageFormat is the format that the name of a file asks for, "" for text.
func imageFormat(path string) (string, error) {
	ext := strings.TrimPrefix(filepath.Ext(path), ".")
	switch {
	case path == "" || ext == "dot" || ext == "gv":
		return "", nil
	case !slices.Contains(viz.Formats, ext):
		return "", usageError{fmt.Errorf("--out %s: expected a name that ends in .dot, .gv, .%s", path, strings.Join(viz.Formats, ", ."))}
	}
	if err := viz.Installed(); err != nil {
		return "", fmt.Errorf("--out %s: %w; a file .dot needs no Graphviz", path, err)
	}
	return ext, nil
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
		return "", usageError{fmt.Errorf("--egraph %s: the stage %s has no e-graph", when, s.Name)}
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
func testGraph(path, test string, o runner.Options, maxNodes int) (*extract.Graph, string, error) {
	tests, err := loadSuite(path, test, "", taking{})
	if err != nil {
		return nil, "", err
	}
	res, err := tests[0].run(o)
	if err == nil && res.Report.Stop == egraph.Failed {
		err = res.Failed.Err()
	}
	if err != nil {
		return nil, "", err
	}
	if n := res.Graph.Reachable(res.Roots); n > maxNodes {
		return nil, "", allTheSame(&viz.TooLarge{What: "the e-graph", Nodes: n, Max: maxNodes})
	}
	g, err := res.Data()
	return g, res.Name, err
}

// drawData is the text of the picture of an e-graph, with a cheap term filled.
func drawData(g *extract.Graph, opt viz.Options) (string, error) {
	text, err := viz.Data(g, func() *extract.Extraction {
		p, err := extract.NewProblem(g, nil)
		if err != nil {
			return nil // there is no term
		}
		return p.Greedy(extract.Budget{Steps: extract.DefaultSteps})
	}, opt)
	return text, allTheSame(err)
}

// writePicture writes a picture as text, or as an image of a format.
func (f *stageFlags) writePicture(cmd *cobra.Command, text, format string) error {
	if format != "" {
		ctx, cancel := context.WithTimeout(context.Background(), layoutTime)
		defer cancel()
		stop := busy(cmd.ErrOrStderr(), "drawing")
		image, err := viz.Render(ctx, text, format)
		stop()
		if err != nil {
			return err
		}
		text = string(image)
	}
	return f.writeText(cmd.OutOrStdout(), text)
}
