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

// Unary applies an R -> R operator.
func (Floats) Unary(sym Sym, n int, a float64) (float64, error) {
	switch sym {
	case SymNeg:
		return -a, nil
	case SymAbs:
		return math.Abs(a), nil
	case SymExp:
		return math.Exp(a), nil
	case SymLog:
		return math.Log(a), nil
	case SymSqrt:
		return math.Sqrt(a), nil
	case SymSin:
		return math.Sin(a), nil
	case SymCos:
		return math.Cos(a), nil
	case SymTan:
		return math.Tan(a), nil
	case SymTanh:
		return math.Tanh(a), nil
	case SymSigmoid:
		return 1 / (1 + math.Exp(-a)), nil
	case SymLgamma:
		v, _ := math.Lgamma(a)
		return v, nil
	case SymPolygamma:
		return Polygamma(n, a), nil
	}
	return 0, fmt.Errorf("no meaning for %s on R", operators[sym].Name)
}

// Binary applies an R, R -> R operator. The conversions keep the compiler from
// fusing a product with a later sum.
func (Floats) Binary(sym Sym, a, b float64) (float64, error) {
	switch sym {
	case SymAdd:
		return a + b, nil
	case SymSub:
		return a - b, nil
	case SymMul:
		return float64(a * b), nil
	case SymDiv:
		return a / b, nil
	case SymMin, SymMax:
		if math.IsNaN(a) || math.IsNaN(b) { // math.Max(+Inf, NaN) is +Inf
			return math.NaN(), nil
		}
		if sym == SymMin {
			return math.Min(a, b), nil
		}
		return math.Max(a, b), nil
	case SymPow:
		return math.Pow(a, b), nil
	case SymAtan2:
		return math.Atan2(a, b), nil
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
