package kernel

import (
	"slices"

	"egad/internal/slice"
)

// Steps runs a program again and again: it makes the states of a loop, each of the
// one before.
type Steps struct {
	// Outer are the ranges of the index variables on which the states depend, and N is
	// the number of steps, or the most there may be: Count, if it is not nil, says with
	// the axes Outer how many there are.
	Outer []int
	N     int
	Count *Array
	// Step is the program of one step. It results in the next state.
	Step *Program
	// States are the arrays of all states, one for each array of a state, with the axes
	// Outer, N + 1, and its own. Where only the last state is read, that is all there is,
	// without the axis of the states; All says which have it.
	States []*Array
	All    []bool
	// Inputs tell what the inputs of Step are, in order.
	Inputs []StepInput
}

// StepInput is what an input of a step is: an array from outside, an array of the
// state, or the value of a variable, those of Steps.Outer and after them the number of
// the step. The numbers of states and variables begin with 1.
type StepInput struct {
	Array    *Array
	State    int
	Variable int
}

// reads lists the arrays from outside.
func (s *Steps) reads() []*Array {
	out := append([]*Array{}, s.States...)
	if s.Count != nil {
		out = append(out, s.Count)
	}
	for _, in := range s.Inputs {
		if in.Array != nil {
			out = append(out, in.Array)
		}
	}
	return out
}

// State is the input of a step that is state k, or nil.
func (s *Steps) State(k int) *Array {
	for i, a := range s.Step.Inputs() {
		if s.Inputs[i].State == k+1 {
			return a
		}
	}
	return nil
}

// Name is that of an index of the loops around, by its number, or after these of the number of the step.
func (s *Steps) Name(i int) string {
	at := slices.IndexFunc(s.Inputs, func(in StepInput) bool { return in.Variable == i+1 })
	return s.Step.Inputs()[at].Name
}

// Runs is how often the step is run.
func (s *Steps) Runs() int64 { return int64(s.N) * int64(slice.Product(s.Outer)) }

// NameInputs gives the inputs of a step that are arrays from outside the names of these.
func (s *Steps) NameInputs(arrays []*Array) {
	k := 0
	for _, a := range arrays {
		if a.Role == Input {
			if from := s.Inputs[k].Array; from != nil {
				a.Name = from.Name
			}
			k++
		}
	}
}

// OfSteps reports whether an array has the states, or the number of steps, of a loop.
func (p *Program) OfSteps(a *Array) bool {
	return slices.ContainsFunc(p.Kernels, func(k *Kernel) bool {
		return k.Steps != nil && (slices.Contains(k.Steps.States, a) || k.Steps.Count == a)
	})
}
