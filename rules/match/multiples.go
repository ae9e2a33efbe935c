package match

import (
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// multiples takes the sum u apart, of which the terms that are multiples of c are c times the first
// result, and the others the second one: of 6 * i + j - 3 and 3 these are 2 * i - 1 and j. They have no
// value if no term is a multiple, or u is not one integer. Integers wrap around, so that terms may be
// added in any order. Of a class they are those of the term that was there first.
func (b *builder) multiples(u slot.Ref, c int64) (of, others slot.Ref) {
	if !b.space.Type(u).IsScalar(types.I) || c <= 0 {
		b.noValue("no integer that is taken apart by a positive number")
	}
	x := multiples{b: b, c: c, seen: make(map[uint32]bool)}
	x.walk(u, false)
	if !x.of.some {
		b.noValue("no term is a multiple")
	}
	return x.of.ref(b), x.others.ref(b)
}

type multiples struct {
	b          *builder
	c          int64
	of, others sum
	seen       map[uint32]bool // a class may be among the operands of itself
}

// walk adds the terms of u, or takes them away.
func (x *multiples) walk(u slot.Ref, minus bool) {
	if n, ok := x.b.wholeNumber(u); ok && n != 0 && n%x.c == 0 { // to take 0 out is to say the same again
		x.of.add(x.b, x.b.int(n/x.c), minus)
		return
	}
	var v term.View
	x.b.space.Nodes(u, func(first term.View) bool {
		v = first
		return false
	})
	if x.seen[u.ID] {
		x.b.noValue("a sum that is a term of itself")
	}
	switch v.Op.Sym {
	case ops.SymAdd, ops.SymSub:
		x.seen[u.ID] = true
		x.walk(v.Kids[0], minus)
		x.walk(v.Kids[1], minus != (v.Op.Sym == ops.SymSub))
		delete(x.seen, u.ID)
		return
	case ops.SymMul:
		for i, kid := range v.Kids {
			if k, ok := x.b.wholeNumber(kid); ok && k%x.c == 0 {
				of := v.Kids[1-i]
				if k != x.c {
					of = x.b.apply(ops.SymMul, of, x.b.int(k/x.c))
				}
				x.of.add(x.b, of, minus)
				return
			}
		}
	}
	x.others.add(x.b, u, minus)
}

// sum is a sum of terms, which is 0 if there are none.
type sum struct {
	of   slot.Ref
	some bool
}

func (s *sum) add(b *builder, r slot.Ref, minus bool) {
	switch {
	case minus:
		s.of = b.apply(ops.SymSub, s.ref(b), r)
	case s.some:
		s.of = b.apply(ops.SymAdd, s.of, r)
	default:
		s.of = r
	}
	s.some = true
}

func (s *sum) ref(b *builder) slot.Ref {
	if !s.some {
		return b.int(0)
	}
	return s.of
}
