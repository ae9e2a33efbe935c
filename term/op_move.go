package term

import "egad/internal/slice"

// What puts elements in other places.

func init() {
	describe(SymStack, Operator{
		Name: "stack", operands: "the elements of an array literal", hidden: true, work: workMove,
		fill: func(c Cells) error {
			for k := range c.Operands() {
				c.Copy(k*c.Len(k), k, 0, c.Len(k))
			}
			return nil
		},
		bounds: func(b Bounding) Bounds { return b.any(0) },
	})
	describe(SymReplicate, Operator{
		Name: "replicate", work: workMove,
		fill: func(c Cells) error {
			for at := 0; at < c.Len(Result); at += c.Len(0) {
				c.Copy(at, 0, 0, c.Len(0))
			}
			return nil
		},
		bounds: same,
	})
	describe(SymTr, Operator{
		Name: "tr", work: workMove,
		fill:   trFill,
		bounds: same,
	})
	describe(SymReshape, Operator{
		Name: "reshape", work: workMove,
		typing: func(t *typing) *Type {
			r := t.byScheme()
			if a := t.kid(0); r != nil && !t.u.Products(a.Shape, t.op.Sizes) {
				t.fail(0, "%s has %s elements, and shape %s has %s",
					a, Product(a.Shape), ShapeText(t.op.Sizes), Product(t.op.Sizes))
			}
			return r
		},
		fill: func(c Cells) error {
			c.Copy(0, 0, 0, c.Len(0))
			return nil
		},
		bounds: same,
	})
	describe(SymBuild, Operator{
		Name: "build", work: workMake,
		bounds: same,
	})
}

// build prepares a loop over the elements of an array.
func (a Arrays[S]) build(body Body[*Value[S]], t *Type) (*Value[S], Step, error) {
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

func trFill(c Cells) error {
	perm, shape := c.Op().Perm, c.Shape(0)
	block := slice.Product(shape[len(perm):])
	if block == 0 {
		return nil
	}
	stride := make([]int, len(perm)) // of the operand's leading axes, in elements
	for i, s := len(perm)-1, block; i >= 0; i-- {
		stride[i] = s
		s *= shape[i]
	}
	last := len(perm) - 1
	if last < 0 {
		c.Copy(0, 0, 0, block)
		return nil
	}
	pos, n, step := 0, shape[perm[last]], stride[perm[last]]
	return c.Each(c.Shape(Result)[:last], func(is []int) error {
		at := 0
		for i, j := range perm[:last] {
			at += is[i] * stride[j]
		}
		if block == 1 {
			c.Pick(pos, 0, at, step, n)
			pos += n
			return nil
		}
		for range n {
			c.Copy(pos, 0, at, block)
			pos += block
			at += step
		}
		return nil
	})
}

// same bounds elements that are those of the operand.
func same(b Bounding) Bounds { return b.Kids[0].Bounds }

// any bounds elements each of which is one of an operand from number first on.
func (b Bounding) any(first int) Bounds {
	out := b.Kids[first].Bounds
	for _, k := range b.Kids[first+1:] {
		out = out.join(k.Bounds)
	}
	return out
}
