package improve

import (
	"egad/kernel"
	"egad/kernel/sparsity"
)

// chosen replaces choices that are decided wherever they are needed.
func chosen(p *kernel.Program) {
	for _, k := range p.Kernels {
		x := &sparsity.Knower{Needed: make(map[*kernel.Value][]sparsity.Truth), Made: make(map[*kernel.Value]*kernel.Value)}
		if x.Uses(k.Body) {
			k.Body = kernel.DropUnused(kernel.MapValues(k.Body, make(map[*kernel.Value]bool), x.Value))
		}
	}
}
