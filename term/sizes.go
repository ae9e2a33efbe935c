package term

import (
	"egad/diag"
)

// sizeOf reads e as a size: names of sizes, whole numbers, + - * and division
// by a constant.
func sizeOf(e Expr, sizes map[string]Size) (Size, *diag.Error) {
	fail := func(format string, args ...any) (Size, *diag.Error) {
		return Size{}, &diag.Error{Pos: e.At(), Msg: sprintf(format, args...)}
	}
	switch e := e.(type) {
	case *Number:
		if r := e.Num.Rat(); !e.Real && r.IsInt() && r.Num().IsInt64() {
			return SizeConst(r.Num().Int64()), nil
		}
		return fail("a size is a whole number that fits 63 bits")
	case *Ident:
		if s, ok := sizes[e.Name]; ok {
			return s, nil
		}
		var names []string
		for n := range sizes {
			names = append(names, n)
		}
		return fail("%s is not a size; sizes do not depend on values%s", e.Name, diag.DidYouMean(e.Name, names))
	case *Binary:
		l, err := sizeOf(e.L, sizes)
		if err != nil {
			return Size{}, err
		}
		r, err := sizeOf(e.R, sizes)
		if err != nil {
			return Size{}, err
		}
		switch e.Op {
		case "+":
			return l.Add(r), nil
		case "-":
			return l.Sub(r), nil
		case "*":
			if degreeOf(l)+degreeOf(r) > maxSizeDegree {
				return fail("a size has at most degree %d", maxSizeDegree)
			}
			return l.Mul(r), nil
		case "/", "div":
			q, derr := l.Div(r)
			if derr != nil {
				return fail("%v", derr)
			}
			return q, nil
		}
	}
	return fail("this is not a size: sizes are made of names, whole numbers, + - * and /")
}

// maxSizeDegree keeps products of sums of sizes from growing without bound.
const maxSizeDegree = 12

func degreeOf(s Size) int {
	d := 0
	for _, m := range s.monomials() {
		d = max(d, degree(m.vars))
	}
	return d
}

// resolveType reads a type expression. Names other than R, I and B are errors.
func resolveType(t TypeExpr, sizes map[string]Size) (*Type, *diag.Error) {
	switch t.Kind {
	case TyName:
		elem, ok := elemNames[t.Name]
		if !ok {
			return nil, &diag.Error{Pos: t.Pos, Msg: sprintf("unknown type %s (R, I or B, with sizes as in R[n])", t.Name)}
		}
		shape := make([]Size, len(t.Sizes))
		for i, e := range t.Sizes {
			s, err := sizeOf(e, sizes)
			if err != nil {
				return nil, err
			}
			shape[i] = s
		}
		return ArrayOf(elem, shape...), nil
	}
	parts := make([]*Type, len(t.Parts))
	for i, p := range t.Parts {
		var err *diag.Error
		if parts[i], err = resolveType(p, sizes); err != nil {
			return nil, err
		}
	}
	switch t.Kind {
	case TyTuple:
		return TupleOf(parts...), nil
	case TyLin:
		return LinOf(parts[0], parts[1]), nil
	}
	return FunOf(parts[:len(parts)-1], parts[len(parts)-1]), nil
}

var elemNames = map[string]Elem{"R": R, "I": I, "B": B}
