package ops

import (
	"math"
	"math/big"

	"egad/term/numeric"
	"egad/term/types"
)

// The elementwise operators: each says which element types it takes, what it means
// on a real and on an integer (or a truth value as 0 and 1), and what is known of
// the result from what is known of the operands.

func init() {
	each(SymWhere, Operator{
		Name: "where", Ports: []string{"if", "then", "else"}, Work: WorkMove,
		bounds: func(b Bounding) Bounds { return b.any(1) },
	})
	// The value of the first operand; the others are for derivatives.
	each(SymWithslope, Operator{Name: "withslope", Work: WorkMove})
	// neg is not zero-preserving: neg of +0 is -0, a different float64.
	each(SymNeg, Operator{
		Name:   "neg",
		float1: alike(func(a float64) float64 { return -a }),
		rat1:   func(a *big.Rat) *big.Rat { return new(big.Rat).Neg(a) },
		int1:   func(a int64) int64 { return -a },
		bounds: ofOne(func(a Range) Range {
			return checked(func(x int64) (int64, bool) { return -x, x != math.MinInt64 }, a.Hi, a.Lo)
		}, numeric.Interval.Neg),
	})
	each(SymAbs, Operator{
		Name:   "abs",
		float1: alike(math.Abs),
		rat1:   func(a *big.Rat) *big.Rat { return new(big.Rat).Abs(a) },
		int1:   func(a int64) int64 { return max(a, -a) },
		bounds: ofOne(func(a Range) Range {
			switch {
			case a.Lo >= 0:
				return a
			case a.Lo > math.MinInt64:
				return Range{0, max(-a.Lo, a.Hi)}
			}
			return AnyInt
		}, numeric.Interval.Abs),
	})
	growing(SymExp, Operator{Name: "exp"}, numeric.Exp, 0, 1, 0, math.Inf(1))
	growing(SymLog, Operator{Name: "log"}, numeric.Log, 1, 0, math.Inf(-1), math.Inf(1))
	real(SymSqrt, Operator{Name: "sqrt", float1: alike(math.Sqrt)}, func(a numeric.Interval) numeric.Interval {
		out := numeric.Interval{Lo: max(a.Lo, 0), Hi: max(a.Hi, 0)}.Monotone(math.Sqrt, 0, math.Inf(1))
		out.Number, out.NonZero = a.Number && a.Lo >= 0, out.NonZero || a.NonZero
		return out
	})
	real(SymSin, Operator{Name: "sin", Twins: true, float1: alike(numeric.Sin)}, wave)
	real(SymCos, Operator{Name: "cos", Twins: true, float1: alike(numeric.Cos)}, wave)
	real(SymTan, Operator{Name: "tan", Twins: true, float1: alike(numeric.Tan)}, func(a numeric.Interval) numeric.Interval {
		return numeric.Interval{Lo: math.Inf(-1), Hi: math.Inf(1), Number: a.Finite()}
	})
	growing(SymTanh, Operator{Name: "tanh"}, math.Tanh, 0, 0, -1, 1)
	growing(SymSigmoid, Operator{Name: "sigmoid", Twins: true}, sigmoid, math.Inf(-1), 0, 0, 1)
	real(SymLgamma, Operator{Name: "lgamma", float1: alike(numeric.Lgamma), Operations: 3}, func(a numeric.Interval) numeric.Interval {
		return numeric.Interval{Lo: math.Inf(-1), Hi: math.Inf(1), Number: a.Number}
	})
	each(SymPolygamma, Operator{
		Name: "polygamma", Operations: 3,
		float1: func(n int) func(float64) float64 { return func(a float64) float64 { return numeric.Polygamma(n, a) } },
	})
	each(SymFloor, Operator{Name: "floor", bounds: rounds})
	each(SymRound, Operator{Name: "round", bounds: rounds})
	each(SymReal, Operator{
		Name:   "real",
		bounds: func(b Bounding) Bounds { return Bounds{AnyInt, numeric.Integers(b.Kids[0].Int.Lo, b.Kids[0].Int.Hi)} },
	})
	each(SymNot, Operator{
		Name: "not",
		int1: func(a int64) int64 { return 1 - a },
	})
	each(SymAdd, Operator{
		Name: "add", Infix: "+", Hidden: true,
		float2: func(a, b float64) float64 { return a + b },
		rat2:   inRationals((*big.Rat).Add),
		int2:   func(a, b int64) int64 { return a + b },
		bounds: ofTwo(func(a, b Range) Range { return combine(a, b, addInt) },
			func(a, b numeric.Interval, _ bool) numeric.Interval { return a.Add(b) }),
	})
	each(SymSub, Operator{
		Name: "sub", Infix: "-", Hidden: true,
		float2: func(a, b float64) float64 { return a - b },
		rat2:   inRationals((*big.Rat).Sub),
		int2:   func(a, b int64) int64 { return a - b },
		bounds: ofTwo(func(a, b Range) Range {
			return combine(a, b, func(a, b int64) (int64, bool) { return a - b, (a-b < a) == (b > 0) })
		}, func(a, b numeric.Interval, same bool) numeric.Interval {
			if same && a.Finite() {
				return numeric.PointOf(0)
			}
			return a.Add(b.Neg())
		}),
	})
	each(SymMul, Operator{
		Name: "mul", Infix: "*", Hidden: true,
		// The conversion keeps the compiler from fusing a product with a later sum.
		float2: func(a, b float64) float64 { return float64(a * b) },
		rat2:   inRationals((*big.Rat).Mul),
		int2:   func(a, b int64) int64 { return a * b },
		bounds: ofTwo(func(a, b Range) Range { return combine(a, b, mulInt) }, func(a, b numeric.Interval, same bool) numeric.Interval {
			if !same {
				return a.Mul(b)
			}
			out := a.Abs().Mul(a.Abs())
			out.Number = a.Number
			return out
		}),
	})
	each(SymDiv, Operator{
		Name: "fdiv", Infix: "/", Hidden: true,
		float2: func(a, b float64) float64 { return a / b },
		rat2:   quotient,
		bounds: ofTwo(nil, func(a, b numeric.Interval, same bool) numeric.Interval {
			if same && a.Finite() && !a.MayBeZero() {
				return numeric.PointOf(1)
			}
			return a.Div(b)
		}),
	})
	// A result is NaN if an operand is, unlike math.Min(-Inf, NaN).
	minOrMax(SymMin, "min", func(a, b float64) float64 { return min(a, b) }, func(a, b int64) int64 { return min(a, b) })
	minOrMax(SymMax, "max", func(a, b float64) float64 { return max(a, b) }, func(a, b int64) int64 { return max(a, b) })
	each(SymPow, Operator{
		Name: "pow", Infix: "^", Operations: 3,
		float2: numeric.Pow,
		rat2:   power,
		bounds: ofTwo(nil, func(a, b numeric.Interval, _ bool) numeric.Interval { return a.Pow(b) }),
	})
	each(SymAtan2, Operator{
		Name: "atan2", Operations: 4,
		float2: numeric.Atan2,
		bounds: ofTwo(nil, func(a, b numeric.Interval, _ bool) numeric.Interval {
			return numeric.Interval{Lo: -4, Hi: 4, Number: a.Number && b.Number}
		}),
	})
	each(SymIdiv, Operator{
		Name: "div", Infix: "div", Hidden: true,
		int2: floorDiv,
		bounds: ofTwo(func(a, b Range) Range {
			if b.Lo > 0 && a.known() {
				return combine(a, b, func(a, b int64) (int64, bool) { return floorDiv(a, b), true })
			}
			return AnyInt
		}, nil),
	})
	each(SymMod, Operator{
		Name: "mod", Infix: "mod", Hidden: true,
		int2: func(a, b int64) int64 {
			if b == 0 {
				return 0
			}
			return a - b*floorDiv(a, b)
		},
		bounds: ofTwo(func(a, b Range) Range {
			switch {
			case b.Lo <= 0:
				return AnyInt
			case a.Lo >= 0 && a.Hi < b.Lo:
				return a
			}
			return Range{0, b.Hi - 1}
		}, nil),
	})
	each(SymLt, Operator{
		Name: "lt", Infix: "<", Hidden: true,
		int2: func(a, b int64) int64 { return Truth(a < b) },
	})
	each(SymLe, Operator{
		Name: "le", Infix: "<=", Hidden: true,
		int2: func(a, b int64) int64 { return Truth(a <= b) },
	})
	each(SymEq, Operator{
		Name: "eq", Infix: "==", Hidden: true,
		int2: func(a, b int64) int64 { return Truth(a == b) },
	})
	each(SymAnd, Operator{
		Name: "and", Infix: "&&", Hidden: true,
		int2: func(a, b int64) int64 { return a & b },
	})
	each(SymOr, Operator{
		Name: "or", Infix: "||", Hidden: true,
		int2: func(a, b int64) int64 { return a | b },
	})
}

// each describes an elementwise operator: what all of them have in common.
func each(s Sym, o Operator) {
	if o.Work == WorkNone {
		o.Work = WorkEach
	}
	describe(s, o)
}

// real describes an operator on a real.
func real(s Sym, o Operator, bounds func(numeric.Interval) numeric.Interval) {
	o.bounds = ofOne(nil, bounds)
	each(s, o)
}

// growing describes a growing function of a real that is y at x, and within floor and ceiling. No more
// is known of it where it is not a number.
func growing(s Sym, o Operator, f func(float64) float64, x, y, floor, ceiling float64) {
	o.float1 = alike(f)
	real(s, o, func(a numeric.Interval) numeric.Interval {
		if math.IsNaN(f(a.Lo)) || math.IsNaN(f(a.Hi)) {
			return numeric.Interval{Lo: floor, Hi: ceiling}
		}
		return a.MonotoneThrough(f, x, y, floor, ceiling)
	})
}

// alike is a meaning on reals that has no attribute.
func alike(f func(float64) float64) func(int) func(float64) float64 {
	return func(int) func(float64) float64 { return f }
}

// minOrMax describes min or max: the bounds are what the operator makes of those of
// the operands.
func minOrMax(s Sym, name string, reals func(a, b float64) float64, ints func(a, b int64) int64) {
	each(s, Operator{
		Name:   name,
		float2: reals, int2: ints,
		rat2: inRationals(func(_, a, b *big.Rat) *big.Rat {
			if sign := int64(a.Cmp(b)); ints(sign, 0) == sign { // as of their difference and 0
				return a
			}
			return b
		}),
		bounds: ofTwo(func(a, b Range) Range { return Range{ints(a.Lo, b.Lo), ints(a.Hi, b.Hi)} },
			func(a, b numeric.Interval, _ bool) numeric.Interval {
				return numeric.Interval{Lo: reals(a.Lo, b.Lo), Hi: reals(a.Hi, b.Hi), NonZero: a.NonZero && b.NonZero, Number: a.Number && b.Number}
			}),
	})
}

// ofOne and ofTwo give what is known of a result by its element type.
func ofOne(ints func(Range) Range, reals func(numeric.Interval) numeric.Interval) func(Bounding) Bounds {
	return func(b Bounding) Bounds {
		out := Unbounded
		if a := b.Kids[0]; b.Type.Elem == types.R {
			out.Real = reals(a.Real)
		} else if ints != nil {
			out.Int = ints(a.Int)
		}
		return out
	}
}

func ofTwo(ints func(a, b Range) Range, reals func(a, b numeric.Interval, same bool) numeric.Interval) func(Bounding) Bounds {
	return func(b Bounding) Bounds {
		out := Unbounded
		if x, y := b.Kids[0], b.Kids[1]; b.Type.Elem == types.R {
			out.Real = reals(x.Real, y.Real, b.Equal)
		} else if ints != nil {
			out.Int = ints(x.Int, y.Int)
		}
		return out
	}
}

// wave bounds what swings between -1 and 1.
func wave(a numeric.Interval) numeric.Interval {
	return numeric.Interval{Lo: -1, Hi: 1, Number: a.Finite()}
}

// rounds bounds floor and round.
func rounds(b Bounding) Bounds {
	a := b.Kids[0].Real
	r := Range{Saturate(math.Floor(a.Lo)), Saturate(math.RoundToEven(a.Hi))}
	if !a.Number {
		r = r.Join(Range{})
	}
	return Bounds{r, numeric.AnyReal}
}

func sigmoid(a float64) float64 { return 1 / (1 + numeric.Exp(-a)) }
