package kernel

import (
	"slices"

	"egad/internal/slice"
	"egad/slot"
	"egad/term/eval"
	"egad/term/ops"
)

// Call makes an array of whole arrays by the meaning of an operator, once for each
// index of their first Outer axes.
type Call struct {
	Op    ops.Op
	Outer int
	Args  []*Array
	Same  []bool // whether an operand is the same for all these indices, and has no axes for them
	Array *Array
}

func (*Call) stmt() {}

// Along notes whether the next operand is the same for all runs, and gives the sizes of the axes that
// its array has for them.
func (s *Call) Along(operand slot.Kid, outer []int) []int {
	same := len(operand.Args) == 0
	s.Same = append(s.Same, same)
	if same {
		return nil
	}
	return outer
}

// Calls reports whether a kernel calls an operator on whole arrays.
func (k *Kernel) Calls() bool {
	return slices.ContainsFunc(k.Body, func(s Stmt) bool { _, ok := s.(*Call); return ok })
}

// Runs is how often the operator is called.
func (s *Call) Runs() int { return slice.Product(s.Array.Shape[:s.Outer]) }

// Together reports whether all runs are one: what is looked for in one column is looked for in
// one call.
func (s *Call) Together() bool {
	return s.Op.Sym == ops.SymSearchsorted && s.Same[0] && len(s.Args[0].Shape) == 1
}

// Times counts how often a run of the statement calls it.
func (s *Call) Times() int {
	if s.Together() {
		return 1
	}
	return s.Runs()
}

// Parts are the types of the operands and of the result, as the operator sees them.
func (s *Call) Parts() []*eval.Value[float64] {
	out := make([]*eval.Value[float64], len(s.Args)+1)
	for i, a := range append(slices.Clone(s.Args), s.Array) {
		outer := s.Outer
		if i < len(s.Same) && s.Same[i] {
			outer = 0
		}
		out[i] = &eval.Value[float64]{Elem: a.Elem, Shape: a.Shape[outer:]}
	}
	return out
}
