package match

import (
	"cmp"
	"slices"

	"egad/internal/slice"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// Changes is what maps to a value of type t are to: of a tuple with parts that are not
// real, the changes of the others.
func Changes(t *types.Type) *types.Type {
	if t.Kind == types.KTuple && slices.ContainsFunc(t.Parts, func(p *types.Type) bool { return p.Kind == types.KArray && (p.Elem == types.I || p.Elem == types.B) }) {
		return t.Change()
	}
	return t
}

// Sibling is the type that the other operands, and what is expected of the result, give
// to literal operand i; literals have no type yet.
func Sibling(op ops.Op, kids []*types.Type, i int, expect *types.Type) *types.Type {
	masked := op.Sym == ops.SymWhere || op.Sym == ops.SymCond
	if masked && i == 0 {
		if op.Sym == ops.SymCond {
			return types.ArrayOf(types.B)
		}
		if expect != nil {
			return types.ArrayOf(types.B, expect.Shape...)
		}
	}
	for k, t := range kids {
		if t != nil && !(masked && k == 0) {
			return t
		}
	}
	return expect
}

// TypeBeside types an operator in a condition. Operands that are numbers, of no type, have
// that of what stands beside them; alone they are real, as beside says, or integers if the
// operator takes no others.
func TypeBeside(u ops.Unifier, sig *term.Signature, op ops.Op, given []*types.Type, beside *types.Type) (kids []*types.Type, t *types.Type, err *ops.TypeError) {
	kids = slice.Map(given, func(k *types.Type) *types.Type { return cmp.Or(k, beside) })
	t, err = ops.InferType(u, sig.Operator(op.Sym), op, kids)
	if err != nil && !slices.ContainsFunc(given, func(k *types.Type) bool { return k != nil }) {
		kids = slices.Repeat([]*types.Type{types.ArrayOf(types.I)}, len(given))
		t, err = ops.InferType(u, sig.Operator(op.Sym), op, kids)
	}
	return kids, t, err
}

// ComputedSize is the sum, the difference or the product of sizes.
func ComputedSize(op string, x, y size.Size) size.Size {
	switch op {
	case "+":
		return x.Add(y)
	case "-":
		return x.Sub(y)
	}
	return x.Mul(y)
}
