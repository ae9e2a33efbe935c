package term

import "fmt"

// Loops: all states of a number of steps.

func init() {
	describe(SymStates, Operator{
		Name: "states", Arity: 2, form: "kvl", Opaque: true,
		typing: func(t *typing) *Type {
			if !t.u.Types(t.op.Type, t.kids[0]) {
				t.fail(0, "the state of a loop is %s, and not %s", described{t.op.Type}, described{t.kids[0]})
				return nil
			}
			if !t.u.Types(t.op.Type, t.kids[1]) {
				t.fail(1, "the state of a loop changes its type: it begins as %s and becomes %s", described{t.op.Type}, described{t.kids[1]})
				return nil
			}
			return t.stacked(t.op.Type, t.op.Sizes[0].Add(SizeConst(1)))
		},
	})
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
			t.fail(-1, "a state is an array or a tuple of arrays, and not %s", described{s})
			return nil
		}
		out[i] = ArrayOf(p.Elem, append([]Size{size}, p.Shape...)...)
	}
	if s.Kind != KTuple {
		return out[0]
	}
	return TupleOf(out...)
}

// states runs a loop and keeps all its states.
func (a Arrays[S]) states(op Op, state *Value[S], body Body[*Value[S]], t *Type) (*Value[S], error) {
	n, ok := op.Sizes[0].Const()
	if !ok {
		return nil, fmt.Errorf("size %s has no value", op.Sizes[0])
	}
	out := &Value[S]{Parts: []*Value[S]{}}
	types, parts := t.Parts, func(v *Value[S]) []*Value[S] { return v.Parts }
	if t.Kind == KArray {
		types, parts = []*Type{t}, func(v *Value[S]) []*Value[S] { return []*Value[S]{v} }
	}
	for _, p := range types {
		v, err := a.New(p)
		if err != nil {
			return nil, err
		}
		out.Parts = append(out.Parts, v)
	}
	for i := int64(0); ; i++ {
		for k, v := range parts(state) {
			copyBlock(out.Parts[k], int(i)*v.Len(), v, 0, v.Len())
		}
		if i == n {
			break
		}
		if err := a.ended(); err != nil {
			return nil, err
		}
		next, err := body([]int64{i}, state)
		if err != nil {
			return nil, err
		}
		state = next[0]
	}
	if t.Kind == KArray {
		return out.Parts[0], nil
	}
	return out, nil
}
