package chad

import (
	"cmp"
	"slices"

	"egad/fun"
	"egad/term/ops"
)

// Constant is that of the paper's theorems: 31 with the operators of Appendix B, which suffice
// for their proof. Of another operator the derivative may take more.
type Constant struct {
	Of int64
	// Operators are those that need more than 31, by name, and Each what each needs.
	Operators []string
	Each      map[string]int64
}

const (
	paperConstant = 31
	// around is what the derivative of an operator takes beside Dopᵗ: seven steps for the let,
	// the pair, the operator on its operand and the closure; three for calling the operand's
	// backpropagator; and five for the lets of Dopᵗ's two arguments.
	aroundOperator = 15
)

// constant is that of the operators in a program. The steps that Dopᵗ takes are at most the
// forms of its term, and of the cotangents of n operands n - 1 pairs are made, of which the
// potential is 2 each.
func (d *Derivatives) constant(t *fun.Term) Constant {
	out := Constant{Of: paperConstant, Each: make(map[string]int64)}
	var walk func(t *fun.Term)
	walk = func(t *fun.Term) {
		if t.Form == fun.Prim {
			o := ops.Builtin(t.Op.Sym)
			if n := aroundOperator + d.forms[t.Op.Key()] + 2*int64(o.Arity-1); n > paperConstant {
				out.Each[o.Text()] = max(out.Each[o.Text()], n)
				out.Of = max(out.Of, n)
			}
		}
		for _, k := range t.Kids {
			walk(k)
		}
	}
	walk(t)
	for o := range out.Each {
		out.Operators = append(out.Operators, o)
	}
	slices.SortFunc(out.Operators, func(a, b string) int {
		return cmp.Or(cmp.Compare(out.Each[b], out.Each[a]), cmp.Compare(a, b))
	})
	return out
}
