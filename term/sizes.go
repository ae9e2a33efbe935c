package term

import (
	"maps"
	"slices"

	"egad/diag"
	"egad/term/ast"
)

// sizeOf reads e as a size: names of sizes, whole numbers, + - *, division by a
// constant, exact or rounded down, min and max.
func sizeOf(e ast.Expr, sizes map[string]Size) (Size, *diag.Error) {
	fail := func(format string, args ...any) (Size, *diag.Error) {
		return Size{}, &diag.Error{Pos: e.At(), Msg: sprintf(format, args...)}
	}
	switch e := e.(type) {
	case *ast.Number:
		if n, ok := e.Num.Int64(); ok && !e.Real {
			return SizeConst(n), nil
		}
		return fail("a size is a whole number that fits 63 bits")
	case *Typed:
		if s, ok := e.Size(); ok {
			return s, nil
		}
	case *ast.Ident:
		if s, ok := sizes[e.Name]; ok {
			return s, nil
		}
		if near := diag.DidYouMean(e.Name, slices.Collect(maps.Keys(sizes))); near != "" && len(e.Name) > 1 {
			return fail("%s is not a size%s", e.Name, near)
		}
		return fail("%s is not a size: those are declared in brackets, as in def f[%s](…), or as parameters, %s: size", e.Name, e.Name, e.Name)
	case *ast.Unary:
		x, err := sizeOf(e.X, sizes)
		return SizeConst(0).Sub(x), err
	case *ast.Binary:
		l, r, err := sizesOf(e.L, e.R, sizes)
		if err != nil {
			return Size{}, err
		}
		switch e.Op {
		case "+":
			return l.Add(r), nil
		case "-":
			return l.Sub(r), nil
		case "*":
			if degreeOf(l)+degreeOf(r) > maxWrittenDegree {
				return fail("a size is a polynomial of at most degree %d", maxWrittenDegree)
			}
			return l.Mul(r), nil
		case "/", "div":
			q, derr := l.Div(r)
			if e.Op == "div" {
				q, derr = l.FloorDiv(r)
			}
			if derr != nil {
				return fail("%v", derr)
			}
			return q, nil
		}
	case *ast.Call:
		if min := ast.IsIdent(e.Fn, "min"); (min || ast.IsIdent(e.Fn, "max")) && len(e.Args) == 2 {
			l, r, err := sizesOf(e.Args[0], e.Args[1], sizes)
			if err != nil {
				return Size{}, err
			}
			if min {
				return l.Min(r), nil
			}
			return l.Max(r), nil
		}
	}
	return fail("this is not a size: sizes are made of names, whole numbers, + - * / div, min and max")
}

// sizesOf reads two expressions as sizes.
func sizesOf(l, r ast.Expr, sizes map[string]Size) (a, b Size, err *diag.Error) {
	if a, err = sizeOf(l, sizes); err == nil {
		b, err = sizeOf(r, sizes)
	}
	return a, b, err
}

// maxWrittenDegree bounds the degree of a size in a text.
const maxWrittenDegree = 12

func degreeOf(s Size) int {
	d := 0
	for _, m := range s.monomials() {
		d = max(d, degree(m.vars))
	}
	return d
}

// possible refuses what cannot be the length of an axis, at any values of the
// names in it.
func possible(s Size, pos diag.Pos) *diag.Error {
	c, whole := s.Const()
	switch {
	case whole && c < 0:
		return &diag.Error{Pos: pos, Msg: sprintf("a size cannot be negative, and this is %d", c)}
	case !whole && len(s.Vars()) == 0:
		return &diag.Error{Pos: pos, Msg: sprintf("a size is a whole number below 2^63, and this is %s", s)}
	}
	return nil
}

// resolveType reads a type expression. Names other than R, I and B are errors.
func resolveType(t ast.TypeExpr, sizes map[string]Size) (*Type, *diag.Error) {
	r, err := readType(t, sizes)
	if err == nil && leaves(r) > maxLeaves {
		err = &diag.Error{Pos: t.Pos, Msg: sprintf("a tuple has at most %d components", maxLeaves)}
	}
	return r, err
}

func readType(t ast.TypeExpr, sizes map[string]Size) (*Type, *diag.Error) {
	fail := func(pos diag.Pos, format string, args ...any) (*Type, *diag.Error) {
		return nil, &diag.Error{Pos: pos, Msg: sprintf(format, args...)}
	}
	switch t.Kind {
	case ast.TyName:
		elem, ok := ElemNamed(t.Name)
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
		return ArrayOf(elem, shape...), nil
	}
	parts := make([]*Type, len(t.Parts))
	for i, p := range t.Parts {
		var err *diag.Error
		if parts[i], err = readType(p, sizes); err != nil {
			return nil, err
		}
		switch {
		case t.Kind == ast.TyTuple && parts[i].Kind == KFun:
			return fail(p.Pos, "a function cannot be part of a tuple")
		case t.Kind == ast.TyLin && !(Equality{}).Vector(parts[i]):
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
		out := TupleOf(parts...)
		if t.Kind == ast.TySum {
			out = SumOf(parts[0], parts[1])
		}
		if len(shape) == 0 {
			return out, nil
		}
		if out = under(out, shape); out == nil {
			return fail(t.Pos, "the elements of an array are numbers, truth values, arrays and tuples of such, with at most %d axes in all", MaxRank)
		}
		out.Rows = len(shape)
		return out, nil
	case ast.TyLin:
		return LinOf(parts[0], parts[1]), nil
	}
	return FunOf(parts[:len(parts)-1], parts[len(parts)-1]), nil
}

// readShape reads the sizes of a type.
func readShape(t ast.TypeExpr, sizes map[string]Size) ([]Size, *diag.Error) {
	if len(t.Sizes) > MaxRank {
		return nil, &diag.Error{Pos: t.Pos, Msg: sprintf("an array has at most %d axes, and here are %d sizes", MaxRank, len(t.Sizes))}
	}
	shape := make([]Size, len(t.Sizes))
	for i, e := range t.Sizes {
		if e == nil {
			return nil, &diag.Error{Pos: t.Pos, Msg: "an array of any length stands only inside functional programs; name the size of this axis"}
		}
		s, err := sizeOf(e, sizes)
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
func leaves(t *Type) int {
	if t.Kind != KTuple {
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
func under(t *Type, shape []Size) *Type {
	out := *t
	switch t.Kind {
	case KArray:
		out.Shape = slices.Concat(shape, t.Shape)
		if len(out.Shape) > MaxRank {
			return nil
		}
	case KTuple:
		out.Parts = make([]*Type, len(t.Parts))
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
