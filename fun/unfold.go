package fun

import (
	"slices"

	"egad/term"
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
	o := term.Builtin(t.Op.Sym)
	e, _ := t.Type.Elem()
	// let a = … in if length a < 1 then nothing else reduce op a
	combined := Reduce.Typed(t.Type, combination(o.Fold), V(1))
	return LetIn(out.Kids[0], Case.Make(on(term.SymLt, Length.Make(V(0)), integer(1)),
		LiteralOf(o.Nothing(e)), combined)).placed(t.Src, t.Pos)
}

// combination is the operator of a reduction on the pair of two results. Of a maximum or a
// minimum, whose change is that of one element, it is the second only if that is better, or is
// no number: an operator that takes half the change of each would do so of equal elements.
func combination(fold term.Sym) *Term {
	a, b := Fst.Make(V(0)), Snd.Make(V(0))
	worse, better := a, b
	switch fold {
	case term.SymMax:
	case term.SymMin:
		worse, better = b, a
	default:
		return on(fold, a, b)
	}
	number := func(x *Term) *Term { return on(term.SymEq, x, x) }
	second := on(term.SymOr, on(term.SymLt, worse, better), on(term.SymNot, number(b)))
	return Case.Make(on(term.SymAnd, number(a), second), Snd.Make(V(1)), Fst.Make(V(1)))
}

// LiteralOf is a literal of the array language as a term.
func LiteralOf(s term.Scalar) *Term {
	switch s.Elem {
	case term.R:
		return Literal(s.Num, Real)
	case term.I:
		return integer(s.Int)
	}
	return TruthOf(s.Int != 0)
}
