package machine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"egad/internal/interrupt"
	"egad/internal/once"
	"egad/internal/pool"
	"egad/kernel"
	"egad/kernel/native"
	"egad/kernel/plan"
	"egad/term"
	"egad/term/eval"
	"egad/term/types"
)

// concrete is an array with its elements, or a tuple.
type concrete = eval.Value[float64]

// Machine runs a program, any number of times. Goroutines may share one and run it
// at the same time: each run has memory of its own, which later runs use again.
type Machine struct {
	prog     *plan.Planned
	block    int
	typed    []term.Input // the inputs, with their types
	literals map[*kernel.Array]Elements
	loops    map[*kernel.Steps]*Machine
	native   *compiled // nil if the kernels are interpreted
	profile  *Profile  // nil if runs are not measured
	allowed  int64     // bytes of memory for a run
	other    func(*interrupt.Stop) (*Machine, error)
	again    once.Value[*Machine] // what other makes
	repeated atomic.Int64         // runs
	pool     pool.Pool[Session]
}

// Compile prepares a program for running. Block, [kernel.DefaultBlock] or any positive
// number, changes how fast it runs and nothing else.
func Compile(p *kernel.Program, block int) (*Machine, error) {
	if p == nil {
		return nil, errors.New("there are no kernels: Lower makes them")
	}
	if block < 1 {
		return nil, fmt.Errorf("blocks of %d: a positive number is needed", block)
	}
	return newMachine(plan.Program(p), block), nil
}

// newMachine prepares a program, and the steps of its loops.
func newMachine(p *plan.Planned, block int) *Machine {
	m := &Machine{prog: p, block: block, allowed: DefaultMemory, literals: make(map[*kernel.Array]Elements), loops: make(map[*kernel.Steps]*Machine)}
	for _, a := range p.Arrays {
		switch a.Role {
		case kernel.Input:
			m.typed = append(m.typed, term.Input{Name: a.Name, Type: a.Type()})
		case kernel.Literal:
			m.literals[a] = literal(a)
		}
	}
	for s, step := range p.Loops {
		m.loops[s] = newMachine(step, block)
	}
	return m
}

// CompileNative is [Compile] to machine code, by way of WebAssembly. If it is to be
// exact, results are those of the interpreter, bit for bit; else sums may be added in
// another order, and functions of reals differ by a few units in the last place. Where
// there is no compiler for the machine, kernels are interpreted: see [Machine.Native].
func CompileNative(p *kernel.Program, exact bool) (*Machine, error) {
	return Native{Exact: exact}.Compile(p)
}

// makeNative makes machine code if there is a compiler.
func (m *Machine) makeNative(how Native) error {
	n, err := compileNative(m, how)
	if errors.Is(err, errNoCompiler) {
		return nil
	}
	m.native = n
	return err
}

// Native reports whether the kernels are machine code.
func (m *Machine) Native() bool { return m != nil && m.native != nil }

// Compiled reports whether a kernel of the program, or of a loop of it, is machine code.
func (m *Machine) Compiled(k *kernel.Kernel) bool {
	return m.Native() && !slices.ContainsFunc(m.native.Hosted, func(h native.Hosted) bool { return h.Kernel == k })
}

// Multiplies reports whether machine code computes products of matrices for a kernel by the processor's widest
// vectors.
func (m *Machine) Multiplies(k *kernel.Kernel) bool {
	return m.Native() && k != nil && slices.ContainsFunc(m.native.Products, func(p native.Product) bool { return p.Kernel == k.Original() })
}

// Products reports whether machine code computes some products of matrices so.
func (m *Machine) Products() bool { return m.Native() && len(m.native.Products) > 0 }

// Memory is how many bytes the arrays that a run fills take at one time, its results among
// them; machine code has copies of inputs and literals too.
func (m *Machine) Memory() int64 {
	if m == nil || m.prog == nil {
		return 0
	}
	if m.native != nil {
		return m.native.End + m.native.packed()
	}
	return m.prog.Memory()
}

// Run runs the program. Env gives every input a value of its type, and nothing
// else a value (see [eval.CheckEnv]); it is only read. The result shares no memory
// with env, with the results of other runs, or among its parts.
func (m *Machine) Run(env eval.Env[*eval.Value[float64]]) (*eval.Value[float64], error) {
	if m == nil || m.prog == nil {
		return nil, errNoProgram
	}
	if err := eval.CheckEnv(m.typed, env); err != nil {
		return nil, err
	}
	in := make([]Elements, len(m.prog.Inputs))
	for i, a := range m.prog.Inputs {
		in[i] = Elements{env[a.Name].R, env[a.Name].N}
		if a.Elem == types.R {
			in[i].N = nil
		} else {
			in[i].R = nil
		}
	}
	var out []Elements
	v := newResult(m.prog.Result, &out)
	if err := m.RunInto(out, in); err != nil {
		return nil, err
	}
	return v, nil
}

var errNoProgram = errors.New("the machine has no program: Compile makes one")

// newResult makes a result of zeros, and lists the elements of its arrays.
func newResult(r kernel.Result, out *[]Elements) *concrete {
	if r.Array != nil {
		e := newElements(r.Array)
		*out = append(*out, e)
		return &concrete{Elem: r.Array.Elem, Shape: slices.Clone(r.Array.Shape), R: e.R, N: e.N}
	}
	v := &concrete{Parts: make([]*concrete, len(r.Parts))}
	for i, p := range r.Parts {
		v.Parts[i] = newResult(p, out)
	}
	return v
}

// RunInto runs the program on the elements of its inputs, in the order of
// [kernel.Program.Arrays], truth values being 0 and 1, and writes those of its result,
// in the order of [kernel.Result.Arrays], to out. What is nil in out is not
// wanted; what is not may share memory with in, and is not touched if there is an
// error. But for the first run, and those at the same time as others, it makes no
// memory.
func (m *Machine) RunInto(out, in []Elements) error {
	if m == nil || m.prog == nil {
		return errNoProgram
	}
	if len(in) != len(m.prog.Inputs) || len(out) != len(m.prog.Results) {
		return fmt.Errorf("%s has %d inputs and %d results, and %d and %d are given", m.prog.Name, len(m.prog.Inputs), len(m.prog.Results), len(in), len(out))
	}
	for i, a := range m.prog.Inputs {
		if !in[i].is(a) {
			return fmt.Errorf("input %s: %s, and its elements are %d reals and %d integers", a.Name, a.Type(), len(in[i].R), len(in[i].N))
		}
	}
	for i, a := range m.prog.Results {
		if (out[i].R != nil || out[i].N != nil) && !out[i].is(a) {
			return fmt.Errorf("result %d is %s, and has room for %d reals and %d integers", i, a.Type(), len(out[i].R), len(out[i].N))
		}
	}
	s, err := m.Take()
	if err != nil {
		return err
	}
	for i, e := range in {
		s.Bind(i, e)
	}
	if err = s.Run(context.Background()); err == nil {
		for i, e := range s.Out {
			out[i].copy(e)
		}
	}
	s.Give()
	return err
}

// instance is the memory of one run at a time, and the steps that compute there.
type instance struct {
	memory  map[*kernel.Array]*Elements
	inputs  []*Elements
	results []*Elements
	// staged are copies of inputs that are results.
	staged  []staged
	steps   []step
	stop    *ending   // of a run, with those of its loops
	native  *compiled // nil if the kernels are interpreted
	hosted  []step    // those kernels that are interpreted nevertheless
	profile *Profile  // nil if runs are not measured
	prog    *plan.Planned
	team    *team       // nil if no loop is shared
	bytes   []byte      // the memory of the module
	stopped func() bool // whether to end
	packed  []packing   // of each goroutine that multiplies matrices
}

// staged is memory to which an input is copied.
type staged struct{ from, to *Elements }

// failure is an error that ends a run.
type failure struct{ error }

// step does a part of a run, for n lanes.
type step func(n int)

func (m *Machine) instance(stop *ending) (*instance, error) {
	x := &instance{memory: make(map[*kernel.Array]*Elements), profile: m.profile, prog: m.prog, stop: stop}
	if m.native != nil {
		if err := m.native.attach(x); err != nil {
			return nil, err
		}
		m.setLiterals(x)
	} else {
		part := elementsOf(m.prog.Plan)
		for _, a := range m.prog.Arrays {
			e := new(Elements)
			switch a.Role {
			case kernel.Literal:
				*e = m.literals[a]
			case kernel.Temp:
				*e = part(a)
			}
			x.memory[a] = e
		}
	}
	for _, a := range m.prog.Inputs {
		x.inputs = append(x.inputs, x.memory[a])
	}
	for _, a := range m.prog.Results {
		e := x.memory[a]
		if a.Role == kernel.Input && m.native == nil { // whose memory may be that of another result
			to := newElements(a)
			x.staged = append(x.staged, staged{e, &to})
			e = &to
		}
		x.results = append(x.results, e)
	}
	if m.native != nil {
		return x, nil
	}
	for i, k := range m.prog.Kernels {
		var steps []step
		if zeroed := m.prog.Plan.Zeroed[i]; len(zeroed) > 0 {
			steps = append(steps, x.clears(zeroed))
		}
		if k.Steps != nil {
			steps = append(steps, x.loop(k.Steps, m.loops[k.Steps]))
		} else {
			steps = append(steps, x.compile(k, m.block))
		}
		x.steps = append(x.steps, m.profile.timed(k, sequence(steps)))
	}
	return x, nil
}

// setLiterals puts literals into the memory of a module, those of loops too.
func (m *Machine) setLiterals(x *instance) {
	for a, e := range m.literals {
		x.memory[a].copy(e)
	}
	for _, sub := range m.loops {
		sub.setLiterals(x)
	}
}

// clears makes a step that fills arrays with zeros.
func (x *instance) clears(arrays []*kernel.Array) step {
	return func(int) {
		for _, a := range arrays {
			clear(x.memory[a].R)
			clear(x.memory[a].N)
		}
	}
}

func (x *instance) run(out, in []Elements) error {
	for i, e := range in {
		x.bind(i, e)
	}
	err := x.compute()
	if err == nil {
		for i, e := range x.results {
			out[i].copy(*e)
		}
	}
	x.forget()
	return err
}

// bind gives an input its elements, in memory of the caller unless there is a module's.
func (x *instance) bind(i int, e Elements) {
	if x.native != nil {
		x.inputs[i].copy(e)
	} else {
		*x.inputs[i] = e
	}
}

// forget lets go of memory of the caller.
func (x *instance) forget() {
	if x.native == nil {
		for _, e := range x.inputs {
			*e = Elements{}
		}
	}
}

// compute runs the steps, unless the run is to end before.
func (x *instance) compute() (err error) {
	defer func() {
		r := recover()
		if f, ok := r.(failure); ok {
			err = f.error
		} else if r == error(interrupt.ErrEnded) {
			err = interrupt.ErrEnded
		} else if r != nil {
			panic(r)
		}
	}()
	for _, s := range x.steps {
		x.poll()
		s(1)
	}
	for _, s := range x.staged {
		s.to.copy(*s.from)
	}
	return nil
}
