package kernel

import (
	"math"

	"egad/term/ops"
	"egad/term/types"
)

// Lane tells what depends on the index of the loop of a nest that the interpreter runs in blocks
// of so many runs, as weights choose it.
func (p *Program) Lane(nest []Stmt, block int) *Variance {
	v, _ := p.costs().chooseLane(nest, block)
	return v
}

// chooseLane picks the loop of a nest that is run in blocks: the one that makes it
// cheapest by an estimate of the time of its steps. A scatter that adds in the
// order of its loops can have its innermost one in blocks, as within a block
// lanes go in order; so can a fold.
func (w *Weights) chooseLane(nest []Stmt, block int) (*Variance, float64) {
	var candidates []*Loop
	var innermost *Loop // in order
	Walk(nest, func(s Stmt) {
		switch l, ok := s.(*Loop); {
		case !ok || l.Order == Carrying:
		case l.Order == InOrder:
			innermost = l
		default:
			candidates = append(candidates, l)
		}
	})
	if innermost != nil {
		candidates = append(candidates, innermost)
	}
	best, least := NewVariance(nest), math.Inf(1)
	if len(candidates) == 0 {
		least = (&estimate{Weights: w, block: float64(block), Variance: best}).time(nest, 1)
	}
	for _, l := range candidates {
		e := &estimate{Weights: w, block: float64(block), Variance: NewVariance(nest, l)}
		e.Lane = l
		if t := e.time(nest, 1); t < least {
			best, least = e.Variance, t
		}
	}
	return best, least
}

// estimate is the time of statements, in nanoseconds, for a choice of the lane.
type estimate struct {
	*Weights
	*Variance
	block  float64
	inLane bool
}

func (e *estimate) time(body []Stmt, n float64) float64 {
	t := 0.0
	for _, s := range body {
		switch s := s.(type) {
		case *Let:
			t += e.step(s.Value, n)
		case *Store:
			t += e.of[costStep] + n*e.access(s.Access)
		case *Loop:
			t += e.loop(s, n)
		}
	}
	return t
}

func (e *estimate) loop(l *Loop, n float64) float64 {
	runs, inner := float64(l.N), n
	if l == e.Lane {
		runs = math.Ceil(runs / e.block)
		inner = float64(l.N) / max(runs, 1)
		e.inLane = true
	}
	t := runs * (e.time(l.Body, inner) + float64(len(l.Folds))*(e.of[costStep]+inner*e.of[costLane]))
	if l == e.Lane {
		e.inLane = false
	}
	return t
}

func (e *estimate) step(v *Value, n float64) float64 {
	if !e.Varies(v) {
		n = 1
	}
	switch {
	case v.Kind == Load:
		return e.of[costStep] + n*e.access(v.Access)
	case v.Elem == types.R && len(v.Args) == 1 && v.Op != ops.SymNeg && v.Op != ops.SymReal, v.Op == ops.SymPow:
		return e.of[costStep] + n*e.of[costLaneFunction]
	}
	return e.of[costStep] + n*e.of[costLane]
}

// access is the cost of an access for each lane: little for neighbours, more the
// farther they are.
func (e *estimate) access(a Access) float64 {
	stride, cost := 1.0, 0.0
	for i := len(a.At) - 1; i >= 0; i-- {
		if x := a.At[i]; e.Varies(x) {
			step := 1.0
			switch {
			case x == e.Lane.Var:
			case x.Kind == Linear:
				for j, arg := range x.Args {
					if arg == e.Lane.Var {
						step = math.Abs(float64(x.Coef[j]))
					} else if e.Varies(arg) {
						return e.of[costLaneFar]
					}
				}
			default:
				return e.of[costLaneFar]
			}
			cost = max(cost, step*stride)
		}
		stride *= float64(a.Array.Shape[i])
	}
	switch {
	case cost <= 1:
		return e.of[costLane] / 2
	case cost <= 8:
		return 2 * e.of[costLane]
	}
	return e.of[costLaneFar]
}

// DefaultBlock is how many runs of a loop are computed together.
const DefaultBlock = 256
