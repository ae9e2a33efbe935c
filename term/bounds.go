package term

import "egad/term/numeric"

// Bounds is what interval analysis says of the elements of an array: of integers
// or of reals.
type Bounds struct {
	Int  Range
	Real numeric.Interval
}

// Unbounded says nothing.
var Unbounded = Bounds{AnyInt, numeric.AnyReal}

// Operand is a child of an operator with what is known of it. Of a literal without
// a type the type is nil.
type Operand struct {
	Type *Type
	Bounds
}

// join is what is known of elements that are of one or of the other.
func (b Bounds) join(c Bounds) Bounds { return Bounds{b.Int.Join(c.Int), b.Real.Join(c.Real)} }

// Bounding is the question what the elements of Op applied to operands are between.
type Bounding struct {
	Op    Op
	Type  *Type // of the result
	Kids  []Operand
	Equal bool // there are two operands, and they are equal
}

// BoundsOf bounds the elements of op applied to operands; the result has type t.
// Equal says that there are two operands and they are equal.
func BoundsOf(op Op, t *Type, kids []Operand, equal bool) Bounds {
	out := Unbounded
	o := Builtin(op.Sym)
	if t.Kind != KArray || t.Elem == B || o == nil || o.bounds == nil {
		return out
	}
	b := o.bounds(Bounding{op, t, kids, equal})
	if t.Elem == I {
		out.Int = b.Int
	} else {
		out.Real = b.Real
	}
	return out
}

// Bounds bounds the elements of a term.
func (s *Store) Bounds(t Term) Bounds {
	if s.bounds == nil {
		s.bounds = make(map[uint32]Bounds)
	}
	x := Supposed{store: s, found: s.bounds}
	return x.Bounds(t)
}

// isInput reports whether a node is an input, or a component of one.
func (s *Store) isInput(id uint32) bool {
	for s.ops[s.nodes[id].op].Sym == SymProj {
		id = s.nodes[id].kids[0].ID
	}
	return s.ops[s.nodes[id].op].Sym == SymVar
}

// Range bounds the elements of an integer term of the store.
func (s *Store) Range(t Term) Range { return s.Bounds(t).Int }

// BoundsOfNum bounds a number that may be an integer or a real.
func BoundsOfNum(n numeric.Num) Bounds {
	b := Bounds{AnyInt, n.Interval()}
	if r := n.Rat(); r != nil && r.IsInt() && r.Num().IsInt64() {
		b.Int = Range{r.Num().Int64(), r.Num().Int64()}
	}
	return b
}
