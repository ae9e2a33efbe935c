package fun

import (
	"slices"

	"egad/term/ops"
	"egad/term/types"
)

// WithoutFolds is a program in which each [Fold] is a [Reduce], which is the form that the
// papers have: the same value but for rounding, as elements are combined in another order.
// Of an array without elements it is the fold's value of nothing.
func (p *Program) WithoutFolds() *Program {
	out := *p
	out.Body = withoutFolds(p.Body)
	return &out
}

func withoutFolds(t *Term) *Term {
	out := *t
	out.mapKids(func(_ int, kid *Term) *Term { return withoutFolds(kid) })
	if t.Form != Fold {
		if slices.Equal(out.Kids, t.Kids) {
			return t
		}
		return &out
	}
	o := ops.Builtin(t.Op.Sym)
	e, _ := t.Type.Elem()
	// let a = … in if length a < 1 then nothing else reduce op a
	combined := Reduce.Typed(t.Type, combination(o.Fold), V(1))
	return LetIn(out.Kids[0], Case.Make(on(ops.SymLt, Length.Make(V(0)), integer(1)),
		LiteralOf(o.Nothing(e)), combined)).placed(t.Src, t.Pos)
}

// combination is the operator of a reduction on the pair of two results. Of a maximum or a
// minimum, whose change is that of one element, it is the second only if that is better, or is
// no number: an operator that takes half the change of each would do so of equal elements.
func combination(fold ops.Sym) *Term {
	a, b := Fst.Make(V(0)), Snd.Make(V(0))
	worse, better := a, b
	switch fold {
	case ops.SymMax:
	case ops.SymMin:
		worse, better = b, a
	default:
		return on(fold, a, b)
	}
	number := func(x *Term) *Term { return on(ops.SymEq, x, x) }
	second := on(ops.SymOr, on(ops.SymLt, worse, better), on(ops.SymNot, number(b)))
	return Case.Make(on(ops.SymAnd, number(a), second), Snd.Make(V(1)), Fst.Make(V(1)))
}

// LiteralOf is a literal of the array language as a term.
func LiteralOf(s ops.Scalar) *Term {
	switch s.Elem {
	case types.R:
		return Literal(s.Num, Real)
	case types.I:
		return integer(s.Int)
	}
	return TruthOf(s.Int != 0)
}
