package routes

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"egad/ad"
	"egad/diag"
	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/routes/slope"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// Task is a program, with its inputs and a cotangent of its result, of which the routes
// compute the gradient.
type Task struct {
	Lib     *rules.Library
	Program *term.Program
	// Functional is the program as a functional one, if the text has it so; nil stands for
	// Program, read as one.
	Functional *fun.Program
	// Result is the type of the result as a functional program declares it, nil of others.
	Result *types.Type
	// Unlowered, if not nil, says why there is no array program: then Program has inputs and
	// sizes, and no term, and the routes of functional programs alone take the task.
	Unlowered error
	Env       eval.Env[*eval.Value[float64]]
	// Options are those of the routes that derive a program; of the others Wrt alone counts.
	Options ad.Options
	// Cotangent has a number for each real in the result, in order; nil stands for 1, if
	// the result is a real scalar.
	Cotangent []float64
	Bounds    Bounds
	// Ended, if not nil, is asked again and again; its error ends a route.
	Ended func() error

	value int64        // operations of the evaluator on the program, once [Run] knows them
	table *slope.Table // of the local maps, once they are needed
	cons  *constructors
}

// slopes is the table of the local maps.
func (t *Task) slopes() *slope.Table {
	if t.table == nil {
		t.table = slope.NewTable(t.Lib, t.Program.Store.Signature())
	}
	return t.table
}

// constructors are those of Deltas of arrays that were met.
func (t *Task) constructors() *constructors {
	if t.cons == nil {
		t.cons = newConstructors(t.Lib, t.Program.Store.Signature())
	}
	return t.cons
}

// Bounds end a route that would take too long.
type Bounds struct {
	Visits     int64 // of Deltas
	Made       int64 // constructors of Deltas
	Operations int64 // on reals, where the number of the inputs multiplies them
}

// DefaultBounds are those of the command.
var DefaultBounds = Bounds{Visits: 10_000_000, Made: 100_000_000, Operations: 50_000_000}

// operations is an error if n operations are too many.
func (b Bounds) operations(n int64) error {
	if n > b.Operations {
		return &fun.StoppedError{Most: b.Operations, What: "operations"}
	}
	return nil
}

// Counts are what a route did.
type Counts struct {
	// Value and Total count operations on reals, of the value alone and of value and
	// derivative together.
	Value int64 `json:"value_operations"`
	Total int64 `json:"operations"`
	// Made counts the constructors of Deltas, without Zero and inputs, Visits how often
	// one was looked at, and Ids how many were shared.
	Made   int64 `json:"constructors,omitempty"`
	Visits int64 `json:"visits,omitempty"`
	Ids    int64 `json:"ids,omitempty"`
	// Primal and Steps are the steps that a functional program takes, alone and with its
	// derivative.
	Primal int64 `json:"primal_steps,omitempty"`
	Steps  int64 `json:"steps,omitempty"`
	// Nodes and Tree are the size of the program that the route writes: as it is shared,
	// and written out as a tree, at most [term.MostTree].
	Nodes int64 `json:"nodes,omitempty"`
	Tree  int64 `json:"tree,omitempty"`
}

// outcome is what a route came to: the gradient by the real numbers of the inputs that
// are varied, in order.
type outcome[S any] struct {
	gradient []S
	Counts
	program *term.Program // that the route writes, if it does
}

// Route is a way from a program to its derivative.
type Route struct {
	Name   string
	Source string // the paper's sections and figures
	Doc    string

	// program writes the derivative as a program, and says what it counted for that; nil if
	// the route writes none. Then floats and exact compute it. Errors of all of these are
	// raised (see package raise).
	program func(t *Task) (*term.Program, Counts)
	raw     bool // the program is not simplified
	// functional says that it is a route of functional programs.
	functional bool
	show       func(t *Task, how Sharing) []Shown
	floats     func(t *Task) *outcome[float64]
	exact      func(t *Task) *outcome[*big.Rat]
}

// Table lists the routes. The first one that takes a program is what others are compared
// with.
var Table = slices.Concat(arrayRoutes, krawiecRoutes(), chadRoutes())

// arrayRoutes take array programs.
var arrayRoutes = []*Route{
	{Name: "egraph", Source: "004, and egad grad", Doc: "the reverse derivative as linear maps, transposed, applied and simplified on an e-graph: a program",
		program: derived(false), show: showStages(reverse(false))},
	{Name: "direct", Source: "004, Section 3.3", Doc: "as egraph, of loops as they are, without the bulk-operation transform",
		program: derived(true), show: showStages(reverse(true))},
	{Name: "columns", Source: "004, Section 2", Doc: "the forward derivative, one run for each real number of the inputs",
		floats: columns(floats), exact: columns(rationals), show: showStages(forward)},
	{Name: "eval0", Source: "000, Figs. 1 and 2, Section 2.3", Doc: "dual numbers, one evaluation of the Delta for each real number of the inputs",
		floats: scalars(floats, byEval0), exact: scalars(rationals, byEval0), show: showScalars(false)},
	{Name: "eval1", Source: "000, Section 2.4", Doc: "as eval0, in one evaluation by vectors",
		floats: scalars(floats, byEval1), exact: scalars(rationals, byEval1), show: showScalars(false)},
	{Name: "eval2", Source: "000, Section 2.4", Doc: "as eval1, with one vector that is passed on (the Cayley transform)",
		floats: scalars(floats, byEval2), exact: scalars(rationals, byEval2), show: showScalars(false)},
	{Name: "eval3", Source: "000, Section 2.4", Doc: "as eval2, with scale factors pushed in to the inputs",
		floats: scalars(floats, byEval3), exact: scalars(rationals, byEval3), show: showScalars(false)},
	{Name: "share", Source: "000, Figs. 3 to 6", Doc: "as eval3, with ids, by which each Delta is evaluated once",
		floats: scalars(floats, byReversePass), exact: scalars(rationals, byReversePass), show: showScalars(true)},
	{Name: "dual-build", Source: "000, Sections 4.2 and 4.3", Doc: "dual arrays, without the bulk-operation transform: a Delta for each element of a build",
		floats: dualArraysRoute(floats, false), exact: dualArraysRoute(rationals, false), show: showArrays(false)},
	{Name: "dual", Source: "000, Section 6, Figs. 12 to 17", Doc: "dual arrays after the bulk-operation transform: a Delta for each operation on arrays",
		floats: dualArraysRoute(floats, true), exact: dualArraysRoute(rationals, true), show: showArrays(true)},
	{Name: "symbolic-tree", Source: "000, Section 7.2", Doc: "as dual over terms, which writes a program, without sharing and not simplified",
		program: symbolic(ShareNothing), raw: true, show: showWritten},
	{Name: "symbolic", Source: "000, Sections 7.3 to 7.6", Doc: "as dual over terms, with sharing: a program, simplified",
		program: symbolic(ShareCopies), show: showWritten},
}

// Names are those of the routes.
func Names() []string {
	return slice.Map(Table, func(r *Route) string { return r.Name })
}

// Find gives the route of a name.
func Find(name string) (*Route, error) {
	for _, r := range Table {
		if r.Name == name {
			return r, nil
		}
	}
	return nil, fmt.Errorf("there is no route %s%s (routes: %s)", name, diag.DidYouMean(name, Names()), strings.Join(Names(), ", "))
}

// field is an arithmetic in which a route is run.
type field[S any] struct {
	eval.Scalars[S]
	from func(x float64) S
}

func (f field[S]) PrepareUnary(sym ops.Sym, n int) func(a S) S {
	return eval.PreparedUnary(f.Scalars, sym, n)
}

func (f field[S]) PrepareBinary(sym ops.Sym) func(a, b S) S {
	return eval.PreparedBinary(f.Scalars, sym)
}

var floats = field[float64]{eval.Floats{}, func(x float64) float64 { return x }}

// rationals are exact. Their size is bounded: what needs more is compared in floats.
var rationals = field[*big.Rat]{eval.Rationals{Bits: 1 << 14}, func(x float64) *big.Rat {
	r := new(big.Rat).SetFloat64(x)
	if r == nil {
		raise.Error(fmt.Errorf("%v is not rational", x))
	}
	return r
}}

// counting is the evaluator over S, which counts.
func (f field[S]) counting(t *Task) eval.Counting[S] {
	return eval.Counting[S]{Arrays: eval.Arrays[S]{Scalars: f, Ended: t.Ended}, Counts: new(eval.Counts)}
}

// envOver is the environment of a task over another arithmetic.
func envOver[S any](t *Task, from func(x float64) S) eval.Env[*eval.Value[S]] {
	out := make(eval.Env[*eval.Value[S]], len(t.Env))
	for name, v := range t.Env {
		x := &eval.Value[S]{Elem: v.Elem, Shape: v.Shape, N: v.N}
		if v.Elem == types.R {
			x.R = slice.Map(v.R, from)
		}
		out[name] = x
	}
	return out
}

// varied are the inputs that are varied: arrays of reals, the leaves of tuples.
func (t *Task) varied() ([]term.Input, error) {
	ins, err := ad.Varied(t.Program, t.Options.Wrt)
	if err != nil {
		return nil, err
	}
	return slice.Filter(term.Leaves(ins), func(leaf term.Input) bool { return leaf.Type.Differentiable() }), nil
}

// result is the type of the result.
func (t *Task) result() *types.Type {
	if t.Result != nil {
		return t.Result
	}
	return t.Program.Store.Type(t.Program.Root)
}

// scalar reports whether the result is a real scalar, and no cotangent is given.
func (t *Task) scalar() bool {
	return t.Cotangent == nil && t.result().IsScalar(types.R)
}

// NoCotangentError says that a result which is no real scalar has no cotangent.
type NoCotangentError struct {
	Program string
	Result  *types.Type
}

func (e *NoCotangentError) Error() string {
	return fmt.Sprintf("%s results in %s, and needs a cotangent", e.Program, e.Result.Written())
}

// differentiable is an error if there is nothing to differentiate.
func (t *Task) differentiable() error {
	if result := t.result(); result.RealPart() == nil {
		return fmt.Errorf("%s results in %s, which has no real part to differentiate", t.Program.Name, result.Written())
	}
	_, err := t.varied()
	return err
}

// check says what is wrong with a task whatever the route.
func (t *Task) check() error {
	if err := t.differentiable(); err != nil {
		return err
	}
	result := t.result()
	part := result.RealPart()
	if t.Cotangent == nil && !t.scalar() {
		return &NoCotangentError{t.Program.Name, result}
	}
	if n := elements(part); t.Cotangent != nil && len(t.Cotangent) != n {
		return fmt.Errorf("the cotangent has %s, and the result %d", diag.Count(len(t.Cotangent), "number"), n)
	}
	return nil
}

// elements counts the numbers in arrays of a type.
func elements(t *types.Type) int {
	if t.Kind == types.KArray {
		_, n, _ := types.ShapeOf(t, types.MaxElements)
		return n
	}
	return slice.Sum(t.Parts, elements)
}

// reals are the reals in a value, in order.
func reals[S any](v *eval.Value[S], into []S) []S {
	for _, p := range v.Parts {
		into = reals(p, into)
	}
	return append(into, v.R...)
}

// cotangent is that of the result over S, one number for each real.
func cotangent[S any](f field[S], t *Task) []S {
	if t.Cotangent == nil {
		return []S{f.FromInt(1)}
	}
	return slice.Map(t.Cotangent, f.from)
}
