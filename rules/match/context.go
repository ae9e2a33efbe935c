package match

import (
	"cmp"
	"slices"

	"egad/internal/slice"
	"egad/term"
)

// Changes is what maps to a value of type t are to: of a tuple with parts that are not
// real, the changes of the others.
func Changes(t *term.Type) *term.Type {
	if t.Kind == term.KTuple && slices.ContainsFunc(t.Parts, func(p *term.Type) bool { return p.Kind == term.KArray && (p.Elem == term.I || p.Elem == term.B) }) {
		return t.Change()
	}
	return t
}

// Sibling is the type that the other operands, and what is expected of the result, give
// to literal operand i; literals have no type yet.
func Sibling(op term.Op, kids []*term.Type, i int, expect *term.Type) *term.Type {
	masked := op.Sym == term.SymWhere || op.Sym == term.SymCond
	if masked && i == 0 {
		if op.Sym == term.SymCond {
			return term.ArrayOf(term.B)
		}
		if expect != nil {
			return term.ArrayOf(term.B, expect.Shape...)
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
func TypeBeside(u term.Unifier, sig *term.Signature, op term.Op, given []*term.Type, beside *term.Type) (kids []*term.Type, t *term.Type, err *term.TypeError) {
	kids = slice.Map(given, func(k *term.Type) *term.Type { return cmp.Or(k, beside) })
	t, err = term.InferType(u, sig.Operator(op.Sym), op, kids)
	if err != nil && !slices.ContainsFunc(given, func(k *term.Type) bool { return k != nil }) {
		kids = slices.Repeat([]*term.Type{term.ArrayOf(term.I)}, len(given))
		t, err = term.InferType(u, sig.Operator(op.Sym), op, kids)
	}
	return kids, t, err
}

// ComputedSize is the sum, the difference or the product of sizes.
func ComputedSize(op string, x, y term.Size) term.Size {
	switch op {
	case "+":
		return x.Add(y)
	case "-":
		return x.Sub(y)
	}
	return x.Mul(y)
}
