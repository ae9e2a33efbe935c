package term

import (
	"slices"

	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
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
func (s *Store) fold(op ops.Op, kids []Term) (Term, bool) {
	if op.Sym == ops.SymTuple {
		return s.whole(kids)
	}
	return s.foldLiteral(op, kids)
}

// whole is the tuple of which kids are all the components, in their order.
func (s *Store) whole(kids []Term) (Term, bool) {
	var t Term
	for i, k := range kids {
		if op := s.Op(k); op.Sym != ops.SymProj || op.N != i {
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
func (s *Store) foldLiteral(op ops.Op, kids []Term) (Term, bool) {
	if op.Sym != ops.SymStack && op.Sym != ops.SymReplicate || len(kids) == 0 {
		return Term{}, false
	}
	first := s.Type(kids[0])
	var data []ops.Scalar
	for _, k := range kids {
		o := s.Op(k)
		if o.Sym != ops.SymConst || !s.Type(k).Equal(first) {
			return Term{}, false
		}
		if op.Sym == ops.SymReplicate {
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
	return s.LitData(data, slices.Concat([]size.Size{size.Const(int64(len(kids)))}, first.Shape)...), true
}

// Forms lists the ways to make a literal array of others: by replicating one, and of its
// rows. [Store.Literal] makes it of each of them.
func (s *Store) Forms(t Term) (out []View) {
	op := s.Op(t)
	if op.Sym != ops.SymConst || op.Type.Kind != types.KArray || len(op.Type.Shape) == 0 {
		return nil
	}
	shape, data := op.Type.Shape, op.Const.Data
	if data == nil {
		out = append(out, View{Op: ops.Op{Sym: ops.SymReplicate, Sizes: shape[:1]}, Kids: []Term{s.Lit(op.Const.Fill, shape[1:]...)}})
	}
	if all, ok := op.Type.Elements().Const(); !ok || all == 0 || all > maxLiteralElements {
		return out
	}
	n, _ := shape[0].Const()
	step := len(data) / int(n)
	return append(out, View{Op: ops.Op{Sym: ops.SymStack}, Kids: slice.Make(n, func(i int) Term {
		if data == nil {
			return s.Lit(op.Const.Fill, shape[1:]...)
		}
		return s.LitData(data[i*step:(i+1)*step], shape[1:]...)
	})})
}
