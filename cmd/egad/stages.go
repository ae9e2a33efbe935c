package main

import (
	"errors"
	"slices"
	"strings"
	"time"

	"egad/ad"
	"egad/diag"
	"egad/extract"
	"egad/internal/raise"
	"egad/internal/timing"
	"egad/kernel"
	"egad/stages"
	"egad/term"

	"github.com/spf13/cobra"
)

// stageFlags choose a program and how it is differentiated.
type stageFlags struct {
	programFlags
	opt      ad.Options
	measured bool // the kernels of stages are run, and measured
}

func (f *stageFlags) add(cmd *cobra.Command) {
	f.addProgram(cmd)
	one := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 && len(f.opt.Wrt) > 0 {
			names := append(slices.Clone(f.opt.Wrt), args[1:]...)
			return usagef("--wrt takes names separated by commas, as --wrt %s", strings.Join(names, ","))
		}
		return one(cmd, args)
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.opt.Wrt, "wrt", nil, "the inputs to differentiate with respect to, in this order (default: all real ones)")
	flags.BoolVar(&f.opt.Exact, "exact", false, "simplify only by rules that keep every float64 as it is, and add in the order of the evaluator")
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
func (f *stageFlags) check() {
	f.how.exact = f.opt.Exact
	for i, name := range f.opt.Wrt {
		f.opt.Wrt[i] = strings.TrimSpace(name)
	}
	if f.opt.Wrt != nil && len(f.opt.Wrt) == 0 {
		misused("--wrt: expected names of inputs, as a,b")
	}
	raise.Error(errors.Join(raise.Catch(f.checkTime), raise.Catch(f.checkExtract)))
}

// checkExtract checks --extract.
func (f *stageFlags) checkExtract() {
	if err := f.opt.Extract.Check(); err != nil {
		misused("--extract %w", err)
	}
	if f.opt.Extract.Steps < 0 {
		misused("--extract-steps: limits are not negative")
	}
}

// checkTime checks --time.
func (f *stageFlags) checkTime() {
	if f.opt.Time < 0 {
		misused("--time %v: a limit is not negative", f.opt.Time)
	}
}

// knownStage checks the name of a stage.
func knownStage(name string) {
	if err := stages.Known(name); err != nil {
		raise.Error(usageError{err})
	}
}

// program loads the program, at the sizes of --size or of the inputs.
func (f *stageFlags) program(path string) (*definition, *term.Program) {
	def := f.checked(path)
	return def, f.sized(def)
}

// checked checks the flags, and reads the program.
func (f *stageFlags) checked(path string) *definition {
	f.check()
	return f.definition(path)
}

// view is what the program becomes.
func (f *stageFlags) view(path string) *stages.View {
	def, p := f.program(path)
	return def.Stages(p, f.opt)
}

// stages are all stages of a program, or the one that is called only.
func (f *stageFlags) stages(path, only string) (ss []*stages.Stage, err error) {
	defer raise.Caught(&err)
	if only != "" {
		knownStage(only)
	}
	f.how.load()
	def, p := f.program(path)
	v := def.Stages(p, f.opt)
	v.Native, v.Weights = f.how.native, f.how.weights
	if only == "" {
		ss, err = v.All()
	} else if s, failed := v.Stage(only); s == nil {
		return nil, failed
	} else {
		ss, err = []*stages.Stage{s}, failed
	}
	if err == nil && f.measured {
		f.measure(path, def, ss[len(ss)-1])
	}
	return ss, err
}

// modular are the definitions of a program with their derivatives, or the stages of them
// that are called only.
func (f *stageFlags) modular(path, only string) (_ []*stages.Stage, err error) {
	defer raise.Caught(&err)
	if only != "" && !slices.Contains(stages.ModularNames, only) {
		misused("with --modular there is no stage %s%s; there are %s", only, diag.DidYouMean(only, stages.ModularNames), strings.Join(stages.ModularNames, ", "))
	}
	without(f.cmd, "--modular and --%s do not go together: definitions are differentiated by all that they take, and as they are",
		"wrt", "native", "checkpoint", "weights")
	def, p := f.program(path)
	ss, err := def.Modular(p.Name, p.Sizes, f.opt)
	return slices.DeleteFunc(ss, func(s *stages.Stage) bool { return only != "" && s.Name != only }), err
}

// measure measures the kernels of the last stage.
func (f *stageFlags) measure(path string, def *definition, s *stages.Stage) {
	_, env, err := f.inputs(path, def, len(f.in) == 0, 1)
	raise.Error(err)
	f.madeUp(path, s.Program.Inputs, def.sizes, env, 1) // a cotangent
	allowed, _ := f.memory.beside(env)
	t, err := timing.Compile(s.Kernels, nil, s.Program.Inputs, env, f.how.machine(), allowed)
	raise.Error(inFile(path, f.memory.refused(err, env)))
	measured, err := t.Profile(f.how.machine(), measuredRuns)
	raise.Error(inFile(path, err))
	s.Took = make(map[*kernel.Kernel]time.Duration)
	for k, m := range measured {
		if !m.Shared {
			s.Took[k] = m.Median()
		}
	}
}

// measuredRuns are the runs of kernels that stages measures.
const measuredRuns = 15

func newStages() *cobra.Command {
	var f stageFlags
	var only string
	var modular bool
	cmd := &cobra.Command{
		Use:   "stages FILE",
		Short: "Show a program on the way to its derivatives",
		Long: `stages prints what becomes of a definition, stage by stage: ` + strings.Join(stages.Names(), ", ") + `.
Each stage says what it costs, how large the e-graph was, why the rules
stopped, and how often each was applied. The text is again a program file.

With --measure the kernels are run, on the inputs of --in or else on made-up ones,
and the stage kernels says how long each took: the median of several runs.`,
		Args: arguments(1, 1),
		Run: func(cmd *cobra.Command, args []string) {
			make := f.stages
			if modular {
				make = f.modular
			}
			if f.measured && (modular || only != "" && only != "kernels") {
				misused("--measure is for the stage kernels")
			}
			stop := busy(cmd.ErrOrStderr(), "deriving")
			ss, err := make(args[0], only)
			stop()
			if len(ss) == 0 {
				raise.Error(err)
				return
			}
			// What there is before an error helps to find its cause.
			raise.Error(errors.Join(raise.Catch(func() { f.writeText(cmd.OutOrStdout(), stages.Text(ss)) }), err))
		},
	}
	f.add(cmd)
	f.how.addWeights(cmd)
	cmd.Flags().BoolVar(&f.how.native, "native", false, "say which kernels are machine code, and which are interpreted")
	cmd.Flags().BoolVar(&f.measured, "measure", false, "run the kernels, and say how long each takes")
	cmd.Flags().BoolVar(&modular, "modular", false, "differentiate each definition by itself: derivatives call those of what the definition calls")
	cmd.Flags().StringVar(&only, "stage", "", "show one stage: "+strings.Join(stages.Names(), ", "))
	return cmd
}
