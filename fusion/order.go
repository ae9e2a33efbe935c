package fusion

import (
	"cmp"
	"slices"
	"strings"

	"egad/internal/memo"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
)

// maxCompared bounds the comparisons of a term: where there are more, operands stay.
const maxCompared = 1 << 16

// orderer puts the operands of commutative operators in an order of their own, so that
// programs that differ in it only are fused alike. The value is the same, bit for bit.
type orderer struct {
	st       *term.Store
	done     map[string]term.Term
	compared int
}

// of is t in order; bound are the index variables around it, outer ones first.
func (o *orderer) of(t term.Term, bound []slot.Name) term.Term {
	return memo.Of(o.done, term.TermKey(t), func() term.Term {
		v := o.st.Open(t)
		op := o.st.Signature().Operator(v.Op.Sym)
		for i, k := range v.Kids {
			inner := bound
			if op.Under(i) {
				inner = slices.Concat(bound, v.Binders)
			}
			v.Kids[i] = o.of(k, inner)
		}
		if op.Commutative && o.compare(v.Kids[0], v.Kids[1], bound, bound) > 0 {
			slices.Reverse(v.Kids)
		}
		return o.st.MustMake(v.Op, v.Own, v.Binders, v.Kids)
	})
}

// compare compares what terms are: operators, index variables by their binders, outer
// ones first, and operands.
func (o *orderer) compare(t, u term.Term, a, b []slot.Name) int {
	if o.compared++; o.compared > maxCompared {
		return 0
	}
	v, w := o.st.Open(t), o.st.Open(u)
	if c := cmp.Or(cmp.Compare(v.Op.Sym, w.Op.Sym), strings.Compare(v.Op.Key(), w.Op.Key()), cmp.Compare(len(v.Kids), len(w.Kids))); c != 0 {
		return c
	}
	if v.Op.Sym == ops.SymIvar {
		return cmp.Compare(slices.Index(a, v.Own[0]), slices.Index(b, w.Own[0]))
	}
	for i := range v.Kids {
		x, y := a, b
		if o.st.Signature().Operator(v.Op.Sym).Under(i) {
			x, y = slices.Concat(a, v.Binders), slices.Concat(b, w.Binders)
		}
		if c := o.compare(v.Kids[i], w.Kids[i], x, y); c != 0 {
			return c
		}
	}
	return 0
}
