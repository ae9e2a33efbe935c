package ops

import (
	"egad/internal/slice"
	"egad/term/size"
	"egad/term/types"
)

// What puts elements in other places.

func init() {
	describe(SymStack, Operator{
		Name: "stack", operands: "the elements of an array literal", Hidden: true, Work: WorkMove,
		Fill: func(c Cells) {
			for k := range c.Operands() {
				c.Copy(k*c.Len(k), k, 0, c.Len(k))
			}
		},
		bounds: func(b Bounding) Bounds { return b.any(0) },
	})
	describe(SymReplicate, Operator{
		Name: "replicate", Work: WorkMove,
		Fill: func(c Cells) {
			for at := 0; at < c.Len(Result); at += c.Len(0) {
				c.Copy(at, 0, 0, c.Len(0))
			}
		},
		bounds: same,
	})
	describe(SymTr, Operator{
		Name: "tr", Work: WorkMove,
		Fill:   trFill,
		bounds: same,
	})
	describe(SymReshape, Operator{
		Name: "reshape", Work: WorkMove,
		typing: func(t *typing) *types.Type {
			r := t.byScheme()
			if a := t.kid(0); r != nil && !t.u.Products(a.Shape, t.op.Sizes) {
				t.fail(0, "%s has %s elements, and shape %s has %s",
					a, size.Product(a.Shape), types.ShapeText(t.op.Sizes), size.Product(t.op.Sizes))
			}
			return r
		},
		Fill:   func(c Cells) { c.Copy(0, 0, 0, c.Len(0)) },
		bounds: same,
	})
	describe(SymBuild, Operator{
		Name: "build", Work: WorkMake,
		bounds: same,
	})
}

func trFill(c Cells) {
	perm, shape := c.Op().Perm, c.Shape(0)
	block := slice.Product(shape[len(perm):])
	if block == 0 {
		return
	}
	stride := make([]int, len(perm)) // of the operand's leading axes, in elements
	for i, s := len(perm)-1, block; i >= 0; i-- {
		stride[i] = s
		s *= shape[i]
	}
	last := len(perm) - 1
	if last < 0 {
		c.Copy(0, 0, 0, block)
		return
	}
	pos, n, step := 0, shape[perm[last]], stride[perm[last]]
	c.Each(c.Shape(Result)[:last], func(is []int) {
		at := 0
		for i, j := range perm[:last] {
			at += is[i] * stride[j]
		}
		if block == 1 {
			c.Pick(pos, 0, at, step, n)
			pos += n
			return
		}
		for range n {
			c.Copy(pos, 0, at, block)
			pos += block
			at += step
		}
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
