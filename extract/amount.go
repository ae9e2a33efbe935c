package extract

import (
	"fmt"
	"math"

	"egad/rules/syntax"
)

// amount is frac · 2^(512·exp): trees of DAGs are larger than any float64. Up to
// 2^512 it is a float64.
type amount struct {
	frac float64 // less than 2^512, and at least 1 unless exp is 0
	exp  int
}

// maxCost bounds the cost of a node, so that no sum of those of a file overflows.
const maxCost = syntax.MaxCost

// amountOf is a number as an amount. What is beyond the floats is the greatest of them.
func amountOf(x float64) amount { return amount{frac: min(x, math.MaxFloat64)}.add(amount{}) }

// over is a part of an amount.
func (a amount) over(n float64) amount {
	if a.frac /= n; a.frac < 1 && a.exp > 0 {
		a.frac, a.exp = a.frac*0x1p512, a.exp-1
	}
	return a
}

func (a amount) add(b amount) amount {
	if a.exp < b.exp {
		a, b = b, a
	}
	switch a.exp - b.exp {
	case 0:
		a.frac += b.frac
	case 1:
		a.frac += b.frac * 0x1p-512
	}
	if a.frac >= 0x1p512 {
		a.frac, a.exp = a.frac*0x1p-512, a.exp+1
	}
	return a
}

func (a amount) less(b amount) bool {
	if a.exp != b.exp {
		return a.exp < b.exp
	}
	return a.frac < b.frac
}

func (a amount) max(b amount) amount {
	if a.less(b) {
		return b
	}
	return a
}

// float is +Inf if the amount is no float64.
func (a amount) float() float64 {
	for range min(a.exp, 3) {
		a.frac *= 0x1p512
	}
	return a.frac
}

func (a amount) String() string {
	if x := a.float(); !math.IsInf(x, 1) {
		return number(x)
	}
	whole, part := math.Modf(math.Log10(a.frac) + float64(a.exp)*512*math.Log10(2))
	return fmt.Sprintf("%.3ge+%.0f", min(math.Pow(10, part), 9.99), whole)
}
