package viz

import (
	"fmt"
	"strings"

	"egad/term"
)

// opText is an operator with its attributes, without its children. Binders are
// the names of what it binds.
func opText(sig *term.Signature, op term.Op, binders []string) string {
	switch op.Sym {
	case term.SymVar:
		return op.Name
	case term.SymConst:
		return constText(op)
	case term.SymProj:
		return fmt.Sprintf(".%d", op.N)
	}
	parts := []string{sig.Operator(op.Sym).Name}
	switch op.Sym {
	case term.SymGather, term.SymScatter, term.SymReshape, term.SymLgather, term.SymLscatter, term.SymLreshape:
		parts = append(parts, list(op.Sizes))
	default:
		for _, n := range op.Sizes {
			parts = append(parts, n.String())
		}
	}
	if len(op.Targets) > 0 {
		parts = append(parts, "to "+list(op.Targets))
	}
	if len(op.Perm) > 0 {
		parts = append(parts, list(op.Perm))
	}
	if hasNumber(op.Sym) {
		parts = append(parts, fmt.Sprint(op.N))
	}
	for _, t := range []*term.Type{op.Type, op.Type2} {
		if t != nil {
			parts = append(parts, "@"+t.String())
		}
	}
	if len(binders) > 0 {
		parts = append(parts, "\\"+strings.Join(binders, ", "))
	}
	return strings.Join(parts, " ")
}

func hasNumber(s term.Sym) bool {
	return s == term.SymPolygamma || s == term.SymLproj || s == term.SymLinj
}

func list[T any](xs []T) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = fmt.Sprint(x)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// maxElements is how many elements of a literal are shown.
const maxElements = 6

func constText(op term.Op) string {
	c := op.Const
	if c.Data == nil {
		return c.Fill.String()
	}
	if n := len(c.Data); n > maxElements {
		return strings.TrimSuffix(list(c.Data[:maxElements]), "]") + fmt.Sprintf(", … %d]", n)
	}
	return list(c.Data)
}

// portNames says what the children of an operator are.
func portNames(op term.Op, kids int) []string {
	var names []string
	switch op.Sym {
	case term.SymIndex, term.SymGather, term.SymScatter:
		names = []string{"array"}
	case term.SymCond, term.SymWhere:
		names = []string{"if", "then", "else"}
	case term.SymLapply:
		names = []string{"map", "to"}
	case term.SymLcompose:
		names = []string{"then", "first"}
	case term.SymSub, term.SymDiv, term.SymIdiv, term.SymMod, term.SymPow, term.SymAtan2, term.SymLt, term.SymLe:
		names = []string{"left", "right"}
	}
	named := len(names)
	for k := named; k < kids; k++ {
		names = append(names, fmt.Sprint(k-named+1))
	}
	return names[:kids]
}
