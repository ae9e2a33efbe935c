package term

import "egad/term/numeric"

// Reading: an index out of range reads zero.

func init() {
	describe(SymIndex, Operator{
		Name: "index", hint: " (gather reads at many indices)", Ports: []string{"array"}, work: workMove, empty: zeroOf,
		bounds: read,
	})
	describe(SymGather, Operator{
		Name: "gather", Ports: []string{"array"}, work: workMove, empty: zeroOf,
		fill: func(c Cells) error {
			pos := 0
			return c.Each(c.Ranges(), func(is []int) error {
				if err := c.Enter(is); err != nil {
					return err
				}
				at, n := c.Offset(0, 1)
				if at >= 0 {
					c.Copy(pos, 0, at, n)
				}
				pos += n
				return nil
			})
		},
		bounds: read,
	})
}

// index prepares the reading of one place of an array, which programs do most.
func (a Arrays[S]) index(operands []*Value[S], t *Type) (*Value[S], Step, error) {
	r, err := a.New(t)
	if err != nil {
		return nil, nil, err
	}
	zero, err := a.zero(t)
	of, n := operands[0], r.Len()
	type index struct {
		at   *int64
		size int64
	}
	is := make([]index, len(operands)-1)
	for k, i := range operands[1:] {
		is[k] = index{&i.N[0], int64(of.Shape[k])}
	}
	return r, func() error {
		at := int64(0)
		for _, i := range is {
			if uint64(*i.at) >= uint64(i.size) {
				r.clear(zero)
				return nil
			}
			at = at*i.size + *i.at
		}
		copyBlock(r, 0, of, int(at)*n, n)
		return nil
	}, err
}

// read bounds what is read: out of range that is 0.
func read(b Bounding) Bounds {
	if b.inside() {
		return b.Kids[0].Bounds
	}
	return b.Kids[0].join(Bounds{Range{}, numeric.PointOf(0)})
}

// inside reports whether the indices of index or gather are in range.
func (b Bounding) inside() bool {
	a := b.Kids[0].Type
	if a == nil || len(b.Kids)-1 > len(a.Shape) {
		return false
	}
	for i, k := range b.Kids[1:] {
		n, ok := a.Shape[i].Const()
		if !ok || k.Int.Lo < 0 || k.Int.Hi >= n {
			return false
		}
	}
	return true
}

// zeroOf is zero, whatever is missing.
func zeroOf(t *Type) Scalar { return ScalarZero(t.Elem) }
