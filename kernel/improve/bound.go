package improve

import (
	"egad/kernel"
	"egad/kernel/schedule"
	"egad/kernel/sparsity"
)

// bound notes at loops which of their runs need not be done, and is who needs what: over are the results that
// lie where other arrays do.
func bound(p *kernel.Program, over map[*kernel.Array]*kernel.Array) *sparsity.Bounder {
	b := sparsity.Needs(p, over, false)
	sparsity.Note(p, b)
	strictly(p, b)
	for _, k := range p.Kernels {
		schedule.DropIdleLimits(k.Body)
	}
	return b
}
