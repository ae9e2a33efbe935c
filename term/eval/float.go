package eval

import (
	"fmt"
	"math"

	"egad/internal/raise"
	"egad/term/numeric"
	"egad/term/ops"
)

// Floats is the arithmetic of float64: IEEE, never fused.
type Floats struct{}

// FromNum rounds to nearest.
func (Floats) FromNum(n numeric.Num) float64 { return n.Float64() }

// FromInt rounds to nearest.
func (Floats) FromInt(i int64) float64 { return float64(i) }

// Unary applies an R -> R operator.
func (x Floats) Unary(sym ops.Sym, n int, a float64) float64 { return x.PrepareUnary(sym, n)(a) }

// Binary applies an R, R -> R operator.
func (x Floats) Binary(sym ops.Sym, a, b float64) float64 { return x.PrepareBinary(sym)(a, b) }

// PrepareUnary gives what applies an R -> R operator.
func (Floats) PrepareUnary(sym ops.Sym, n int) func(a float64) float64 {
	f := ops.FloatUnary(sym, n)
	if f == nil {
		unmeant(sym)
	}
	return f
}

// PrepareBinary gives what applies an R, R -> R operator.
func (Floats) PrepareBinary(sym ops.Sym) func(a, b float64) float64 {
	f := ops.FloatBinary(sym)
	if f == nil {
		unmeant(sym)
	}
	return f
}

func unmeant(sym ops.Sym) {
	raise.Error(fmt.Errorf("no meaning for %s on R", ops.Builtin(sym).Name))
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
