package eval

import (
	"fmt"
	"math"

	"egad/term/numeric"
	"egad/term/ops"
)

// Floats is the arithmetic of float64: IEEE, never fused.
type Floats struct{}

// FromNum rounds to nearest.
func (Floats) FromNum(n numeric.Num) (float64, error) { return n.Float64(), nil }

// FromInt rounds to nearest.
func (Floats) FromInt(i int64) (float64, error) { return float64(i), nil }

// Unary applies an R -> R operator.
func (Floats) Unary(sym ops.Sym, n int, a float64) (float64, error) {
	if f := ops.FloatUnary(sym, n); f != nil {
		return f(a), nil
	}
	return 0, fmt.Errorf("no meaning for %s on R", ops.Builtin(sym).Name)
}

// Binary applies an R, R -> R operator.
func (Floats) Binary(sym ops.Sym, a, b float64) (float64, error) {
	if f := ops.FloatBinary(sym); f != nil {
		return f(a, b), nil
	}
	return 0, fmt.Errorf("no meaning for %s on R", ops.Builtin(sym).Name)
}

// PrepareUnary gives what applies an R -> R operator.
func (x Floats) PrepareUnary(sym ops.Sym, n int) func(a float64) (float64, error) {
	f := ops.FloatUnary(sym, n)
	if f == nil {
		return func(a float64) (float64, error) { return x.Unary(sym, n, a) }
	}
	return func(a float64) (float64, error) { return f(a), nil }
}

// PrepareBinary gives what applies an R, R -> R operator; of those that programs have most
// without a call.
func (x Floats) PrepareBinary(sym ops.Sym) func(a, b float64) (float64, error) {
	f := ops.FloatBinary(sym)
	switch {
	case f == nil:
		return func(a, b float64) (float64, error) { return x.Binary(sym, a, b) }
	case sym == ops.SymAdd:
		return func(a, b float64) (float64, error) { return a + b, nil }
	case sym == ops.SymMul:
		return func(a, b float64) (float64, error) { return a * b, nil }
	}
	return func(a, b float64) (float64, error) { return f(a, b), nil }
}

// Compare applies a comparison; with NaN all are false.
func (Floats) Compare(sym ops.Sym, a, b float64) bool {
	switch sym {
	case ops.SymLt:
		return a < b
	case ops.SymLe:
		return a <= b
	}
	return a == b
}

// Floor rounds down, saturating.
func (Floats) Floor(a float64) int64 { return ops.Saturate(math.Floor(a)) }

// Round rounds to nearest, ties to even, saturating.
func (Floats) Round(a float64) int64 { return ops.Saturate(math.RoundToEven(a)) }

// IsNaN reports whether a is NaN.
func (Floats) IsNaN(a float64) bool { return math.IsNaN(a) }

// FloatArrays returns the algebra of concrete float64 arrays: the evaluator.
func FloatArrays() Arrays[float64] { return Arrays[float64]{Scalars: Floats{}} }
