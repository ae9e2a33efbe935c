package module

import (
	"fmt"
	"slices"
	"strings"

	"egad/diag"
	"egad/term/ast"
)

// foreignTypes says what types are called here.
var foreignTypes = map[string]string{
	"float": "R", "Float": "R", "double": "R", "Double": "R", "real": "R", "Real": "R", "number": "R", "f32": "R", "f64": "R", "float64": "R", "Float64": "R",
	"int": "I", "Int": "I", "integer": "I", "Integer": "I", "i64": "I", "int64": "I", "Int64": "I", "Nat": "I", "nat": "I", "long": "I",
	"bool": "B", "Bool": "B", "boolean": "B", "Boolean": "B",
	"list": "R[n]", "List": "R[n]", "array": "R[n]", "Array": "R[n]", "vector": "R[n]", "Vector": "R[n]", "matrix": "R[m, n]", "Matrix": "R[m, n]", "tensor": "R[m, n]", "Tensor": "R[m, n]",
}

// foreignAmong is what stands for the first word of another language, or sign that stands
// between operands, among what is given to something that is no function.
func (w *walker[V]) foreignAmong(fn ast.Expr, args []ast.Expr, s *scope[V]) string {
	for _, a := range args {
		switch a := a.(type) {
		case *ast.TypeArg:
			return "; the product of matrices is matmul a b"
		case *ast.Ident:
			if f, ok := fn.(*ast.Ident); ok && f.Name == a.Name {
				return "; a function that is applied to itself would have a type that contains itself"
			}
			if _, known := s.lookup(a.Name); !known {
				if say := ast.InPlaceOf(a.Name); say != "" {
					return say
				}
			}
		}
	}
	if _, ok := fn.(*ast.Number); ok {
		return "; a product is 3 * x, and a number has digits alone, as 0.5 or 2e-3"
	}
	return ""
}

// whereHint says where a condition of sizes stands, if one stands among arguments.
func whereHint(args []ast.Expr) string {
	if slices.ContainsFunc(args, func(e ast.Expr) bool { id, ok := e.(*ast.Ident); return ok && id.Name == "where" }) {
		return ": what holds of sizes stands before the =, as in def f[n](a: R[n]): R where n >= 3 = …"
	}
	return ""
}

// negated says how a function that stands before a minus is applied to what follows.
func negated(e ast.Expr, src *diag.Source) string {
	id, ok := e.(*ast.Ident)
	if !ok || src == nil || int(id.At())+len(id.Name) > len(src.Text) {
		return ""
	}
	rest := strings.TrimLeft(src.Text[int(id.At())+len(id.Name):], " ")
	if !strings.HasPrefix(rest, "-") {
		return ""
	}
	return fmt.Sprintf("; a negative argument stands in parentheses, as in %s (-x)", id.Name)
}

// ofVector names the functions that are like one of two matrices, with a vector for the first and
// for the second.
var ofVector = map[string][2]string{"matmul": {"vecmat", "matvec"}}

// alongHint says how a function of a vector, or of rows, is applied along other axes.
func alongHint(name string) string {
	return fmt.Sprintf("; along 1 %s a works along axis 1, map %s a on rows, and %s (flat a) on all elements", name, name, name)
}
