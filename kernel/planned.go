package kernel

import "egad/internal/slice"

// Planned is a program with its memory planned, and that of the steps of its loops.
type Planned struct {
	*Program
	Plan    *Plan
	Inputs  []*Array            // those of the arrays that are, in their order
	Results []*Array            // those of the result, in their order
	Loops   map[*Steps]*Planned // the steps of its loops
}

// inputs are the arrays that a program is given, in order.
func (p *Program) inputs() []*Array {
	return slice.Filter(p.Arrays, func(a *Array) bool { return a.Role == Input })
}

// Planned plans the memory of a program.
func (p *Program) Planned() *Planned {
	out := &Planned{Program: p, Plan: newPlan(p), Inputs: p.inputs(), Results: p.Result.Arrays(), Loops: make(map[*Steps]*Planned)}
	for _, k := range p.Kernels {
		if k.Steps != nil {
			out.Loops[k.Steps] = k.Steps.Step.Planned()
		}
	}
	return out
}
