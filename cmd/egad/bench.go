package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"egad"
	"egad/ad"
	"egad/diag"
	"egad/fusion"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/internal/timing"
	"egad/kernel"
	"egad/kernel/estimate"
	"egad/term"
	"egad/term/types"

	"github.com/spf13/cobra"
)

// benchFlags are those of the command bench.
type benchFlags struct {
	stageFlags
	value, blocks, json, profile bool
	seed                         uint64
	limits                       timing.Limits
}

func newBench() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench FILE",
		Short: "Measure how long a definition and its derivatives take",
		Long: `bench measures a definition, and its value and gradient together (of a result
that is no real scalar: and the cotangents for one of it; or with --blocks the
blocks of the Jacobian), run in turn by kernels. Inputs that are not given it
makes up, at the sizes of --size and of the inputs that are, and says which.

It prints medians and how far the middle half of the times lies apart (spread),
operations on reals a second, bytes a second (each kernel reads and writes the
elements that it has to do with once), how many kernels there are, the memory that
is planned for them, and what it took to derive the program and to compile it.
Runs of loops that machine code leaves out do not count. Where data tell how many
steps a loop makes, or which of its runs, no rate is known: a - stands for it, and
null in JSON. Where a result is not finite, machine code may do each run twice,
which is said then.

With --profile it prints the kernels of the derivative (with --value of the definition), as egad stages does, and
beside each how long it takes, its share, and how fast it is.`,
		Args: arguments(1, 1),
		Run:  func(cmd *cobra.Command, args []string) { f.run(cmd, args[0]) },
	}
	f.add(cmd)
	flags := cmd.Flags()
	f.how.addWeights(cmd)
	flags.BoolVar(&f.how.native, "native", false, "make machine code of the kernels")
	flags.IntVar(&f.how.threads, "threads", 1, "how many threads run machine code, where a kernel takes long")
	flags.BoolVar(&f.value, "value", false, "measure the definition alone, without derivatives")
	flags.BoolVar(&f.blocks, "blocks", false, "of derivatives those that can differ from 0, as egad jacobian --blocks")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.BoolVar(&f.profile, "profile", false, "print how long each kernel takes")
	flags.Uint64Var(&f.seed, "seed", 1, "of the inputs that are made up")
	flags.DurationVar(&f.limits.Time, "for", 2*time.Second, "how long to measure")
	flags.IntVar(&f.limits.Least, "rounds", 7, "how many times to measure each program, if that takes longer")
	return cmd
}

// timed is a program that was measured.
type timed struct {
	Name  string       `json:"name"`
	Times timing.Times `json:"times"`
	rates
	Kernels int     `json:"kernels"`
	Memory  int64   `json:"memory_bytes"`
	Compile float64 `json:"compile_ms"`
	// Repeated is how many runs were done again, as a result was not finite.
	Repeated int64 `json:"repeated,omitempty"`

	*timing.Program `json:"-"`
}

// profiled is a kernel that was measured.
type profiled struct {
	Kernel   string  `json:"kernel"`
	Time     float64 `json:"ms"`
	Estimate float64 `json:"estimate_ms,omitempty"`
	Share    float64 `json:"share"`
	Runs     int     `json:"runs"`
	Shared   bool    `json:"by_estimates,omitempty"`
	rates
}

// rates are operations on reals, and bytes moved, in 10⁹ a second; nil if nobody knows how
// many there were.
type rates struct {
	GFlops *float64 `json:"gflops"`
	GBytes *float64 `json:"gbytes_per_second"`
}

// benchmark is all that came of bench.
type benchmark struct {
	Definition string           `json:"definition"`
	Sizes      map[string]int64 `json:"sizes"`
	Backend    string           `json:"backend"`
	MadeUp     []string         `json:"made_up_inputs"`
	Derive     float64          `json:"derive_ms,omitempty"`
	Programs   []*timed         `json:"programs"`
	Ratio      float64          `json:"ratio,omitempty"`
	Profile    []profiled       `json:"profile,omitempty"`

	given bool   // some inputs are given
	text  string // of the profile
}

func (f *benchFlags) run(cmd *cobra.Command, path string) {
	raise.Error(errors.Join(raise.Catch(f.check), raise.Catch(f.how.check)))
	if f.limits.Least < 1 || f.limits.Time < 0 {
		misused("--rounds and --for: expected at least one round, and a time that is not negative")
	}
	def := f.definition(path)
	b := &benchmark{Definition: def.info.Name, Backend: "interpreter"}
	p, env, made := f.some(path, def, f.seed)
	b.Sizes, b.MadeUp, b.given = def.sizes, append([]string{}, made...), len(f.in) > 0 // [] in JSON if there are none
	f.prepare(b, path, "value", def.Module, p, ad.Value(def.Rules(), p, f.opt), env)
	if !f.value {
		stop := busy(cmd.ErrOrStderr(), "deriving")
		start := time.Now()
		d, name, err := f.derive(def.Module, p)
		b.Derive = timing.Milliseconds(time.Since(start))
		stop()
		raise.Error(err)
		f.cutShort(cmd.ErrOrStderr(), path, def.Rules(), d.Stages)
		f.madeUp(path, d.Program.Inputs, def.sizes, env, f.seed)
		f.prepare(b, path, name, def.Module, d.Program, d, env)
	}
	raise.Error(inFile(path, raise.Catch(func() {
		f.measure(b, cmd.ErrOrStderr())
		if f.profile {
			f.measureKernels(b)
		}
	})))
	f.write(cmd.OutOrStdout(), func(w io.Writer) {
		if f.json {
			writeJSON(w, b)
		} else {
			b.print(w)
		}
	})
}

// derive is the derivative that is measured, and what it is called beside the value.
func (f *benchFlags) derive(m *egad.Module, p *term.Program) (d *ad.Derived, name string, err error) {
	switch {
	case f.blocks:
		d, err = m.JacobianBlocks(p, f.opt)
		name = "value and blocks"
	case p.Store.Type(p.Root).IsScalar(types.R):
		d, err = m.Grad(p, f.opt)
		name = "value and gradient"
	default:
		d, err = m.VJP(p, f.opt)
		name = "value and cotangents"
	}
	return d, name, err
}

// prepare compiles a program that fits into memory.
func (f *benchFlags) prepare(b *benchmark, path, name string, m *egad.Module, p *term.Program, others fusion.Others, env egad.Env) {
	allowed, _ := f.memory.beside(env)
	t, err := timing.Prepare(m.Rules(), p, others, env, f.how.weights, f.how.machine(), allowed)
	raise.Error(inFile(path, f.memory.refused(err, env)))
	if t.Native() {
		b.Backend = "machine code"
		if f.how.threads > 1 {
			b.Backend += fmt.Sprintf(" on %d threads", f.how.threads)
		}
	}
	b.Programs = append(b.Programs, &timed{Name: name, Kernels: len(t.Kernels.Kernels), Memory: t.Machine.Memory(),
		Compile: timing.Milliseconds(t.Lower + t.Compile), Program: t})
}

// measure runs the programs in turn.
func (f *benchFlags) measure(b *benchmark, errOut io.Writer) {
	bar := counted(errOut, "measuring", 100)
	defer bar.clear()
	runs := slice.Map(b.Programs, func(t *timed) func() error { return t.Run })
	done := 0
	times, err := timing.Alternate(f.limits, func(share float64) {
		for ; done < int(100*share); done++ {
			bar.step()
		}
	}, runs...)
	raise.Error(err)
	for i, t := range b.Programs {
		t.Times, t.Repeated = times[i], t.Machine.Repeated()
		all, _ := estimate.WorkOf(t.Program.Kernels, t.Native(), f.how.exact)
		t.rates = ratesOf(all, t.Times.Median())
	}
	if len(times) > 1 {
		b.Ratio = float64(times[1].Median()) / float64(max(times[0].Median(), 1))
	}
}

// ratesOf are the rates of work that takes so long.
func ratesOf(w estimate.Work, d time.Duration) rates {
	if w.Unsure || d <= 0 {
		return rates{}
	}
	flops, bytes := float64(w.Float)/float64(d), float64(w.Bytes)/float64(d)
	return rates{&flops, &bytes}
}

// shown is a rate as it is printed.
func shown(rate *float64) string {
	if rate == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", *rate)
}

// measureKernels measures the kernels of the last program.
func (f *benchFlags) measureKernels(b *benchmark) {
	t := b.Programs[len(b.Programs)-1]
	measured := raise.Must(t.Program.Profile(f.how.machine(), len(t.Times)))
	total := time.Duration(0)
	_, works := estimate.WorkOf(t.Program.Kernels, t.Native(), f.how.exact)
	for _, k := range t.Program.Kernels.Kernels {
		if m := measured[k]; m != nil {
			total += m.Median()
		}
	}
	b.text = t.Program.Kernels.Text(func(k *kernel.Kernel) string {
		m := measured[k]
		if m == nil {
			return "part of another kernel"
		}
		p := profiled{Kernel: k.String(), Time: timing.Milliseconds(m.Median()), Estimate: timing.Milliseconds(m.Estimated), Share: float64(m.Median()) / float64(max(total, 1)), Runs: m.Runs, Shared: m.Shared}
		if !m.Shared {
			p.rates = ratesOf(works[k], m.Median())
		}
		b.Profile = append(b.Profile, p)
		text := fmt.Sprintf("%.1f %%", 100*p.Share)
		if m.Shared {
			text += " by estimates"
		}
		text += fmt.Sprintf(", %.4f ms", p.Time)
		if p.Runs != 1 {
			text += fmt.Sprintf(" in %d runs", p.Runs)
		}
		if p.Estimate > 0 {
			text += fmt.Sprintf(" (estimated %.4f ms)", p.Estimate)
		}
		return text + fmt.Sprintf(", %s GFLOP/s, %s GB/s", shown(p.GFlops), shown(p.GBytes))
	})
}

// print prints a table, and the profile if there is one.
func (b *benchmark) print(w io.Writer) {
	about := slice.Map(slices.Sorted(maps.Keys(b.Sizes)), func(name string) string { return fmt.Sprintf("%s = %d", name, b.Sizes[name]) })
	about = append(about, b.Backend)
	switch {
	case len(b.MadeUp) > 0 && b.given:
		about = append(about, "made-up inputs "+strings.Join(b.MadeUp, " "))
	case len(b.MadeUp) > 0:
		about = append(about, "made-up inputs")
	}
	fmt.Fprintf(w, "%s: %s\n\n", b.Definition, strings.Join(about, ", "))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\tmedian\tspread\truns\tGFLOP/s\tGB/s\tkernels\tmemory\tcompiled in\t\n")
	for _, p := range b.Programs {
		fmt.Fprintf(t, "%s\t%.4f ms\t%.4f ms\t%d\t%s\t%s\t%d\t%s\t%.1f ms\t\n", p.Name, timing.Milliseconds(p.Times.Median()),
			timing.Milliseconds(p.Times.Spread()), len(p.Times), shown(p.GFlops), shown(p.GBytes), p.Kernels, diag.Bytes(p.Memory), p.Compile)
	}
	raise.Error(t.Flush())
	if len(b.Programs) > 1 {
		fmt.Fprintf(w, "\nratio %.2f, derived in %.1f ms\n", b.Ratio, b.Derive)
	}
	if twice := slice.Filter(b.Programs, func(p *timed) bool { return p.Repeated > 0 }); len(twice) > 0 {
		fmt.Fprintf(w, "\na result of %s is not finite, so each run is done twice: see Machine code in docs/kernels.md\n",
			strings.Join(slice.Map(twice, func(p *timed) string { return p.Name }), ", and of "))
	}
	if b.text != "" {
		fmt.Fprintf(w, "\nthe kernels of %s:\n\n%s", b.Programs[len(b.Programs)-1].Name, b.text)
	}
}
