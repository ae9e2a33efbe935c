package term

import "slices"

// Adding to places, in index order; what is sent out of range is dropped.

func init() {
	describe(SymScatter, Operator{
		Name: "scatter", Arity: -1, linear: 1, form: "tvF", Ports: []string{"array"}, Opaque: true, work: workFold, empty: zeroOf,
		typing: scatterType,
		fill: func(c Cells) error {
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

// scatterType: the binders take the leading axes of the operand.
func scatterType(t *typing) *Type {
	op, a := t.op, t.array(0)
	if a == nil {
		return nil
	}
	if !t.u.ElemIn(a.Elem, R, I) {
		t.fail(0, "scatter adds numbers, and this is %s", described{a})
		return nil
	}
	front, rest, ok := t.u.Split(a.Shape, t.u.Rank(op.Sizes))
	if !ok {
		t.fail(0, "too many index variables: %d for %s", len(op.Sizes), described{a})
		return nil
	}
	if !t.u.Shapes(op.Sizes, front) {
		i := t.differ(op.Sizes, front)
		t.fail(0, "index variable %d ranges over %s, and axis %d has size %s", i, op.Sizes[i], i, front[i])
		return nil
	}
	if n := countKids(t.kids[1:]); !t.u.Sizes(n, t.u.Rank(op.Targets)) {
		t.fail(-1, "the function gives %s and the result has %s",
			countOf(len(t.kids)-1, "index", "indices"), countOf(len(op.Targets), "axis", "axes"))
		return nil
	}
	t.indices(1, "")
	return ArrayOf(a.Elem, slices.Concat(op.Targets, rest)...)
}
