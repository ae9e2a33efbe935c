package term

import (
	"fmt"
	"math"

	"egad/term/numeric"
)

// Floats is the arithmetic of float64: IEEE, never fused.
type Floats struct{}

// FromNum rounds to nearest.
func (Floats) FromNum(n numeric.Num) (float64, error) { return n.Float64(), nil }

// FromInt rounds to nearest.
func (Floats) FromInt(i int64) (float64, error) { return float64(i), nil }

// FloatUnary returns the meaning of an R -> R operator, or nil if it is none; n is its
// attribute.
func FloatUnary(sym Sym, n int) func(float64) float64 {
	if f := operators[sym].float1; f != nil {
		return f(n)
	}
	return nil
}

// FloatBinary returns the meaning of an R, R -> R operator, or nil if it is none.
func FloatBinary(sym Sym) func(a, b float64) float64 { return operators[sym].float2 }

// Unary applies an R -> R operator.
func (Floats) Unary(sym Sym, n int, a float64) (float64, error) {
	if f := FloatUnary(sym, n); f != nil {
		return f(a), nil
	}
	return 0, fmt.Errorf("no meaning for %s on R", Builtin(sym).Name)
}

// Binary applies an R, R -> R operator.
func (Floats) Binary(sym Sym, a, b float64) (float64, error) {
	if f := FloatBinary(sym); f != nil {
		return f(a, b), nil
	}
	return 0, fmt.Errorf("no meaning for %s on R", Builtin(sym).Name)
}

// PrepareUnary gives what applies an R -> R operator.
func (x Floats) PrepareUnary(sym Sym, n int) func(a float64) (float64, error) {
	f := FloatUnary(sym, n)
	if f == nil {
		return func(a float64) (float64, error) { return x.Unary(sym, n, a) }
	}
	return func(a float64) (float64, error) { return f(a), nil }
}

// PrepareBinary gives what applies an R, R -> R operator; of those that programs have most
// without a call.
func (x Floats) PrepareBinary(sym Sym) func(a, b float64) (float64, error) {
	f := FloatBinary(sym)
	switch {
	case f == nil:
		return func(a, b float64) (float64, error) { return x.Binary(sym, a, b) }
	case sym == SymAdd:
		return func(a, b float64) (float64, error) { return a + b, nil }
	case sym == SymMul:
		return func(a, b float64) (float64, error) { return a * b, nil }
	}
	return func(a, b float64) (float64, error) { return f(a, b), nil }
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

// FloatArrays returns the algebra of concrete float64 arrays: the evaluator.
func FloatArrays() Arrays[float64] { return Arrays[float64]{Scalars: Floats{}} }
