package term

import "slices"

// maxLiteralElements bounds the literals that are written element by element.
const maxLiteralElements = 1 << 20

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
