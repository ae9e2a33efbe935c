package module

import (
	"slices"

	"egad/term/ast"
	"egad/term/ops"
	"egad/term/size"
)

// flat is an array literal that has nothing but numbers, or nothing but truth
// values, which may be many: they are not made terms one by one.
type flat struct {
	shape   []size.Size
	numbers []*ast.Number
	truths  []ops.Scalar
}

// flatten returns nil if the literal is of another kind, or has no type.
func flatten(e *ast.ListLit) *flat {
	f := &flat{}
	var rest []size.Size
	for i, x := range e.Elems {
		if _, list := x.(*ast.ListLit); !list && rest != nil {
			return nil
		}
		switch x := x.(type) {
		case *ast.Number:
			f.numbers = append(f.numbers, x)
		case *ast.Bool:
			f.truths = append(f.truths, ops.ScalarB(x.Value))
		case *ast.ListLit:
			row := flatten(x)
			if row == nil || i > 0 && !slices.EqualFunc(row.shape, rest, size.Size.Equal) {
				return nil
			}
			rest, f.numbers, f.truths = row.shape, append(f.numbers, row.numbers...), append(f.truths, row.truths...)
		default:
			return nil
		}
	}
	total := int64(len(e.Elems))
	f.shape = append([]size.Size{size.Const(total)}, rest...)
	for _, n := range rest {
		k, _ := n.Const()
		total *= k
	}
	if len(f.shape) > ops.MaxRank || total == 0 || int64(len(f.numbers)) != total && int64(len(f.truths)) != total {
		return nil
	}
	return f
}
