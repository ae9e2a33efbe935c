package ops

// Adding to places, in index order; what is sent out of range is dropped.

func init() {
	describe(SymScatter, Operator{
		Name: "scatter", Ports: []string{"array"}, Work: WorkFold, Empty: zeroOf,
		Fill: func(c Cells) error {
			pos := 0
			return c.Each(c.Ranges(), func(is []int) error {
				if err := c.Enter(is); err != nil {
					return err
				}
				at, n := c.Offset(Result, 1)
				from := pos
				pos += n
				if at < 0 {
					return nil
				}
				return c.Combine(SymAdd, at, 0, from, n)
			})
		},
		bounds: func(b Bounding) Bounds {
			_, most := counts(b.Kids[0].Type, len(b.Op.Sizes))
			return b.sum(0, most)
		},
	})
}
