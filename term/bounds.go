package term

import "slices"

// Bounds is what interval analysis says of the elements of an array: of integers
// or of reals.
type Bounds struct {
	Int  Range
	Real Interval
}

// Unbounded says nothing.
var Unbounded = Bounds{AnyInt, AnyReal}

// Operand is a child of an operator with what is known of it. Of a literal without
// a type the type is nil.
type Operand struct {
	Type *Type
	Bounds
}

// BoundsOf bounds the elements of op applied to operands; the result has type t.
// Equal says that there are two operands and they are equal.
func BoundsOf(op Op, t *Type, kids []Operand, equal bool) Bounds {
	out := Unbounded
	if t.Kind != KArray {
		return out
	}
	switch t.Elem {
	case I:
		out.Int = intBounds(op, t, kids)
	case R:
		out.Real = intervalOf(op, t, kids, equal)
	}
	return out
}

func intBounds(op Op, t *Type, kids []Operand) Range {
	switch op.Sym {
	case SymFloor, SymRound:
		a := kids[0].Real
		r := Range{Floats{}.Floor(a.Lo), Floats{}.Round(a.Hi)}
		if !a.Number {
			r = r.Join(Range{})
		}
		return r
	case SymIndex, SymGather:
		if inside(kids) {
			return kids[0].Int
		}
	}
	rs := make([]Range, len(kids))
	for i, k := range kids {
		rs[i] = k.Int
	}
	return RangeOf(op, t, rs)
}

// inside reports whether the indices of index or gather are in range.
func inside(kids []Operand) bool {
	if kids[0].Type == nil || len(kids)-1 > len(kids[0].Type.Shape) {
		return false
	}
	for i, k := range kids[1:] {
		n, ok := kids[0].Type.Shape[i].Const()
		if !ok || k.Int.Lo < 0 || k.Int.Hi >= n {
			return false
		}
	}
	return true
}

func intervalOf(op Op, t *Type, kids []Operand, equal bool) Interval {
	switch op.Sym {
	case SymConst:
		v := pointOfNum(op.Const.Fill.Num)
		for i, s := range op.Const.Data {
			if i == 0 {
				v = pointOfNum(s.Num)
			}
			v = v.Join(pointOfNum(s.Num))
		}
		return v
	case SymIndex, SymGather:
		if inside(kids) {
			return kids[0].Real
		}
		return kids[0].Real.Join(PointOf(0)) // out of range reads 0
	case SymReplicate, SymTr, SymReshape, SymBuild:
		return kids[0].Real
	case SymStack:
		v := kids[0].Real
		for _, k := range kids[1:] {
			v = v.Join(k.Real)
		}
		return v
	case SymCond, SymWhere:
		return kids[1].Real.Join(kids[2].Real)
	case SymReal:
		return ofInts(kids[0].Int)
	case SymSum:
		least, most := counts(kids[0].Type, 1)
		return sumInterval(kids[0].Real, least, most)
	case SymScatter:
		_, most := counts(kids[0].Type, len(op.Sizes))
		return sumInterval(kids[0].Real, 0, most)
	case SymMaximum, SymMinimum:
		v := kids[0].Real
		if least, _ := counts(kids[0].Type, 1); least == 0 { // of nothing
			sign := 1
			if op.Sym == SymMaximum {
				sign = -1
			}
			v = v.Join(pointOfNum(NumInf(sign)))
		}
		return v
	}
	switch len(kids) {
	case 1:
		return unaryInterval(op.Sym, kids[0].Real)
	case 2:
		return binaryInterval(op.Sym, kids[0].Real, kids[1].Real, equal)
	}
	return AnyReal
}

// counts bounds the number of subarrays along the first axes of an array.
func counts(t *Type, axes int) (least, most float64) {
	if t != nil && t.Kind == KArray && axes <= len(t.Shape) {
		if n, ok := Product(t.Shape[:axes]).Const(); ok {
			return float64(n), float64(n)
		}
	}
	return 0, 1 << 62
}

// ofInts bounds integers as reals.
func ofInts(r Range) Interval {
	const exact = 1 << 53
	lo, hi := exactly(float64(r.Lo)), exactly(float64(r.Hi))
	if -exact <= r.Lo && r.Hi <= exact {
		return Interval{lo.x, hi.x, r.Lo > 0 || r.Hi < 0, true}
	}
	return hullOf(true, lo, hi)
}

// Bounds bounds the elements of a term.
func (s *Store) Bounds(t Term) Bounds {
	if b, ok := s.bounds[t.ID]; ok {
		return b
	}
	n := &s.nodes[t.ID]
	kids := make([]Operand, len(n.kids))
	for i, k := range n.kids {
		kids[i] = Operand{s.nodes[k.ID].typ, s.Bounds(Term{ID: k.ID})}
	}
	equal := len(n.kids) == 2 && n.kids[0].ID == n.kids[1].ID && slices.Equal(n.kids[0].Args, n.kids[1].Args)
	b := BoundsOf(s.ops[n.op], n.typ, kids, equal)
	if s.bounds == nil {
		s.bounds = make(map[uint32]Bounds)
	}
	s.bounds[t.ID] = b
	return b
}

// Range bounds the elements of an integer term of the store.
func (s *Store) Range(t Term) Range { return s.Bounds(t).Int }

// BoundsOfNum bounds a number that may be an integer or a real.
func BoundsOfNum(n Num) Bounds {
	b := Bounds{AnyInt, pointOfNum(n)}
	if r := n.Rat(); r != nil && r.IsInt() && r.Num().IsInt64() {
		b.Int = Range{r.Num().Int64(), r.Num().Int64()}
	}
	return b
}
