package schedule

import (
	"math"
	"slices"

	"egad/kernel"
	"egad/kernel/cost"
	"egad/term/ops"
	"egad/term/types"
)

// Lane tells what depends on the index of the loop of a nest that the interpreter runs in blocks
// of so many runs, as weights choose it.
func Lane(p *kernel.Program, nest []kernel.Stmt, block int) *kernel.Variance {
	v, _ := ChooseLane(p.Costs(), nest, block)
	return v
}

// ChooseLane picks the loop of a nest that is run in blocks: the one that makes it
// cheapest by an estimate of the time of its steps. A scatter that adds in the
// order of its loops can have its innermost one in blocks, as within a block
// lanes go in order; so can a fold.
func ChooseLane(w *cost.Weights, nest []kernel.Stmt, block int) (*kernel.Variance, float64) {
	var candidates []*kernel.Loop
	var innermost *kernel.Loop // in order
	kernel.Walk(nest, func(s kernel.Stmt) {
		switch l, ok := s.(*kernel.Loop); {
		case !ok || l.Order == kernel.Carrying:
		case l.Order == kernel.InOrder:
			innermost = l
		default:
			candidates = append(candidates, l)
		}
	})
	if innermost != nil {
		candidates = append(candidates, innermost)
	}
	best, least := kernel.NewVariance(nest), math.Inf(1)
	if len(candidates) == 0 {
		least = (&estimate{Weights: w, block: float64(block), Variance: best}).time(nest, 1)
	}
	for _, l := range candidates {
		e := &estimate{Weights: w, block: float64(block), Variance: kernel.NewVariance(nest, l)}
		e.Lane = l
		if t := e.time(nest, 1); t < least {
			best, least = e.Variance, t
		}
	}
	return best, least
}

// estimate is the time of statements, in nanoseconds, for a choice of the lane.
type estimate struct {
	*cost.Weights
	*kernel.Variance
	block  float64
	inLane bool
}

func (e *estimate) time(body []kernel.Stmt, n float64) float64 {
	t := 0.0
	for _, s := range body {
		switch s := s.(type) {
		case *kernel.Let:
			t += e.step(s.Value, n)
		case *kernel.Store:
			t += e.Of[cost.Step] + n*e.access(s.Access)
		case *kernel.Loop:
			t += e.loop(s, n)
		}
	}
	return t
}

func (e *estimate) loop(l *kernel.Loop, n float64) float64 {
	runs, inner := e.done(l, n), n
	if l == e.Lane {
		all := runs
		runs = math.Ceil(all / e.block)
		inner = all / max(runs, 1)
		e.inLane = true
	}
	t := runs * (e.time(l.Body, inner) + float64(len(l.Folds))*(e.Of[cost.Step]+inner*e.Of[cost.Lane]))
	if l == e.Lane {
		e.inLane = false
	}
	return t
}

// done is about how many runs of a loop are done for so many lanes, which need others each if what tells varies.
func (e *estimate) done(l *kernel.Loop, lanes float64) float64 {
	if len(l.Only) == 0 || !AddsUp(l) {
		return float64(l.N)
	}
	runs := Trips(l, true, func(v *kernel.Value) int {
		if v.Kind == kernel.Var {
			return int(v.Range.Hi) + 1
		}
		return 1
	})
	if slices.ContainsFunc(l.Only, func(o kernel.Only) bool {
		return slices.ContainsFunc(o.Less.Args, func(v *kernel.Value) bool { return v != l.Var && e.Varies(v) })
	}) {
		runs = min(float64(l.N), runs*lanes)
	}
	return runs
}

// AddsUp reports whether what a loop does is nothing but to add to sums from 0 and to elements of arrays: of its runs
// those need not be done that add 0.
func AddsUp(l *kernel.Loop) bool {
	return !l.Order.Whole() && l.Order != kernel.Carrying &&
		!slices.ContainsFunc(l.Folds, func(f kernel.Fold) bool { return f.Op != ops.SymSum || f.From != nil }) &&
		!kernel.Any(l.Body, func(s *kernel.Store) bool { return !s.Add }) && !kernel.Any(l.Body, func(*kernel.Call) bool { return true })
}

func (e *estimate) step(v *kernel.Value, n float64) float64 {
	if !e.Varies(v) {
		n = 1
	}
	switch {
	case v.Kind == kernel.Load:
		return e.Of[cost.Step] + n*e.access(v.Access)
	case v.Elem == types.R && len(v.Args) == 1 && v.Op != ops.SymNeg && v.Op != ops.SymReal, v.Op == ops.SymPow:
		return e.Of[cost.Step] + n*e.Of[cost.LaneFunction]
	}
	return e.Of[cost.Step] + n*e.Of[cost.Lane]
}

// access is the cost of an access for each lane: little for neighbours, more the
// farther they are.
func (e *estimate) access(a kernel.Access) float64 {
	switch step, _ := stride(a, e.Variance); {
	case step <= 1:
		return e.Of[cost.Lane] / 2
	case step <= 8:
		return 2 * e.Of[cost.Lane]
	}
	return e.Of[cost.LaneFar]
}
