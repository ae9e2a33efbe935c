package ops

import (
	"math"
	"math/big"

	"egad/term/numeric"
	"egad/term/size"
	"egad/term/types"
)

// Reductions along the outer axis, from the left.

func init() {
	// A sum begins at +0, which it adds to: of -0 it is +0.
	describe(SymSum, fold("sum", SymAdd, zeroOf, Operator{
		bounds: func(b Bounding) Bounds { return b.sum(counts(b.Kids[0].Type, 1)) },
	}))
	describe(SymMaximum, extremum("maximum", SymMax, -1))
	describe(SymMinimum, extremum("minimum", SymMin, 1))
	describe(SymProd, fold("prod", SymMul, unitOf, Operator{}))
	describe(SymAny, fold("any", SymOr, zeroOf, Operator{}))
	describe(SymAll, fold("all", SymAnd, unitOf, Operator{}))
	describe(SymArgmax, position("argmax", largest))
	describe(SymArgmin, position("argmin", func(c Cells, i, j int) bool { return c.Less(0, j, i) }))
	describe(SymNorm, Operator{
		Name: "norm", Work: WorkFold, Operations: 10, Empty: zeroOf,
		Fill: normFill,
		bounds: func(b Bounding) Bounds {
			return Bounds{AnyInt, numeric.Interval{Lo: 0, Hi: math.Inf(1), Number: b.Kids[0].Real.Number}}
		},
	})
	// It is no [Operator.Reduction]: of zeros it is not 0.
	describe(SymLogsumexp, Operator{
		Name: "logsumexp", Work: WorkFold, Operations: 6,
		Empty: func(*types.Type) Scalar { return ScalarR(numeric.Inf(-1)) },
		Fill:  logsumexpFill,
		bounds: func(b Bounding) Bounds {
			return Bounds{AnyInt, numeric.Interval{Lo: math.Inf(-1), Hi: math.Inf(1), Number: b.Kids[0].Real.Number}}
		},
	})
}

// fold describes a reduction that folds with a binary operator, from its value of
// nothing.
func fold(name string, of Sym, nothing func(*types.Type) Scalar, o Operator) Operator {
	o.Name, o.Fold, o.Work, o.Empty = name, of, WorkFold, nothing
	return o
}

// extremum is maximum, or minimum; of nothing it is an infinity.
func extremum(name string, of Sym, sign int) Operator {
	nothing := ScalarR(numeric.Inf(sign))
	return fold(name, of, func(*types.Type) Scalar { return nothing }, Operator{
		bounds: func(b Bounding) Bounds {
			v := b.Kids[0].Real
			if least, _ := counts(b.Kids[0].Type, 1); least == 0 {
				v = v.Join(nothing.Num.Interval())
			}
			return Bounds{AnyInt, v}
		},
	})
}

// position describes the index of the first element before which none comes; NaN
// comes before all others.
func position(name string, before func(c Cells, i, j int) bool) Operator {
	return Operator{
		Name: name, Work: WorkFold, Empty: zeroOf,
		Fill: func(c Cells) {
			n := c.Len(Result)
			for k := range n {
				c.SetInt(k, int64(best(c, before, 0, k, n)/n))
			}
		},
		bounds: positions,
	}
}

// positions bounds numbers of subarrays along the first axis of the operand.
func positions(b Bounding) Bounds {
	_, most := counts(b.Kids[0].Type, 1)
	return Bounds{Range{0, Saturate(max(most-1, 0))}, numeric.AnyReal}
}

// best is where the first element of operand of is that no other comes before, among
// those every n from number k on.
func best(c Cells, before func(c Cells, i, j int) bool, of, k, n int) int {
	best := k
	for x := k + n; x < c.Len(of); x += n {
		if !c.NaN(of, best) && (c.NaN(of, x) || before(c, best, x)) {
			best = x
		}
	}
	return best
}

func logsumexpFill(c Cells) {
	n := c.Len(Result)
	sum, e := c.Scratch(twoZeros...), c.Scratch(twoZeros...)
	for k := range n {
		if c.Len(0) == 0 {
			c.SetLiteral(k, ScalarR(numeric.Inf(-1)))
			continue
		}
		c.Copy(k, 0, exponentials(c, k, n, e, 0, 0, sum), 1)
		c.Do(SymLog, sum, 0, sum, 0, 1)
		c.Combine(SymAdd, k, sum, 0, 1)
	}
}

// A sum of squares between these bounds has lost nothing.
var (
	LeastSquares = ScalarR(powerOfTwo(-200))
	MostSquares  = ScalarR(powerOfTwo(200))
)

// normScratch are 0, room for two numbers, and bounds of a sum of squares.
var normScratch = []Scalar{ScalarR(numeric.Int(0)), ScalarR(numeric.Int(0)), ScalarR(numeric.Int(0)), LeastSquares, MostSquares}

func powerOfTwo(n int) numeric.Num {
	x, _ := numeric.FromRat(new(big.Rat).SetFloat64(math.Ldexp(1, n))) // which has few bits
	return x
}

// normFill squares the elements as they are, and where that may overflow or underflow
// their quotients by the largest.
func normFill(c Cells) {
	const zero, sum, x, least, most = 0, 1, 2, 3, 4
	n := c.Len(Result)
	s := c.Scratch(normScratch...)
	do := func(sym Sym, to, at, k, i int) { c.Do(sym, to, at, k, i, 1) }
	for k := range n {
		c.Move(s, sum, s, zero, 1)
		for i := k; i < c.Len(0); i += n {
			c.Move(s, x, 0, i, 1)
			do(SymMul, s, x, s, x)
			do(SymAdd, s, sum, s, x)
		}
		if c.Less(s, least, sum) && c.Less(s, sum, most) {
			do(SymSqrt, Result, k, s, sum)
			continue
		}
		for i := k; i < c.Len(0); i += n {
			do(SymAbs, s, x, 0, i)
			do(SymMax, Result, k, s, x)
		}
		c.Move(s, sum, Result, k, 1)
		do(SymSub, s, sum, s, sum) // NaN if it is not finite
		c.Move(s, x, Result, k, 1)
		if c.NaN(s, sum) || !c.Less(s, zero, x) {
			continue
		}
		for i := k; i < c.Len(0); i += n {
			c.Move(s, x, 0, i, 1)
			do(SymDiv, s, x, Result, k)
			do(SymMul, s, x, s, x)
			do(SymAdd, s, sum, s, x)
		}
		do(SymSqrt, s, sum, s, sum)
		do(SymMul, Result, k, s, sum)
	}
}

// counts bounds the number of subarrays along the first axes of an array.
func counts(t *types.Type, axes int) (least, most float64) {
	if t != nil && t.Kind == types.KArray && axes <= len(t.Shape) {
		if n, ok := size.Product(t.Shape[:axes]).Const(); ok {
			return float64(n), float64(n)
		}
	}
	return 0, 1 << 62
}

// sum bounds a sum of from least to most elements of the operand.
func (b Bounding) sum(least, most float64) Bounds {
	if b.Type.Elem != types.R {
		return Unbounded
	}
	return Bounds{AnyInt, b.Kids[0].Real.Sum(least, most)}
}

// unitOf is 1, or true.
func unitOf(t *types.Type) Scalar {
	switch t.Elem {
	case types.R:
		return ScalarR(numeric.Int(1))
	case types.B:
		return ScalarB(true)
	}
	return ScalarI(1)
}
