package fun

import (
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
	if len(t.Kids) == 0 {
		return t
	}
	out := *t
	out.Kids = make([]*Term, len(t.Kids))
	same := true
	for k, kid := range t.Kids {
		out.Kids[k] = withoutFolds(kid)
		same = same && out.Kids[k] == kid
	}
	if t.Form != Fold {
		if same {
			return t
		}
		return &out
	}
	o := term.Builtin(t.Op.Sym)
	e, _ := t.Type.Elem()
	// let a = … in if length a < 1 then nothing else reduce op a
	combined := Reduce.Typed(t.Type, Operator(term.Op{Sym: o.Fold}, Fst.Make(V(0)), Snd.Make(V(0))), V(1))
	return LetIn(out.Kids[0], Case.Make(Operator(term.Op{Sym: term.SymLt}, Length.Make(V(0)), integer(1)),
		scalarLiteral(o.Nothing(e)), combined)).placed(t.Src, t.Pos)
}

// scalarLiteral is a literal of the array language.
func scalarLiteral(s term.Scalar) *Term {
	switch s.Elem {
	case term.R:
		return Literal(s.Num, Real)
	case term.I:
		return integer(s.Int)
	}
	return truth(s.Int != 0)
}
