package viz

import (
	"fmt"
	"slices"
	"strings"

	"egad/internal/slice"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// opText is an operator with its attributes, without its children. Binders are
// the names of what it binds.
func opText(sig *term.Signature, op ops.Op, binders []string) string {
	switch op.Sym {
	case ops.SymVar:
		return op.Name
	case ops.SymConst:
		return constText(op)
	case ops.SymProj:
		return fmt.Sprintf(".%d", op.N)
	}
	o := sig.Operator(op.Sym)
	parts := []string{o.Name}
	if o.Has(ops.FormShape) || o.OwnRanges() {
		parts = append(parts, list(op.Sizes))
	} else {
		parts = append(parts, slice.Map(op.Sizes, size.Size.String)...)
	}
	if len(op.Targets) > 0 {
		parts = append(parts, "to "+list(op.Targets))
	}
	if len(op.Perm) > 0 {
		parts = append(parts, list(op.Perm))
	}
	if o.Has(ops.FormInt) {
		parts = append(parts, fmt.Sprint(op.N))
	}
	for _, t := range []*types.Type{op.Type, op.Type2} {
		if t != nil {
			parts = append(parts, "@"+t.String())
		}
	}
	if len(binders) > 0 {
		parts = append(parts, "\\"+strings.Join(binders, ", "))
	}
	return strings.Join(parts, " ")
}

func list[T any](xs []T) string {
	return "[" + strings.Join(slice.Map(xs, func(x T) string { return fmt.Sprint(x) }), ", ") + "]"
}

// maxElements is how many elements of a literal are shown.
const maxElements = 6

func constText(op ops.Op) string {
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
func portNames(o *ops.Operator, kids int) []string {
	names := slices.Clone(o.Ports)
	for k := len(o.Ports); k < kids; k++ {
		names = append(names, fmt.Sprint(k-len(o.Ports)+1))
	}
	return names[:kids]
}
