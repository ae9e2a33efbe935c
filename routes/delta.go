package routes

import (
	"egad/fun"
	"egad/internal/growing"
)

// Delta is a term that describes how a real changes with the inputs (Figs. 1 and 3 of
// the dual-numbers paper), as a number: Zero is 0, Input i is i+1, and the others
// follow in the order in which they were made.
type Delta int32

// Zero is the Delta of what does not change.
const Zero Delta = 0

// tape holds Deltas. A Delta refers only to such as were made before it.
type tape[S any] struct {
	inputs int
	made   growing.List[cell]
	scales growing.List[S]     // the factors of Scale
	shared growing.List[Delta] // what is shared, by id
	limit  int64               // how many may be made
}

// cell is a Delta that is not Zero and no input: with b >= 0 it is Add a b, with b of
// isShare the shared Delta that has the id a, and else a is scaled by the factor number
// firstScale - b.
type cell struct{ a, b int32 }

const (
	isShare    = -1
	firstScale = -2
)

// input is the Delta of the real number i of the inputs.
func (t *tape[S]) input(i int) Delta { return Delta(i + 1) }

func (t *tape[S]) make(c cell) (Delta, error) {
	if int64(t.made.Len()) >= t.limit {
		return 0, &fun.StoppedError{Most: int64(t.made.Len()), What: "Delta constructors"}
	}
	t.made.Push(c)
	return Delta(t.inputs + t.made.Len()), nil
}

func (t *tape[S]) add(a, b Delta) (Delta, error) { return t.make(cell{int32(a), int32(b)}) }

func (t *tape[S]) scale(r S, d Delta) (Delta, error) {
	t.scales.Push(r)
	return t.make(cell{int32(d), firstScale - int32(t.scales.Len()-1)})
}

// share gives an Add or a Scale an id, larger than all before.
func (t *tape[S]) share(d Delta) (Delta, error) {
	c, ok := t.cell(d)
	if !ok || c.b == isShare {
		return d, nil
	}
	return t.identified(d)
}

// identified gives what was made last an id.
func (t *tape[S]) identified(d Delta) (Delta, error) {
	t.shared.Push(d)
	return t.make(cell{int32(t.shared.Len() - 1), isShare})
}

// free gives the memory of a tape that is not used any more to others.
func (t *tape[S]) free() {
	t.made.Free()
	t.scales.Free()
	t.shared.Free()
}

// cell is what d is made of; false of Zero and inputs.
func (t *tape[S]) cell(d Delta) (cell, bool) {
	if int(d) <= t.inputs {
		return cell{}, false
	}
	return *t.made.At(int(d) - t.inputs - 1), true
}
