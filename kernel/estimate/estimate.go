package estimate

import (
	"time"

	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/inplace"
	"egad/kernel/schedule"
	"egad/kernel/steps"
	"egad/term/eval"
)

// Kernel estimates how long a kernel of the program takes, as machine code or as it is
// interpreted: what its weights say, by which its loops were shared. If products is set, machine code computes products
// of matrices as such.
func Kernel(p *kernel.Program, k *kernel.Kernel, native, products bool) time.Duration {
	if p == nil || k == nil {
		return 0
	}
	t := 0.0
	switch {
	case k.Steps != nil:
		s := *k.Steps
		if native {
			s.Step = inplace.UpdatedStep(&s)
			if body, _ := steps.JoinedSteps(&s, p.Costs(), false); body != nil {
				t = schedule.Cost(p.Costs(), body)
				break
			}
		}
		for _, inner := range s.Step.Kernels {
			t += float64(Kernel(s.Step, inner, native, products))
		}
		for _, n := range append(s.Outer, s.N) {
			t *= float64(n)
		}
	case k.Calls():
		t = called(p.Costs(), k.Body)
	case native && products:
		t = schedule.CostContracted(p, k)
	case native:
		t = schedule.Cost(p.Costs(), k.Body)
	default:
		t = interpreted(p.Costs(), k.Body)
	}
	return time.Duration(min(t, maxEstimate))
}

// Program estimates how long machine code of all kernels takes, on any processor: see [Kernel].
func Program(p *kernel.Program) time.Duration {
	t := time.Duration(0)
	if p != nil {
		for _, k := range p.Kernels {
			t = min(t+Kernel(p, k, true, false), maxEstimate)
		}
	}
	return t
}

// maxEstimate is a century.
const maxEstimate = 3e18

// called estimates the time of operators on whole arrays, which is that of compiled Go in any case.
func called(w *cost.Weights, body []kernel.Stmt) (t float64) {
	kernel.WalkRuns(body, 1, func(s kernel.Stmt, runs int64) {
		call, ok := s.(*kernel.Call)
		if !ok {
			return
		}
		var c eval.Counts
		kernel.Tally(call, runs, 0, &c)
		t += w.Of[cost.Call]*float64(runs)*float64(call.Times()) + w.Operator(call.Op.Sym, cost.Whole)*(float64(c.Float)+float64(c.Int)+float64(c.Selected))
	})
	return t
}

// interpreted estimates the time of statements that the interpreter runs.
func interpreted(w *cost.Weights, body []kernel.Stmt) float64 {
	return schedule.Total(body, w.Of[cost.Step], 0, func(nest []kernel.Stmt) float64 {
		_, steps := schedule.ChooseLane(w, nest, kernel.DefaultBlock)
		return w.Of[cost.Step] + steps + schedule.Traffic(w, nest)
	})
}
