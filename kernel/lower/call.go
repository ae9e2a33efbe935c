package lower

import (
	"slices"

	"egad/kernel"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
)

// call makes the kernel that calls an operator, and those that put its operands into
// memory.
func (l *lowering) call(n *node, op ops.Op, kids []slot.Kid, outer []int) {
	c := &kernel.Call{Op: op, Outer: len(outer), Array: n.array}
	l.nests = append(l.nests, &nest{call: c})
	for _, kid := range kids {
		shape := l.shape(kid.ID)
		by := c.Along(kid, outer)
		a := l.temp(kid.ID, l.typ(kid.ID).Elem, slices.Concat(by, shape), l.store.Range(term.Term{ID: kid.ID}))
		c.Args = append(c.Args, a)
		k := l.nest(a)
		slots := k.addLoops(by, kernel.Parallel)
		at := k.addLoops(shape, kernel.Parallel)
		k.target = slices.Concat(slots, at)
		k.value = k.trialElement(kid.ID, kidSlots(kid.Args, slots, nil), at, nil)
	}
}
