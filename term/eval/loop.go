package eval

import (
	"fmt"

	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// build prepares a loop over the elements of an array.
func (a Arrays[S]) build(body Body[*Value[S]], t *types.Type) (*Value[S], Step) {
	r := a.room(t) // each element of which is computed
	at, n := make([]int64, 1), slice.Product(r.Shape[1:])
	return r, func() {
		for i := range r.Shape[0] {
			a.ended()
			at[0] = int64(i)
			copyBlock(r, i*n, body(at)[0], 0, n)
		}
	}
}

// states prepares a loop of k steps that keeps all its states; after the steps come copies
// of the last one.
func (a Arrays[S]) states(op ops.Op, first, k *Value[S], body Body[*Value[S]], t *types.Type) (*Value[S], Step) {
	n, ok := op.Sizes[0].Const()
	if !ok {
		raise.Error(fmt.Errorf("size %s has no value", op.Sizes[0]))
	}
	ts, parts := t.Parts, func(v *Value[S]) []*Value[S] { return v.Parts }
	if t.Kind == types.KArray {
		ts, parts = []*types.Type{t}, func(v *Value[S]) []*Value[S] { return []*Value[S]{v} }
	}
	out, state := &Value[S]{Parts: []*Value[S]{}}, &Value[S]{Parts: []*Value[S]{}}
	for _, p := range ts {
		v := a.room(p)
		out.Parts = append(out.Parts, v)
		state.Parts = append(state.Parts, &Value[S]{Elem: v.Elem, Shape: v.Shape[1:]})
	}
	if t.Kind == types.KArray {
		out, state = out.Parts[0], state.Parts[0]
	}
	return out, func() {
		steps := raise.Must(ops.StepCount(n, k.N[0]))
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
				return
			}
			if next = state; i >= steps {
				continue
			}
			a.ended()
			next = body([]int64{i}, state)[0]
		}
	}
}

// row makes v row i of w.
func (v *Value[S]) row(w *Value[S], i int) {
	if n := slice.Product(v.Shape); w.Elem == types.R {
		v.R = w.R[i*n : (i+1)*n]
	} else {
		v.N = w.N[i*n : (i+1)*n]
	}
}
