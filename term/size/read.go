package size

import (
	"fmt"
	"maps"
	"slices"

	"egad/diag"
	"egad/term/ast"
)

// Read reads e as a size: names of sizes, whole numbers, + - *, division by a
// constant, exact or rounded down, min and max.
func Read(e ast.Expr, sizes map[string]Size) (Size, *diag.Error) {
	fail := func(format string, args ...any) (Size, *diag.Error) {
		return Size{}, &diag.Error{Pos: e.At(), Msg: fmt.Sprintf(format, args...)}
	}
	switch e := e.(type) {
	case *ast.Number:
		if n, ok := e.Num.Int64(); ok && !e.Real {
			return Const(n), nil
		}
		return fail("a size is a whole number that fits 63 bits")
	case interface{ Size() (Size, bool) }: // it is written in Go
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
		x, err := Read(e.X, sizes)
		return Const(0).Sub(x), err
	case *ast.Binary:
		l, r, err := ReadBoth(e.L, e.R, sizes)
		if err != nil {
			return Size{}, err
		}
		switch e.Op {
		case "+":
			return l.Add(r), nil
		case "-":
			return l.Sub(r), nil
		case "*":
			if l.degree()+r.degree() > maxWrittenDegree {
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
			l, r, err := ReadBoth(e.Args[0], e.Args[1], sizes)
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

// ReadBoth reads two expressions as sizes.
func ReadBoth(l, r ast.Expr, sizes map[string]Size) (a, b Size, err *diag.Error) {
	if a, err = Read(l, sizes); err == nil {
		b, err = Read(r, sizes)
	}
	return a, b, err
}

// maxWrittenDegree bounds the degree of a size in a text.
const maxWrittenDegree = 12
