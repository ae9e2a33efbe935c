package ops

import (
	"egad/term/numeric"
	"egad/term/types"
)

// Reading: an index out of range reads zero.

func init() {
	describe(SymIndex, Operator{
		Name: "index", hint: " (gather reads at many indices)", Ports: []string{"array"}, Work: WorkMove, Empty: zeroOf,
		bounds: read,
	})
	describe(SymGather, Operator{
		Name: "gather", Ports: []string{"array"}, Work: WorkMove, Empty: zeroOf,
		Fill: func(c Cells) {
			pos := 0
			c.Each(c.Ranges(), func(is []int) {
				c.Enter(is)
				at, n := c.Offset(0, 1)
				if at >= 0 {
					c.Copy(pos, 0, at, n)
				}
				pos += n
			})
		},
		bounds: read,
	})
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
func zeroOf(t *types.Type) Scalar { return ScalarZero(t.Elem) }
