package chad

import (
	"cmp"
	"errors"
	"runtime"
	"slices"

	"egad/fun"
	"egad/internal/raise"
)

// Route is one of the ways of CHAD: a transformation with an implementation of the linear
// types.
type Route struct {
	Name   string
	Source string // the paper's sections and figures
	Doc    string

	calculus calculus
	linear   linear
	vector   vectors
	cells    func() store
	naive    bool // functions are taken, by Section 9
	// first, if not nil, makes a program of a program, that is differentiated for it.
	first    func(*fun.Program) (*fun.Program, error)
	gathers  bool // elements that a build gathers are told together, by Section 8.1
	parallel bool // what is independent is done on goroutines
}

// Routes lists the ways, in the paper's order. The last three take functions.
var Routes = []*Route{
	{Name: "chad-dense", Source: "002, Figs. 2 and 4", Doc: "backpropagators give a tuple of all cotangents, with pairs for zeros",
		calculus: basic{}, linear: dense{}, vector: tuples{}},
	{Name: "chad-sparse", Source: "002, Section 4.1", Doc: "as chad-dense, with a zero for pairs, and persistent maps, which are united",
		calculus: basic{}, linear: sparse{}, vector: maps{}},
	{Name: "chad-map", Source: "002, Fig. 7 and Section 4.2", Doc: "backpropagators are computations that add to a persistent map",
		calculus: monadic{}, linear: sparse{}, cells: func() store { return &mapped{} }},
	{Name: "chad", Source: "002, Fig. 7, Sections 5 and 8.1", Doc: "backpropagators are computations that add to an array, in place",
		calculus: monadic{}, linear: sparse{}, cells: func() store { return &array{} }, gathers: true},
	{Name: "chad-parallel", Source: "002, Section 8", Doc: "as chad, and what does not depend on each other is done on several processors",
		calculus: monadic{}, linear: sparse{}, cells: func() store { return &array{} }, gathers: true, parallel: true},
	{Name: "chad-naive", Source: "002, Section 9", Doc: "as chad-sparse, and a function's backpropagator goes through a log of its calls: exponential in the nesting of calls",
		calculus: basic{}, linear: sparse{}, vector: maps{}, naive: true},
	{Name: "chad-closures", Source: "002, Appendix C", Doc: "as chad, after functions were made closures with tags",
		calculus: monadic{}, linear: sparse{}, cells: func() store { return &array{} }, gathers: true, first: convert},
	{Name: "chad-defunctional", Source: "002, Section 9", Doc: "as chad, after functions were made sums of what they capture, and calls cases on them",
		calculus: monadic{}, linear: sparse{}, cells: func() store { return &array{} }, gathers: true, first: Defunctionalise},
}

// Find is the route of a name.
func Find(name string) *Route {
	i := slices.IndexFunc(Routes, func(r *Route) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return Routes[i]
}

// Derivative is a program's derivative D[t], a pair of the value and the backpropagator.
type Derivative struct {
	Route   *Route
	Program *fun.Program
	// Term is D[t] in the context of the program.
	Term *fun.Term
	// Type is that of D[t]: t * (D[t]₂ -> …), in which … is EV Γ or EVM Γ ().
	Type *fun.Type

	// Constant is that of the theorems for the operators of the program.
	Constant Constant

	result, inner *fun.Type // D[t]₂, and the linear context
	ops           *Derivatives
}

// Transform makes the derivative of a program by a route.
func (r *Route) Transform(ops *Derivatives, p *fun.Program) (_ *Derivative, err error) {
	defer raise.Caught(&err)
	if r.first != nil {
		p = raise.Must(r.first(p))
	}
	d := &Derivative{Route: r, Program: p, ops: ops}
	d.Term = raise.Must(d.transform(0))
	d.result = cotangent(p.Result)
	d.Constant = ops.constant(p.Body)
	d.inner = newTransformer(r.calculus, ops, p.Context).here()
	d.Type = fun.Prod(p.Result, fun.Fun(d.result, r.calculus.typ(d.inner)))
	return d, nil
}

// transform makes D[t] under extra variables that it does not have.
func (d *Derivative) transform(extra int) (_ *fun.Term, err error) {
	defer raise.Caught(&err)
	t := newTransformer(d.Route.calculus, d.ops, d.Program.Context)
	t.depth += extra
	t.naive, t.gathers = d.Route.naive, d.Route.gathers
	return t.transformed(d.Program.Body)
}

// String writes the derivative.
func (d *Derivative) String() string { return fun.Print(d.Term, d.Program.Names...) }

// Options of a run.
type Options struct {
	// Charge counts a step, and the operand's, for lfst and lsnd of a zero; the paper's
	// formalisation counts one alone.
	Charge bool
	// Affine makes it an error that a cotangent is used twice.
	Affine bool
	// Limit is how many steps may be made, 0 for [fun.DefaultSteps].
	Limit int64
	// Threads is how many goroutines chad-parallel may run, 0 for one on each processor. No
	// result depends on it.
	Threads int
	// Ended, if not nil, is asked again and again, by several goroutines at a time; its error
	// ends the run.
	Ended func() error

	grain int64 // of the parts of chad-parallel, 0 for the usual one
}

func (d *Derivative) machine(o Options) (*fun.Machine, *state) {
	s := &state{linear: d.Route.linear, vector: d.Route.vector, charge: o.Charge, affine: o.Affine}
	if d.Route.cells != nil {
		s.cells = d.Route.cells()
	}
	m := &fun.Machine{Domain: fun.Floats(), State: s, Limit: o.Limit, Ended: o.Ended, Keeps: true}
	if d.Route.parallel {
		m.Threads = fun.NewThreads(cmp.Or(o.Threads, runtime.GOMAXPROCS(0)), cmp.Or(o.grain, grain))
	}
	return m, s
}

// Zeros are the cotangents of inputs that are 0, the outermost first.
func (d *Derivative) Zeros() []fun.Value {
	out := make([]fun.Value, len(d.Program.Context))
	ctx := d.inner
	for i := range out {
		out[len(out)-1-i], _ = d.Route.linear.zero(ctx.Parts[1])
		ctx = ctx.Parts[0]
	}
	return out
}

// Measured is what a run of a derivative took, in steps.
type Measured struct {
	// Value is the result, and Primal what it takes alone: cost(t).
	Value  fun.Value
	Primal int64
	// Run, Call and Monad are the steps of D[t], of calling its backpropagator and of
	// running the computation that it gives (of EV, of nothing).
	Run, Call, Monad int64
	// Cotangent, In and Out are the sizes (and potentials) of the cotangent of the result,
	// and of those of the inputs, before and after.
	Cotangent, In, Out int64
	Inputs             int64 // |Γ|
	// Constant is that of the theorems for the operators of the program: 31 for the paper's.
	Constant int64
	Counts
	// Cotangents are those of the inputs, the outermost first.
	Cotangents []fun.Value
}

// Steps are those of the value and the derivative together.
func (m *Measured) Steps() int64 { return m.Run + m.Call + m.Monad }

// Theorem1 gives the sides of the paper's first theorem (Section 6; TH1 in Appendix B):
// left ≤ right for every run.
func (m *Measured) Theorem1() (left, right int64) {
	return m.Steps() - m.Cotangent - m.In + m.Out - m.Inputs, m.Constant * m.Primal
}

// Theorem2 is the right side of the second theorem (TH2 in Appendix B), of which the left
// one is what [Derivative.Whole] takes.
func (m *Measured) Theorem2() int64 { return 5 + m.Constant*m.Primal + m.Cotangent + 4*m.Inputs }

// Value is the value of the program.
func (d *Derivative) Value(inputs []fun.Value, o Options) (fun.Value, error) {
	return d.Program.Run(&fun.Machine{Domain: fun.Floats(), Limit: o.Limit, Ended: o.Ended}, inputs)
}

// Measure runs a derivative on inputs, a cotangent of the result and cotangents of the
// inputs to begin with (nil for 0), which must be of the sides that the inputs have.
func (d *Derivative) Measure(inputs []fun.Value, ct fun.Value, before []fun.Value, o Options) (_ *Measured, err error) {
	defer raise.Caught(&err)
	m := &fun.Machine{Domain: fun.Floats(), Limit: o.Limit, Ended: o.Ended}
	out := &Measured{Inputs: int64(len(inputs)), Constant: d.Constant.Of, Cotangent: sizeOf(ct)}
	out.Value = raise.Must(d.Program.Run(m, inputs))
	out.Primal = m.Steps
	if before == nil {
		before = d.Zeros()
	}
	for _, x := range before {
		out.In += sizeOf(x)
	}
	m, s := d.machine(o)
	defer m.Caught(&err)
	p := raise.Must(m.Eval(d.Term, inputs)).(*fun.Pairing)
	out.Run = m.Steps
	back := m.Apply(p.R, ct)
	out.Call = m.Steps - out.Run
	out.Cotangents = d.finish(m, s, back, before)
	out.Monad = m.Steps - out.Run - out.Call
	for _, x := range out.Cotangents {
		out.Out += sizeOf(x)
	}
	out.Value, out.Counts = p.L, s.Counts
	return out, nil
}

// finish gives the cotangents of the inputs: those to begin with, and what a backpropagator
// gave.
func (d *Derivative) finish(m *fun.Machine, s *state, back fun.Value, before []fun.Value) []fun.Value {
	if s.cells != nil {
		_, out := s.runOn(m, back.(*action), before)
		return out
	}
	out := make([]fun.Value, len(before))
	ctx := d.inner
	for i := len(out) - 1; i >= 0; i-- {
		var x fun.Value
		back, x, _ = s.vector.split(s, ctx, i, back)
		out[i], _ = s.plus(x, before[i])
		ctx = ctx.Parts[0]
	}
	return out
}

// Whole is what the whole takes, from inputs and a cotangent to those of the inputs: the
// steps of run (snd D[t] d) 0 (the left side of TH2).
func (d *Derivative) Whole(inputs []fun.Value, ct fun.Value, o Options) (int64, error) {
	if d.Route.cells == nil {
		return 0, errors.New("the second theorem is about the monadic transformation")
	}
	t, err := d.transform(1)
	if err != nil {
		return 0, err
	}
	var zeros func(ctx *fun.Type) *fun.Term
	zeros = func(ctx *fun.Type) *fun.Term {
		if ctx.Form != formMore {
			return fun.Star.Make()
		}
		return pair(zeroOf(ctx.Parts[1]), zeros(ctx.Parts[0]))
	}
	m, _ := d.machine(o)
	_, err = m.Eval(evmRun.Make(backward(t, v(0)), zeros(d.inner)), append(slices.Clone(inputs), ct))
	return m.Steps, err
}
