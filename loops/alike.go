package loops

import (
	"encoding/binary"
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// likeness numbers terms so that those with equal numbers have the same value: they are
// one term but for the order of operands and, unless every float64 is to stay as it is,
// for how sums and products are put together.
type likeness struct {
	s      *term.Store
	exact  bool
	number map[string]int   // by what a term is made of
	known  map[string]int   // by term
	lists  map[string][]int // the operands of terms
}

func newLikeness(s *term.Store, exact bool) *likeness {
	return &likeness{s, exact, make(map[string]int), make(map[string]int), make(map[string][]int)}
}

// maxOperands bounds the operands of a sum that is looked at as a whole.
const maxOperands = 32

// of is the number of a term.
func (x *likeness) of(t term.Term) int {
	return memo.Of(x.known, term.TermKey(t), func() int {
		s := x.s
		key := binary.AppendUvarint(nil, uint64(s.OpNumber(t)))
		var kids []int
		if s.Signature().Operator(s.Op(t).Sym).Commutative {
			kids = slices.Sorted(slices.Values(x.operands(t)))
		} else {
			v := s.OpenWith(t, boundNames(t, s.Binders(t)))
			for _, n := range v.Own {
				kids = append(kids, int(n))
			}
			for _, k := range v.Kids {
				kids = append(kids, x.of(k))
			}
		}
		for _, k := range kids {
			key = binary.AppendUvarint(key, uint64(k))
		}
		return memo.Of(x.number, string(key), func() int { return len(x.number) })
	})
}

// operands are the numbers of the operands of a term, or of the sum or product that it is.
func (x *likeness) operands(t term.Term) []int {
	at := term.TermKey(t)
	return memo.Of(x.lists, at, func() []int {
		s, op := x.s, x.s.Op(t)
		grouped := (op.Sym == ops.SymAdd || op.Sym == ops.SymMul) && !(x.exact && s.Type(t).Elem == types.R)
		var out []int
		for _, k := range s.Open(t).Kids {
			if grouped && s.Op(k).Sym == op.Sym && len(x.operands(k)) <= maxOperands {
				out = append(out, x.operands(k)...)
			} else {
				out = append(out, x.of(k))
			}
		}
		return out
	})
}

// boundNames are names for n variables that t does not have, the same ones in all terms
// with the same free variables. They lie below those of a node seen alone.
func boundNames(t term.Term, n int) []slot.Name {
	const first = ^slot.Name(0) - 1<<16
	next := first
	for _, a := range t.Args {
		if first-1<<16 < a && a <= next {
			next = a - 1
		}
	}
	return slice.Make(n, func(i int) slot.Name { return next - slot.Name(i) })
}
