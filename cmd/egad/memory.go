package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"strings"

	"egad"
	"egad/data"
	"egad/diag"
	"egad/fusion"
	"egad/internal/raise"
	"egad/kernel/cost"
	"egad/kernel/machine"
	"egad/rules"
	"egad/term"
	"egad/term/eval"

	"github.com/spf13/cobra"
)

// memory is the flag --memory: how many bytes data and arrays may take.
type memory int64

// defaultMemory is enough for 20 million numbers from a file.
const defaultMemory memory = 400e6

// units of memory, the longer names first.
var units = []struct {
	name  string
	bytes float64
}{{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1}}

func addMemory(cmd *cobra.Command, m *memory, usage string) { cmd.Flags().Var(m, "memory", usage) }

// Set reads 400MB, 2.5GB, 1000000.
func (m *memory) Set(s string) error {
	for _, u := range units {
		if number, ok := strings.CutSuffix(s, u.name); ok {
			n, err := strconv.ParseFloat(number, 64)
			if err != nil || !(1 <= n*u.bytes && n*u.bytes <= 1e15) {
				break
			}
			*m = memory(n * u.bytes)
			return nil
		}
	}
	return fmt.Errorf("expected an amount of memory, as 400MB or 2GB")
}

func (m *memory) String() string {
	text := strings.ReplaceAll(diag.Bytes(int64(*m)), " ", "")
	if number, ok := strings.CutSuffix(text, "bytes"); ok {
		return number + "B"
	}
	return text
}

// Type is what the help calls the value.
func (m *memory) Type() string { return "SIZE" }

// room is what Go's run-time system and all but the data may take beside it.
const room = 50e6

// whileReading holds the memory down while a file of programs, rules or e-graphs is
// read, of which much is needed for a moment only. The result ends that.
func whileReading() func() {
	old := debug.SetMemoryLimit(int64(defaultMemory))
	return func() { debug.SetMemoryLimit(old) }
}

// reader reads data within the bound. What is not needed any more is given up
// before it would exceed the bound.
func (m memory) reader() *data.Reader {
	debug.SetMemoryLimit(int64(m) + room)
	return &data.Reader{Memory: int64(m)}
}

// beside is what is allowed beside inputs, and how much they take.
func (m memory) beside(env egad.Env) (allowed, inputs int64) {
	for _, v := range env {
		inputs += 8 * int64(v.Len())
	}
	return int64(m) - inputs, inputs
}

// refused is an error that arrays take too much memory beside inputs, with what said how much
// they may take; others as they are.
func (m memory) refused(err error, env egad.Env) error {
	if _, large := errors.AsType[*machine.MemoryError](err); !large {
		return err
	}
	_, inputs := m.beside(env)
	return fmt.Errorf("%w (by --memory %s, beside %s of inputs)", err, &m, diag.Bytes(inputs))
}

// check refuses what takes so many bytes beside inputs.
func (m memory) check(what string, env egad.Env, bytes int64) error {
	allowed, inputs := m.beside(env)
	if bytes <= allowed {
		return nil
	}
	if inputs > 0 {
		what = fmt.Sprintf("the inputs take %s, and %s", diag.Bytes(inputs), what)
	}
	return fmt.Errorf("%s %s of memory, which is more than --memory %s allows", what, diag.BytesOver(bytes, allowed), &m)
}

// how says what computes a program: the evaluator, machine code on so many threads, or
// else the interpreter of kernels.
type how struct {
	eval, native bool
	exact        bool // machine code adds in the order of the evaluator
	threads      int
	weightFile   string
	weights      *cost.Weights // of the file; nil: those of egad
}

// addWeights adds the flag --weights.
func (h *how) addWeights(cmd *cobra.Command) {
	cmd.Flags().StringVar(&h.weightFile, "weights", "", "a file of what estimates of kernels count, by which loops are shared and nested (see docs/kernels.md)")
}

// load reads the file of weights.
func (h *how) load() {
	if h.weightFile != "" {
		h.weights = raise.Must(cost.Read(raise.Must(diag.ReadSource(h.weightFile))))
	}
}

// machine says how machine code is made; nil if kernels are interpreted.
func (h how) machine() *machine.Native {
	if !h.native {
		return nil
	}
	return &machine.Native{Exact: h.exact, Threads: h.threads}
}

// check checks the flags, and reads the weights.
func (h *how) check() {
	switch {
	case h.eval && h.native:
		misused("--eval and --native: choose one of them")
	case h.eval && h.weightFile != "":
		misused("--weights: the evaluator has no kernels that they could be about")
	case h.threads < 1 || h.threads > machine.MaxThreads:
		misused("--threads %d: expected 1 to %d", h.threads, machine.MaxThreads)
	case h.threads > 1 && !h.native:
		misused("--threads: several threads run machine code only, which --native makes")
	}
	h.load()
}

// run computes a program, or one of some others (see [fusion.Either]), which may be nil.
func (m memory) run(lib *rules.Library, p *term.Program, others fusion.Others, env egad.Env, how how, errOut io.Writer) *egad.Value {
	if how.eval {
		elements := raise.Must(eval.Elements(p.Store, p.Root))
		raise.Error(m.check("the arrays of the program take", env, 8*elements))
		return raise.Must(egad.Evaluate(p, env))
	}
	mach, err := fusion.PrepareEither(lib, p, others, how.weights, how.machine())
	if err != nil {
		raise.Error(fmt.Errorf("%w (--eval does without kernels)", err))
	}
	if how.native && !mach.Native() {
		fmt.Fprintln(errOut, "note: there is no compiler for this machine: kernels are interpreted")
	}
	allowed, _ := m.beside(env)
	raise.Error(m.refused(mach.Allow(allowed), env))
	v, err := mach.Run(env)
	return raise.Must(v, m.refused(err, env))
}
