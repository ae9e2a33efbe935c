package kernel

import (
	"cmp"
	"slices"
)

// Memory is how many bytes the arrays that kernels fill take at one time, by the plan
// that the interpreter follows.
func (p *Program) Memory() int64 {
	if p == nil {
		return 0
	}
	return p.Planned().Memory()
}

// Memory is [Program.Memory] of a program that is planned already.
func (p *Planned) Memory() int64 {
	reals, ints := p.Plan.Sizes()
	n := 8 * (reals + ints)
	for _, step := range p.Loops {
		n += step.Memory()
	}
	return n
}

// Largest are the n largest arrays that a program computes, those of its loops too, and of
// inputs if there are copies.
func (p *Program) Largest(n int, copies bool) []*Array {
	var all, inputs []*Array
	for _, a := range p.Arrays {
		switch {
		case a.Role == Temp:
			all = append(all, a)
		case a.Role == Input && copies:
			inputs = append(inputs, a)
		}
	}
	for _, k := range p.Kernels {
		if k.Steps != nil {
			all = append(all, k.Steps.Step.Largest(n, false)...)
		}
	}
	all = append(all, inputs...)
	slices.SortStableFunc(all, func(a, b *Array) int { return cmp.Compare(b.Len(), a.Len()) })
	return all[:min(n, len(all))]
}
