package lower

import (
	"egad/kernel"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// sort writes sort or argsort: neighbours are exchanged if the second is less than the first, or is a number where
// that is NaN, so that those that are equal stay in order.
func (x *small) sort() {
	n := x.call.Parts()[0].Shape[0]
	var values, places []*kernel.Value
	for i := range n {
		values = append(values, x.operand(0, x.Int(int64(i))))
		places = append(places, x.Lit(ops.ScalarR(numeric.Int(int64(i)))))
	}
	for i := range n {
		for j := i - 1; j >= 0; j-- {
			a, b := values[j], values[j+1]
			none := x.Truth(ops.SymNot, x.Truth(ops.SymEq, a, a)) // a is NaN
			less := x.Truth(ops.SymOr, x.Truth(ops.SymLt, b, a), x.Truth(ops.SymAnd, x.Truth(ops.SymEq, b, b), none))
			values[j], values[j+1] = x.Where(less, b, a), x.Where(less, a, b)
			places[j], places[j+1] = x.Where(less, places[j+1], places[j]), x.Where(less, places[j], places[j+1])
		}
	}
	for i, v := range values {
		if x.call.Op.Sym == ops.SymArgsort {
			v = x.Op(ops.Op{Sym: ops.SymRound}, types.I, places[i])
			v.Range = ops.Range{Hi: int64(n - 1)}
		}
		x.store(v, x.Int(int64(i)))
	}
}
