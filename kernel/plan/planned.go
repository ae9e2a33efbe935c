package plan

import "egad/kernel"

// Planned is a program with its memory planned, and that of the steps of its loops.
type Planned struct {
	*kernel.Program
	Plan    *Plan
	Inputs  []*kernel.Array            // those of the arrays that are, in their order
	Results []*kernel.Array            // those of the result, in their order
	Loops   map[*kernel.Steps]*Planned // the steps of its loops
}

// Program plans the memory of a program.
func Program(p *kernel.Program) *Planned {
	out := &Planned{Program: p, Plan: New(p), Inputs: p.Inputs(), Results: p.Result.Arrays(), Loops: make(map[*kernel.Steps]*Planned)}
	for _, k := range p.Kernels {
		if k.Steps != nil {
			out.Loops[k.Steps] = Program(k.Steps.Step)
		}
	}
	return out
}
