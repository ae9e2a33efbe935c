package ops

// Adding to places, in index order; what is sent out of range is dropped.

func init() {
	describe(SymScatter, Operator{
		Name: "scatter", Ports: []string{"array"}, Work: WorkFold, Empty: zeroOf,
		Fill: func(c Cells) {
			pos := 0
			c.Each(c.Ranges(), func(is []int) {
				c.Enter(is)
				at, n := c.Offset(Result, 1)
				if at >= 0 {
					c.Combine(SymAdd, at, 0, pos, n)
				}
				pos += n
			})
		},
		bounds: func(b Bounding) Bounds {
			_, most := counts(b.Kids[0].Type, len(b.Op.Sizes))
			return b.sum(0, most)
		},
	})
}
