package term

import (
	"fmt"
	"math"
)

// Floats is the arithmetic of float64: IEEE, never fused.
type Floats struct{}

// FromNum rounds to nearest.
func (Floats) FromNum(n Num) (float64, error) { return n.Float64(), nil }

// FromInt rounds to nearest.
func (Floats) FromInt(i int64) (float64, error) { return float64(i), nil }

// FloatUnary is the meaning of an R -> R operator, or nil if it is none; n is its
// attribute.
func FloatUnary(sym Sym, n int) func(float64) float64 {
	switch sym {
	case SymNeg:
		return func(a float64) float64 { return -a }
	case SymAbs:
		return math.Abs
	case SymExp:
		return exp
	case SymLog:
		return log
	case SymSqrt:
		return math.Sqrt
	case SymSin:
		return math.Sin
	case SymCos:
		return math.Cos
	case SymTan:
		return math.Tan
	case SymTanh:
		return math.Tanh
	case SymSigmoid:
		return func(a float64) float64 { return 1 / (1 + exp(-a)) }
	case SymLgamma:
		return lgamma
	case SymPolygamma:
		return func(a float64) float64 { return Polygamma(n, a) }
	}
	return nil
}

// FloatBinary is the meaning of an R, R -> R operator, or nil if it is none. The
// conversion keeps the compiler from fusing a product with a later sum.
func FloatBinary(sym Sym) func(a, b float64) float64 {
	switch sym {
	case SymAdd:
		return func(a, b float64) float64 { return a + b }
	case SymSub:
		return func(a, b float64) float64 { return a - b }
	case SymMul:
		return func(a, b float64) float64 { return float64(a * b) }
	case SymDiv:
		return func(a, b float64) float64 { return a / b }
	case SymMin:
		return floatMin
	case SymMax:
		return floatMax
	case SymPow:
		return pow
	case SymAtan2:
		return math.Atan2
	}
	return nil
}

// floatMin and floatMax are NaN if an operand is, unlike math.Min(-Inf, NaN).
func floatMin(a, b float64) float64 { return min(a, b) }

func floatMax(a, b float64) float64 { return max(a, b) }

// Unary applies an R -> R operator.
func (Floats) Unary(sym Sym, n int, a float64) (float64, error) {
	if f := FloatUnary(sym, n); f != nil {
		return f(a), nil
	}
	return 0, fmt.Errorf("no meaning for %s on R", operators[sym].Name)
}

// Binary applies an R, R -> R operator.
func (Floats) Binary(sym Sym, a, b float64) (float64, error) {
	if f := FloatBinary(sym); f != nil {
		return f(a, b), nil
	}
	return 0, fmt.Errorf("no meaning for %s on R", operators[sym].Name)
}

// Compare applies a comparison; with NaN all are false.
func (Floats) Compare(sym Sym, a, b float64) bool {
	switch sym {
	case SymLt:
		return a < b
	case SymLe:
		return a <= b
	}
	return a == b
}

// Floor rounds down, saturating.
func (Floats) Floor(a float64) int64 { return saturate(math.Floor(a)) }

// Round rounds to nearest, ties to even, saturating.
func (Floats) Round(a float64) int64 { return saturate(math.RoundToEven(a)) }

// IsNaN reports whether a is NaN.
func (Floats) IsNaN(a float64) bool { return math.IsNaN(a) }

// FloatArrays is the algebra of concrete float64 arrays: the evaluator.
func FloatArrays() Arrays[float64] { return Arrays[float64]{Scalars: Floats{}} }
