package module

import (
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// reshaped applies an operator whose last operand has another shape than the operator
// takes, and whose result has it too: to solve is given a vector, which is one column
// of a matrix, and to searchsorted an array of values to be looked for in a vector.
func (w *walker[V]) reshaped(s *scope[V], at ast.Expr, op ops.Op, es []ast.Expr, kids []*val[V]) (*val[V], bool) {
	if len(kids) != 2 {
		return nil, false
	}
	a, b := w.dom.typ(kids[0].v), w.dom.typ(kids[1].v)
	if a.Kind != types.KArray || b.Kind != types.KArray {
		return nil, false
	}
	var shape []size.Size
	switch o := w.mod.sig.Operator(op.Sym); {
	case o.Matrixwise && len(b.Shape) > 0 && len(b.Shape) == len(a.Shape)-1:
		shape = append([]size.Size{b.Shape[0], size.Const(1)}, b.Shape[1:]...)
	case o.Sym == ops.SymSearchsorted && len(a.Shape) == 1 && len(b.Shape) != 1:
		shape = []size.Size{size.Product(b.Shape)}
	default:
		return nil, false
	}
	reshape := func(v *val[V], shape []size.Size) *val[V] {
		if v == nil {
			return nil
		}
		return w.make(s, at, ops.Op{Sym: ops.SymReshape, Sizes: shape}, nil, nil, nil, []*val[V]{v})
	}
	of := reshape(kids[1], shape)
	if of == nil {
		return nil, true
	}
	return reshape(w.make(s, at, op, nil, nil, es, []*val[V]{kids[0], of}), b.Shape), true
}
