package kernel

import (
	"time"

	"egad/term/eval"
)

// Estimate is how long a kernel of the program takes, about, as machine code or as it is
// interpreted: what its weights say, by which its loops were shared.
func (p *Program) Estimate(k *Kernel, native bool) time.Duration {
	if p == nil || k == nil {
		return 0
	}
	t := 0.0
	switch {
	case k.Steps != nil:
		s := *k.Steps
		if native {
			s.Step = s.updated()
			if body, _ := s.joined(p.costs(), false); body != nil {
				t = p.costs().cost(body)
				break
			}
		}
		for _, inner := range s.Step.Kernels {
			t += float64(s.Step.Estimate(inner, native))
		}
		for _, n := range append(s.Outer, s.N) {
			t *= float64(n)
		}
	case k.Calls():
		t = p.costs().called(k.Body)
	case native:
		t = p.costs().cost(k.Body)
	default:
		t = p.costs().interpreted(k.Body)
	}
	return time.Duration(min(t, maxEstimate))
}

// Time is how long machine code of all kernels takes, about: see [Program.Estimate].
func (p *Program) Time() time.Duration {
	t := time.Duration(0)
	if p != nil {
		for _, k := range p.Kernels {
			t = min(t+p.Estimate(k, true), maxEstimate)
		}
	}
	return t
}

// maxEstimate is a century.
const maxEstimate = 3e18

// called estimates the time of operators on whole arrays, which is that of compiled Go in any case.
func (w *Weights) called(body []Stmt) (t float64) {
	walkRuns(body, 1, func(s Stmt, runs int64) {
		call, ok := s.(*Call)
		if !ok {
			return
		}
		var c eval.Counts
		tally(call, runs, 0, &c)
		t += w.of[costCall]*float64(runs)*float64(call.times()) + w.operator(call.Op.Sym, costWhole)*(float64(c.Float)+float64(c.Int)+float64(c.Selected))
	})
	return t
}

// interpreted estimates the time of statements that the interpreter runs.
func (w *Weights) interpreted(body []Stmt) float64 {
	return total(body, w.of[costStep], 0, func(nest []Stmt) float64 {
		_, steps := w.chooseLane(nest, DefaultBlock)
		return w.of[costStep] + steps + w.traffic(nest)
	})
}
