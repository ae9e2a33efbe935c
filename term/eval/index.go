package eval

import "egad/term/types"

// index prepares the reading of one place of an array, which programs do most.
func (a Arrays[S]) index(operands []*Value[S], t *types.Type) (*Value[S], Step) {
	r, zero := a.room(t), a.zero(t)
	of, n := operands[0], r.Len()
	type index struct {
		at   *int64
		size int64
	}
	is := make([]index, len(operands)-1)
	for k, i := range operands[1:] {
		is[k] = index{&i.N[0], int64(of.Shape[k])}
	}
	return r, func() {
		at := int64(0)
		for _, i := range is {
			if uint64(*i.at) >= uint64(i.size) {
				r.clear(zero)
				return
			}
			at = at*i.size + *i.at
		}
		copyBlock(r, 0, of, int(at)*n, n)
	}
}
