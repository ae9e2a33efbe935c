package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"egad/ad"
	"egad/extract"
	"egad/stages"

	"github.com/spf13/cobra"
)

// stageFlags choose a program and how it is differentiated.
type stageFlags struct {
	programFlags
	opt ad.Options
}

func (f *stageFlags) add(cmd *cobra.Command) {
	f.addProgram(cmd)
	one := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 && len(f.opt.Wrt) > 0 {
			names := append(slices.Clone(f.opt.Wrt), args[1:]...)
			return usageError{fmt.Errorf("--wrt takes names separated by commas, as --wrt %s", strings.Join(names, ","))}
		}
		return one(cmd, args)
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.opt.Wrt, "wrt", nil, "the inputs to differentiate with respect to, in this order (default: all real ones)")
	flags.BoolVar(&f.opt.Exact, "exact", false, "simplify only by rules that keep every float64 as it is")
	flags.BoolVar(&f.opt.Direct, "direct", false, "differentiate build as it is, without the bulk-operation transform")
	flags.BoolVar(&f.opt.Checkpoint, "checkpoint", false, "of loops of n steps keep the states after each of √n rounds, and make those between again")
	flags.DurationVar(&f.opt.Time, "time", 0, "stop rewriting after this time, as 10s; what comes of it then depends on the clock (default: no limit)")
	flags.StringVar(&f.opt.Extract.Method, "extract", "shared", "how terms are chosen from e-graphs: "+strings.Join(extract.Methods(), ", "))
	flags.StringVar(&f.opt.Grammar, "grammar", "", "take simplified programs by this cost grammar (default: that of the schedule simplify)")
	flags.IntVar(&f.opt.Extract.Steps, "extract-steps", defaultExtractSteps, "how many choices greedy and exact try at most in each stage; 0 is no bound")
}

// defaultExtractSteps bound exact extraction to about a second for each stage.
const defaultExtractSteps = 100_000

// check checks the flags.
func (f *stageFlags) check() error {
	if f.opt.Wrt != nil && len(f.opt.Wrt) == 0 {
		return usageError{errors.New("--wrt: expected names of inputs, as a,b")}
	}
	return errors.Join(f.checkTime(), f.checkExtract())
}

// checkExtract checks --extract.
func (f *stageFlags) checkExtract() error {
	if err := f.opt.Extract.Check(); err != nil {
		return usageError{fmt.Errorf("--extract %w", err)}
	}
	return nil
}

// checkTime checks --time.
func (f *stageFlags) checkTime() error {
	if f.opt.Time < 0 {
		return usageError{fmt.Errorf("--time %v: a limit is not negative", f.opt.Time)}
	}
	return nil
}

// view loads the program, at the sizes of --size or of the inputs.
func (f *stageFlags) view(path string) (*stages.View, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	def, err := f.definition(path)
	if err != nil {
		return nil, err
	}
	p, err := f.sized(def)
	if err != nil {
		return nil, err
	}
	return def.Stages(p, f.opt), nil
}

func newStages() *cobra.Command {
	var f stageFlags
	var only string
	cmd := &cobra.Command{
		Use:   "stages FILE",
		Short: "Show a program on the way to its derivatives",
		Long: `stages prints what becomes of a definition, stage by stage: ` + strings.Join(stages.Names(), ", ") + `.
Each stage says what it costs, how large the e-graph was, why the rules
stopped, and how often each was applied. The text is again a program file.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if only != "" {
				if err := stages.Known(only); err != nil {
					return usageError{err}
				}
			}
			v, err := f.view(args[0])
			if err != nil {
				return err
			}
			v.Native = f.how.native
			stop := busy(cmd.ErrOrStderr(), "deriving")
			var ss []*stages.Stage
			if only == "" {
				ss, err = v.All()
			} else {
				var s *stages.Stage
				if s, err = v.Stage(only); s != nil {
					ss = append(ss, s)
				}
			}
			stop()
			if len(ss) == 0 {
				return err
			}
			// What there is before an error helps to find its cause.
			return errors.Join(f.write(cmd.OutOrStdout(), func(w io.Writer) error {
				_, err := io.WriteString(w, stages.Text(ss))
				return err
			}), err)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&f.how.native, "native", false, "say which kernels are machine code, and which are interpreted")
	cmd.Flags().StringVar(&only, "stage", "", "show one stage: "+strings.Join(stages.Names(), ", "))
	return cmd
}
