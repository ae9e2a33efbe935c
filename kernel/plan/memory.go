package plan

import (
	"cmp"
	"slices"

	"egad/kernel"
)

// Memory is how many bytes the arrays that kernels fill take at one time, by the plan
// that the interpreter follows.
func Memory(p *kernel.Program) int64 {
	if p == nil {
		return 0
	}
	return Program(p).Memory()
}

// Memory is [Memory] of a program that is planned already.
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
func Largest(p *kernel.Program, n int, copies bool) []*kernel.Array {
	var all, inputs []*kernel.Array
	for _, a := range p.Arrays {
		switch {
		case a.Role == kernel.Temp:
			all = append(all, a)
		case a.Role == kernel.Input && copies:
			inputs = append(inputs, a)
		}
	}
	for _, k := range p.Kernels {
		if k.Steps != nil {
			all = append(all, Largest(k.Steps.Step, n, false)...)
		}
	}
	all = append(all, inputs...)
	slices.SortStableFunc(all, func(a, b *kernel.Array) int { return cmp.Compare(b.Len(), a.Len()) })
	return all[:min(n, len(all))]
}
