package kerneltest

import (
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/schedule"
)

// Costs are the times of the kernels of a program by weights.
func Costs(p *kernel.Program, w *cost.Weights) []float64 {
	var out []float64
	for _, k := range p.Kernels {
		if k.Steps != nil {
			out = append(out, Costs(k.Steps.Step, w)...)
		}
		out = append(out, schedule.Cost(w, k.Body))
	}
	return out
}
