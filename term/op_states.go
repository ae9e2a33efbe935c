package term

import (
	"fmt"

	"egad/internal/slice"
)

// Loops: all states of a number of steps.

func init() {
	describe(SymStates, Operator{
		Name: "states",
		typing: func(t *typing) *Type {
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
			return t.stacked(t.op.Type, t.op.Sizes[0].Add(SizeConst(1)))
		},
	})
}

// count checks that operand i can be the number of the steps of a loop.
func (t *typing) count(i int) bool {
	if t.u.Types(t.kids[i], ArrayOf(I)) {
		return true
	}
	t.fail(i, "the number of steps is an integer, and not %s", t.kids[i].Described())
	return false
}

// stacked is the type of so many values of type s, an array or a tuple of arrays: in
// each array an axis before the others.
func (t *typing) stacked(s *Type, size Size) *Type {
	s = t.u.Arrays(s)
	parts := s.Parts
	if s.Kind != KTuple {
		parts = []*Type{s}
	}
	out := make([]*Type, len(parts))
	for i, p := range parts {
		if p = t.u.Resolve(p); p.Kind != KArray {
			t.fail(-1, "a state is an array or a tuple of arrays, and not %s", s.Described())
			return nil
		}
		out[i] = ArrayOf(p.Elem, append([]Size{size}, p.Shape...)...)
	}
	if s.Kind != KTuple {
		return out[0]
	}
	return TupleOf(out...)
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

// states prepares a loop of k steps that keeps all its states; after the steps come copies
// of the last one.
func (a Arrays[S]) states(op Op, first, k *Value[S], body Body[*Value[S]], t *Type) (*Value[S], Step, error) {
	n, ok := op.Sizes[0].Const()
	if !ok {
		return nil, nil, fmt.Errorf("size %s has no value", op.Sizes[0])
	}
	types, parts := t.Parts, func(v *Value[S]) []*Value[S] { return v.Parts }
	if t.Kind == KArray {
		types, parts = []*Type{t}, func(v *Value[S]) []*Value[S] { return []*Value[S]{v} }
	}
	out, state := &Value[S]{Parts: []*Value[S]{}}, &Value[S]{Parts: []*Value[S]{}}
	for _, p := range types {
		v, err := a.New(p)
		if err != nil {
			return nil, nil, err
		}
		out.Parts = append(out.Parts, v)
		state.Parts = append(state.Parts, &Value[S]{Elem: v.Elem, Shape: v.Shape[1:]})
	}
	if t.Kind == KArray {
		out, state = out.Parts[0], state.Parts[0]
	}
	return out, func() error {
		steps, err := StepCount(n, k.N[0])
		if err != nil {
			return err
		}
		next := first
		for i := int64(0); ; i++ {
			// The state is read where it is kept, since the next one may have parts of it.
			for k, v := range parts(next) {
				copyBlock(parts(out)[k], int(i)*v.Len(), v, 0, v.Len())
			}
			for k, v := range parts(state) {
				v.row(parts(out)[k], int(i))
			}
			if i == n {
				return nil
			}
			if next = state; i >= steps {
				continue
			}
			if err := a.ended(); err != nil {
				return err
			}
			results, err := body([]int64{i}, state)
			if err != nil {
				return err
			}
			next = results[0]
		}
	}, nil
}

// row makes v row i of w.
func (v *Value[S]) row(w *Value[S], i int) {
	if n := slice.Product(v.Shape); w.Elem == R {
		v.R = w.R[i*n : (i+1)*n]
	} else {
		v.N = w.N[i*n : (i+1)*n]
	}
}
