package improve

import (
	"egad/kernel"
	"egad/kernel/cost"
)

// Bound notes at loops of a program which of their runs need not be done, and puts loops that are idle for some apart.
func Bound(p *kernel.Program) { idle(p, bound(p, nil), cost.Default()) }
