package kerneltest

import (
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/schedule"
)

// Remembering are weights of egad by which each nest of loops is estimated once.
func Remembering() *cost.Weights { return cost.Default().Remembering() }

// OwnWeights are those of egad.
func OwnWeights() *cost.Weights { return cost.Default() }

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

// WeightWords are the words of weights that are no operators.
var WeightWords = cost.Words

// Weigh has the code of a program be chosen by weights.
func Weigh(p *kernel.Program, w *cost.Weights) { p.Weights = w }
