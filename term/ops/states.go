package ops

import (
	"fmt"

	"egad/term/size"
	"egad/term/types"
)

// Loops: all states of a number of steps.

func init() {
	describe(SymStates, Operator{
		Name: "states",
		typing: func(t *typing) *types.Type {
			if !t.u.Types(t.op.Type, t.kids[0]) {
				t.fail(0, "the state of a loop is %s, and not %s", t.op.Type.Described(), t.kids[0].Described())
				return nil
			}
			if !t.count(1) {
				return nil
			}
			if !t.u.Types(t.op.Type, t.kids[2]) {
				t.fail(2, "the state of a loop changes its type: it begins as %s and becomes %s", t.op.Type.Described(), t.kids[2].Described())
				return nil
			}
			return t.stacked(t.op.Type, t.op.Sizes[0].Add(size.Const(1)))
		},
	})
}

// count checks that operand i can be the number of the steps of a loop.
func (t *typing) count(i int) bool {
	if t.u.Types(t.kids[i], types.ArrayOf(types.I)) {
		return true
	}
	t.fail(i, "the number of steps is an integer, and not %s", t.kids[i].Described())
	return false
}

// stacked is the type of so many values of type s, an array or a tuple of arrays: in
// each array an axis before the others.
func (t *typing) stacked(s *types.Type, n size.Size) *types.Type {
	s = t.u.Arrays(s)
	parts := s.Parts
	if s.Kind != types.KTuple {
		parts = []*types.Type{s}
	}
	out := make([]*types.Type, len(parts))
	for i, p := range parts {
		if p = t.u.Resolve(p); p.Kind != types.KArray {
			t.fail(-1, "a state is an array or a tuple of arrays, and not %s", s.Described())
			return nil
		}
		out[i] = types.ArrayOf(p.Elem, append([]size.Size{n}, p.Shape...)...)
	}
	if s.Kind != types.KTuple {
		return out[0]
	}
	return types.TupleOf(out...)
}

// StepsError says that a loop is to make more steps than it may.
type StepsError struct{ Msg string }

func (e *StepsError) Error() string { return e.Msg }

// StepCount is how many steps a loop of at most n steps makes that is to make k: none
// if k is negative. More than n is a [StepsError].
func StepCount(n, k int64) (int64, error) {
	if n == MaxSteps && k > MaxSteps*MaxSteps {
		return 0, &StepsError{fmt.Sprintf("iterate makes at most %d steps where their number is not known before, and here it is %d", MaxSteps*MaxSteps, k)}
	}
	if k > n {
		return 0, &StepsError{fmt.Sprintf("a loop of at most %d steps is to make %d", n, k)}
	}
	return max(k, 0), nil
}

// MaxSteps is how many rounds of how many steps iterate makes at most where their
// number is an integer. The states after each round are kept, and those of one round.
const MaxSteps = 512
