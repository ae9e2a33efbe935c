package improve

import (
	"egad/kernel"
	"egad/kernel/fuse"
	"egad/kernel/inplace"
	"egad/kernel/plan"
	"egad/kernel/sparsity"
	"egad/kernel/steps"
)

// Improve has kernels that were read one for each array take less time: loops are shared, arrays
// are computed where they are read, masks are taken out, and so on. If they are the steps of a loop,
// of is that, and they become its step.
func Improve(p *kernel.Program, of *kernel.Steps, in fuse.Sizes, by kernel.Names) {
	if !in.Apart {
		fuse.DropUnread(p)
		fuse.Recompute(p, in)
		fuse.Mask(p)
		guarded(p)
		fuse.Ragged(p, in.Weights.Own)
	}
	tabulate(p, in, by)
	if of != nil {
		of.Step = p
		inplace.Split(of, by.Fresh)
		inplace.CopyStates(of, in.Weights)
		in.Alone = inplace.Changed(of)
	}
	fuse.Fuse(p, in, by)
	twinned(p)
	chosen(p)
	sparsity.Unsigned(p)
	arrange(p, in, plan.Overlaid(of))
	pad(p, in, by)
	if of != nil {
		inplace.ReadFirst(of)
	}
	b := bound(p, plan.Overlaid(of))
	vanishing(p, b)
	idle(p, b, in.Weights)
	if of == nil && !in.Apart {
		onePass(p, in.Weights)
	}
	if !in.Apart {
		steps.Carry(p, by)
	}
	inplace.NoteReplaced(of)
}
