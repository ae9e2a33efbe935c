package krawiec

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"egad/diag"
	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/routes/slope"
	"egad/rules"
	"egad/term"
	"egad/term/ops"
)

// Route is a step of the paper from forward mode to reverse mode.
type Route struct {
	Name   string
	Source string // the paper's sections and figures
	Doc    string

	represent func(inputs *fun.Type) *representation
	share     bool // changes get ids
	reduced   bool // without what the laws of the monad make needless
	wrap      func(w *wrapper) *fun.Term
	// promised is the type of the wrapper.
	forward bool
	// registers is how many a value has at most where the derivative is run as instructions;
	// 0 says that it is evaluated.
	registers int32
}

// Routes lists them in the paper's order.
var Routes = []*Route{
	{Name: "forward-dual", Source: "003, Figs. 3 and 4", Doc: "a real with a real: forward mode, once for each real of the inputs",
		represent: byReal, wrap: (*wrapper).forward, forward: true},
	{Name: "vectors", Source: "003, Figs. 5 and 6", Doc: "a real with a change of all inputs",
		represent: byInputs, wrap: (*wrapper).vectors},
	{Name: "delta", Source: "003, Figs. 7 and 8", Doc: "a real with a Delta, which is evaluated in place, as often as it is used",
		represent: byDelta, wrap: (*wrapper).delta},
	{Name: "monadic", Source: "003, Figs. 9 to 11", Doc: "as delta, in a monad in which each Delta is bound to an id; evaluated over a map",
		represent: byId, share: true, wrap: (*wrapper).bindings},
	{Name: "monadic-array", Source: "003, Section 7.3", Doc: "as monadic, with bindings and map in arrays, and a loop over the bindings",
		represent: byId, share: true, reduced: true, wrap: (*wrapper).array, registers: 32},
	{Name: "overloaded", Source: "003, Section 8", Doc: "the program itself, run over dual numbers; the Delta is that of monadic"},
}

// Find is the route of a name.
func Find(name string) *Route {
	i := slices.IndexFunc(Routes, func(r *Route) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return Routes[i]
}

func byReal(*fun.Type) *representation {
	real := func(sym ops.Sym) func(a, b *fun.Term) *fun.Term {
		return func(a, b *fun.Term) *fun.Term { return fun.Operator(ops.Op{Sym: sym}, a, b) }
	}
	return &representation{change: fun.Real, none: zeroReal, scale: real(ops.SymMul), add: real(ops.SymAdd)}
}

func byInputs(inputs *fun.Type) *representation {
	r := &representation{change: inputs}
	on := func(p *polytypic) func(a, b *fun.Term) *fun.Term {
		return func(a, b *fun.Term) *fun.Term { return p.at(r, inputs, fun.Pair.Make(a, b)) }
	}
	r.scale, r.add = on(scaleOp), on(addOp)
	return r
}

func byDelta(*fun.Type) *representation {
	made := func(f *fun.Form) func(a, b *fun.Term) *fun.Term {
		return func(a, b *fun.Term) *fun.Term { return f.Make(a, b) }
	}
	return &representation{change: deltaType, none: zeroForm.Make(), scale: made(scaleForm), add: made(addForm)}
}

func byId(*fun.Type) *representation {
	r := byDelta(nil)
	r.monadic = true
	return r
}

// Unit is a definition that is translated apart from the programs that use it (Section 7.5).
type Unit struct {
	Type               *fun.Type
	Source, Translated *fun.Term
}

// Task is a program of which a route computes the gradient.
type Task struct {
	Lib     *rules.Library
	Program *fun.Program
	// Units are definitions; the first variables of the program stand for them.
	Units []*Unit
	// PairOfArrays says that arrays of dual numbers are pairs of arrays (Section 10.2).
	PairOfArrays bool
	// Steps, Visits and Bindings bound a run; 0 stands for [fun.DefaultSteps],
	// [DefaultVisits] and [DefaultBindings].
	Steps, Visits, Bindings int64
	// Ended, if not nil, is asked again and again; its error ends a run.
	Ended func() error
}

// The bounds of a run.
const (
	DefaultVisits   = 200_000_000
	DefaultBindings = 50_000_000
)

// translator is that of a route.
func (r *Route) translator(t *Task) *translator {
	rep := r.represent(t.inputs())
	rep.apartArrays = t.PairOfArrays
	return &translator{
		representation: rep, maps: slope.NewTable(t.Lib, term.NewSignature()),
		monadic: rep.monadic, reduced: r.reduced, share: r.share, effects: make(map[*fun.Term]bool),
	}
}

// ErrNoTranslation says that a route has no transformation.
var ErrNoTranslation = errors.New("overloaded runs the program itself: it has no transformation")

// Translate is D of the body of a program, in the context D{Γ}, and the type that the paper
// promises for it.
func (r *Route) Translate(t *Task) (d *fun.Term, context []*fun.Type, promised *fun.Type, err error) {
	if r.represent == nil {
		return nil, nil, nil, ErrNoTranslation
	}
	p := t.Program
	tr := r.translator(t)
	if tr.none == nil { // the zero stands before the others
		context = append(context, tr.change)
		tr.depth++
	}
	for _, typ := range p.Context {
		context = append(context, tr.dual(typ))
		tr.bind(tr.depth)
		tr.depth++
	}
	if d, err = tr.translate(p.Body, p.Context...); err != nil {
		return nil, nil, nil, err
	}
	return d, context, tr.promised(p.Result), nil
}

// promised is the type of D of a term of a type.
func (t *translator) promised(of *fun.Type) *fun.Type {
	if t.representation.monadic {
		return fun.M(t.dual(of))
	}
	return t.dual(of)
}

// Wrap is F{e} or R{e}: a closed function from the inputs, and a change of them or of the
// result, to the other change.
func (r *Route) Wrap(t *Task) (term *fun.Term, promised *fun.Type, err error) {
	if r.represent == nil {
		return nil, nil, ErrNoTranslation
	}
	defer raise.Caught(&err)
	term = r.wrap(&wrapper{r.translator(t), t})
	s := t.inputs()
	if r.forward {
		return term, fun.Fun(fun.Prod(s, s), t.Program.Result), nil
	}
	return term, fun.Fun(fun.Prod(s, t.Program.Result), s), nil
}

// Counts are what a route did.
type Counts struct {
	// Steps are those of the evaluator, Bindings how many ids were given, Made how many
	// constructors of Deltas were made, and Visits how often one was looked at.
	Steps, Bindings, Made, Visits int64
	// Operations are those on reals of changes of all inputs, which polytypic operations do.
	Operations int64
}

// Outcome is what a route came to.
type Outcome struct {
	Value    fun.Value
	Gradient []float64 // by the reals of the inputs, from the left
	Counts
	// Delta is that of the result, with Lets for its bindings; nil of a route without.
	Delta *Delta
	// Tape holds the bindings if they are in an array; then Delta is only the root.
	Tape *Tape
}

// machine is one for what routes make.
func (t *Task) machine() (*fun.Machine, *run) {
	r := &run{bindingsMax: cmp.Or(t.Bindings, DefaultBindings)}
	r.most, r.ended = cmp.Or(t.Visits, DefaultVisits), t.Ended
	return &fun.Machine{Domain: fun.Floats(), Limit: t.Steps, Ended: t.Ended, State: r}, r
}

// counts are those of a run.
func (r *run) counts(m *fun.Machine) Counts {
	return Counts{Steps: m.Steps, Bindings: r.bindings, Made: r.made, Visits: r.visits, Operations: r.operations}
}

// ErrFunctions says that a main program has functions in its inputs or its result.
var ErrFunctions = errors.New("a program that is differentiated has no functions in its inputs or its result")

// check says what is wrong with a task.
func (t *Task) check() error {
	p := t.Program
	for i, u := range t.Units {
		if typ := p.Context[i]; !typ.Equal(u.Type) {
			return fmt.Errorf("%s is of type %s, where %s must be", p.Names[i], u.Type, typ)
		}
	}
	if !t.inputs().FirstOrder() || !p.Result.FirstOrder() {
		return ErrFunctions
	}
	got, err := fun.Check(p.Body, p.Context)
	if err == nil && !got.Equal(p.Result) {
		err = fmt.Errorf("the program is of type %s, where %s must be", got, p.Result)
	}
	return err
}

// Value runs the program.
func (t *Task) Value(inputs []fun.Value) (_ fun.Value, err error) {
	m, _ := t.machine()
	defer m.Caught(&err)
	return m.Eval(t.Program.Body, append(t.evaluated(m), inputs...))
}

// evaluated are the values of the units.
func (t *Task) evaluated(m *fun.Machine) []fun.Value {
	return slice.Map(t.Units, func(u *Unit) fun.Value { return m.Value(u.Source, nil) })
}

// Gradient computes the gradient of a program at inputs, by a cotangent that has a number for
// each real of the result; nil stands for 1 if the result is a real.
func (r *Route) Gradient(t *Task, inputs []fun.Value, cotangent []float64) (_ *Outcome, err error) {
	defer raise.Caught(&err)
	raise.Error(t.check())
	value := raise.Must(t.Value(inputs))
	result := t.Program.Result
	if cotangent == nil && result.Kind == fun.KReal {
		cotangent = []float64{1}
	}
	if n := len(fun.Leaves[float64](value, result)); n != len(cotangent) {
		return nil, fmt.Errorf("the cotangent has %s, and the result %d", diag.Count(len(cotangent), "number"), n)
	}
	m, state := t.machine()
	defer m.Caught(&err)
	if r.represent == nil {
		return t.overloaded(m, state, inputs, value, cotangent), nil
	}
	w, _, err := r.Wrap(t)
	raise.Error(err)
	f, s := r.function(m, w), fun.TupleValue(inputs...)
	out := &Outcome{Value: value}
	if r.forward {
		out.Gradient = t.columns(m, f, s, cotangent)
	} else { // the reverse plan: R{e} (s, dt)
		ds := m.Apply(f, &fun.Pairing{L: s, R: filled(value, result, cotangent)})
		out.Gradient = fun.Leaves[float64](ds, t.inputs())
	}
	out.Counts, out.Delta, out.Tape = state.counts(m), state.root, state.tape
	return out, nil
}

// function is the value of a wrapper.
func (r *Route) function(m *fun.Machine, w *fun.Term) fun.Value {
	if r.registers > 0 {
		return compile(w, r.registers)
	}
	return m.Value(w, nil)
}

// filled is a value of the same shape with other reals.
func filled(v fun.Value, t *fun.Type, with []float64) fun.Value {
	n := 0
	return fun.MapLeaves(v, t, func(float64) fun.Value {
		n++
		return with[n-1]
	})
}

// inputs is the type S of the tuple of all inputs.
func (t *Task) inputs() *fun.Type { return fun.Tuple(t.Program.Context[len(t.Units):]...) }

// columns is the forward plan: F{e} (s, onehot i) for each real of the inputs, of which each
// gives a column of the Jacobian.
func (t *Task) columns(m *fun.Machine, f, s fun.Value, cotangent []float64) []float64 {
	in := t.inputs()
	ds := make([]float64, len(fun.Leaves[float64](s, in)))
	out := make([]float64, len(ds))
	for i := range ds {
		ds[i] = 1
		column := m.Apply(f, &fun.Pairing{L: s, R: filled(s, in, ds)})
		for j, c := range fun.Leaves[float64](column, t.Program.Result) {
			out[i] += float64(cotangent[j] * c)
		}
		ds[i] = 0
	}
	return out
}
