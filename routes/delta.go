package routes

import (
	"math"

	"egad/fun"
	"egad/internal/growing"
	"egad/internal/raise"
)

// Delta is a term that describes how a real changes with the inputs (Figs. 1 and 3 of
// the dual-numbers paper), as a number: Zero is 0, Input i is i+1, the Share with the id k
// is -k-1, and the others follow the inputs in the order in which they were made.
type Delta int32

// Zero is the Delta of what does not change.
const Zero Delta = 0

// tape holds Deltas. A Delta refers only to such as were made before it.
type tape[S any] struct {
	inputs int
	cells  growing.List[cell[S]]
	shared growing.List[Delta] // what is shared, by id
	left   int64               // how many may still be made, with inputs at most maxDeltas
}

// cell is a Delta that is neither Zero nor an input: with b of isScale it is a scaled by the
// factor, with b of isShare what has the id a, and else Add a b.
type cell[S any] struct {
	by   S
	a, b int32
}

const (
	maxDeltas = 1 << 30
	isScale   = math.MinInt32
	isShare   = math.MinInt32 + 1
)

// input is the Delta of the real number i of the inputs.
func (t *tape[S]) input(i int) Delta { return Delta(i + 1) }

// made is how many constructors there are, beside Zero and inputs.
func (t *tape[S]) made() int64 { return int64(t.cells.Len() + t.shared.Len()) }

// spend raises an error if no more may be made.
func (t *tape[S]) spend() {
	if t.left--; t.left < 0 {
		raise.Error(&fun.StoppedError{Most: t.made(), What: "Delta constructors"})
	}
}

func (t *tape[S]) make(c cell[S]) Delta {
	t.spend()
	t.cells.Push(c)
	return Delta(t.inputs + t.cells.Len())
}

func (t *tape[S]) add(a, b Delta) Delta { return t.make(cell[S]{a: int32(a), b: int32(b)}) }

// plus adds a Delta to a sum, which is Zero at first.
func (t *tape[S]) plus(sum, d Delta) Delta {
	if sum == Zero {
		return d
	}
	return t.add(sum, d)
}

func (t *tape[S]) scale(r S, d Delta) Delta { return t.make(cell[S]{r, int32(d), isScale}) }

// share gives an Add or a Scale an id, larger than all before.
func (t *tape[S]) share(d Delta) Delta {
	if int(d) <= t.inputs {
		return d
	}
	t.spend()
	t.shared.Push(d)
	return Delta(-t.shared.Len())
}

// free gives the memory of a tape that is not used any more to others.
func (t *tape[S]) free() {
	t.cells.Free()
	t.shared.Free()
}

// cell is what d is made of; false of Zero and inputs.
func (t *tape[S]) cell(d Delta) (c cell[S], made bool) {
	switch {
	case d < 0:
		return cell[S]{a: -int32(d) - 1, b: isShare}, true
	case int(d) <= t.inputs:
		return c, false
	}
	return *t.cells.At(int(d) - t.inputs - 1), true
}
