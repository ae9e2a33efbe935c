package kernel

import (
	"egad/term"
	"egad/term/numeric"
)

// sort writes sort or argsort: neighbours are exchanged if the second is less than the first, or is a number where
// that is NaN, so that those that are equal stay in order.
func (x *small) sort() {
	n := x.call.parts()[0].Shape[0]
	var values, places []*Value
	for i := range n {
		values = append(values, x.operand(0, x.int(int64(i))))
		places = append(places, x.lit(term.ScalarR(numeric.Int(int64(i)))))
	}
	sorts := x.call.Op.Sym == term.SymSort
	for i := range n {
		for j := i - 1; j >= 0; j-- {
			a, b := values[j], values[j+1]
			none := x.truth(term.SymNot, x.truth(term.SymEq, a, a)) // a is NaN
			less := x.truth(term.SymOr, x.truth(term.SymLt, b, a), x.truth(term.SymAnd, x.truth(term.SymEq, b, b), none))
			values[j], values[j+1] = x.where(less, b, a), x.where(less, a, b)
			places[j], places[j+1] = x.where(less, places[j+1], places[j]), x.where(less, places[j], places[j+1])
		}
	}
	for i, v := range values {
		if !sorts {
			v = x.op(term.Op{Sym: term.SymRound}, term.I, places[i])
			v.Range = term.Range{Hi: int64(n - 1)}
		}
		x.store(v, x.int(int64(i)))
	}
}
