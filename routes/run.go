package routes

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"egad/ad"
	"egad/diag"
	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/stages"
	"egad/term"
	"egad/term/eval"
	"egad/term/overflow"
	"egad/term/types"
)

// Agreement says how the gradient of a route compares with that of the first route that
// takes the program.
type Agreement string

// The ways in which a route can end.
const (
	Equal   Agreement = "="       // the same, in rational numbers
	Close   Agreement = "≈"       // within rounding
	Differs Agreement = "differs" // by more
	Refused Agreement = "does not apply"
	Stopped Agreement = "stopped"
)

// Result is what a route came to.
type Result struct {
	Name      string    `json:"route"`
	Agreement Agreement `json:"gradient"`
	// Why says why a route does not apply, or was stopped.
	Why string `json:"why,omitempty"`
	// Err is the error of a route that does not apply.
	Err error `json:"-"`
	// Difference is how far the number Where of the gradient, as x[3], is from that of the
	// first route: the one that is off by most, of numbers that rounding may change beside
	// what it may amount to (see [Tolerance]). It is the largest float if one of the two is not finite.
	Difference float64 `json:"difference,omitempty"`
	Where      string  `json:"where,omitempty"`
	// Gradient has the real numbers of the inputs that are varied, in order.
	Gradient []float64 `json:"-"`
	Counts
	Time time.Duration `json:"-"`
	// Program is the gradient as a program, nil if the route writes none, and Same says
	// how it compares with that of the first route.
	Program *term.Program `json:"-"`
	Same    Sameness      `json:"program,omitempty"`
}

// Sameness says how a program compares with that of the first route that applies.
type Sameness string

// The ways in which programs of one gradient compare, the strongest first.
const (
	SameProgram  Sameness = "the same"
	ProvedEqual  Sameness = "proved equal"
	EqualInValue Sameness = "equal in value"
)

// Tolerance is how far the numbers of a gradient may differ, in floats: this many times
// the sum of the absolute products along all paths from the input to the result.
const Tolerance = 1e-12

// Run runs routes on a program, in their order in [Table]. The error is one of the task,
// as a missing cotangent, or of what ended it.
func Run(t *Task, of []*Route, progress func(name string)) ([]*Result, error) {
	return compared(t, of, progress, mostProved)
}

// compared is [Run], with proofs that programs of at most so many nodes are equal.
func compared(t *Task, of []*Route, progress func(name string), most int64) ([]*Result, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	counted := *t
	// If the program has no value, routes say why.
	if t.Unlowered == nil {
		if _, n, err := run(floats, t, t.Program, t.Env); err == nil {
			counted.value = n
		}
	}
	c := &comparison{task: &counted, most: most}
	var out []*Result
	for _, r := range of {
		progress(r.Name)
		res, err := c.run(r)
		if err != nil {
			return out, err
		}
		out = append(out, res)
	}
	return out, nil
}

// comparison compares with the first route that applies.
type comparison struct {
	task      *Task
	first     bool // there is one
	floats    []float64
	exact     []*big.Rat    // nil if it is not computed in rationals
	tolerance []float64     // of floats; nil if it was not asked for
	program   *term.Program // that it writes
	most      int64         // nodes of programs that are proved equal
}

func (c *comparison) run(r *Route) (*Result, error) {
	res := &Result{Name: r.Name}
	start := time.Now()
	out, inRationals, err := r.run(c.task)
	res.Time = time.Since(start)
	if c.task.Ended != nil {
		if err := c.task.Ended(); err != nil {
			return nil, err
		}
	}
	if stopped, ok := errors.AsType[*fun.StoppedError](err); ok {
		res.Agreement, res.Why = Stopped, fmt.Sprintf("after %d %s", stopped.Most, stopped.What)
		return res, nil
	}
	if err != nil {
		res.Agreement, res.Why, res.Err = Refused, onOneLine(err), err
		return res, nil
	}
	res.Counts, res.Program, res.Gradient = out.Counts, out.program, out.gradient
	// In rationals what takes long in floats would take very long.
	var exact []*big.Rat
	if out.Total <= mostExact && (!c.first || c.exact != nil) {
		if x, err := tried(inRationals, c.task); err == nil {
			exact = append([]*big.Rat{}, x.gradient...)
		}
	}
	if !c.first {
		c.first, c.floats, c.exact = true, out.gradient, exact
	}
	c.compare(res, exact)
	switch {
	case res.Program == nil || res.Agreement == Differs:
	case c.program == nil:
		c.program = res.Program
	default:
		res.Same = c.same(r, res.Program)
	}
	return res, nil
}

// run computes the gradient by a route, and says how that is done in rationals.
func (r *Route) run(t *Task) (out *outcome[float64], inRationals func(t *Task) *outcome[*big.Rat], err error) {
	defer raise.Caught(&err)
	raise.Error(r.takes(t))
	inFloats, inRationals := r.floats, r.exact
	if r.program != nil {
		p, counts := r.program(t)
		inFloats, inRationals = running(floats, p, counts), running(rationals, p, counts)
	}
	return inFloats(t), inRationals, nil
}

// tried is what f gives of a task, or the error that it raises.
func tried[T any](f func(t *Task) T, t *Task) (_ T, err error) {
	defer raise.Caught(&err)
	return f(t), nil
}

// onOneLine is the text of an error without the source line.
func onOneLine(err error) string {
	at, ok := errors.AsType[*diag.Error](err)
	if !ok {
		return err.Error()
	}
	short := at.Msg
	if file, line, col := at.Position(); file != "" {
		short = fmt.Sprintf("%s:%d:%d: %s", file, line, col, at.Msg)
	}
	return strings.Replace(err.Error(), at.Error(), short, 1)
}

// takes is an error if a route takes array programs, and there is none.
func (r *Route) takes(t *Task) error {
	if t.Unlowered == nil || r.functional {
		return nil
	}
	return fmt.Errorf("it takes array programs, and this is none: %w", t.Unlowered)
}

// same compares a program, when it has been simplified, with that of the first route, on
// an e-graph if need be.
func (c *comparison) same(r *Route, p *term.Program) Sameness {
	if r.raw {
		var err error
		if p, err = ad.Simplified(c.task.Lib, p, c.task.Options); err != nil {
			return EqualInValue
		}
	}
	a, same := c.program.Clone(), false
	if err := overflow.Guard(func() error {
		same = a.Store.Import(p.Store, p.Root, nil).Equal(a.Root)
		return nil
	}); err == nil && same {
		return SameProgram
	}
	if sizes(p).Nodes <= c.most {
		if _, err := stages.Equal(c.task.Lib, c.program, p, ad.Options{}); err == nil {
			return ProvedEqual
		}
	}
	return EqualInValue
}

// mostProved is how many nodes a program may have that is put on an e-graph.
const mostProved = 100

// mostExact is how many operations may be done again in rationals.
const mostExact = 200_000

func (c *comparison) compare(res *Result, exact []*big.Rat) {
	if c.exact != nil && exact != nil {
		res.Agreement = Equal
		most := new(big.Rat)
		for i, x := range exact {
			if d := new(big.Rat).Sub(x, c.exact[i]); d.Abs(d).Cmp(most) > 0 {
				most = d
				res.Agreement, res.Where = Differs, c.task.place(i)
			}
		}
		d, _ := most.Float64()
		res.Difference = finite(d)
		return
	}
	res.Agreement = Close
	if c.tolerance == nil {
		c.tolerance = tolerances(c.task, c.floats)
	}
	most := 0.0 // in parts of the tolerance
	for i, x := range res.Gradient {
		d := apart(x, c.floats[i])
		parts := d
		if 0 < d && d < math.MaxFloat64 {
			parts = finite(d / c.tolerance[i])
		}
		if parts > most {
			most, res.Difference, res.Where = parts, d, c.task.place(i)
		}
	}
	if most > 1 {
		res.Agreement = Differs
	}
}

// finite is x, or the largest number there is.
func finite(x float64) float64 { return min(x, math.MaxFloat64) }

// apart is how far two numbers are apart; two NaNs are equal, and what is not finite is as
// far from others as can be.
func apart(x, y float64) float64 {
	switch {
	case x == y || math.IsNaN(x) && math.IsNaN(y):
		return 0
	case math.IsNaN(x) || math.IsNaN(y) || math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.MaxFloat64
	}
	return finite(math.Abs(x - y))
}

// tolerances are those of a gradient. Where there are no Deltas of the program, or too many,
// a number may be off by [rough] of itself, or of 1.
func tolerances(t *Task, g []float64) []float64 {
	if out, err := tolerance(t); err == nil {
		return out
	}
	return slice.Map(g, func(x float64) float64 { return rough * max(1, math.Abs(x)) })
}

const rough = 1e-9

// tolerance is how far each number of the gradient may be off: by [Tolerance] of the sum
// of the absolute products along all paths, which is the gradient by Deltas whose factors
// are all positive.
func tolerance(t *Task) (_ []float64, err error) {
	defer raise.Caught(&err)
	raise.Error(t.Unlowered)
	run := raise.Must(runDuals(floats, t, true))
	for i := range run.tape.cells.Len() {
		r := &run.tape.cells.At(i).by
		*r = math.Abs(*r)
	}
	e := newEvaluator(run.tape, eval.Scalars[float64](floats), unbounded)
	ct := cotangent(floats, t)
	g := e.vector()
	roots := slice.Make(len(ct), func(i int) weighted[float64] { return weighted[float64]{math.Abs(ct[i]), run.roots[i]} })
	raise.Error(e.reversePass(roots, g))
	for i := range g {
		g[i] *= Tolerance
	}
	return g, nil
}

// place names the number i of the gradient, as x[1, 2].
func (t *Task) place(i int) string {
	wrt, err := t.varied()
	if err != nil {
		return ""
	}
	for _, in := range wrt {
		shape, n, _ := types.ShapeOf(in.Type, types.DefaultMaxElements)
		if i >= n {
			i -= n
			continue
		}
		if len(shape) == 0 {
			return in.Name
		}
		return in.Name + "[" + strings.Join(slice.Map(slice.Index(shape, i), strconv.Itoa), ", ") + "]"
	}
	return ""
}
