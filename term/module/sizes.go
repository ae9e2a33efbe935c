package module

import (
	"fmt"
	"slices"

	"egad/diag"
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// possible refuses what cannot be the length of an axis, at any values of the
// names in it.
func possible(s size.Size, pos diag.Pos) *diag.Error {
	c, whole := s.Const()
	switch {
	case whole && c < 0:
		return &diag.Error{Pos: pos, Msg: fmt.Sprintf("a size cannot be negative, and this is %d", c)}
	case !whole && len(s.Vars()) == 0:
		return &diag.Error{Pos: pos, Msg: fmt.Sprintf("a size is a whole number below 2^63, and this is %s", s)}
	}
	return nil
}

// resolveType reads a type expression. Names other than R, I and B are errors.
func resolveType(t ast.TypeExpr, sizes map[string]size.Size) (*types.Type, *diag.Error) {
	r, err := readType(t, sizes)
	if err == nil && leaves(r) > maxLeaves {
		err = &diag.Error{Pos: t.Pos, Msg: fmt.Sprintf("a tuple has at most %d components", maxLeaves)}
	}
	return r, err
}

func readType(t ast.TypeExpr, sizes map[string]size.Size) (*types.Type, *diag.Error) {
	fail := func(pos diag.Pos, format string, args ...any) (*types.Type, *diag.Error) {
		return nil, &diag.Error{Pos: pos, Msg: fmt.Sprintf(format, args...)}
	}
	switch t.Kind {
	case ast.TyName:
		elem, ok := types.ElemNamed(t.Name)
		if !ok {
			if say := foreignTypes[t.Name]; say != "" {
				return fail(t.Pos, "unknown type %s (here one writes %s)", t.Name, say)
			}
			return fail(t.Pos, "unknown type %s (R, I or B, with sizes as in R[n])", t.Name)
		}
		shape, err := readShape(t, sizes)
		if err != nil {
			return nil, err
		}
		return types.ArrayOf(elem, shape...), nil
	}
	parts := make([]*types.Type, len(t.Parts))
	for i, p := range t.Parts {
		var err *diag.Error
		if parts[i], err = readType(p, sizes); err != nil {
			return nil, err
		}
		switch {
		case t.Kind == ast.TyTuple && parts[i].Kind == types.KFun:
			return fail(p.Pos, "a function cannot be part of a tuple")
		case t.Kind == ast.TyLin && !(ops.Equality{}).Vector(parts[i]):
			return fail(p.Pos, "a linear map acts on arrays of R and tuples of them, not on %s", parts[i])
		}
	}
	shape, err := readShape(t, sizes)
	if err != nil {
		return nil, err
	}
	if len(shape) > 0 && t.Kind != ast.TyTuple && t.Kind != ast.TySum {
		return fail(t.Pos, "the elements of an array are numbers, truth values, arrays and tuples of such")
	}
	switch t.Kind {
	case ast.TyTuple, ast.TySum:
		out := types.TupleOf(parts...)
		if t.Kind == ast.TySum {
			out = types.SumOf(parts[0], parts[1])
		}
		if len(shape) == 0 {
			return out, nil
		}
		if out = under(out, shape); out == nil {
			return fail(t.Pos, "the elements of an array are numbers, truth values, arrays and tuples of such, with at most %d axes in all", ops.MaxRank)
		}
		out.Rows = len(shape)
		return out, nil
	case ast.TyLin:
		return types.LinOf(parts[0], parts[1]), nil
	}
	return types.FunOf(parts[:len(parts)-1], parts[len(parts)-1]), nil
}

// readShape reads the sizes of a type.
func readShape(t ast.TypeExpr, sizes map[string]size.Size) ([]size.Size, *diag.Error) {
	if len(t.Sizes) > ops.MaxRank {
		return nil, &diag.Error{Pos: t.Pos, Msg: fmt.Sprintf("an array has at most %d axes, and here are %d sizes", ops.MaxRank, len(t.Sizes))}
	}
	shape := make([]size.Size, len(t.Sizes))
	for i, e := range t.Sizes {
		if e == nil {
			return nil, &diag.Error{Pos: t.Pos, Msg: "an array of any length stands only inside functional programs; name the size of this axis"}
		}
		s, err := size.Read(e, sizes)
		if err == nil {
			err = possible(s, e.At())
		}
		if err != nil {
			return nil, err
		}
		shape[i] = s
	}
	return shape, nil
}

// maxLeaves bounds the arrays in a tuple, so that work on tuples part by part is
// never too much.
const maxLeaves = 1000

// leaves is how many arrays, linear maps and functions a tuple type holds.
func leaves(t *types.Type) int {
	if t.Kind != types.KTuple {
		return 1
	}
	n := 1
	for _, p := range t.Parts {
		n += leaves(p)
	}
	return n
}

// under is the type of arrays of t, of the given shape: in a tuple, of each component.
// It is nil if there are none.
func under(t *types.Type, shape []size.Size) *types.Type {
	out := *t
	switch t.Kind {
	case types.KArray:
		out.Shape = slices.Concat(shape, t.Shape)
		if len(out.Shape) > ops.MaxRank {
			return nil
		}
	case types.KTuple:
		out.Parts = make([]*types.Type, len(t.Parts))
		for i, p := range t.Parts {
			if out.Parts[i] = under(p, shape); out.Parts[i] == nil {
				return nil
			}
		}
	default:
		return nil
	}
	return &out
}
