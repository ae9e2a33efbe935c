package eval

import (
	"fmt"

	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// build prepares a loop over the elements of an array.
func (a Arrays[S]) build(body Body[*Value[S]], t *types.Type) (*Value[S], Step, error) {
	r, err := a.New(t) // each element of which is computed
	if err != nil {
		return nil, nil, err
	}
	at, n := make([]int64, 1), slice.Product(r.Shape[1:])
	return r, func() error {
		for i := range r.Shape[0] {
			if err := a.ended(); err != nil {
				return err
			}
			at[0] = int64(i)
			element, err := body(at)
			if err != nil {
				return err
			}
			copyBlock(r, i*n, element[0], 0, n)
		}
		return nil
	}, nil
}

// states prepares a loop of k steps that keeps all its states; after the steps come copies
// of the last one.
func (a Arrays[S]) states(op ops.Op, first, k *Value[S], body Body[*Value[S]], t *types.Type) (*Value[S], Step, error) {
	n, ok := op.Sizes[0].Const()
	if !ok {
		return nil, nil, fmt.Errorf("size %s has no value", op.Sizes[0])
	}
	ts, parts := t.Parts, func(v *Value[S]) []*Value[S] { return v.Parts }
	if t.Kind == types.KArray {
		ts, parts = []*types.Type{t}, func(v *Value[S]) []*Value[S] { return []*Value[S]{v} }
	}
	out, state := &Value[S]{Parts: []*Value[S]{}}, &Value[S]{Parts: []*Value[S]{}}
	for _, p := range ts {
		v, err := a.New(p)
		if err != nil {
			return nil, nil, err
		}
		out.Parts = append(out.Parts, v)
		state.Parts = append(state.Parts, &Value[S]{Elem: v.Elem, Shape: v.Shape[1:]})
	}
	if t.Kind == types.KArray {
		out, state = out.Parts[0], state.Parts[0]
	}
	return out, func() error {
		steps, err := ops.StepCount(n, k.N[0])
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
	if n := slice.Product(v.Shape); w.Elem == types.R {
		v.R = w.R[i*n : (i+1)*n]
	} else {
		v.N = w.N[i*n : (i+1)*n]
	}
}
