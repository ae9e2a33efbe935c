package kernel

// Planned is a program with its memory planned, and that of the steps of its loops.
type Planned struct {
	*Program
	Plan    *Plan
	Inputs  []*Array            // those of the arrays that are, in their order
	Results []*Array            // those of the result, in their order
	Loops   map[*Steps]*Planned // the steps of its loops
}

// Planned plans the memory of a program.
func (p *Program) Planned() *Planned {
	out := &Planned{Program: p, Plan: newPlan(p), Results: p.Result.Arrays(), Loops: make(map[*Steps]*Planned)}
	for _, a := range p.Arrays {
		if a.Role == Input {
			out.Inputs = append(out.Inputs, a)
		}
	}
	for _, k := range p.Kernels {
		if k.Steps != nil {
			out.Loops[k.Steps] = k.Steps.Step.Planned()
		}
	}
	return out
}
