package eval

import (
	"egad/term/ops"
	"egad/term/types"
)

// fold prepares a reduction of an array from the left: a sum begins with 0, and others with
// the first part, if there is one.
func (a Arrays[S]) fold(o *ops.Operator, of *Value[S], t *types.Type) (*Value[S], Step) {
	r := a.room(t)
	var first S
	n, from, nothing := r.Len(), 0, o.Empty(t)
	if o.Fold != ops.SymAdd && of.Shape[0] > 0 {
		from = n
	} else if t.Elem == types.R {
		first = a.Scalars.FromNum(nothing.Num)
	}
	ints, reals := ops.IntBinary(o.Fold), (func(x, y S) S)(nil)
	if t.Elem == types.R {
		reals = PreparedBinary(a.Scalars, o.Fold)
	}
	return r, func() {
		if from > 0 {
			copyBlock(r, 0, of, 0, n)
		} else {
			r.clear(first)
			for k := range r.N {
				r.N[k] = nothing.Int
			}
		}
		for i := from; i < of.Len(); i += n {
			for k := range n {
				if r.Elem != types.R {
					r.N[k] = ints(r.N[k], of.N[i+k])
				} else {
					r.R[k] = reals(r.R[k], of.R[i+k])
				}
			}
		}
	}
}
