package term

import (
	"slices"

	"egad/term/ast"
)

// maxLiteralElements bounds the literals that are written element by element.
const maxLiteralElements = 1 << 20

// Literal returns the literal that an array of literals, or a replicated one, is; and the
// tuple of which a tuple has all the components.
func (s *Store) Literal(t Term) (Term, bool) {
	v := s.Open(t)
	return s.fold(v.Op, v.Kids)
}

// Literals returns t with every [Store.Literal] in its place.
func (s *Store) Literals(t Term) Term {
	t, _ = s.Rewrite(t, func(_ Term, v View) (Term, bool) { return s.fold(v.Op, v.Kids) })
	return t
}

// fold is what [Store.Make] makes of op applied to kids, where that is not the application.
func (s *Store) fold(op Op, kids []Term) (Term, bool) {
	if op.Sym == SymTuple {
		return s.whole(kids)
	}
	return s.foldLiteral(op, kids)
}

// whole is the tuple of which kids are all the components, in their order.
func (s *Store) whole(kids []Term) (Term, bool) {
	var t Term
	for i, k := range kids {
		if op := s.Op(k); op.Sym != SymProj || op.N != i {
			return Term{}, false
		}
		of := s.OpenWith(k, nil).Kids[0]
		if i > 0 && !of.Equal(t) {
			return Term{}, false
		}
		t = of
	}
	return t, len(kids) > 0 && len(s.Type(t).Parts) == len(kids)
}

// foldLiteral makes a literal of an array of literals and of a replicated one.
func (s *Store) foldLiteral(op Op, kids []Term) (Term, bool) {
	if op.Sym != SymStack && op.Sym != SymReplicate || len(kids) == 0 {
		return Term{}, false
	}
	first := s.Type(kids[0])
	var data []Scalar
	for _, k := range kids {
		o := s.Op(k)
		if o.Sym != SymConst || !s.Type(k).Equal(first) {
			return Term{}, false
		}
		if op.Sym == SymReplicate {
			if o.Const.Data != nil {
				return Term{}, false
			}
			return s.Lit(o.Const.Fill, slices.Concat(op.Sizes, first.Shape)...), true
		}
		n, ok := first.Elements().Const()
		if !ok || n*int64(len(kids)) > maxLiteralElements {
			return Term{}, false
		}
		for i := range n {
			if o.Const.Data != nil {
				data = append(data, o.Const.Data[i])
			} else {
				data = append(data, o.Const.Fill)
			}
		}
	}
	if len(data) == 0 {
		return Term{}, false
	}
	return s.LitData(data, slices.Concat([]Size{SizeConst(int64(len(kids)))}, first.Shape)...), true
}

// flat is an array literal that has nothing but numbers, or nothing but truth
// values, which may be many: they are not made terms one by one.
type flat struct {
	shape   []Size
	numbers []*ast.Number
	truths  []Scalar
}

// flatten returns nil if the literal is of another kind, or has no type.
func flatten(e *ast.ListLit) *flat {
	f := &flat{}
	var rest []Size
	for i, x := range e.Elems {
		if _, list := x.(*ast.ListLit); !list && rest != nil {
			return nil
		}
		switch x := x.(type) {
		case *ast.Number:
			f.numbers = append(f.numbers, x)
		case *ast.Bool:
			f.truths = append(f.truths, ScalarB(x.Value))
		case *ast.ListLit:
			row := flatten(x)
			if row == nil || i > 0 && !slices.EqualFunc(row.shape, rest, Size.Equal) {
				return nil
			}
			rest, f.numbers, f.truths = row.shape, append(f.numbers, row.numbers...), append(f.truths, row.truths...)
		default:
			return nil
		}
	}
	size := int64(len(e.Elems))
	f.shape = append([]Size{SizeConst(size)}, rest...)
	for _, n := range rest {
		k, _ := n.Const()
		size *= k
	}
	if len(f.shape) > MaxRank || size == 0 || int64(len(f.numbers)) != size && int64(len(f.truths)) != size {
		return nil
	}
	return f
}
