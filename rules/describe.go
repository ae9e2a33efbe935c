package rules

import (
	"fmt"
	"strings"

	"egad/term"
)

// Attributes lists what an instance gives the metavariables that are not terms:
// "k = 2", "p = [1, 0]", "?op = mul".
func (in *Instance) Attributes(sig *term.Signature) []string {
	var out []string
	for _, a := range in.attrs {
		text, name := "", a.name
		switch in.Rule.vars.sort[a.name] {
		case SortSize:
			text = a.sizes[0].String()
		case SortSizes:
			text = sizesText(a.sizes)
		case SortPerm:
			text = strings.Join(strings.Fields(fmt.Sprint(a.perm)), ", ")
		case SortInt:
			text = fmt.Sprint(a.n)
		case SortLit:
			text = a.lit.String()
		case SortType:
			text = a.typ.String()
		case SortOp:
			text, name = sig.Operator(a.op.Sym).Text(), "?"+a.name
		default:
			continue
		}
		out = append(out, name+" = "+text)
	}
	return out
}

func sizesText(ss []term.Size) string {
	parts := make([]string, len(ss))
	for i, s := range ss {
		parts[i] = s.String()
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
