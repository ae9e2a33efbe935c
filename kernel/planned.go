package kernel

// planned is a program with its memory planned, and that of the steps of its loops.
type planned struct {
	*Program
	plan    *plan
	inputs  []*Array            // those of the arrays that are, in their order
	results []*Array            // those of the result, in their order
	loops   map[*Steps]*planned // the steps of its loops
}

// planned plans the memory of a program.
func (p *Program) planned() *planned {
	out := &planned{Program: p, plan: newPlan(p), results: p.Result.Arrays(), loops: make(map[*Steps]*planned)}
	for _, a := range p.Arrays {
		if a.Role == Input {
			out.inputs = append(out.inputs, a)
		}
	}
	for _, k := range p.Kernels {
		if k.Steps != nil {
			out.loops[k.Steps] = k.Steps.Step.planned()
		}
	}
	return out
}
